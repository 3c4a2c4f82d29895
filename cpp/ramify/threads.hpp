// A small pool of threads, and the one way to stop it.
//
// The calling thread is worker 0 and works too. A pool of one starts no thread at all.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ramify {

// Thrown in the calling thread when `interrupted` said so (Ctrl-C).
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

class Pool {
 public:
  // `interrupted` is asked now and then, on the calling thread only; true stops all work.
  explicit Pool(std::size_t workers, std::function<bool()> interrupted = {});
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t size() const { return workers_; }

  // Calls task(index, worker) for every index below `count`, spread over the workers; returns when all are
  // done. The first exception of a task is thrown here, after the others have stopped. Not to be nested.
  template <class Task>
  void for_each(std::size_t count, Task&& task) {
    if (workers_ == 1 || count <= 1) {
      for (std::size_t index = 0; index < count; ++index) {
        poll(0);
        task(index, std::size_t{0});
      }
    } else {
      run(count, std::function<void(std::size_t, std::size_t)>(std::ref(task)));
    }
  }

  // To be called by long tasks every few milliseconds; throws Interrupted when it is time to stop, because of
  // Ctrl-C or because another task has failed.
  void poll(std::size_t worker) {
    if (stop_.load(std::memory_order_relaxed) || failed_.load(std::memory_order_relaxed)) throw Interrupted();
    if (worker == 0 && interrupted_) ask();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPatience{50};

  void ask();
  void run(std::size_t count, std::function<void(std::size_t, std::size_t)> task);
  void work(std::size_t worker);
  void take_tasks(std::size_t worker);
  void start_threads();

  std::size_t workers_;
  std::function<bool()> interrupted_;
  Clock::time_point last_asked_ = Clock::now();
  std::atomic<bool> stop_{false};
  std::atomic<bool> failed_{false};  // some task has thrown: the others need not go on

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> threads_;
  std::function<void(std::size_t, std::size_t)> task_;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::size_t busy_ = 0;
  std::size_t round_ = 0;
  bool closing_ = false;
  std::exception_ptr error_;
};

}  // namespace ramify
