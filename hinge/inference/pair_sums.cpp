#include "hinge/inference/pair_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "hinge/core/kernels.h"
#include "hinge/core/log_sum.h"

namespace hinge {
namespace {

using pair_tiles::Cells;
using pair_tiles::ColumnGaps;
using pair_tiles::kFloor;
using pair_tiles::kFloorBits;
using pair_tiles::kTile;
using pair_tiles::RowGaps;

constexpr double kLog2 = 0.6931471805599453;
constexpr double kNoUnit = -1e9;  // the unit of a tile of zeros

// A tile's largest number is kept within 2^±kDriftBits of its unit, and the factors of a gap are at most 2^kGapBits each, two of
// them at a time. What falls below 2^-1022 and is lost is then less than 2^(−1022 + kDriftBits + 2 kGapBits) of the unit, which
// is below the floor. Tiles whose numbers grow to more than 2^kGrowthBits in one step are left to logarithms, so that no
// product leaves the range.
constexpr double kDriftBits = 64, kGapBits = 32, kGrowthBits = 300;
// Of the value: what a tile of the way back may leave out, and what its floors may add, for each of its numbers.
constexpr double kHarmlessBits = -110;

// 2^e of a whole number; 0 below the normal numbers.
double power(double e) {
  return e < -1022
             ? 0
             : std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(e) + 1023) << 52);
}

// The exponent of two of a number, which is below 2^(exponent + 1).
double exponent_of(double v) {
  return v > 0 ? static_cast<double>(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(v) >> 52) - 1023)
               : kNoUnit;
}

// A number of a tile with another unit.
double moved(double v, double from, double to) { return from == to || v == 0 ? v : v * power(from - to); }

}  // namespace

std::size_t PairSums::row_size(std::size_t n) {
  return 4 * kernels::padded(n + 1) + 3 * kernels::padded(n / kTile + 1);
}

PairSums::Row PairSums::row_of(double* numbers) const {
  double* const unit = numbers + 3 * width_;
  return {{numbers, numbers + width_, numbers + 2 * width_}, unit, unit + tiles_, unit + 2 * tiles_};
}

PairSums::Tile PairSums::tile(std::size_t index) const {
  const std::size_t low = index * kTile;
  return {index, low, std::min(kTile, n_ + 1 - low)};
}

ColumnGaps PairSums::columns_at(std::size_t j) const {
  return {column_[0].data() + j, column_[1].data() + j, column_[2].data() + j, column_[3].data() + j};
}

// Of a row at place `place`, which `letter` of x leads to or leaves.
RowGaps PairSums::gaps_of(std::size_t letter, std::size_t place) const {
  const bool some = letter < m_;
  return {some ? factor_[0][letter] : 0, some ? factor_[1][letter] : 0, place_open_[place],
          place_extend_[place]};
}

bool PairSums::prepare(const AlignmentScores& scores, double temperature) {
  scores_ = &scores;
  temperature_ = temperature;
  m_ = scores.m();
  n_ = scores.n();
  width_ = kernels::padded(n_ + 1);
  tiles_ = kernels::padded(n_ / kTile + 1);
  shift_.assign(m_, 0.0);
  sum_of_shifts_.assign(m_ + 1, 0.0);
  bool moderate = true;
  const auto convert = [&](const Vector& from, Vector& to, bool exponential) {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      const double v = from[k] / temperature;
      moderate = moderate && v <= kGapBits * kLog2;
      to[k] = exponential ? std::exp(v) : v;
    }
  };
  const GapParts &x = scores.gaps(AlignedSide::x), &z = scores.gaps(AlignedSide::z);
  convert(x.open_at, column_[0], true);
  convert(x.extend_at, column_[1], true);
  convert(z.open, column_[2], true);
  convert(z.extend, column_[3], true);
  for (Vector& column : column_) column.resize(width_, 0.0);
  convert(x.open, row_open_, false);
  convert(x.extend, row_extend_, false);
  for (Vector& factor : factor_) factor.resize(m_);
  convert(z.open_at, place_open_, true);
  convert(z.extend_at, place_extend_, true);
  before_.assign(m_ + 1, scores.local() ? 0 : kForbidden);
  behind_ = before_;
  if (scores.local()) {
    for (std::size_t i = 0; i < m_; ++i) before_[i + 1] = before_[i] + scores.skip()[i] / temperature;
    for (std::size_t i = m_; i-- > 0;) behind_[i] = behind_[i + 1] + scores.skip()[i] / temperature;
  }
  return moderate;
}

