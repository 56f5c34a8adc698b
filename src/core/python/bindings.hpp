// What the files of the Python face share: flat arrays as memoryviews.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "util/rows.hpp"

namespace tacit::python {

namespace nb = nanobind;

template <typename T>
using View = nb::ndarray<nb::memview, const T, nb::ndim<1>, nb::c_contig>;

// A view that keeps its own copy alive, whatever happens to the object it was asked of.
template <typename T>
nb::object view(std::vector<T> values) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return View<T>(kept->data(), {kept->size()}, owner).cast();
}

inline nb::tuple rows_view(const Rows &rows) {
    return nb::make_tuple(view(rows.start), view(rows.items));
}

// Integers from anything with a buffer of 32-bit integers, else from any sequence.
inline Ints ints(nb::handle from) {
    using Given = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    Given given;
    if (nb::try_cast<Given>(from, given, false))
        return Ints(given.data(), given.data() + given.shape(0));
    return nb::cast<Ints>(from);
}

inline Rows rows(const nb::tuple &from) {
    if (from.size() != 2)
        throw std::invalid_argument("rows are a pair of arrays, starts and items");
    Rows made{ints(from[0]), ints(from[1])};
    if (made.start.empty())
        throw std::invalid_argument("the starts of rows begin with 0");
    return made;
}

void bind_pulse(nb::module_ &m);
void bind_grounding(nb::module_ &m);
void bind_dependencies(nb::module_ &m);

void bind_search(nb::module_ &m);
void bind_mafs(nb::module_ &m);
void bind_minimum(nb::module_ &m);

}  // namespace tacit::python
