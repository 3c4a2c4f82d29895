// The entropy of order q, in its two forms, and the four entropies of a split.
//
// Glossary
//   order     the q of S_q: 1 is Shannon, 2 is Gini, 0 counts the classes present.
//   surprise  u(p) = (1 - p^(q-1)) / (q - 1), at q = 1 its limit -ln p. The entropy is the mean surprise.
//   weighted  n * S_q(counts / n): what the branches of a split add up to.
//
// `Order` is the definition. Every term of its sum has one sign, so it neither cancels nor overflows, at any q.
// `Powers` is the same number from sums of powers, which can be kept up to date as cases change sides, and
// `PowerTable` has them for whole counts, to be looked up: it is what makes every q cost what Gini costs. The
// tests hold the forms together.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ramify/threads.hpp"

namespace ramify {

// Orders this close to 1 are Shannon's: the difference is below what a double resolves.
inline constexpr double kShannonWidth = 1e-9;

// Below this a share is none: its surprise would leave the range of a double.
inline constexpr double kTiniestShare = 1e-300;

class Order {
 public:
  explicit Order(double q) : q_(q), shannon_(std::abs(q - 1.0) < kShannonWidth), gini_(q == 2.0) {}

  double q() const { return q_; }
  bool is_shannon() const { return shannon_; }

  double surprise(double p) const {
    if (gini_) return 1.0 - p;
    const double log_p = std::log(p);
    if (shannon_) return -log_p;
    return -std::expm1((q_ - 1.0) * log_p) / (q_ - 1.0);
  }

  double weighted(const double* counts, std::size_t size, std::size_t stride, double n) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      const double count = counts[i * stride];
      const double share = count / n;
      if (share > kTiniestShare) sum += count * surprise(share);
    }
    return sum;
  }

 private:
  double q_;
  bool shannon_;
  bool gini_;
};

// The second form: n * S_q = scale(n) * (power(n) - sum_k power(n_k)).
//
// power(n) is n^q / |q - 1|; near q = 1 it is (n^q - n) / (q - 1), because the plain form loses there the
// digits in which q differs from 1 (and far from 1 the shifted form loses those of small counts). At
// q = 1 it is n ln n. scale(n) is n^(1-q) with the sign of q - 1 (or +1 where the power is shifted). At q = 2
// power(n) = n^2 is an exact integer for a whole n, and so are all sums of it.
enum class PowerForm : std::uint8_t { gini, shannon, plain, shifted };

class Powers {
 public:
  explicit Powers(const Order& order) : excess_(order.q() - 1.0), form_(form_of(order)) {}

  // True if scale(n) * power(n) is n times a constant, so that sums over branches need not compute it.
  bool plain() const { return form_ == PowerForm::gini || form_ == PowerForm::plain; }
  PowerForm form() const { return form_; }
  double excess() const { return excess_; }  // q - 1

  template <class Visit>
  auto with_form(Visit&& visit) const {  // calls visit.operator()<Form>()
    switch (form_) {
      case PowerForm::gini:
        return visit.template operator()<PowerForm::gini>();
      case PowerForm::shannon:
        return visit.template operator()<PowerForm::shannon>();
      case PowerForm::plain:
        return visit.template operator()<PowerForm::plain>();
      default:
        return visit.template operator()<PowerForm::shifted>();
    }
  }

  double power(double n) const {
    return with_form([&]<PowerForm Form>() { return power<Form>(n); });
  }
  double scale(double n) const {
    return with_form([&]<PowerForm Form>() { return scale<Form>(n); });
  }

  // The same where the form is known beforehand.
  template <PowerForm Form>
  double power(double n) const {
    if (n <= 0.0) return 0.0;
    if constexpr (Form == PowerForm::gini) return n * n;
    if constexpr (Form == PowerForm::shannon) return n * std::log(n);
    if constexpr (Form == PowerForm::plain) return n * std::pow(n, excess_) / std::abs(excess_);
    return n * std::expm1(excess_ * std::log(n)) / excess_;
  }
  template <PowerForm Form>
  double scale(double n) const {
    if constexpr (Form == PowerForm::gini) return 1.0 / n;
    if constexpr (Form == PowerForm::shannon) return 1.0;
    const double scale = std::pow(n, -excess_);
    return Form == PowerForm::plain ? std::copysign(scale, excess_) : scale;
  }
  // scale(n) * (power(n) - sum): n times the entropy of counts whose powers add up to `sum`.
  template <PowerForm Form>
  double entropy(double n, double sum) const {
    if (!(n > 0.0)) return 0.0;
    if constexpr (Form == PowerForm::gini) return n - sum / n;
    if constexpr (Form == PowerForm::plain) {
      const double power = std::pow(n, excess_);
      return (n - sum * std::abs(excess_) / power) / excess_;
    }
    return scale<Form>(n) * (power<Form>(n) - sum);
  }

 private:
  static PowerForm form_of(const Order& order) {
    constexpr double kShiftedWidth = 0.1;
    if (order.q() == 2.0) return PowerForm::gini;
    if (order.is_shannon()) return PowerForm::shannon;
    return std::abs(order.q() - 1.0) >= kShiftedWidth ? PowerForm::plain : PowerForm::shifted;
  }

  double excess_;
  PowerForm form_;
};

// How numbers are products of smaller ones.
struct Factors {
  explicit Factors(std::size_t largest);