PairSums::Stop PairSums::start_of(std::size_t i) const {
  const double logarithm = before_[i] - sum_of_shifts_[i];
  return {logarithm, logarithm == kForbidden ? kNoUnit : std::ceil(logarithm / kLog2)};
}

PairSums::Stop PairSums::stop_of(std::size_t i) const {
  const double logarithm = behind_[i] - (sum_of_shifts_[m_] - sum_of_shifts_[i]);
  return {logarithm, logarithm == kForbidden ? kNoUnit : std::ceil(logarithm / kLog2)};
}

// The matches of letter i, and the shift of all that leads to row i + 1.
void PairSums::make_match_row(std::size_t i, double* out) {
  scores_->match_row(i, out);
  double shift = std::max({pair_rows::largest(out, n_) / temperature_, row_open_[i], row_extend_[i]});
  if (shift == kForbidden) shift = 0;
  shift_[i] = shift;
  sum_of_shifts_[i + 1] = sum_of_shifts_[i] + shift;
  factor_[0][i] = std::exp(row_open_[i] - shift);
  factor_[1][i] = std::exp(row_extend_[i] - shift);
  kernels::exponential(out, out, scores_->stride(), shift * temperature_, 1 / temperature_);
}

// Notes the largest number of a tile that was made in its unit, and moves the unit where that has drifted.
bool PairSums::normalise(const Row& row, const Tile& tile, double most) {
  const double drift = exponent_of(most);
  if (!(drift <= kGrowthBits)) return false;
  double& unit = row.unit[tile.index];
  row.made[tile.index] = unit;
  row.top[tile.index] = unit + drift + 1;
  if (std::abs(drift) <= kDriftBits || drift == kNoUnit) return true;
  unit += drift;
  const double factor = power(-drift);
  const Cells cells = row.at(tile.low);
  for (double* const state : {cells.m, cells.x, cells.z}) pair_rows::multiply(state, tile.width, factor);
  return true;
}

// Z of a tile's first column, in the unit of the tile before.
double PairSums::carry_to(const Row& row, const Tile& tile, const RowGaps& gaps) const {
  const std::size_t j = tile.low - 1;
  return (row.cells.m[j] + row.cells.x[j]) * (column_[2][j] * gaps.open_z) +
         row.cells.z[j] * (column_[3][j] * gaps.extend_z);
}

// Row 0.
bool PairSums::begin() {
  const Row row = row_of(room_->row(0));
  std::fill_n(row.cells.m, 3 * width_, 0.0);
  std::fill_n(row.unit, 3 * tiles_, kNoUnit);
  if (scores_->local()) return true;
  row.cells.m[0] = 1;
  row.unit[0] = 0;
  const RowGaps gaps = gaps_of(m_, 0);
  for (std::size_t b = 0; b * kTile <= n_; ++b) {
    const Tile here = tile(b);
    double carry = 0;
    if (b > 0) {
      const double raw = carry_to(row, here, gaps);
      row.unit[b] = raw > 0 ? row.unit[b - 1] + exponent_of(raw) : row.unit[b - 1];
      carry = moved(raw, row.unit[b - 1], row.unit[b]) + kFloor;
    }
    if (!normalise(row, here,
                   pair_tiles::scan(row.at(here.low), gaps, columns_at(here.low), here.width, carry)))
      return false;
  }
  return true;
}

