#include "equality.hpp"

#include "check.hpp"

namespace ramify::tests {

namespace {

constexpr double kRounding = 1e-11;

bool all_close(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!close(a[i], b[i], kRounding, 1.0)) return false;
  }
  return true;
}

}  // namespace

std::string difference(const Tree& a, const Tree& b) {
  const std::string structure = difference_in_structure(a, b);
  if (!structure.empty()) return structure;
  if (a.counts != b.counts) return "counts";
  if (a.impurity != b.impurity) return "impurity";
  if (a.score != b.score) return "score";
  if (a.gain != b.gain) return "gain";
  return {};
}

std::string difference_in_structure(const Tree& a, const Tree& b, bool copies) {
  if (a.n_classes != b.n_classes) return "n_classes";
  if (a.size() != b.size()) return "size " + std::to_string(a.size()) + " and " + std::to_string(b.size());
  if (a.first_child != b.first_child) return "first_child";
  if (a.n_children != b.n_children) return "n_children";
  if (a.parent != b.parent) return "parent";
  if (a.column != b.column) return "column";
  if (a.kind != b.kind) return "kind";
  if (a.threshold != b.threshold) return "threshold";
  if (a.routes_begin != b.routes_begin) return "routes_begin";
  if (a.routes_size != b.routes_size) return "routes_size";
  if (a.routes != b.routes) return "routes";
  if (a.missing_route != b.missing_route) return "missing_route";
  if (a.runner_column != b.runner_column) return "runner_column";
  if (!all_close(a.runner_score, b.runner_score)) return "runner_score";
  if (!copies && a.n_rows != b.n_rows) return "n_rows";
  if (a.search != b.search) return "search";
  if (a.exact != b.exact) return "exact";
  if (!all_close(a.counts, b.counts)) return "counts";
  if (!all_close(a.impurity, b.impurity)) return "impurity";
  if (!all_close(a.score, b.score)) return "score";
  if (!all_close(a.gain, b.gain)) return "gain";
  return {};
}

}  // namespace ramify::tests
