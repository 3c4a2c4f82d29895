// Parted runs: the rows of either side in the order that they had, and a value starts where it differs from the
// one before it on that side.
#include "ramify/parting.hpp"

#include <optional>

#include "check.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

// A run by definition: rows, each with its value.
struct Case {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> values;
  std::vector<std::uint32_t> classes;
  std::vector<std::uint8_t> sides;  // of each row

  std::vector<Entry> side(std::uint8_t wanted, const Tags& tags) const {
    std::vector<Entry> entries;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (wanted <= kNeither && sides[rows[i]] != wanted) continue;
      const std::uint32_t start = last == values[i] ? 0 : tags.start;
      entries.push_back({classes[i] << tags.shift | rows[i] | start});
      last = values[i];
    }
    return entries;
  }
};

constexpr std::uint8_t kAnySide = 255;

Case make_case(std::size_t size, double ties, bool some, Random& random) {
  Case made;
  const double left = random.uniform();
  for (std::uint32_t row = 0; row < 2 * size; ++row) {
    const std::uint8_t side = random.chance(left) ? kLeft : kRight;
    made.sides.push_back(some && random.chance(0.3) ? kNeither : side);
  }
  std::size_t value = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    made.rows.push_back(2 * i + static_cast<std::uint32_t>(random.below(2)));
    made.classes.push_back(static_cast<std::uint32_t>(random.below(5)));
    value += random.chance(ties) ? 0 : 1;
    made.values.push_back(value);
  }
  for (std::size_t i = size; i > 1; --i) std::swap(made.rows[i - 1], made.rows[random.below(i)]);
  return made;
}

bool same(const Entry* found, const Entry* end, const std::vector<Entry>& expected) {
  return std::equal(found, end, expected.begin(), expected.end(),
                    [](const Entry& a, const Entry& b) { return a.tag == b.tag; });
}

void run(std::uint64_t number) {
  Random random(number + 18'000'000);
  const std::size_t size = random.between(0, 100);
  const double ties = std::vector<double>{0.0, 0.02, 0.5, 0.95}[random.below(4)];
  const bool some = random.chance(0.5);
  const Case made = make_case(size, ties, some, random);
  set_case("parting " + std::to_string(number) + ": " + std::to_string(size) + " rows");
  const std::uint32_t bits = 8 + static_cast<std::uint32_t>(random.below(20));
  Tags tags;
  tags.start = 1u << bits;
  tags.mask = tags.start - 1;
  tags.shift = bits + 1;
  const auto part = [&](const Entry* entries, Ends<Entry> to) {
    return some ? part_some_to(entries, size, tags, made.sides.data(), to)
                : part_to(entries, size, tags, made.sides.data(), to);
  };
  const std::vector<Entry> all = made.side(kAnySide, tags);
  const std::vector<Entry> lefts = made.side(kLeft, tags);
  const std::vector<Entry> rights = made.side(kRight, tags);
  std::vector<Entry> left(size + kPartingRoom);
  std::vector<Entry> right(size + kPartingRoom);
  Ends<Entry> ends = part(all.data(), {left.data(), right.data()});
  CHECK(same(left.data(), ends.left, lefts), "left of both");
  CHECK(same(right.data(), ends.right, rights), "right of both");
  ends = part(all.data(), {left.data(), nullptr});
  CHECK(same(left.data(), ends.left, lefts), "left alone");
  ends = part(all.data(), {nullptr, right.data()});
  CHECK(same(right.data(), ends.right, rights), "right alone");
  // In place nothing behind the run may be touched.
  const Entry guard{12345};
  std::vector<Entry> own = all;
  own.push_back(guard);
  ends = part(own.data(), {own.data(), nullptr});
  CHECK(same(own.data(), ends.left, lefts) && own[size].tag == guard.tag, "left in place");
  if (some) return;
  own = all;
  own.push_back(guard);
  std::vector<Entry> scratch;
  part_in_place(own.data(), size, tags, made.sides.data(), scratch);
  std::vector<Entry> expected = lefts;
  expected.insert(expected.end(), rights.begin(), rights.end());
  CHECK(same(own.data(), own.data() + size, expected) && own[size].tag == guard.tag, "both in place");
}

}  // namespace

Suite parting_suite() { return {"parting", 20000, 4000, run}; }

}  // namespace ramify::tests
