// Sums over all alignments, and how often each part is used on average, as products of exponentials (pair_cells.h has the
// recursion). Rows are cut into tiles of a few columns, each with its own power of two as unit, so that
//
//     what leads to a cell = number · 2^unit · exp(Σ of the shifts of the rows before),
//
// where a row's shift is its largest factor. Nothing falls below 2^-850 of its tile's unit: what is less is raised to that, so
// that both sweeps are upper bounds, and the mass that this adds is at most
//
//     Σ over tiles, 2^-850 · (unit of one sweep) · (largest number of the other) · (numbers of a tile),
//
// which is looked at tile by tile. What passes a tile is at most its width times the largest numbers of both
// sweeps: where that is below 2^-110 of the value, the way back leaves the tile out.
//
//     hinge::AlignmentScores scores;
//     scores.shape(1, 1, 1, 1, false);  // a letter of each: a pair, or both opposite gaps
//     hinge::AlignmentCounts counts;
//     hinge::PairRoom room;
//     double value = 0;                 // becomes log 2
//     const bool proven = hinge::PairSums().solve(scores, 1, true, room, counts, value);
#pragma once

#include "hinge/inference/alignment_scores.h"
#include "hinge/inference/pair_room.h"
#include "hinge/inference/pair_tiles.h"

namespace hinge {

class PairSums {
 public:
  // T_τ over all alignments, and what they use on average. False where what is raised may have done harm, or
  // nothing is allowed; value and counts are then nothing.
  bool solve(const AlignmentScores& scores, double temperature, bool keep_all, PairRoom& room,
             AlignmentCounts& counts, double& value);

  // Numbers of a row.
  static std::size_t row_size(std::size_t n);

 private:
  // A tile of a row.
  struct Tile {
    std::size_t index, low, width;
  };
  // A row of either sweep: its states, and of each tile the unit, the one that it was made in, and a bound on its
  // numbers, as exponents of two.
  struct Row {
    pair_tiles::Cells cells;
    double *unit, *made, *top;
    pair_tiles::Cells at(std::size_t j) const { return {cells.m + j, cells.x + j, cells.z + j}; }
  };
  struct Stop {
    double logarithm, unit;  // of what begins or ends at each cell
  };

  bool prepare(const AlignmentScores& scores, double temperature);
  Row row_of(double* numbers) const;
  double* match_of(double* numbers) const { return numbers + 3 * width_ + 3 * tiles_; }
  pair_tiles::RowGaps gaps_of(std::size_t letter, std::size_t place) const;
  pair_tiles::ColumnGaps columns_at(std::size_t j) const;
  Tile tile(std::size_t index) const;
  void make_match_row(std::size_t i, double* out);
  bool begin();
  bool forward(double& total);
  bool advance(std::size_t i);
  double carry_to(const Row& row, const Tile& tile, const pair_tiles::RowGaps& gaps) const;
  void load(std::size_t i);
  bool count(double total, AlignmentCounts& counts);
  bool count_tile(std::size_t i, const Tile& tile, const Row& behind, const Row& own, double value_bits,
                  AlignmentCounts& counts);
  void pour(std::size_t i, const Tile& tile, AlignmentCounts& counts) const;
  static bool normalise(const Row& row, const Tile& tile, double most);
  Stop start_of(std::size_t i) const;
  Stop stop_of(std::size_t i) const;

  const AlignmentScores* scores_ = nullptr;
  PairRoom* room_ = nullptr;
  double temperature_ = 1;
  std::size_t m_ = 0, n_ = 0, width_ = 0, tiles_ = 0;
  Vector column_[4];                  // exponentials of gaps by column
  Vector row_open_, row_extend_;      // of letters of x: logarithms
  Vector factor_[2];                  // and what they are after the row's shift
  Vector place_open_, place_extend_;  // of rows for letters of z: exponentials
  Vector before_, behind_;        // of a local alignment, by row: logarithms of what begins and ends there
  Vector shift_, sum_of_shifts_;  // of each row, and of all before it
  AlignedVector scratch_, nothing_, back_;
};

}  // namespace hinge
