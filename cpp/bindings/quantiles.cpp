#include "ramify/quantiles.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

using Stretches = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

std::vector<KeyStretch> to_stretches(const Stretches& given) {
  std::vector<KeyStretch> stretches;
  for (const auto& [first, shift] : given) {
    if (shift >= 64) throw std::invalid_argument("a stretch has less than 2^64 keys");
    stretches.push_back({first, shift});
  }
  return stretches;
}

// Calls take(number, weight) for the values of a column that are not missing.
template <class Take>
void each_number(const std::vector<Block>& blocks, std::size_t rows,
                 const std::optional<Array<double, 1>>& weights, Take&& take) {
  const std::vector<Feature> features = to_features(blocks, rows);
  if (features.size() != 1 || features[0].nominal()) throw std::invalid_argument("one numeric column is needed");
  if (weights && weights->shape(0) != rows) throw std::invalid_argument("one weight a row is needed");
  const nb::gil_scoped_release no_gil;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!features[0].missing(row)) take(features[0].number(row), weights ? weights->data()[row] : 1.0);
  }
}

// A page as bytes, for pickle: its buckets that are not empty.
struct PageState {
  std::uint64_t first;
  std::uint32_t shift;
  std::uint32_t buckets;
  std::uint32_t full;
  std::uint32_t weighted;  // 0: all rows weigh 1, and no weights follow
};

class ByteWriter {
 public:
  template <class Value>
  void put(const Value& value) {
    const char* from = reinterpret_cast<const char*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof(value));
  }
  nb::bytes bytes() const { return nb::bytes(bytes_.data(), bytes_.size()); }

 private:
  std::vector<char> bytes_;
};

nb::bytes to_bytes(const KeyHistogram& whole) {
  const KeyHistogram histogram = whole.thinned();
  ByteWriter out;
  out.put(static_cast<std::uint64_t>(histogram.of_all() ? 1 : 0));
  for (const KeyHistogram::Page& page : histogram.pages()) {
    PageState state{page.first, page.shift, static_cast<std::uint32_t>(page.buckets.size()), 0, 0};
    for (const KeyBucket& bucket : page.buckets) {
      state.full += bucket.empty() ? 0 : 1;
      state.weighted |= bucket.weight == bucket.rows ? 0 : 1;
    }
    out.put(state);
    for (std::size_t i = 0; i < page.buckets.size(); ++i) {
      const KeyBucket& bucket = page.buckets[i];
      if (bucket.empty()) continue;
      out.put(static_cast<std::uint16_t>(i));
      out.put(bucket.rows);
      out.put(bucket.least);
      out.put(bucket.greatest);
      if (state.weighted != 0) out.put(bucket.weight);
    }
  }
  return out.bytes();
}

KeyHistogram from_bytes(const nb::bytes& bytes) {
  const char* at = bytes.c_str();
  const char* const end = at + bytes.size();
  const auto get = [&]<class T>(T& value) {
    if (static_cast<std::size_t>(end - at) < sizeof(T)) throw std::invalid_argument("a histogram was cut short");
    std::copy(at, at + sizeof(T), reinterpret_cast<char*>(&value));
    at += sizeof(T);
  };
  std::uint64_t of_all = 0;
  get(of_all);
  KeyHistogram histogram = of_all != 0 ? KeyHistogram() : KeyHistogram(std::vector<KeyStretch>{});
  while (at != end) {
    PageState state{};
    get(state);
    if (state.buckets > 1 << 16 || state.shift >= 64) throw std::invalid_argument("a histogram is damaged");
    KeyHistogram::Page page{state.first, state.shift, std::vector<KeyBucket>(state.buckets)};
    for (std::uint32_t i = 0; i < state.full; ++i) {
      std::uint16_t place = 0;
      get(place);
      if (place >= page.buckets.size()) throw std::invalid_argument("a histogram is damaged");
      KeyBucket& bucket = page.buckets[place];
      get(bucket.rows);
      get(bucket.least);
      get(bucket.greatest);
      bucket.weight = bucket.rows;
      if (state.weighted != 0) get(bucket.weight);
    }
    histogram.insert(std::move(page));
  }
  return histogram;
}

}  // namespace

void bind_quantiles(nb::module_& module) {
  nb::class_<KeyHistogram>(module, "KeyHistogram")
      .def(
          "__init__",
          [](KeyHistogram* self, const std::optional<Stretches>& stretches) {
            if (stretches) {
              new (self) KeyHistogram(to_stretches(*stretches));
            } else {
              new (self) KeyHistogram();
            }
          },
          nb::arg("stretches").none() = nb::none())
      .def(
          "count",
          [](KeyHistogram& self, const std::vector<Block>& blocks, std::size_t rows,
             const std::optional<Array<double, 1>>& weights) {
            KeyCounter counter(self);
            each_number(blocks, rows, weights, [&](double number, double weight) { counter.add(number, weight); });
            counter.flush();
          },
          nb::arg("blocks"), nb::arg("rows"), nb::arg("weights").none())
      .def("add", nb::overload_cast<const KeyHistogram&>(&KeyHistogram::add), nb::arg("other"))
      .def("__getstate__", [](const KeyHistogram& self) { return to_bytes(self); })
      .def("__setstate__",
           [](KeyHistogram& self, const nb::bytes& bytes) { new (&self) KeyHistogram(from_bytes(bytes)); });
  nb::class_<QuantileSearch>(module, "QuantileSearch")
      .def(nb::init<std::uint32_t>(), nb::arg("bins"))
      .def("look", &QuantileSearch::look, nb::arg("histogram"))
      .def("open",
           [](const QuantileSearch& self) {
             Stretches stretches;
             for (const KeyStretch& stretch : self.open()) stretches.emplace_back(stretch.first, stretch.shift);
             return stretches;
           })
      .def_prop_ro("rows_open", &QuantileSearch::rows_open)
      .def(
          "settle",
          [](QuantileSearch& self, const Array<double, 1>& numbers, const Array<double, 1>& weights) {
            self.settle(std::vector<double>(numbers.data(), numbers.data() + numbers.shape(0)),
                        std::vector<double>(weights.data(), weights.data() + weights.shape(0)));
          },
          nb::arg("numbers"), nb::arg("weights"))
      .def("edges", [](const QuantileSearch& self) { return to_numpy(self.edges()); });
  module.def(
      "numbers_within",
      [](const std::vector<Block>& blocks, std::size_t rows, const std::optional<Array<double, 1>>& weights,
         const Stretches& given) {
        const StretchSet stretches(to_stretches(given));
        std::vector<double> numbers;
        std::vector<double> their_weights;
        each_number(blocks, rows, weights, [&](double number, double weight) {
          if (!stretches.has(ordered_bits(number))) return;
          numbers.push_back(number + 0.0);
          their_weights.push_back(weight);
        });
        return nb::make_tuple(to_numpy(std::move(numbers)), to_numpy(std::move(their_weights)));
      },
      nb::arg("blocks"), nb::arg("rows"), nb::arg("weights").none(), nb::arg("stretches"));
}

}  // namespace ramify::bindings
