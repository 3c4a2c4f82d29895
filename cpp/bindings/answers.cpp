#include "ramify/answers.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "answering.hpp"
#include "arrays.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

Smoothing to_smoothing(const nb::object& given) {
  if (given.is_none()) return {};
  if (nb::isinstance<nb::str>(given)) return {Smoothing::Kind::laplace, 0.0};
  return {Smoothing::Kind::m_estimate, nb::cast<double>(given)};
}

template <std::size_t Dimensions>
std::vector<double> numbers(const nb::object& given, std::size_t size) {
  const auto array = nb::cast<std::optional<Array<double, Dimensions>>>(given);
  if (!array) return {};
  if (array->size() != size) throw std::invalid_argument("class weights and costs are those of all classes");
  return std::vector<double>(array->data(), array->data() + size);
}

// Calls write(counts, root, out) for each node; the root is the first.
template <class Write>
nb::ndarray<nb::numpy, double> each_node(const Array<double, 2>& counts, Write&& write) {
  const std::size_t nodes = counts.shape(0);
  const std::size_t classes = counts.shape(1);
  std::vector<double> out(nodes * classes);
  const double* root = counts.data();
  for (std::size_t node = 0; node < nodes; ++node) write(root + node * classes, root, &out[node * classes]);
  return to_numpy(std::move(out), {nodes, classes});
}

nb::ndarray<nb::numpy, double> honest_counts_of(const Array<double, 2>& counts, const nb::dict& given) {
  const std::size_t classes = counts.shape(1);
  const Answering how = to_answering(given, classes);
  return each_node(
      counts, [&](const double* node, const double*, double* out) { honest_counts(how, node, classes, out); });
}

nb::ndarray<nb::numpy, double> honest_shares_of(const Array<double, 2>& counts, const nb::dict& given) {
  const std::size_t classes = counts.shape(1);
  const Answering how = to_answering(given, classes);
  return each_node(counts, [&](const double* node, const double* root, double* out) {
    honest_shares(how, node, root, classes, out);
  });
}

nb::ndarray<nb::numpy, double> voting_shares_of(const Array<double, 2>& counts, const nb::dict& given) {
  const std::size_t classes = counts.shape(1);
  const Answering how = to_answering(given, classes);
  return each_node(counts, [&](const double* node, const double* root, double* out) {
    voting_shares(how, node, root, classes, out);
  });
}

nb::ndarray<nb::numpy, std::int64_t> votes_of(const Array<double, 2>& shares, const nb::dict& given) {
  const std::size_t classes = shares.shape(1);
  const Answering how = to_answering(given, classes);
  std::vector<std::int64_t> votes(shares.shape(0));
  for (std::size_t row = 0; row < votes.size(); ++row) {
    votes[row] = static_cast<std::int64_t>(vote_of(how, shares.data() + row * classes, classes));
  }
  return to_numpy(std::move(votes));
}

}  // namespace

Answering to_answering(const nb::dict& given, std::size_t classes) {
  if (classes == 0) throw std::invalid_argument("no classes");
  Answering how;
  how.class_weight = numbers<1>(given["class_weight"], classes);
  how.smoothing = to_smoothing(given["smoothing"]);
  how.voting = to_smoothing(given["voting"]);
  how.costs = in_units_of_the_largest(numbers<2>(given["costs"], classes * classes));
  how.tolerance = nb::cast<double>(given["tolerance"]);
  return how;
}

void bind_answers(nb::module_& module) {
  module.def("honest_counts", &honest_counts_of, nb::arg("counts").noconvert(), nb::arg("answering"));
  module.def("honest_shares", &honest_shares_of, nb::arg("counts").noconvert(), nb::arg("answering"));
  module.def("voting_shares", &voting_shares_of, nb::arg("counts").noconvert(), nb::arg("answering"));
  module.def("votes", &votes_of, nb::arg("shares").noconvert(), nb::arg("answering"));
}

}  // namespace ramify::bindings
