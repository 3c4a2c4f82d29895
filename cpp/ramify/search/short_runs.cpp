#include "ramify/search/short_runs.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "ramify/lanes.hpp"
#include "ramify/search/best.hpp"

#if defined(RAMIFY_FOR_AVX2)
#include <immintrin.h>
#endif

namespace ramify {

namespace {

using Runs = std::array<const Entry*, kLanes>;

// What all columns of a node have in common.
struct ShortNode {
  std::size_t rows;
  std::size_t classes;
  std::size_t first;  // the first and the last admissible cut, by the cases to its left
  std::size_t last;
  Tags tags;
  const PowerTable& powers;
  const double* steps;
  const std::uint32_t* begins;
};

// The sums of the cut behind i cases, and the steps on the right of the case that comes next.
RAMIFY_PART_OF_CALLER double* left_of(double* sums, std::size_t i) { return sums + 2 * kLanes * i; }
RAMIFY_PART_OF_CALLER double* right_of(double* sums, std::size_t i) { return sums + (2 * i + 1) * kLanes; }

void make_steps(const Question& question, ShortRunBuffers& buffers) {
  const double* const steps = question.book.powers->steps();
  buffers.begins.resize(question.node.classes);
  if (buffers.steps.size() < 2 * question.node.rows) buffers.steps.resize(2 * question.node.rows);
  double* out = buffers.steps.data();
  for (std::size_t k = 0; k < question.node.classes; ++k) {
    buffers.begins[k] = static_cast<std::uint32_t>(out - buffers.steps.data());
    const auto count = static_cast<std::size_t>(question.node.counts[k]);
    for (std::size_t c = 0; c < count; ++c) {
      *out++ = steps[c];
      *out++ = steps[count - 1 - c];
    }
  }
}

// Walks along the runs, and writes sums on the left and steps on the right. Returns whether all cases start a
// value.
RAMIFY_PART_OF_CALLER bool walk(const ShortNode& node, const Runs& runs, double* sums) {
  std::uint32_t next[kLanes][kMostClassesSideBySide];
  for (auto& of_lane : next) std::copy_n(node.begins, node.classes, of_lane);
  const double* const steps = node.steps;
  const std::uint32_t shift = node.tags.shift;
  Lanes left{};
  std::uint32_t all = node.tags.start;
  for (std::size_t i = 0; i < node.rows; ++i) {
    std::size_t at[kLanes];
    RAMIFY_UNROLLED
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t tag = runs[lane][i].tag;
      std::uint32_t& of_class = next[lane][tag >> shift];
      at[lane] = of_class;
      of_class += 2;
      all &= tag;
    }
    store(left, left_of(sums, i));
    left += Lanes{steps[at[0]], steps[at[1]], steps[at[2]], steps[at[3]]};
    store(Lanes{steps[at[0] + 1], steps[at[1] + 1], steps[at[2] + 1], steps[at[3] + 1]}, right_of(sums, i));
  }
  return all != 0;
}

// Between equal values there is no cut: a sum that is no number makes a promise that is none.
void strike_out(const ShortNode& node, const Runs& runs, double* sums) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t i = node.first; i <= node.last; ++i) {
      if ((runs[lane][i].tag & node.tags.start) == 0) {
        left_of(sums, i)[lane] = std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
}

// Walks back, and keeps the largest promise of each run.
template <bool Plain>
RAMIFY_PART_OF_CALLER Lanes walk_back(const ShortNode& node, double* sums) {
  const double* const scales = node.powers.scales();
  const double* const powers = node.powers.powers();
  Lanes right{};
  Lanes most = all_lanes(Best::kNone);
  std::size_t i = node.rows;
  while (--i > node.last) right += load(right_of(sums, i));
  for (;; --i) {
    right += load(right_of(sums, i));
    const std::size_t behind = node.rows - i;
    Lanes promise;
    if constexpr (Plain) {
      promise = scales[i] * load(left_of(sums, i)) + scales[behind] * right;
    } else {
      promise = scales[i] * (load(left_of(sums, i)) - all_lanes(powers[i])) +
                scales[behind] * (right - all_lanes(powers[behind]));
    }
    most = larger(promise, most);
    if (i == node.first) return most;
  }
}

RAMIFY_PART_OF_CALLER void scan_with(const ShortNode& node, const Runs& runs, double* sums, bool all_start,
                                     double* promises) {
  if (!all_start) strike_out(node, runs, sums);
  store(node.powers.plain() ? walk_back<true>(node, sums) : walk_back<false>(node, sums), promises);
}

#if defined(RAMIFY_FOR_AVX2)

// The same where the places of all classes in the table of steps fit into one word, each in as many bits.
RAMIFY_PART_FOR_AVX2 bool walk_by_words(const ShortNode& node, const Runs& runs, double* sums) {
  const std::size_t bits = 64 / node.classes;
  std::uint64_t begins = 0;
  for (std::size_t k = 0; k < node.classes; ++k) begins |= std::uint64_t{node.begins[k] / 2} << (k * bits);
  const __m256i mask = _mm256_set1_epi64x(static_cast<long long>((std::uint64_t{1} << bits) - 1));
  const __m256i one = _mm256_set1_epi64x(1);
  const __m128i width = _mm_set1_epi32(static_cast<int>(bits));
  const __m128i to_class = _mm_cvtsi32_si128(static_cast<int>(node.tags.shift));
  const double* const steps = node.steps;
  __m256i words = _mm256_set1_epi64x(static_cast<long long>(begins));
  __m256d left = _mm256_setzero_pd();
  __m128i all = _mm_set1_epi32(-1);
  // The classes' places in the words of one case of each run.
  const auto move = [&](std::size_t i, __m128i places) __attribute__((target("avx2,bmi2"), always_inline)) {
    const __m256i by = _mm256_cvtepu32_epi64(places);
    const __m256i at = _mm256_slli_epi64(_mm256_and_si256(_mm256_srlv_epi64(words, by), mask), 1);
    words = _mm256_add_epi64(words, _mm256_sllv_epi64(one, by));
    const __m128i high = _mm256_extracti128_si256(at, 1);
    const auto pair = [&](long long of)
                          __attribute__((target("avx2,bmi2"), always_inline)) { return _mm_loadu_pd(steps + of); };
    const __m256d even = _mm256_set_m128d(pair(_mm_cvtsi128_si64(high)), pair(_mm256_extract_epi64(at, 0)));
    const __m256d odd = _mm256_set_m128d(pair(_mm_extract_epi64(high, 1)), pair(_mm256_extract_epi64(at, 1)));
    _mm256_storeu_pd(left_of(sums, i), left);
    left = _mm256_add_pd(left, _mm256_unpacklo_pd(even, odd));
    _mm256_storeu_pd(right_of(sums, i), _mm256_unpackhi_pd(even, odd));
  };
  const auto places = [&](__m128i tags) __attribute__((target("avx2,bmi2"), always_inline)) {
    all = _mm_and_si128(all, tags);
    return _mm_mullo_epi16(_mm_srl_epi32(tags, to_class), width);
  };
  const auto four = [&](const Entry* from) __attribute__((target("avx2,bmi2"), always_inline)) {
    return places(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  };
  std::size_t i = 0;
  for (; i + 4 <= node.rows; i += 4) {
    const __m128i a = four(runs[0] + i);
    const __m128i b = four(runs[1] + i);
    const __m128i c = four(runs[2] + i);
    const __m128i d = four(runs[3] + i);
    const __m128i low_ab = _mm_unpacklo_epi32(a, b);
    const __m128i low_cd = _mm_unpacklo_epi32(c, d);
    const __m128i high_ab = _mm_unpackhi_epi32(a, b);
    const __m128i high_cd = _mm_unpackhi_epi32(c, d);
    move(i, _mm_unpacklo_epi64(low_ab, low_cd));
    move(i + 1, _mm_unpackhi_epi64(low_ab, low_cd));
    move(i + 2, _mm_unpacklo_epi64(high_ab, high_cd));
    move(i + 3, _mm_unpackhi_epi64(high_ab, high_cd));
  }
  const auto tag = [&](std::size_t lane) { return static_cast<int>(runs[lane][i].tag); };
  for (; i < node.rows; ++i) move(i, places(_mm_setr_epi32(tag(0), tag(1), tag(2), tag(3))));
  const __m128i start = _mm_set1_epi32(static_cast<int>(node.tags.start));
  return _mm_testc_si128(all, start) != 0;
}

RAMIFY_FOR_AVX2
void scan(const ShortNode& node, const Runs& runs, double* sums, double* promises) {
  const bool in_words = node.classes <= 8 && node.rows < std::size_t{1} << (64 / node.classes);
  scan_with(node, runs, sums, in_words ? walk_by_words(node, runs, sums) : walk(node, runs, sums), promises);
}

RAMIFY_FOR_OTHERS
#endif
void scan(const ShortNode& node, const Runs& runs, double* sums, double* promises) {
  scan_with(node, runs, sums, walk(node, runs, sums), promises);
}

}  // namespace

void scan_short_runs(const Question& question, std::span<const Entry* const> runs, const Tags& tags,
                     ShortRunBuffers& buffers, double* promises) {
  const std::size_t rows = question.node.rows;
  const std::size_t leaf = std::max<std::size_t>(question.admission.min_samples_leaf, 1);
  std::fill(promises, promises + runs.size(), Best::kNone);
  if (rows < 2 * leaf) return;
  make_steps(question, buffers);
  if (buffers.sums.size() < 2 * kLanes * rows) buffers.sums.resize(2 * kLanes * rows);
  const ShortNode node{rows,
                       question.node.classes,
                       leaf,
                       rows - leaf,
                       tags,
                       *question.book.powers,
                       buffers.steps.data(),
                       buffers.begins.data()};
  for (std::size_t begin = 0; begin < runs.size(); begin += kLanes) {
    const std::size_t count = std::min(kLanes, runs.size() - begin);
    Runs four;
    for (std::size_t lane = 0; lane < kLanes; ++lane) four[lane] = runs[begin + std::min(lane, count - 1)];
    double of_four[kLanes];
    scan(node, four, buffers.sums.data(), of_four);
    std::copy_n(of_four, count, promises + begin);
  }
}

}  // namespace ramify
