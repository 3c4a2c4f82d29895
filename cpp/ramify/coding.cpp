#include "ramify/coding.hpp"

namespace ramify {

double midpoint(double low, double high) {
  const double middle = low / 2.0 + high / 2.0;  // halves first: the sum may overflow
  return middle >= low && middle < high ? middle : low;
}

std::vector<double> equal_width_edges(double low, double high, std::uint32_t bins) {
  std::vector<double> edges;
  for (std::uint32_t bin = 1; bin < bins && low < high; ++bin) {
    // As a mean of both ends, since high - low may overflow.
    const double share = static_cast<double>(bin) / bins;
    const double edge = low * (1.0 - share) + high * share;
    if (edge < high && edge >= low && (edges.empty() || edge > edges.back())) edges.push_back(edge);
  }
  return edges;
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
