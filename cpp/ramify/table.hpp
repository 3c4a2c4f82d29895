// A table of class counts: branches down, classes across. Every criterion is a function of one.
#pragma once

#include <cstddef>
#include <vector>

namespace ramify {

// Many tables of one shape, one after the other: what a search hands to a criterion at once.
struct TableBatch {
  const double* counts;
  std::size_t tables;
  std::size_t branches;
  std::size_t classes;
};

// One table with its margins. Branches without cases are left out, so `branches` counts those that hold some.
class Table {
 public:
  // Reads the `branches` x `classes` counts. With `min_support` > 0 a branch in which no class reaches it is
  // unsupported; if `level` is set, its row becomes its size times the parent's class distribution, so that
  // it earns nothing under any criterion.
  void read(const double* counts, std::size_t branches, std::size_t classes, double min_support, bool level);

  std::size_t branches() const { return branches_; }
  std::size_t classes() const { return classes_; }
  double total() const { return total_; }
  const double* row(std::size_t branch) const { return counts_.data() + branch * classes_; }
  double count(std::size_t branch, std::size_t cls) const { return counts_[branch * classes_ + cls]; }
  double in_branch(std::size_t branch) const { return branch_totals_[branch]; }
  double in_class(std::size_t cls) const { return class_totals_[cls]; }
  const double* branch_totals() const { return branch_totals_.data(); }
  const double* class_totals() const { return class_totals_.data(); }
  bool supported(std::size_t branch) const { return supported_[branch] != 0; }
  // False once a row was levelled: its counts are no whole numbers then and can't be looked up.
  bool as_read() const { return as_read_; }

 private:
  void add_up_classes();

  std::size_t branches_ = 0;
  std::size_t classes_ = 0;
  double total_ = 0.0;
  bool as_read_ = true;
  std::vector<double> counts_;
  std::vector<double> branch_totals_;
  std::vector<double> class_totals_;
  std::vector<char> supported_;
};

}  // namespace ramify
