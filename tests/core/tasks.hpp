// What tests of the core make their tasks of.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "strips/strips.hpp"
#include "util/rows.hpp"

inline tacit::Rows rows(const std::vector<tacit::Ints> &lists) {
    tacit::Rows made;
    for (const tacit::Ints &list : lists)
        made.append(list);
    return made;
}
