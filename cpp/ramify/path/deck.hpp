// Nodes that wait for a worker, the largest first.
//
// A worker grows all that comes from the node that it takes, and puts some of it back on the deck wherever few
// wait there, so that nobody runs out of work while others have some. All is done when no node waits and none is
// at work.
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
  // `room`: how much may wait, in the unit of the items' sizes; `fewest`: what is not worth waiting for.
  Deck(Pool& pool, std::size_t room, std::size_t fewest) : pool_(pool), room_(room), fewest_(fewest) {}

  // Whether an item of this size had better wait here than with the one who has it. As many as fit may wait, and
  // one whatever its size.
  bool wants(std::size_t size) const {
    const std::size_t waiting = waiting_.load(std::memory_order_relaxed);
    return size >= fewest_ && (waiting == 0 || waiting + size <= room_);
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

  // The next item for a worker, which says so when it is done with it; waits for one, and has none in the end.
  Item take(std::size_t worker) {
    std::unique_lock lock(mutex_);
    while (items_.empty() && at_work_ > 0) {
      changed_.wait_for(lock, kPatience);
      lock.unlock();
      pool_.poll(worker);  // another may have failed
      lock.lock();
    }
    if (items_.empty()) return {};
    std::pop_heap(items_.begin(), items_.end(), smaller);
    Item item = std::move(items_.back().second);
    waiting_ -= items_.back().first;
    items_.pop_back();
    ++at_work_;
    return item;
  }
  void done() {
    const std::lock_guard lock(mutex_);
    if (--at_work_ == 0) changed_.notify_all();
  }

 private:
  using Sized = std::pair<std::size_t, Item>;
  static constexpr std::chrono::milliseconds kPatience{50};

  static bool smaller(const Sized& a, const Sized& b) { return a.first < b.first; }

  Pool& pool_;
  std::size_t room_;
  std::size_t fewest_;
  std::atomic<std::size_t> waiting_{0};  // in the unit of sizes
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Sized> items_;  // a heap
  std::size_t at_work_ = 0;
};

}  // namespace ramify
