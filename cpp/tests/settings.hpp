// Random settings of growth, and data of a size that they can be tested with.
#pragma once

#include "dataset.hpp"
#include "ramify/grow.hpp"

namespace ramify::tests {

struct Trial {
  Shape shape;
  GrowthSettings settings;
  std::size_t jobs = 1;
};

// `number` runs through all criteria and orders; everything else is random.
Trial random_trial(Random& random, std::uint64_t number);

}  // namespace ramify::tests
