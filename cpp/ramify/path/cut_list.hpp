// The moves and cuts of one column of one node, as scans for many orders of the entropy read them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ramify/counts.hpp"
#include "ramify/search/run_view.hpp"

namespace ramify {

class CutList {
 public:
  // Some cases of a class change sides. All numbers are places in tables: counts times the tables' stride.
  struct Move {
    std::uint32_t total;        // of all cases of the class
    std::uint32_t left_before;  // of those to the left
    std::uint32_t left_after;

    // And to the right, seen from the right: before they come over.
    std::uint32_t right_before() const { return total - left_after; }
    std::uint32_t right_after() const { return total - left_before; }
  };
  struct Cut {
    std::uint32_t moves;   // to its left
    std::uint32_t n_left;  // cases to its left
    std::uint32_t where;   // as the scans of one order name it
  };
  // Which cuts are listed. Under the gain a cut inside a stretch of one class is never better than those at the
  // ends of the stretch (or, where these are not admissible, the first and the last admissible cut).
  enum class Keep : std::uint8_t { every_cut, edges_of_stretches };

  static constexpr std::size_t kMostClasses = 255;

  // Reads the sorted cases of a node, or counted codes. `counts`: the node's classes.
  void read(const RunView& run, const Tags& tags, std::span<const double> counts, std::size_t min_samples_leaf,
            std::size_t stride, Keep keep);
  void read(const CodeCounts& codes, std::span<const double> counts, std::size_t min_samples_leaf,
            std::size_t stride, Keep keep);

  std::size_t cases() const { return cases_; }
  std::span<const Move> moves() const { return {moves_.data(), n_moves_}; }
  std::span<const Cut> cuts() const { return {cuts_.data(), n_cuts_}; }

 private:
  void start(std::span<const double> counts, std::size_t min_samples_leaf, std::size_t stride, std::size_t most,
             Keep keep);
  void read_rows(const Entry* rows, std::uint32_t size, const Tags& tags);
  void move(std::uint32_t cls, std::uint32_t count);
  // All that comes before `begin` was read; a group of cases of one class, with equal values, reaches to `end`.
  void move_alike(std::uint32_t cls, std::uint32_t begin, std::uint32_t end);
  void cut(std::uint32_t n_left, std::uint32_t where);

  std::size_t cases_ = 0;
  std::uint32_t stride_ = 0;
  std::uint32_t first_ = 0;  // the first and the last number of cases to the left that is admissible
  std::uint32_t last_ = 0;
  Keep keep_ = Keep::every_cut;
  std::int64_t stretch_ = -1;  // the class of all of the last move's group, if it has one class
  std::size_t n_moves_ = 0;
  std::size_t n_cuts_ = 0;
  std::vector<Move> moves_;
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> totals_;
  std::vector<std::uint32_t> left_;
  // Of the rows of a run:
  std::vector<std::uint8_t> classes_;
  std::vector<std::uint8_t> ties_;       // whether a row has the value of the one before
  std::vector<std::uint8_t> cuts_here_;  // whether a cut before it is listed
  std::vector<std::uint8_t> fresh_;      // whether a move begins with it
  std::vector<std::uint32_t> starts_;    // of moves
};

}  // namespace ramify
