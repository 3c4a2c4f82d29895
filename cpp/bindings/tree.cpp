#include "ramify/tree.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

// Calls visit(name, member pointer) for every array of a tree: the one list of them.
template <class Visit>
void each_array(Visit&& visit) {
  visit("first_child", &Tree::first_child);
  visit("n_children", &Tree::n_children);
  visit("parent", &Tree::parent);
  visit("column", &Tree::column);
  visit("kind", &Tree::kind);
  visit("threshold", &Tree::threshold);
  visit("routes_begin", &Tree::routes_begin);
  visit("routes_size", &Tree::routes_size);
  visit("routes", &Tree::routes);
  visit("missing_route", &Tree::missing_route);
  visit("unknown", &Tree::unknown);
  visit("counts", &Tree::counts);
  visit("n_rows", &Tree::n_rows);
  visit("impurity", &Tree::impurity);
  visit("score", &Tree::score);
  visit("gain", &Tree::gain);
  visit("search", &Tree::search);
  visit("exact", &Tree::exact);
  visit("runner_begin", &Tree::runner_begin);
  visit("runner_size", &Tree::runner_size);
  visit("runner_column", &Tree::runner_column);
  visit("runner_kind", &Tree::runner_kind);
  visit("runner_threshold", &Tree::runner_threshold);
  visit("runner_routes_begin", &Tree::runner_routes_begin);
  visit("runner_routes_size", &Tree::runner_routes_size);
  visit("runner_score", &Tree::runner_score);
  visit("runner_gain", &Tree::runner_gain);
}

// The arrays as copies, by name; counts as nodes x classes.
nb::dict arrays(const Tree& tree) {
  nb::dict result;
  each_array([&](const char* name, auto member) {
    auto values = tree.*member;
    std::vector<std::size_t> shape{values.size()};
    if (std::string_view(name) == "counts") shape = {tree.size(), tree.n_classes};
    result[name] = to_numpy(std::move(values), shape);
  });
  return result;
}

// A tree from such arrays. Nothing is believed: `problem` must be asked before it is used.
Tree from_arrays(const nb::dict& arrays, std::size_t n_classes) {
  Tree tree;
  tree.n_classes = n_classes;
  each_array([&]<class T>(const char* name, std::vector<T> Tree::* member) {
    if (!arrays.contains(name)) throw std::invalid_argument(std::string("a tree needs the array ") + name);
    nb::ndarray<const T, nb::c_contig, nb::device::cpu> values;
    if (!nb::try_cast(arrays[name], values, false)) {
      throw std::invalid_argument(std::string("the array ") + name + " has the wrong type");
    }
    (tree.*member).assign(values.data(), values.data() + values.size());
  });
  return tree;
}

}  // namespace

void bind_tree(nb::module_& module) {
  nb::class_<Tree>(module, "Tree")
      .def_ro("n_classes", &Tree::n_classes)
      .def_prop_ro("node_count", &Tree::size)
      .def_prop_ro("max_depth", &Tree::max_depth)
      .def_prop_ro("n_leaves", &Tree::n_leaves)
      .def_prop_ro("n_empty", &Tree::n_empty)
      .def("arrays", &arrays)
      .def("problem", &Tree::problem, nb::arg("n_categories"))
      .def_static("from_arrays", &from_arrays, nb::arg("arrays"), nb::arg("n_classes"));
}

}  // namespace ramify::bindings
