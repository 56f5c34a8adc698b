// A task that several searches read, once for all that have an equal one.
//
// A task is not changed but replaced: `change` makes another one, which is again that of the others
// once they have changed theirs alike. Tasks are equal if they are the same in every part; whoever
// made one first is not seen.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "strips/strips.hpp"

namespace tacit {

// May be asked by several threads at once.
class SharedTasks {
  public:
    std::shared_ptr<const StripsTask> share(StripsTask task) {
        std::lock_guard guard(changing_);
        std::erase_if(known_, [](const auto &known) { return known.expired(); });
        for (const auto &known : known_)
            if (auto found = known.lock(); found && *found == task)
                return found;
        auto made = std::make_shared<const StripsTask>(std::move(task));
        known_.push_back(made);
        return made;
    }

  private:
    std::mutex changing_;
    std::vector<std::weak_ptr<const StripsTask>> known_;
};

class SharedTask {
  public:
    SharedTask() : SharedTask(StripsTask(), std::make_shared<SharedTasks>()) {}
    SharedTask(StripsTask task, std::shared_ptr<SharedTasks> among)
        : among_(std::move(among)), task_(among_->share(std::move(task))) {}

    operator const StripsTask &() const { return *task_; }
    const StripsTask *operator->() const { return task_.get(); }
    template <typename Change>
    void change(Change apply) {
        StripsTask changed = *task_;
        apply(changed);
        task_ = among_->share(std::move(changed));
    }

  private:
    std::shared_ptr<SharedTasks> among_;
    std::shared_ptr<const StripsTask> task_;
};

}  // namespace tacit
