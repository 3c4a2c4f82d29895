// The frontier of a partial tree: which of its nodes each row has come to, and the counts of some of them.
//
// All is a pure function of rows and tree, so that a part of the rows whose counts were lost is counted again.
//
// Glossary
//   slot   the place of a node among those asked for; a row that is in none of them has kNoSlot.
//   cell   one number of a node's counts: of one column, code and class (or, in the lane behind the classes,
//   rows).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ramify/coded_rows.hpp"
#include "ramify/tree.hpp"

namespace ramify {

inline constexpr std::int32_t kNoSlot = -1;

// Where the cells of each column begin in the counts of a node.
struct CellLayout {
  CellLayout(const std::vector<Coding>& codings, std::size_t n_classes, bool unit_weights);

  std::size_t lanes;               // cells a code: the classes, and the rows unless all weigh 1
  std::vector<std::size_t> begin;  // one a column, and the end
  std::size_t size() const { return begin.back(); }
};

class Frontier {
 public:
  // `nodes` of the tree have the slots 0, 1, ... The tree must have no problem; it is not looked at later.
  Frontier(const Tree& tree, const std::vector<Coding>& codings, const std::vector<std::int32_t>& nodes);

  struct Step {
    std::int32_t first_child = -1;  // -1: the row has come to an end
    std::int32_t slot = kNoSlot;
    std::uint32_t column = 0;
    std::uint32_t cut = 0;      // threshold: the last code that goes left
    std::int64_t routes = -1;   // nominal: where they begin; -1 for a threshold
    std::uint32_t missing = 0;  // the code of missing values, above all others
    std::int32_t missing_route = 0;
  };
  // What it is made of, to be sent to where the rows are.
  Frontier(std::size_t n_slots, std::vector<Step> steps, std::vector<std::int32_t> routes)
      : n_slots_(n_slots), steps_(std::move(steps)), routes_(std::move(routes)) {}
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<std::int32_t>& routes() const { return routes_; }

  std::size_t size() const { return n_slots_; }
  // The slot of each row.
  std::vector<std::int32_t> slots(const CodedRows& rows, Pool& pool) const;

 private:
  std::int32_t slot_of(const CodedRows& rows, std::size_t row) const;

  std::size_t n_slots_;
  std::vector<Step> steps_;
  std::vector<std::int32_t> routes_;
};

// Adds the counts of rows to those of their slots: slots x cells. Whole weights are counted in integers.
template <class Cell>
void add_counts(const CodedRows& rows, const std::vector<std::int32_t>& slots, std::size_t n_slots,
                const CellLayout& layout, std::size_t n_classes, Cell* counts, Pool& pool);

// Rows fetched from anywhere, slot by slot. How many each slot will have is known beforehand.
class FetchedRows {
 public:
  FetchedRows(const std::vector<Coding>& codings, const std::vector<std::size_t>& sizes, bool weighted);

  // Throws if there are more than were announced.
  void add(const CodedRows& rows, const std::int32_t* slots);
  bool complete() const { return next_ == end_; }

  std::size_t size() const { return end_.size(); }
  CodedRows of(std::size_t slot) const;

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> next_;
  std::vector<std::size_t> end_;
  std::vector<char> wide_;
  std::vector<std::unique_ptr<std::byte[]>> codes_;
  std::unique_ptr<std::uint32_t[]> classes_;
  std::unique_ptr<double[]> weights_;
};

}  // namespace ramify
