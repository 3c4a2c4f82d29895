#include "ramify/criteria/entropies.hpp"

#include <algorithm>
#include <utility>

namespace ramify {

Factors::Factors(std::size_t largest) : pairs(largest + 1, Pair{0, 1}) {
  for (std::size_t n = 2; n <= largest; ++n) {
    if (pairs[n].prime != 0) continue;
    const auto prime = static_cast<std::uint32_t>(n);
    pairs[n].prime = prime;
    primes.push_back(prime);
    for (std::size_t rest = n; n * rest <= largest; ++rest) {
      if (pairs[n * rest].prime == 0) pairs[n * rest] = {prime, static_cast<std::uint32_t>(rest)};
    }
  }
}

PowerTable::PowerTable(const Order& order, std::size_t largest, Pool& pool) : powers_(order) {
  constexpr std::size_t kChunk = 1 << 15;
  n_scales_ = scales_for({largest, largest});
  n_powers_ = powers_for({largest, largest});
  set_room(n_scales_, n_powers_);
  pool.for_each(n_powers_ / kChunk + 1, [&](std::size_t chunk, std::size_t) {
    const std::size_t begin = chunk * kChunk;
    fill_scales(begin, std::min(begin + kChunk, n_scales_));
    fill_powers(begin, std::min(begin + kChunk, n_powers_));
  });
  fill_steps(0);
}

void PowerTable::reach(const Reach& wanted, const Factors& factors) {
  const std::size_t had_scales = n_scales_;
  const std::size_t had_powers = n_powers_;
  const std::size_t scales = std::max(had_scales, scales_for(wanted));
  const std::size_t powers = std::max(had_powers, powers_for(wanted));
  set_room(std::max(scale_.room, scales), std::max(power_.room, powers));
  n_scales_ = scales;
  n_powers_ = powers;
  if (powers_.form() == PowerForm::plain && had_scales > 0) {
    multiply_scales(had_scales, scales, factors);
    divide_powers(had_powers, powers);
  } else {
    fill_scales(had_scales, scales);
    fill_powers(had_powers, powers);
  }
  fill_steps(had_powers == 0 ? 0 : had_powers - 1);
}

void PowerTable::cut_down(const Reach& wanted) {
  n_scales_ = std::min(n_scales_, scales_for(wanted));
  n_powers_ = std::min(n_powers_, powers_for(wanted));
  set_room(n_scales_, n_powers_);
}

bool PowerTable::give_room_to(PowerTable& shorter, const Reach& wanted) {
  const bool suits = scale_.room >= std::max(shorter.n_scales_, scales_for(wanted)) &&
                     power_.room >= std::max(shorter.n_powers_, shorter.powers_for(wanted));
  if (!suits) return false;
  const auto exchange = [](Numbers& mine, Numbers& others, std::size_t kept) {
    std::swap_ranges(mine.at.get(), mine.at.get() + kept, others.at.get());
    std::swap(mine, others);
  };
  exchange(scale_, shorter.scale_, shorter.n_scales_);
  exchange(power_, shorter.power_, shorter.n_powers_);
  exchange(step_, shorter.step_, shorter.n_powers_);
  n_scales_ = std::min(n_scales_, shorter.n_scales_);
  n_powers_ = std::min(n_powers_, shorter.n_powers_);
  return true;
}

void PowerTable::set_room(std::size_t scales, std::size_t powers) {
  scale_.set_room(scales, n_scales_);
  power_.set_room(powers, n_powers_);
  step_.set_room(powers, n_powers_);
}

void PowerTable::Numbers::set_room(std::size_t wanted, std::size_t kept) {
  if (wanted == room) return;
  auto fresh = std::make_unique_for_overwrite<double[]>(wanted);
  std::copy_n(at.get(), std::min({kept, wanted, room}), fresh.get());
  at = std::move(fresh);
  room = wanted;
}

void PowerTable::fill_scales(std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end; ++n) scale_[n] = n == 0 ? 0.0 : powers_.scale(static_cast<double>(n));
}

void PowerTable::fill_powers(std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end; ++n) power_[n] = powers_.power(static_cast<double>(n));
}

// (ab)^x = a^x b^x: of composite numbers the scales are products of scales that are there, and ten times cheaper
// to get than by a call of pow. A product of as many factors as a number has is off by as many roundings at most.
void PowerTable::multiply_scales(std::size_t begin, std::size_t end, const Factors& factors) {
  const std::vector<std::uint32_t>& primes = factors.primes;
  for (auto prime = std::lower_bound(primes.begin(), primes.end(), begin); prime != primes.end() && *prime < end;
       ++prime) {
    scale_[*prime] = powers_.scale<PowerForm::plain>(*prime);
  }
  // Primes are themselves times 1: no branch that can't be foreseen.
  const double sign = powers_.excess() < 0.0 ? -1.0 : 1.0;
  for (std::size_t n = begin; n < end; ++n) {
    const Factors::Pair pair = factors.pairs[n];
    scale_[n] = scale_[pair.prime] * (scale_[pair.rest] * sign);
  }
}

// The plain power is n over its scale and over q - 1, and has the sign of neither.
void PowerTable::divide_powers(std::size_t begin, std::size_t end) {
  const std::size_t scaled = std::clamp(n_scales_, begin, end);
  const double excess = powers_.excess();
  for (std::size_t n = begin; n < scaled; ++n) power_[n] = static_cast<double>(n) / (scale_[n] * excess);
  fill_powers(scaled, end);
}

void PowerTable::fill_steps(std::size_t begin) {
  for (std::size_t n = begin; n + 1 < n_powers_; ++n) step_[n] = power_[n + 1] - power_[n];
  step_[n_powers_ - 1] = 0.0;  // of a count that does not occur
}

}  // namespace ramify
