// Random datasets: columns of every kind that the core treats differently, and of the kinds that break code.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dataset.hpp"

namespace ramify::tests {

namespace {

using Numbers = std::vector<double>;
using Classes = std::vector<std::uint32_t>;
using Fill = void (*)(Random&, const Classes&, Numbers&);

void fill_noise(Random& random, const Classes&, Numbers& numbers) {
  for (double& number : numbers) number = random.normal();
}

void fill_signal(Random& random, const Classes& classes, Numbers& numbers) {
  const double noise = random.pick({0.1, 1.0, 5.0});
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = classes[i] % 7 + noise * random.normal();
}

void fill_constant(Random& random, const Classes&, Numbers& numbers) {
  std::fill(numbers.begin(), numbers.end(), random.pick({0.0, -0.0, 1.5, -1e308, 5e-324}));
}

void fill_few(Random& random, const Classes&, Numbers& numbers) {
  const std::size_t values = random.between(2, 12);
  for (double& number : numbers) number = static_cast<double>(random.below(values)) - 3.0;
}

// Around the number of values at which a column stops to be dense.
void fill_about_a_byte(Random& random, const Classes& classes, Numbers& numbers) {
  const std::size_t values = random.pick<std::size_t>({255, 256, 257, 300});
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = 0.25 * static_cast<double>((i < values ? i : random.below(values) + classes[i] % 2) % values);
  }
}

void fill_extremes(Random& random, const Classes&, Numbers& numbers) {
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  constexpr double kSmall = std::numeric_limits<double>::min();
  constexpr double kHuge = std::numeric_limits<double>::max();
  const std::array<double, 18> all{0.0,    -0.0,    kTiny, -kTiny,      2 * kTiny, 3 * kTiny,
                                   kSmall, -kSmall, 1e308, -1e308,      kHuge,     -kHuge,
                                   1.0,    -1.0,    0.1f,  1.0 + 1e-15, 1e-300,    16777217.0};
  for (double& number : numbers) number = all[random.below(all.size())];
}

void fill_scales(Random& random, const Classes&, Numbers& numbers) {
  for (double& number : numbers) {
    number = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(2000)) - 1000);
  }
}

// Doubles that differ in their lower halves only, where sorting by the upper half is not enough.
void fill_close(Random& random, const Classes& classes, Numbers& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t steps = random.below(2000) + 500 * (classes[i] % 3);
    numbers[i] = 1.0 + static_cast<double>(steps) * std::numeric_limits<double>::epsilon();
  }
}

void fill_duplicates(Random& random, const Classes& classes, Numbers& numbers) {
  const double values = random.pick({300.0, 700.0, 2000.0});
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = std::floor(values * random.uniform()) + (random.chance(0.3) ? classes[i] : 0.0);
  }
}

constexpr std::array<Fill, 10> kFills{fill_noise, fill_signal,    fill_signal,       fill_constant,
                                      fill_few,   fill_scales,    fill_about_a_byte, fill_extremes,
                                      fill_close, fill_duplicates};

// The nearest number that a float can hold, finite.
double as_float(double number) {
  constexpr double kHuge = std::numeric_limits<float>::max();
  return static_cast<double>(static_cast<float>(std::clamp(number, -kHuge, kHuge)));
}

Field numeric_field(Random& random, const Classes& classes, ValueType type) {
  Field field{type, 0, Numbers(classes.size())};
  kFills[random.below(kFills.size())](random, classes, field.values);
  if (type == ValueType::float32) {
    for (double& number : field.values) number = as_float(number);
  }
  return field;
}

Field nominal_field(Random& random, const Classes& classes, std::uint32_t most_categories) {
  const auto wanted = random.pick<std::uint32_t>({1, 2, 3, 4, 7, 10, 11, 12, 30, 256, 257, 400, 2000});
  Field field{ValueType::category, std::min(wanted, most_categories), Numbers(classes.size())};
  const std::size_t used = random.chance(0.3) ? random.between(1, field.n_categories) : field.n_categories;
  const double signal = random.pick({0.0, 0.3, 0.9});
  const bool skewed = random.chance(0.3);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    std::size_t code = skewed ? random.log_between(1, used) - 1 : random.below(used);
    if (random.chance(signal)) code = (code - code % 5 + classes[i] * 7) % used;
    field.values[i] = static_cast<double>(code);
  }
  return field;
}

Classes random_classes(Random& random, const Shape& shape) {
  Classes classes(shape.rows);
  // Some of the declared classes may not occur, and some be rare.
  const std::size_t used = random.chance(0.3) ? random.between(1, shape.n_classes) : shape.n_classes;
  const bool skewed = random.chance(0.4);
  for (std::uint32_t& cls : classes) {
    cls = static_cast<std::uint32_t>(skewed ? random.log_between(1, used) - 1 : random.below(used));
  }
  return classes;
}

Numbers random_weights(Random& random, const Shape& shape) {
  if (shape.weighting == Weighting::unit && random.chance(0.8)) return {};
  Numbers weights(shape.rows, 1.0);
  if (shape.weighting == Weighting::whole) {
    for (double& weight : weights) weight = static_cast<double>(random.log_between(1, 40));
  } else if (shape.weighting == Weighting::real) {
    const double range = random.pick({0.1, 1.0, 3.0});        // powers of e
    const double scale = random.pick({1.0, 1.0, 1e-6, 1e6});  // weights that add up to one are as good as any
    for (double& weight : weights) weight = scale * std::exp(range * random.normal());
  }
  return weights;
}

}  // namespace

Dataset random_dataset(Random& random, const Shape& shape) {
  Dataset dataset;
  dataset.n_classes = shape.n_classes;
  dataset.classes = random_classes(random, shape);
  dataset.weights = random_weights(random, shape);
  dataset.layout =
      random.pick({Layout::columns, Layout::columns, Layout::matrix, Layout::padded, Layout::reversed});
  const auto one_type = random.pick({ValueType::float32, ValueType::float64});
  for (std::size_t i = 0; i < shape.columns; ++i) {
    if (dataset.layout == Layout::matrix) {
      dataset.fields.push_back(numeric_field(random, dataset.classes, one_type));
    } else if (random.chance(shape.nominal_share)) {
      dataset.fields.push_back(nominal_field(random, dataset.classes, shape.most_categories));
    } else {
      const auto type = random.pick({ValueType::float32, ValueType::float64});
      dataset.fields.push_back(numeric_field(random, dataset.classes, type));
    }
  }
  // A copy of a column ties with it everywhere: the first of the two must win.
  if (shape.columns > 1 && random.chance(0.2)) dataset.fields.back() = dataset.fields.front();
  return dataset;
}

}  // namespace ramify::tests
