// Long loops call back now and then, so that whoever waits for them can end them.
//
// The core counts work and knows no limits in seconds but those of a search. What a user's limits
// or Ctrl-C ask for is up to `on_pulse`: it is called in the thread that works, a few times a
// second at most, and may throw. Nothing is left half done that anybody would go on with.
#pragma once

#include <cstdint>

namespace tacit {

using Pulse = void (*)();

// Who is called, and how many seconds must lie between two calls in one thread.
void on_pulse(Pulse called, double seconds_between);

// Calls back, unless that was done a moment ago.
void pulse();

// For a loop whose rounds are too short to look at the clock in each.
class Ticks {
  public:
    void operator()(std::uint32_t work = 1) {
        if ((count_ += work) < per_pulse)
            return;
        count_ = 0;
        pulse();
    }

  private:
    static constexpr std::uint32_t per_pulse = 1 << 10;
    std::uint32_t count_ = 0;
};

}  // namespace tacit
