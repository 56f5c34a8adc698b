#include "search/meter.hpp"

#include "util/pulse.hpp"

namespace tacit {

namespace {

constexpr double longest = 1e8;  // seconds; beyond it the clock's own type might overflow

}  // namespace

void Meter::begin(const Limits &limits) {
    auto now = Clock::now();
    has_deadline_ = limits.seconds < longest;
    if (has_deadline_)
        deadline_ = now + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(limits.seconds));
    run_end_ =
        limits.evaluations > INT64_MAX - evaluated ? INT64_MAX : evaluated + limits.evaluations;
    max_bytes_ = limits.bytes;
    is_stopped_ = false;
    reason = Outcome::limit;
}

bool Meter::is_past_limits(std::size_t bytes) {
    auto now = Clock::now();
    if (is_cancelled) {
        reason = Outcome::cancelled;
    } else if (has_deadline_ && now >= deadline_) {
        reason = Outcome::time;
    } else if (bytes > max_bytes_) {
        reason = Outcome::memory;
    } else {
        pulse();
        return false;
    }
    is_stopped_ = true;
    return true;
}

}  // namespace tacit
