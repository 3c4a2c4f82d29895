// What waits for a worker.
//
// There are some items to begin with. A worker grows all that comes from the item that it takes, and puts some of
// it back on the deck when there is nothing else for the others. Those to begin with are the largest, and what is
// at work takes memory: half of the workers at most are at these, and the others help them. All is done when no
// item waits and none is at work.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "ramify/threads.hpp"

namespace ramify {

// `Item`: what can be moved, and is false where there is none.
template <class Item>
class Deck {
 public:
  // `first`: what to begin with, the last of them first. `room`: how much of the others may wait, in the unit of
  // their sizes; `least`: the size of what is worth waiting for.
  Deck(Pool& pool, std::vector<Item> first, std::size_t room, std::size_t least)
      : pool_(pool),
        room_(room),
        least_(least),
        abreast_(std::max<std::size_t>(1, pool.size() / 2)),
        begins_(pool.size(), 0),
        first_(std::move(first)) {}

  // Whether an item of this size had better wait here than with the one who has it: as many as fit, so that
  // nobody has to wait for them, and anything for a worker that waits already.
  bool wants(std::size_t size) const {
    if (size < least_) return false;
    const std::size_t waiting = waiting_.load(std::memory_order_relaxed);
    return waiting + size <= room_ || (waiting == 0 && idle_.load(std::memory_order_relaxed) > 0);
  }

  void add(Item item, std::size_t size) {
    {
      const std::lock_guard lock(mutex_);
      items_.emplace_back(size, std::move(item));
      std::push_heap(items_.begin(), items_.end(), smaller);
      waiting_ += size;
    }
    changed_.notify_one();
  }

  // The next item for a worker, the largest that waits, who says so when it is done with it. Waits for one, and
  // has none in the end.
  Item take(std::size_t worker) {
    std::unique_lock lock(mutex_);
    ++idle_;
    while (items_.empty() && !may_begin() && at_work_ > 0) {
      changed_.wait_for(lock, kPatience);
      lock.unlock();
      pool_.poll(worker);  // another may have failed
      lock.lock();
    }
    if (items_.empty() && first_.empty()) return {};
    --idle_;
    ++at_work_;
    if (items_.empty()) {
      begins_[worker] = 1;
      ++n_beginning_;
      Item item = std::move(first_.back());
      first_.pop_back();
      return item;
    }
    std::pop_heap(items_.begin(), items_.end(), smaller);
    Item item = std::move(items_.back().second);
    waiting_ -= items_.back().first;
    items_.pop_back();
    return item;
  }

  void done(std::size_t worker) {
    const std::lock_guard lock(mutex_);
    --at_work_;
    if (begins_[worker] != 0) {
      begins_[worker] = 0;
      --n_beginning_;
    }
    if (at_work_ == 0 || may_begin()) changed_.notify_all();
  }

 private:
  using Sized = std::pair<std::size_t, Item>;
  static constexpr std::chrono::milliseconds kPatience{50};

  bool may_begin() const { return !first_.empty() && n_beginning_ < abreast_; }
  static bool smaller(const Sized& a, const Sized& b) { return a.first < b.first; }

  Pool& pool_;
  std::size_t room_;
  std::size_t least_;
  std::size_t abreast_;       // workers that may be at the first items at one time
  std::vector<char> begins_;  // of each worker: it is at one
  std::size_t n_beginning_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> first_;
  std::vector<Sized> items_;  // a heap
  std::size_t at_work_ = 0;
  // What can be looked at without the lock.
  std::atomic<std::size_t> waiting_{0};  // of the others, in the unit of sizes
  std::atomic<std::size_t> idle_{0};     // workers that look for an item
};

}  // namespace ramify
