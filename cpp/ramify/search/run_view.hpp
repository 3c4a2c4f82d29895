// A run as a scan sees it.
#pragma once

#include <cstddef>

#include "ramify/labels.hpp"

namespace ramify {

// Entries as the tags are read with: Entry, or WeightedEntry where entries carry weights.
struct RunView {
  const void* entries;
  std::size_t size;

  template <TagMode Mode>
  const typename TagReader<Mode>::RunEntry* begin() const {
    return static_cast<const typename TagReader<Mode>::RunEntry*>(entries);
  }
};

}  // namespace ramify
