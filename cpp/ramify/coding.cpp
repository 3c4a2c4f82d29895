#include "ramify/coding.hpp"

namespace ramify {

double midpoint(double low, double high) {
  const double middle = low / 2.0 + high / 2.0;  // halves first: the sum may overflow
  return middle >= low && middle < high ? middle : low;
}

Coding coding_of_values(std::vector<double> values, bool has_missing) {
  Coding coding;
  coding.has_missing = has_missing;
  coding.n_codes = static_cast<std::uint32_t>(values.size());
  coding.values = std::move(values);
  return coding;
}

Coding coding_of_edges(std::vector<double> edges, bool has_missing) {
  Coding coding;
  coding.has_missing = has_missing;
  coding.n_codes = static_cast<std::uint32_t>(edges.size()) + 1;
  coding.edges = std::move(edges);
  return coding;
}

}  // namespace ramify
