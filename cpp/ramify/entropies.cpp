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
  now_.n_scales = scales_for({largest, largest});
  now_.n_powers = powers_for({largest, largest});
  now_.set_room(now_.n_scales, now_.n_powers);
  pool.for_each(now_.n_powers / kChunk + 1, [&](std::size_t chunk, std::size_t) {
    const std::size_t begin = chunk * kChunk;
    fill_scales(begin, std::min(begin + kChunk, now_.n_scales));
    fill_powers(begin, std::min(begin + kChunk, now_.n_powers));
  });
  fill_steps(0);
}

void PowerTable::reach(const Reach& wanted, const Factors& factors) {
  const std::size_t had_scales = now_.n_scales;
  const std::size_t had_powers = now_.n_powers;
  const std::size_t scales = std::max(had_scales, scales_for(wanted));
  const std::size_t powers = std::max(had_powers, powers_for(wanted));
  now_.set_room(std::max(now_.scale.room, scales), std::max(now_.power.room, powers), is_kept());
  now_.n_scales = scales;
  now_.n_powers = powers;
  if (powers_.form() == PowerForm::plain && had_scales > 0) {
    multiply_scales(had_scales, scales, factors);
    divide_powers(had_powers, powers);
  } else {
    fill_scales(had_scales, scales);
    fill_powers(had_powers, powers);
  }
  fill_steps(had_powers == 0 ? 0 : had_powers - 1);
}

void PowerTable::keep() {
  now_.set_room(now_.n_scales, now_.n_powers);
  kept_ = now_;
}

bool PowerTable::give_room_to(PowerTable& shorter, const Reach& wanted) {
  const Part& others = shorter.now_;
  const bool suits = now_.scale.room >= std::max(others.n_scales, scales_for(wanted)) &&
                     now_.power.room >= std::max(others.n_powers, shorter.powers_for(wanted));
  if (!suits || is_kept()) return false;
  std::copy_n(others.scale.at.get(), others.n_scales, now_.scale.at.get());
  std::copy_n(others.power.at.get(), others.n_powers, now_.power.at.get());
  std::copy_n(others.step.at.get(), others.n_powers, now_.step.at.get());
  now_.n_scales = others.n_scales;
  now_.n_powers = others.n_powers;
  shorter.now_ = std::move(now_);
  drop_longer();
  return true;
}

void PowerTable::Part::set_room(std::size_t scales, std::size_t powers, bool anew) {
  scale.set_room(scales, n_scales, anew);
  power.set_room(powers, n_powers, anew);
  step.set_room(powers, n_powers, anew);
}

void PowerTable::Numbers::set_room(std::size_t wanted, std::size_t kept, bool anew) {
  if (wanted == room && !anew) return;
  std::shared_ptr<double[]> fresh(new double[wanted]);
  std::copy_n(at.get(), std::min({kept, wanted, room}), fresh.get());
  at = std::move(fresh);
  room = wanted;
}

void PowerTable::fill_scales(std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end; ++n) now_.scale[n] = n == 0 ? 0.0 : powers_.scale(static_cast<double>(n));
}

void PowerTable::fill_powers(std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end; ++n) now_.power[n] = powers_.power(static_cast<double>(n));
}

// (ab)^x = a^x b^x: of composite numbers the scales are products of scales that are there, and ten times cheaper
// to get than by a call of pow. A product of as many factors as a number has is off by as many roundings at most.
void PowerTable::multiply_scales(std::size_t begin, std::size_t end, const Factors& factors) {
  const std::vector<std::uint32_t>& primes = factors.primes;
  for (auto prime = std::lower_bound(primes.begin(), primes.end(), begin); prime != primes.end() && *prime < end;
       ++prime) {
    now_.scale[*prime] = powers_.scale<PowerForm::plain>(*prime);
  }
  // Primes are themselves times 1: no branch that can't be foreseen.
  const double sign = powers_.excess() < 0.0 ? -1.0 : 1.0;
  for (std::size_t n = begin; n < end; ++n) {
    const Factors::Pair pair = factors.pairs[n];
    now_.scale[n] = now_.scale[pair.prime] * (now_.scale[pair.rest] * sign);
  }
}

// The plain power is n over its scale and over q - 1, and has the sign of neither.
void PowerTable::divide_powers(std::size_t begin, std::size_t end) {
  const std::size_t scaled = std::clamp(now_.n_scales, begin, end);
  const double excess = powers_.excess();
  for (std::size_t n = begin; n < scaled; ++n) now_.power[n] = static_cast<double>(n) / (now_.scale[n] * excess);
  fill_powers(scaled, end);
}

void PowerTable::fill_steps(std::size_t begin) {
  for (std::size_t n = begin; n + 1 < now_.n_powers; ++n) now_.step[n] = now_.power[n + 1] - now_.power[n];
  now_.step[now_.n_powers - 1] = 0.0;  // of a count that does not occur
}

}  // namespace ramify