  struct Pair {
    std::uint32_t prime;  // the smallest that divides the number
    std::uint32_t rest;
  };
  std::vector<Pair> pairs;  // of each number
  std::vector<std::uint32_t> primes;
};

// How far a table goes: to the largest number of cases, and to the largest number of cases of one class.
struct Reach {
  std::size_t cases = 0;
  std::size_t of_class = 0;
};

// Powers looked up by the integer count. power(0) = 0, and power never falls. Scales are of numbers of cases,
// powers of cases of one class; where they are shifted, of both.
class PowerTable {
 public:
  // Whether n^q and n^(1-q) stay in the range of a double for counts between these; else the definition, which
  // looks at shares only, must be used.
  static bool fits(const Order& order, double largest, double smallest) {
    constexpr double kLogOfLargestDouble = 690.0;
    const double widest = std::max(std::abs(std::log(largest)), std::abs(std::log(smallest)));
    return std::max(order.q(), 1.0) * widest < kLogOfLargestDouble;
  }

  // Of all counts up to this one.
  PowerTable(const Order& order, std::size_t largest, Pool& pool);
  // Of no counts yet.
  explicit PowerTable(const Order& order) : powers_(order) {}

  // Makes the table as long as need be. Not while it is read. `factors`: of numbers up to there, or more.
  void reach(const Reach& wanted, const Factors& factors);
  // What is there now stays, and is shared with copies of the table; it is never written again.
  void keep();
  // Back to what was kept.
  void drop_longer() { now_ = kept_; }
  bool reaches(const Reach& wanted) const {
    return now_.n_scales >= scales_for(wanted) && now_.n_powers >= powers_for(wanted);
  }
  bool has_room_for(const Reach& wanted) const {
    return now_.scale.room >= scales_for(wanted) && now_.power.room >= powers_for(wanted);
  }
  // Drops what is longer than what was kept, and lets another table have the room: what is given back to the
  // system and taken again costs as much as the numbers in it. Only if that has room then for what is wanted, and
  // for what it has: a table that is too short in one respect may be the longer one in another.
  bool give_room_to(PowerTable& shorter, const Reach& wanted);
  // Numbers that it has room for, beyond those it shares, and that it would have.
  std::size_t room() const { return is_kept() ? 0 : now_.room(); }
  std::size_t room_for(const Reach& wanted) const { return scales_for(wanted) + 2 * powers_for(wanted); }

  // Of any count: those beyond the table are computed, and are the same numbers.
  double power(std::size_t n) const {
    return n < now_.n_powers ? now_.power[n] : powers_.power(static_cast<double>(n));
  }
  double scale(std::size_t n) const {
    return n < now_.n_scales ? now_.scale[n] : powers_.scale(static_cast<double>(n));
  }

  const double* powers() const { return now_.power.at.get(); }
  const double* scales() const { return now_.scale.at.get(); }
  // power(n + 1) - power(n): what one more case adds.
  const double* steps() const { return now_.step.at.get(); }
  bool plain() const { return powers_.plain(); }

  double weighted(const double* counts, std::size_t size, std::size_t stride, double n) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += power(static_cast<std::size_t>(counts[i * stride]));
    }
    const auto index = static_cast<std::size_t>(n);
    return scale(index) * (power(index) - sum);
  }

 private:
  // A raw array, because a vector would write every number once more for nothing.
  struct Numbers {
    double& operator[](std::size_t n) { return at[n]; }
    double operator[](std::size_t n) const { return at[n]; }
    // `anew`: the array is shared, and another takes its place however long it is.
    void set_room(std::size_t wanted, std::size_t kept, bool anew);

    std::shared_ptr<double[]> at;
    std::size_t room = 0;
  };
  // The numbers, and how many there are.
  struct Part {
    void set_room(std::size_t scales, std::size_t powers, bool anew = false);
    std::size_t room() const { return scale.room + power.room + step.room; }

    Numbers scale;
    Numbers power;
    Numbers step;
    std::size_t n_scales = 0;
    std::size_t n_powers = 0;
  };

  bool is_kept() const { return now_.scale.at == kept_.scale.at; }
  static std::size_t scales_for(const Reach& wanted) { return wanted.cases + 1; }
  // One more, so that the last count has its step.
  std::size_t powers_for(const Reach& wanted) const { return (plain() ? wanted.of_class : wanted.cases) + 2; }
  void fill_scales(std::size_t begin, std::size_t end);
  void fill_powers(std::size_t begin, std::size_t end);
  void multiply_scales(std::size_t begin, std::size_t end, const Factors& factors);
  void divide_powers(std::size_t begin, std::size_t end);
  void fill_steps(std::size_t begin);

  Powers powers_;
  Part now_;
  Part kept_;
};

// The four entropies that a comparison may look at, each divided by the number of cases. `Real` is a double, or
// several side by side.
template <class Real>
struct SplitEntropiesOf {
  Real classes{};                 // H(class): of the parent
  Real branches{};                // H(branch)
  Real classes_given_branches{};  // H(class | branch): of the children
  Real branches_given_classes{};  // H(branch | class)
};
using SplitEntropies = SplitEntropiesOf<double>;

inline double ratio(double numerator, double denominator) {
  return denominator == 0.0 ? 0.0 : numerator / denominator;  // 0/0 is 0 by convention
}

}  // namespace ramify
