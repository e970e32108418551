// Structures that a packed forest holds, each a row of numbers: the k best of them, or some drawn from
// exp(score / τ). Each part of a derivation writes one number into its row.
#pragma once

#include "binding.h"
#include "hinge/inference/forest.h"

namespace hinge::python {

class Listing {
 public:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  // Rows of that width, with `otherwise` where no part writes.
  Listing(std::size_t width, std::int64_t otherwise) : width_(width), otherwise_(otherwise) {
    scores_.forest.clear();
  }

  PackedForest& forest() { return scores_.forest; }
  Index add_part(double score, std::size_t place = kNowhere, std::int64_t number = 0) {
    scores_.value.push_back(score);
    marks_.push_back({place, number});
    return static_cast<Index>(marks_.size() - 1);
  }

  // At most k rows, best first, and their scores.
  nb::tuple top(std::size_t k) const;
  // Rows that are drawn; one of the structures must be possible.
  nb::object draw(std::size_t count, double temperature, std::uint64_t seed) const;

 private:
  struct Mark {
    std::size_t place;
    std::int64_t number;
  };
  void append(const Derivation& derivation, std::vector<std::int64_t>& rows) const;

  std::size_t width_;
  std::int64_t otherwise_;
  ForestScores scores_;
  std::vector<Mark> marks_;
};

}  // namespace hinge::python
