#include "ramify/large_array.hpp"

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

}  // namespace

void* take_pages(std::size_t bytes) {
  if (bytes < kLong) return nullptr;
  const std::size_t wanted = size_of_pages(bytes);
  // Large pages begin at multiples of their size: one more is taken, and what is not needed of it given back.
  void* const taken =
      mmap(nullptr, wanted + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (taken == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(taken);
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const std::size_t in_front = rounded_up(address, kLargePage) - address;
  if (in_front > 0) munmap(first, in_front);
  if (in_front < kLargePage) munmap(first + in_front + wanted, kLargePage - in_front);
  madvise(first + in_front, wanted, MADV_HUGEPAGE);  // where the system has none, small ones do
  return first + in_front;
}

void give_back_pages(void* pages, std::size_t bytes) { munmap(pages, size_of_pages(bytes)); }

#else

void* take_pages(std::size_t) { return nullptr; }
void give_back_pages(void*, std::size_t) {}

#endif

}  // namespace ramify
