// How much has been done, and whether to stop.
//
// Inside a search everything is counted in evaluations, so that the same task gives the same plan
// on any machine. Limits in seconds and bytes, cancellation and the callback (`pulse.hpp`) are
// checked now and then.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tacit {

enum class Outcome { solved, unsolvable, limit, time, memory, cancelled };

struct Limits {
    std::int64_t evaluations;
    double seconds;
    std::size_t bytes;
};

class Meter {
  public:
    std::int64_t expanded = 0, evaluated = 0, generated = 0;
    std::atomic<bool> is_cancelled{false};
    Outcome reason = Outcome::limit;  // why a run stopped before it had a result

    void begin(const Limits &limits);
    // The engine at work may evaluate up to here (as counted by `evaluated`) and use so many bytes.
    void slice(std::int64_t end, std::size_t other_bytes) {
        slice_end_ = end;
        other_bytes_ = other_bytes;
    }
    // To be asked between two expansions; `bytes` is asked for only now and then.
    template <typename Bytes>
    bool stop(Bytes &&bytes) {
        if (evaluated >= slice_end_ || evaluated >= run_end_)
            return true;
        return ++ticks_ % expansions_per_check == 0 && is_past_limits(other_bytes_ + bytes());
    }
    // Whether the whole run is over, and not only a slice.
    bool is_over() const { return is_stopped_ || evaluated >= run_end_; }

  private:
    using Clock = std::chrono::steady_clock;
    // Between two checks of time, memory and cancellation.
    static constexpr std::uint64_t expansions_per_check = 16;

    std::int64_t slice_end_ = 0, run_end_ = 0;
    std::size_t other_bytes_ = 0, max_bytes_ = 0;
    bool has_deadline_ = false, is_stopped_ = false;
    Clock::time_point deadline_;
    std::uint64_t ticks_ = 0;

    bool is_past_limits(std::size_t bytes);
};

}  // namespace tacit
