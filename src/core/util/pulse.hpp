// Long loops call back now and then, so that they can be stopped.
//
// The core counts work and knows no limits in seconds but those of a search. The user's limits and
// Ctrl-C are up to the callback: it is called in the thread that works, a few times a second at
// most, and may throw. Objects that it interrupts are not used afterwards.
#pragma once

#include <cstdint>

namespace tacit {

using Pulse = void (*)();

// The function to call, and the least number of seconds between two calls in one thread.
void on_pulse(Pulse called, double seconds_between);

// Calls back, unless the last call was a moment ago.
void pulse();

// For a loop whose rounds are too short to read the clock in each.
class Ticks {
  public:
    // What a round of a heavy loop counts, which goes through whole sets of facts.
    static constexpr std::uint32_t heavy = 16;

    void operator()(std::uint32_t work = 1) {
        if ((count_ += work) < rounds_per_pulse)
            return;
        count_ = 0;
        pulse();
    }

  private:
    static constexpr std::uint32_t rounds_per_pulse = 1 << 10;

    std::uint32_t count_ = 0;
};

}  // namespace tacit
