#include "ramify/table.hpp"

#include <algorithm>

namespace ramify {

void Table::add_up_classes() {
  class_totals_.assign(classes_, 0.0);
  for (std::size_t j = 0; j < branches_; ++j) {
    for (std::size_t k = 0; k < classes_; ++k) class_totals_[k] += count(j, k);
  }
}

void Table::read(const double* counts, std::size_t branches, std::size_t classes, double min_support, bool level) {
  classes_ = classes;
  counts_.resize(branches * classes);
  branch_totals_.resize(branches);
  supported_.resize(branches);
  branches_ = 0;
  total_ = 0.0;
  as_read_ = true;
  bool all_supported = true;
  for (std::size_t j = 0; j < branches; ++j) {
    const double* from = counts + j * classes;
    double size = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      size += from[k];
      largest = std::max(largest, from[k]);
    }
    if (size <= 0.0) continue;
    std::copy(from, from + classes, counts_.data() + branches_ * classes);
    branch_totals_[branches_] = size;
    // Sums of decimal weights may miss the minimum by rounding.
    supported_[branches_] = largest >= min_support * (1.0 - 1e-12);
    all_supported = all_supported && supported_[branches_] != 0;
    total_ += size;
    ++branches_;
  }
  add_up_classes();
  if (all_supported || !level) return;

  as_read_ = false;
  for (std::size_t j = 0; j < branches_; ++j) {
    if (supported_[j]) continue;
    for (std::size_t k = 0; k < classes_; ++k) {
      counts_[j * classes_ + k] = branch_totals_[j] * class_totals_[k] / total_;
    }
  }
  add_up_classes();
}

}  // namespace ramify
