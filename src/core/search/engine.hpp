// One way to search, run in slices.
#pragma once

#include <vector>

#include "heuristics/heuristic.hpp"
#include "search/meter.hpp"
#include "search/space.hpp"

namespace tacit {

enum class Status {
    running,    // the slice is over
    solved,     // `plan` has it
    exhausted,  // there is no plan
    failed,     // this run leads nowhere; the next one starts afresh
};

class Engine {
  public:
    virtual ~Engine() = default;

    virtual Status run(Meter &meter) = 0;
    // Forgets everything; must be called when the space has changed.
    virtual void restart() = 0;
    virtual std::size_t bytes() const = 0;

    Ints plan;
};

}  // namespace tacit