// Row i + 1 from row i.
bool PairSums::advance(std::size_t i) {
  double* const leading = room_->leading(i);
  double* const match = room_->ends_before(i) ? scratch_.data() : match_of(leading);
  make_match_row(i, match);
  const Row from = row_of(leading), to = row_of(room_->row(i + 1));
  const RowGaps gaps = gaps_of(i, i + 1);
  const Stop start = start_of(i);
  for (std::size_t b = 0; b * kTile <= n_; ++b) {
    const Tile here = tile(b);
    const Cells cells = from.at(here.low), own = to.at(here.low);
    double unit = std::max(from.unit[b], start.unit), before = 0, carry = 0;
    if (b > 0) {
      const Cells last = from.at(here.low - 1);
      before = *last.m + *last.x + *last.z;
      carry = carry_to(to, here, gaps);
      if (before > 0) unit = std::max(unit, from.unit[b - 1] + exponent_of(before));
      if (carry > 0) unit = std::max(unit, to.unit[b - 1] + exponent_of(carry));
    }
    to.unit[b] = to.top[b] = to.made[b] = unit;
    if (unit == kNoUnit) {
      for (double* const state : {own.m, own.x, own.z}) std::fill_n(state, here.width, 0.0);
      continue;
    }
    const double begins = start.unit == kNoUnit ? 0 : std::exp(start.logarithm - unit * kLog2);
    double first = 0;
    if (b > 0) {
      first = match[here.low - 1] * (moved(before, from.unit[b - 1], unit) + begins) + kFloor;
      carry = moved(carry, to.unit[b - 1], unit) + kFloor;
    }
    const double most = pair_tiles::forward(cells, own, match + here.low, gaps, columns_at(here.low),
                                            here.width, power(from.unit[b] - unit), begins, first, carry);
    if (!normalise(to, here, most)) return false;
  }
  return true;
}

// All rows, and the logarithm of the sum.
bool PairSums::forward(double& total) {
  room_->restart();
  if (!begin()) return false;
  total = before_[m_];
  double sum = 0, unit = kNoUnit;
  for (std::size_t i = 0; i < m_; ++i) {
    room_->pass(i);
    if (!advance(i)) return false;
    if (!scores_->local()) continue;
    const Row row = row_of(room_->row(i + 1));
    sum = 0;
    unit = *std::max_element(row.unit, row.unit + n_ / kTile + 1);
    for (std::size_t b = 0; b * kTile <= n_; ++b) {
      const Tile here = tile(b);
      double of_tile = 0;
      for (std::size_t j = 0; j < here.width; ++j) of_tile += row.cells.m[here.low + j];
      sum += moved(of_tile, row.unit[b], unit);
    }
    if (sum > 0)
      total = log_sum(total, std::log(sum) + unit * kLog2 + sum_of_shifts_[i + 1] + behind_[i + 1]);
  }
  if (scores_->local()) return total != kForbidden;
  const Row row = row_of(room_->row(m_));
  sum = row.cells.m[n_] + row.cells.x[n_] + row.cells.z[n_];
  if (!(sum > 0)) return false;
  total = std::log(sum) + row.unit[n_ / kTile] * kLog2 + sum_of_shifts_[m_];
  return true;
}

void PairSums::load(std::size_t i) {
  room_->load(
      i, [&] { begin(); }, [&](std::size_t k) { advance(k); },
      [&](std::size_t k) { make_match_row(k, match_of(room_->row(k))); });
}

void PairSums::pour(std::size_t i, const Tile& tile, AlignmentCounts& counts) const {
  const std::size_t low = tile.low, pairs = std::min(tile.width, n_ - low);
  const double* match = scratch_.data();
  GapParts &x = counts.gaps_[0], &z = counts.gaps_[1];
  z.open_at[i] += pair_rows::add_to(z.open.data() + low, match + 3 * kTile, pairs);
  z.extend_at[i] += pair_rows::add_to(z.extend.data() + low, match + 4 * kTile, pairs);
  if (i == m_) return;
  x.open[i] += pair_rows::add_to(x.open_at.data() + low, match + kTile, tile.width);
  x.extend[i] += pair_rows::add_to(x.extend_at.data() + low, match + 2 * kTile, tile.width);
  for (const Index r : scores_->rows_of(i))
    if (r != 0) pair_rows::add_rows(counts.profile_.data() + r * counts.stride_ + low, match, pairs);
  if (pair_rows::largest(match, pairs) < PairProbability::kListed) return;
  for (std::size_t j = pairs; j-- > 0;)
    if (match[j] >= PairProbability::kListed) counts.pairs_.push_back({i, low + j, match[j]});
}

