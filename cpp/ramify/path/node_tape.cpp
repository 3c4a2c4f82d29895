#include "ramify/path/node_tape.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ramify {

namespace {

// What the first byte of a node says.
constexpr std::uint8_t kLeaf = 1;
constexpr std::uint8_t kWhole = 2;  // its counts are whole numbers
// What the first byte of a rule says, above its kind and its method.
constexpr unsigned kMethodShift = 3;
constexpr std::uint8_t kThreeBits = 7;
constexpr std::uint8_t kTwoBits = 3;
constexpr std::uint8_t kExact = 1 << 5;
constexpr std::uint8_t kRare = 1 << 6;  // it has what most rules have not
constexpr std::uint8_t kScoreIsGain = 1 << 7;

static_assert(static_cast<std::uint8_t>(SplitKind::known) <= kThreeBits);
static_assert(static_cast<std::uint8_t>(SearchMethod::heuristic) <= kTwoBits);

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Whether a count can be written as a whole number and read as the same.
bool is_whole(double count) {
  constexpr double kMost = 9007199254740992.0;  // 2^53
  return count >= 0.0 && count < kMost && same_bits(count, static_cast<double>(static_cast<std::uint64_t>(count)));
}

bool has_rare(const SplitRule& rule) {
  return rule.n_branches != 2 || !same_bits(rule.unknown_weight, 0.0) || !rule.routes.empty() ||
         !rule.runner_ups.empty();
}

// Routes are -2 or more.
constexpr std::int32_t kLeastRoute = kEveryBranch;

// Bytes that numbers take at most, and what a node and a rule take, but for routes and runner-ups.
constexpr std::size_t kLongestNumber = 10;
std::size_t room_for_node(std::size_t n_classes) { return 1 + (n_classes + 1) * kLongestNumber + sizeof(double); }
constexpr std::size_t kRoomForRule = 1 + 5 * kLongestNumber + 4 * sizeof(double);

std::uint64_t read_number(const std::uint8_t*& next) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint64_t byte = *next++;
    number |= (byte & 0x7F) << shift;
    if (byte < 0x80) return number;
  }
}

double read_exactly(const std::uint8_t*& next) {
  double value;
  std::memcpy(&value, next, sizeof(value));
  next += sizeof(value);
  return value;
}

std::int32_t read_route(const std::uint8_t*& next) {
  return static_cast<std::int32_t>(read_number(next)) + kLeastRoute;
}

void read_rule(const std::uint8_t*& next, SplitRule& rule);

void read_rare(const std::uint8_t*& next, SplitRule& rule) {
  rule.n_branches = read_number(next);
  rule.unknown_weight = read_exactly(next);
  rule.routes.resize(read_number(next));
  for (std::int32_t& route : rule.routes) route = read_route(next);
  rule.runner_ups.resize(read_number(next));
  for (SplitRule& runner_up : rule.runner_ups) read_rule(next, runner_up);
}

void read_rule(const std::uint8_t*& next, SplitRule& rule) {
  const std::uint8_t head = *next++;
  rule.kind = static_cast<SplitKind>(head & kThreeBits);
  rule.method = static_cast<SearchMethod>((head >> kMethodShift) & kTwoBits);
  rule.exact = (head & kExact) != 0;
  rule.column = read_number(next);
  rule.missing_route = read_route(next);
  rule.threshold = read_exactly(next);
  rule.score = read_exactly(next);
  rule.gain = (head & kScoreIsGain) != 0 ? rule.score : read_exactly(next);
  if ((head & kRare) != 0) return read_rare(next, rule);
  rule.n_branches = 2;
  rule.unknown_weight = 0.0;
  rule.routes.clear();
  rule.runner_ups.clear();
}

}  // namespace

void TapeWriter::make_room(std::size_t bytes) {
  if (bytes_.size() - used_ < bytes) bytes_.resize(2 * bytes_.size() + bytes);
}

void TapeWriter::write_number(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes_[used_++] = static_cast<std::uint8_t>(number | 0x80);
  bytes_[used_++] = static_cast<std::uint8_t>(number);
}

void TapeWriter::write_route(std::int32_t route) { write_number(static_cast<std::uint64_t>(route - kLeastRoute)); }

void TapeWriter::write_exactly(double value) {
  std::memcpy(bytes_.data() + used_, &value, sizeof(value));
  used_ += sizeof(value);
}

void TapeWriter::add(std::span<const double> counts, std::size_t rows, double impurity, const SplitRule* rule) {
  const bool whole = std::all_of(counts.begin(), counts.end(), is_whole);
  make_room(room_for_node(counts.size()));
  bytes_[used_++] = static_cast<std::uint8_t>((rule == nullptr ? kLeaf : 0) | (whole ? kWhole : 0));
  for (const double count : counts) {
    if (whole) {
      write_number(static_cast<std::uint64_t>(count));
    } else {
      write_exactly(count);
    }
  }
  write_number(rows);
  write_exactly(impurity);
  if (rule != nullptr) write_rule(*rule);
}

void TapeWriter::write_rule(const SplitRule& rule) {
  const bool rare = has_rare(rule);
  const bool score_is_gain = same_bits(rule.score, rule.gain);
  make_room(kRoomForRule + rule.routes.size() * kLongestNumber);
  bytes_[used_++] = static_cast<std::uint8_t>(
      static_cast<unsigned>(rule.kind) | static_cast<unsigned>(rule.method) << kMethodShift |
      (rule.exact ? kExact : 0u) | (rare ? kRare : 0u) | (score_is_gain ? kScoreIsGain : 0u));
  write_number(rule.column);
  write_route(rule.missing_route);
  write_exactly(rule.threshold);
  write_exactly(rule.score);
  if (!score_is_gain) write_exactly(rule.gain);
  if (rare) write_rare(rule);
}

void TapeWriter::write_rare(const SplitRule& rule) {
  write_number(rule.n_branches);
  write_exactly(rule.unknown_weight);
  write_number(rule.routes.size());
  for (const std::int32_t route : rule.routes) write_route(route);
  write_number(rule.runner_ups.size());
  for (const SplitRule& runner_up : rule.runner_ups) write_rule(runner_up);
}

void read_node(const std::uint8_t*& next, std::size_t n_classes, TapedNode& node) {
  const std::uint8_t head = *next++;
  const bool whole = (head & kWhole) != 0;
  node.leaf = (head & kLeaf) != 0;
  node.counts.resize(n_classes);
  for (double& count : node.counts) {
    count = whole ? static_cast<double>(read_number(next)) : read_exactly(next);
  }
  node.rows = read_number(next);
  node.impurity = read_exactly(next);
  if (!node.leaf) read_rule(next, node.rule);
}

}  // namespace ramify
