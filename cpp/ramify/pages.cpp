#include "ramify/pages.hpp"

#include <algorithm>
#include <cstdint>

// Sanitizers watch the heap only.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define RAMIFY_HAS_PAGES
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ramify {

#if defined(RAMIFY_HAS_PAGES)

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kLong = kLargePage / 4;

std::size_t rounded_up(std::size_t bytes, std::size_t page) { return (bytes + page - 1) / page * page; }

// What is left over at the end has small pages, lest it take a whole large one.
std::size_t size_of_pages(std::size_t bytes) {
  static const auto small_page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return rounded_up(bytes, small_page);
}

// So many bytes, whole pages, are in use from now on; memory behind them goes back to the system.
void use_first(Pages& pages, std::size_t bytes) {
  if (bytes < pages.filled) {
    madvise(static_cast<char*>(pages.first) + bytes, pages.filled - bytes, MADV_DONTNEED);
  } else if (bytes > pages.filled) {
    madvise(pages.first, bytes, MADV_HUGEPAGE);  // where the system has none, small ones do
  }
  pages.filled = bytes;
}

// Addresses of which far more than these bytes are not needed go back too: systems may count them.
void use_about(Pages& pages, std::size_t bytes) {
  const std::size_t room = size_of_pages(bytes + bytes / 4);
  if (pages.room <= 4 * room) return;
  munmap(static_cast<char*>(pages.first) + room, pages.room - room);
  pages.room = room;
}

}  // namespace

Pages take_pages(std::size_t bytes, std::size_t room) {
  if (bytes < kLong) return {};
  const std::size_t all = size_of_pages(std::max(bytes, room));
  // Large pages begin at multiples of their size: one more is taken, and what is not needed of it given back.
  void* const taken = mmap(nullptr, all + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (taken == MAP_FAILED) return {};
  char* const first = static_cast<char*>(taken);
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const std::size_t in_front = rounded_up(address, kLargePage) - address;
  if (in_front > 0) munmap(first, in_front);
  if (in_front < kLargePage) munmap(first + in_front + all, kLargePage - in_front);
  Pages pages{first + in_front, all, 0};
  use_first(pages, size_of_pages(bytes));
  return pages;
}

void give_back_pages(const Pages& pages) { munmap(pages.first, pages.room); }

Pages PageStock::take(std::size_t bytes) {
  if (bytes < kLong) return {};
  const std::size_t wanted = size_of_pages(bytes);
  const std::lock_guard lock(mutex_);
  const auto misfit = [wanted](const Pages& pages) {
    return pages.filled > wanted ? pages.filled - wanted : wanted - pages.filled;
  };
  auto best = stock_.end();
  for (auto pages = stock_.begin(); pages != stock_.end(); ++pages) {
    if (pages->room >= wanted && (best == stock_.end() || misfit(*pages) < misfit(*best))) best = pages;
  }
  if (best == stock_.end()) {
    give_back(wanted);
    return take_pages(bytes, wanted + wanted / 4);  // so that a somewhat longer array can have them next
  }
  Pages pages = *best;
  stock_.erase(best);
  if (pages.filled < wanted) give_back(wanted - pages.filled);
  use_first(pages, wanted);
  use_about(pages, wanted);
  return pages;
}

// The oldest first.
void PageStock::give_back(std::size_t bytes) {
  auto pages = stock_.begin();
  for (; bytes > 0 && pages != stock_.end(); ++pages) {
    if (pages->filled >= bytes + kLong) {
      use_first(*pages, pages->filled - size_of_pages(bytes));
      break;
    }
    bytes -= std::min(bytes, pages->filled);
    give_back_pages(*pages);
  }
  stock_.erase(stock_.begin(), pages);
}

#else

Pages take_pages(std::size_t, std::size_t) { return {}; }
void give_back_pages(const Pages&) {}
Pages PageStock::take(std::size_t) { return {}; }
void PageStock::give_back(std::size_t) {}

#endif

void PageStock::put(const Pages& pages) {
  const std::lock_guard lock(mutex_);
  try {
    stock_.push_back(pages);
  } catch (...) {  // no memory even for that; an array that goes must not fail
    give_back_pages(pages);
  }
}

void PageStock::clear() {
  const std::lock_guard lock(mutex_);
  give_back(filled());
}

std::size_t PageStock::filled() const {
  std::size_t all = 0;
  for (const Pages& pages : stock_) all += pages.filled;
  return all;
}

}  // namespace ramify
