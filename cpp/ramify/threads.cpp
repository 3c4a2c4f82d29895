#include "ramify/threads.hpp"

#include <utility>

namespace ramify {

Pool::Pool(std::size_t workers, std::function<bool()> interrupted)
    : workers_(workers == 0 ? 1 : workers), interrupted_(std::move(interrupted)) {}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::ask() {
  const auto now = Clock::now();
  if (now - last_asked_ < kPatience) return;
  last_asked_ = now;
  if (interrupted_()) {
    stop_.store(true);
    throw Interrupted();
  }
}

void Pool::start_threads() {
  while (threads_.size() + 1 < workers_) {
    const std::size_t worker = threads_.size() + 1;
    threads_.emplace_back([this, worker] { work(worker); });
  }
}

void Pool::take_tasks(std::size_t worker) {
  try {
    for (;;) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= count_) return;
      poll(worker);
      task_(index, worker);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    failed_.store(true);
    next_.store(count_);  // nobody starts another task
  }
}

void Pool::work(std::size_t worker) {
  std::size_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
    }
    take_tasks(worker);
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    done_.notify_one();
  }
}

void Pool::run(std::size_t count, std::function<void(std::size_t, std::size_t)> task) {
  start_threads();
  {
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
    count_ = count;
    next_.store(0);
    error_ = nullptr;
    failed_.store(false);
    busy_ = threads_.size();
    ++round_;
  }
  wake_.notify_all();
  take_tasks(0);
  std::unique_lock lock(mutex_);
  // While the others finish, the calling thread still has to notice an interrupt.
  while (!done_.wait_for(lock, kPatience, [&] { return busy_ == 0; })) {
    lock.unlock();
    try {
      poll(0);
    } catch (...) {
      lock.lock();
      if (!error_) error_ = std::current_exception();
      next_.store(count_);
      continue;
    }
    lock.lock();
  }
  const std::exception_ptr error = std::exchange(error_, nullptr);
  failed_.store(false);
  lock.unlock();
  if (error) std::rethrow_exception(error);
}

}  // namespace ramify
