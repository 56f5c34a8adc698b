// A vector whose elements are not zeroed when it grows: for scratch arrays as large as a task of
// which little is used at a time. Whoever reads an element has written it before.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace tacit {

template <typename T>
struct ForOverwrite : std::allocator<T> {
    template <typename U>
    struct rebind {
        using other = ForOverwrite<U>;
    };
    template <typename U>
    void construct(U *place) noexcept {
        ::new (static_cast<void *>(place)) U;
    }
    template <typename U, typename... Given>
    void construct(U *place, Given &&...given) {
        ::new (static_cast<void *>(place)) U(std::forward<Given>(given)...);
    }
};

template <typename T>
using Scratch = std::vector<T, ForOverwrite<T>>;

}  // namespace tacit
