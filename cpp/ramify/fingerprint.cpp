#include "ramify/fingerprint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ramify/mixing.hpp"

namespace ramify {

namespace {

constexpr std::size_t kBlock = 1 << 10;  // rows at a time, so that those of a matrix stay near

std::uint64_t bits_of(double number) {
  if (std::isnan(number)) return ~std::uint64_t{0};
  return std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number);  // there are two zeros
}

std::uint64_t bits_of(std::int32_t category) { return static_cast<std::uint64_t>(std::int64_t{category}); }

// Adds a column's part to the number of each row. Every column has a seed of its own, so that values can't change
// places between columns.
template <class ValueAt>
void add_column(std::uint64_t seed, std::size_t rows, std::uint64_t* of_rows, ValueAt&& value_at) {
  for (std::size_t i = 0; i < rows; ++i) of_rows[i] += mixed(bits_of(value_at(i)) ^ seed);
}

}  // namespace

Fingerprint fingerprint(const std::vector<Feature>& features, const std::uint32_t* classes, std::size_t rows,
                        Pool& pool) {
  const std::size_t blocks = (rows + kBlock - 1) / kBlock;
  std::vector<Fingerprint> sums(blocks, Fingerprint{});
  pool.for_each(blocks, [&](std::size_t block, std::size_t) {
    const std::size_t begin = block * kBlock;
    const std::size_t count = std::min(kBlock, rows - begin);
    std::array<std::uint64_t, kBlock> of_rows;
    for (std::size_t i = 0; i < count; ++i) of_rows[i] = mixed(classes[begin + i]);
    for (std::size_t column = 0; column < features.size(); ++column) {
      const Feature& feature = features[column];
      const std::uint64_t seed = mixed(column + 1);
      if (feature.nominal()) {
        add_column(seed, count, of_rows.data(), [&](std::size_t i) { return feature.category(begin + i); });
      } else {
        add_column(seed, count, of_rows.data(), [&](std::size_t i) { return feature.number(begin + i); });
      }
    }
    // Sums do not depend on the order of the rows, nor on that of the blocks.
    for (std::size_t i = 0; i < count; ++i) {
      sums[block][0] += mixed(of_rows[i]);
      sums[block][1] += mixed(~of_rows[i]);
    }
  });
  Fingerprint all{};
  for (const Fingerprint& sum : sums) {
    all[0] += sum[0];
    all[1] += sum[1];
  }
  return all;
}

}  // namespace ramify
