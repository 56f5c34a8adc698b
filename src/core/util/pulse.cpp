#include "util/pulse.hpp"

#include <atomic>
#include <chrono>

namespace tacit {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<Pulse> called_back{nullptr};
std::atomic<Clock::duration> between{Clock::duration::zero()};
thread_local Clock::time_point last;

}  // namespace

void on_pulse(Pulse called, double seconds_between) {
    std::chrono::duration<double> seconds(seconds_between);
    between = std::chrono::duration_cast<Clock::duration>(seconds);
    called_back = called;
}

void pulse() {
    Pulse called = called_back;
    if (!called)
        return;
    Clock::time_point now = Clock::now();
    if (now - last < between.load())
        return;
    last = now;
    called();
}

}  // namespace tacit
