#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>

#include "arrays.hpp"
#include "modules.hpp"
#include "ramify/prune/cost_complexity.hpp"
#include "ramify/prune/error_estimate.hpp"
#include "ramify/prune/merge.hpp"
#include "ramify/prune/pessimistic.hpp"
#include "ramify/prune/reduced_error.hpp"

namespace ramify::bindings {

namespace {

using Answers = std::optional<Array<std::uint32_t, 1>>;
using Weights = std::optional<Array<double, 1>>;

void check_tree(const Tree& tree, const std::vector<std::uint32_t>& n_categories) {
  const std::string problem = tree.problem(n_categories);
  if (!problem.empty()) throw std::invalid_argument(problem);
}

// Labelled rows, checked against the tree that they are sent down.
struct Cases {
  std::vector<Feature> features;
  const std::uint32_t* classes;
  const double* weights;
  std::size_t rows;

  Cases(const Tree& tree, const std::vector<Block>& blocks, const Array<std::uint32_t, 1>& labels,
        const Weights& given)
      : features(to_features(blocks, labels.shape(0))),
        classes(labels.data()),
        weights(given ? given->data() : nullptr),
        rows(labels.shape(0)) {
    std::vector<std::uint32_t> n_categories;
    for (const Feature& feature : features) n_categories.push_back(feature.n_categories);
    check_tree(tree, n_categories);
    if (given && given->shape(0) != rows) throw std::invalid_argument("one weight a row is needed");
    if (rows > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("too many rows");
    for (std::size_t row = 0; row < rows; ++row) {
      if (classes[row] >= tree.n_classes) throw std::invalid_argument("classes lie in 0..n_classes-1");
      if (weights != nullptr && !(weights[row] >= 0.0 && weights[row] <= std::numeric_limits<double>::max())) {
        throw std::invalid_argument("weights are finite and not negative");
      }
    }
  }
};

std::vector<std::uint32_t> to_answers(const Tree& tree, const Answers& given) {
  if (!given) return majority_classes(tree);
  if (given->shape(0) != tree.size()) throw std::invalid_argument("one answer a node is needed");
  std::vector<std::uint32_t> answers(given->data(), given->data() + tree.size());
  for (const std::uint32_t answer : answers) {
    if (answer >= tree.n_classes) throw std::invalid_argument("answers lie in 0..n_classes-1");
  }
  return answers;
}

PessimisticSettings to_settings(double confidence, std::optional<double> z, bool collapse_first) {
  if (!(confidence > 0.0 && confidence <= 0.5)) throw std::invalid_argument("confidence lies in (0, 0.5]");
  PessimisticSettings settings;
  settings.confidence = confidence;
  settings.z = z;
  settings.collapse = collapse_first;
  return settings;
}

Tree collapse_tree(const Tree& tree, const std::vector<std::uint32_t>& n_categories) {
  check_tree(tree, n_categories);
  const nb::gil_scoped_release no_gil;
  return collapse(tree);
}

Tree replace_subtrees(const Tree& tree, const std::vector<std::uint32_t>& n_categories, double confidence,
                      std::optional<double> z, bool collapse_first) {
  check_tree(tree, n_categories);
  const PessimisticSettings settings = to_settings(confidence, z, collapse_first);
  const nb::gil_scoped_release no_gil;
  return prune_pessimistic(tree, settings);
}

Tree raise_subtrees(const Tree& tree, const std::vector<Block>& blocks, const Array<std::uint32_t, 1>& classes,
                    const Weights& weights, double confidence, std::optional<double> z, bool collapse_first,
                    double q) {
  const Cases cases(tree, blocks, classes, weights);
  const PessimisticSettings settings = to_settings(confidence, z, collapse_first);
  const nb::gil_scoped_release no_gil;
  Pool pool(1, interrupted);
  return prune_pessimistic(tree, settings, {cases.features, cases.classes, cases.weights, cases.rows, q}, pool);
}

Tree reduce_errors(const Tree& tree, const std::vector<Block>& blocks, const Array<std::uint32_t, 1>& classes,
                   const Weights& weights, const Answers& given) {
  const Cases cases(tree, blocks, classes, weights);
  const std::vector<std::uint32_t> answers = to_answers(tree, given);
  const nb::gil_scoped_release no_gil;
  return prune_reduced_error(tree, {cases.features, cases.classes, cases.weights, cases.rows}, answers);
}

Tree cut_links(const Tree& tree, const std::vector<std::uint32_t>& n_categories, double alpha) {
  check_tree(tree, n_categories);
  const nb::gil_scoped_release no_gil;
  return prune_cost_complexity(tree, alpha);
}

nb::dict to_dict(PruningPath path) {
  nb::dict result;
  result["ccp_alphas"] = to_numpy(std::move(path.alphas));
  result["impurities"] = to_numpy(std::move(path.impurities));
  result["n_leaves"] = to_numpy(std::move(path.n_leaves));
  result["nodes"] = to_numpy(std::move(path.nodes));
  result["errors"] = to_numpy(std::move(path.errors));
  return result;
}

nb::dict path_of(const Tree& tree, const std::vector<std::uint32_t>& n_categories) {
  check_tree(tree, n_categories);
  PruningPath path;
  {
    const nb::gil_scoped_release no_gil;
    path = cost_complexity_path(tree, std::numeric_limits<double>::infinity(), nullptr);
  }
  return to_dict(std::move(path));
}

nb::dict validated_path(const Tree& tree, const std::vector<Block>& blocks, const Array<std::uint32_t, 1>& classes,
                        const Weights& weights, const Answers& given) {
  const Cases cases(tree, blocks, classes, weights);
  const std::vector<std::uint32_t> answers = to_answers(tree, given);
  PruningPath path;
  {
    const nb::gil_scoped_release no_gil;
    const NodeErrors errors =
        node_errors(tree, {cases.features, cases.classes, cases.weights, cases.rows}, answers);
    path = cost_complexity_path(tree, std::numeric_limits<double>::infinity(), &errors);
  }
  return to_dict(std::move(path));
}

Tree merge(const Tree& tree, const std::vector<std::uint32_t>& n_categories, double q, const Answers& given,
           bool join) {
  check_tree(tree, n_categories);
  const std::vector<std::uint32_t> answers = to_answers(tree, given);
  const nb::gil_scoped_release no_gil;
  return merge_leaves(tree, answers, q, join);
}

double added_errors(double weight, double wrong, double confidence, std::optional<double> z) {
  return ErrorEstimate(to_settings(confidence, z, false).confidence, z).added(weight, wrong);
}

}  // namespace

void bind_prune(nb::module_& module) {
  module.def("collapse", &collapse_tree, nb::arg("tree"), nb::arg("n_categories"));
  module.def("prune_pessimistic", &replace_subtrees, nb::arg("tree"), nb::arg("n_categories"),
             nb::arg("confidence"), nb::arg("z").none(), nb::arg("collapse"));
  module.def("prune_raising", &raise_subtrees, nb::arg("tree"), nb::arg("blocks"), nb::arg("classes").noconvert(),
             nb::arg("weights").none(), nb::arg("confidence"), nb::arg("z").none(), nb::arg("collapse"),
             nb::arg("q"));
  module.def("prune_reduced_error", &reduce_errors, nb::arg("tree"), nb::arg("blocks"),
             nb::arg("classes").noconvert(), nb::arg("weights").none(), nb::arg("answers").none() = nb::none());
  module.def("prune_cost_complexity", &cut_links, nb::arg("tree"), nb::arg("n_categories"), nb::arg("alpha"));
  module.def("cost_complexity_path", &path_of, nb::arg("tree"), nb::arg("n_categories"));
  module.def("validated_path", &validated_path, nb::arg("tree"), nb::arg("blocks"), nb::arg("classes").noconvert(),
             nb::arg("weights").none(), nb::arg("answers").none() = nb::none());
  module.def("merge_leaves", &merge, nb::arg("tree"), nb::arg("n_categories"), nb::arg("q"),
             nb::arg("answers").none() = nb::none(), nb::arg("join") = true);
  module.def("added_errors", &added_errors, nb::arg("weight"), nb::arg("wrong"), nb::arg("confidence"),
             nb::arg("z").none() = nb::none());
  module.def("normal_quantile", &normal_quantile, nb::arg("probability"));
}

}  // namespace ramify::bindings
