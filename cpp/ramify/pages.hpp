// Memory from the system in whole pages, large ones where it has them, for long arrays.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace ramify {

struct Pages {
  void* first = nullptr;   // null where there are none
  std::size_t room = 0;    // bytes of addresses
  std::size_t filled = 0;  // bytes, from the first on, that may have memory
};

// For an array of so many bytes, if it is long enough to have pages of its own, among addresses for `room` bytes.
Pages take_pages(std::size_t bytes, std::size_t room);
void give_back_pages(const Pages& pages);

// Pages that arrays gave up, for those that come next. The system fills every page with zeros before it hands it
// out, which takes about as long as to write an array; these are handed out as they are. When memory is taken from
// the system all the same, as much of the stock goes back: the stock and the arrays with pages are together never
// more than these arrays alone have been before.
class PageStock {
 public:
  PageStock() = default;
  PageStock(const PageStock&) = delete;
  PageStock& operator=(const PageStock&) = delete;
  ~PageStock() { clear(); }

  // As take_pages does it; to be put back, or given back.
  Pages take(std::size_t bytes);
  void put(const Pages& pages);
  void clear();

  // Bytes in stock. Not while others take and put.
  std::size_t filled() const;

 private:
  // So many bytes at least, if there are as many.
  void give_back(std::size_t bytes);

  std::mutex mutex_;
  std::vector<Pages> stock_;
};

}  // namespace ramify