// What may follow the cells of a tile of row i, and how often the parts that leave them are used.
bool PairSums::count_tile(std::size_t i, const Tile& here, const Row& behind, const Row& own,
                          double value_bits, AlignmentCounts& counts) {
  const std::size_t b = here.index, low = here.low, next = low + here.width;
  double* const numbers = room_->row(i);
  const double* const match = i == m_ ? nothing_.data() : match_of(numbers);
  const Row row = row_of(numbers);
  const Stop start = start_of(i), stop = stop_of(i);
  double last = 0, carry = 0, unit = std::max(behind.unit[b], stop.unit);
  if (next <= n_) {
    if (behind.unit[b + 1] > kNoUnit) last = match[next - 1] * behind.cells.m[next];
    if (own.unit[b + 1] > kNoUnit) carry = own.cells.z[next];
    if (last > 0) unit = std::max(unit, behind.unit[b + 1] + exponent_of(last));
    if (carry > 0) unit = std::max(unit, own.unit[b + 1] + exponent_of(carry));
  } else if (i == m_ && !scores_->local()) {
    last = 1;
    unit = 0;
  }
  own.unit[b] = unit;
  const double leads = std::max(row.top[b], start.unit) + 1;
  if (unit == kNoUnit || leads < kNoUnit + 2) {
    own.unit[b] = kNoUnit;
    return true;
  }
  if (next <= n_) {
    last = moved(last, behind.unit[b + 1], unit);
    carry = moved(carry, own.unit[b + 1], unit);
  }
  const double ends = stop.unit == kNoUnit ? 0 : std::exp(stop.logarithm - unit * kLog2);
  const RowGaps gaps = gaps_of(i, i);
  const ColumnGaps columns = columns_at(low);
  double diagonal[kTile], after[kTile];
  const bool follows = behind.unit[b] > kNoUnit;
  const Cells there = follows ? behind.at(low) : Cells{nothing_.data(), nothing_.data(), nothing_.data()};
  const double factor = follows ? power(behind.unit[b] - unit) : 0;
  const double most = pair_tiles::backward(there, own.at(low), match + low, gaps, columns, here.width, factor,
                                           ends, last, carry, diagonal, after);
  if (!normalise(own, here, most)) return false;
  if (leads + own.top[b] + value_bits < kHarmlessBits) {
    own.unit[b] = kNoUnit;
    return true;
  }
  const double floors = std::max(row.made[b] + own.top[b], leads + own.made[b]) + kFloorBits;
  if (floors + value_bits > kHarmlessBits) return false;
  const double begins = start.unit == kNoUnit ? 0 : std::exp(start.logarithm + (unit + value_bits) * kLog2);
  double* const out = scratch_.data();
  pair_tiles::amounts(row.at(low), there.x, diagonal, after, gaps, columns, here.width, factor, begins,
                      std::exp((row.unit[b] + unit + value_bits) * kLog2),
                      {out, out + kTile, out + 2 * kTile, out + 3 * kTile, out + 4 * kTile});
  pour(i, here, counts);
  return true;
}

// Backward over all rows.
bool PairSums::count(double total, AlignmentCounts& counts) {
  back_.resize(2 * row_size(n_));
  Row behind = row_of(back_.data()), own = row_of(back_.data() + row_size(n_));
  std::fill_n(behind.unit, 3 * tiles_, kNoUnit);
  const double value_bits = (sum_of_shifts_[m_] - total) / kLog2;
  for (std::size_t i = m_ + 1; i-- > 0;) {
    if (!room_->has(i)) load(i);
    for (std::size_t b = n_ / kTile + 1; b-- > 0;)
      if (!count_tile(i, tile(b), behind, own, value_bits, counts)) return false;
    std::swap(behind, own);
  }
  std::ranges::reverse(counts.pairs_);
  return true;
}

bool PairSums::solve(const AlignmentScores& scores, double temperature, bool keep_all, PairRoom& room,
                     AlignmentCounts& counts, double& value) {
  room_ = &room;
  counts.shape(scores, false);
  if (!prepare(scores, temperature)) return false;
  room.shape(m_ + 1, row_size(n_), 3 * width_ + 3 * tiles_, keep_all);
  scratch_.resize(std::max(width_, 5 * kTile));
  nothing_.assign(width_ + kTile, 0.0);
  double total = 0;
  if (!forward(total) || !count(total, counts)) return false;
  value = temperature * total;
  return true;
}

}  // namespace hinge
