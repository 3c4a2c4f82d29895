// Sums that do not depend on the order in which their terms are added, to the last bit.
//
// Each term is rounded to a grid so coarse that no sum of terms needs more digits than a double has, and what that
// leaves over to a finer one; sums of such numbers are exact. What the finer grid leaves over is, for up to a
// million terms, below what a double resolves in the largest sum that there could be.
#pragma once

#include <cmath>
#include <cstddef>

namespace ramify {

struct SteadySum {
  double coarse = 0.0;
  double fine = 0.0;

  SteadySum& operator+=(const SteadySum& other) {
    coarse += other.coarse;
    fine += other.fine;
    return *this;
  }
  double value() const { return coarse + fine; }
};

// The grids for so many terms, none of them larger than `most`.
class SteadyTerms {
 public:
  SteadyTerms(double most, std::size_t terms)
      : coarse_(next_power(most * static_cast<double>(terms))),
        fine_(next_power(coarse_ * 0x1p-52 * static_cast<double>(terms))) {}

  SteadySum operator()(double term) const {
    const double coarse = rounded(term, coarse_);
    return {coarse, rounded(term - coarse, fine_)};
  }

 private:
  // A power of two that is more than twice as large. Beyond the range of a double there is no grid.
  static double next_power(double number) {
    const double power = number > 0.0 ? std::exp2(std::ceil(std::log2(number)) + 2.0) : 0.0;
    return std::isfinite(power) ? power : 0.0;
  }
  // The sum has no digits below the grid, and what is added is taken away without loss.
  static double rounded(double term, double grid) { return (term + grid) - grid; }

  double coarse_;
  double fine_;
};

}  // namespace ramify
