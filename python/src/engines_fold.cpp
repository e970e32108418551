// RNA folds as functions on arrays: tables of what loops score in, values, uses of the tables and pairs out.
#include "engines.h"
#include "hinge/core/smooth_max.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/fold_cells.h"

namespace hinge::python {
namespace {

// In the order that Python has them (python/hinge/_fold_engine.py); loops are of one kind.
template <class Tables>
auto parts_of(Tables& t) {
  using Row = std::conditional_t<std::is_const_v<Tables>, std::span<const double>, std::span<double>>;
  constexpr std::size_t kClasses = FoldTables::kClasses;
  return std::array<Row, 14>{Row(t.hairpin),
                             Row(t.stack),
                             Row(t.one_one),
                             Row(t.close),
                             Row(t.branch),
                             Row(t.exterior),
                             Row(t.outer).first(kClasses),
                             Row(t.inner).first(kClasses),
                             Row(t.pair),
                             Row(t.bulge_stack),
                             Row(t.hairpin_length),
                             Row(t.loop),
                             Row(&t.multi_letter, 1),
                             Row(&t.exterior_letter, 1)};
}

std::size_t table_size() {
  std::size_t size = 0;
  const FoldTables tables;
  for (const auto& row : parts_of(tables)) size += row.size();
  return size;
}

std::vector<std::uint8_t> letters_of(const std::string& text) {
  std::vector<std::uint8_t> letters;
  for (const char letter : text) {
    const std::string_view known = "ACGUacguT  t";
    const std::size_t at = known.find(letter);
    letters.push_back(at == std::string_view::npos || letter == ' ' ? 4
                      : at < 8                                      ? static_cast<std::uint8_t>(at % 4)
                                                                    : 3);
  }
  return letters;
}

using Allowed = std::optional<In<bool, 2>>;
using Paired = std::optional<In<bool, 1>>;

void fill_fold(const std::string& text, const In<double, 1>& tables, std::size_t max_loop,
               const Allowed& allowed, const Paired& paired, std::size_t b, FoldScores& scores) {
  const std::size_t n = text.size();
  if (n == 0) fail("sequence {} is empty: leave it out.", b);
  if (allowed && (allowed->shape(0) != n || allowed->shape(1) != n))
    fail("allowed of sequence {} has the shape ({}, {}), where ({}, {}) belongs.", b, allowed->shape(0),
         allowed->shape(1), n, n);
  if (paired && paired->size() != n)
    fail("paired of sequence {} has {} entries for {} letters.", b, paired->size(), n);
  scores.shape(letters_of(text), max_loop);
  const double* from = tables.data();
  for (const std::span<double>& row : parts_of(scores.tables)) {
    std::copy_n(from, row.size(), row.begin());
    from += row.size();
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (paired && paired->data()[i]) scores.require(i);
    for (std::size_t j = i + 1; allowed && j < n; ++j)
      if (!allowed->data()[i * n + j]) scores.forbid(i, j);
  }
}

void check_tables(const In<double, 1>& tables) {
  if (tables.size() != table_size())
    fail("there are {} numbers in tables of {}.", tables.size(), table_size());
  for (std::size_t k = 0; k < tables.size(); ++k)
    if (!std::isfinite(tables.data()[k]))
      fail("a score of the tables is {}: give finite numbers, and forbid pairs with `allowed`.",
           tables.data()[k]);
}

template <class Given>
const Given& own_of(const std::vector<Given>& given, std::size_t b) {
  static const Given none;
  return given.empty() ? none : given[b];
}

// (values, uses of the tables (batch, size), of each sequence how probable each pair is (letters, letters))
nb::tuple fold(const std::vector<std::string>& X, const In<double, 1>& tables, std::size_t max_loop,
               const std::vector<Allowed>& allowed, const std::vector<Paired>& paired, double temperature,
               std::size_t threads) {
  check_tables(tables);
  const std::size_t B = X.size(), S = table_size();
  std::vector<double> value(B), use(B * S);
  std::vector<std::vector<double>> pair(B);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      FoldScores& scores = scratch<FoldScores, struct PythonFoldScores>();
      FoldCounts& counts = scratch<FoldCounts, struct PythonFoldCounts>();
      const std::size_t n = X[b].size();
      fill_fold(X[b], tables, max_loop, own_of(allowed, b), own_of(paired, b), b, scores);
      pair[b].assign(n * n, 0.0);
      value[b] = scratch<FoldCells, struct PythonFolds>().solve(scores, temperature, temperature, counts);
      if (value[b] == kForbidden) return;
      const auto mark = [&](std::size_t i, std::size_t j, double amount) {
        pair[b][i * n + j] = pair[b][j * n + i] = amount;
      };
      if (counts.hard()) {
        const FoldPairs& s = counts.structure();
        for (std::size_t i = 0; i < n; ++i)
          if (s[i] > static_cast<int>(i)) mark(i, static_cast<std::size_t>(s[i]), 1);
      } else {
        for (const auto& [i, j, p] : counts.pairs()) mark(i, j, p);
      }
      auto to = use.begin() + static_cast<std::ptrdiff_t>(b * S);
      for (const std::span<const double>& row : parts_of(counts.uses())) to = std::ranges::copy(row, to).out;
    });
  }
  nb::list pairs;
  for (std::size_t b = 0; b < B; ++b) pairs.append(out_array(std::move(pair[b]), {X[b].size(), X[b].size()}));
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(use), {B, S}), pairs);
}

// (partners of each letter (found, letters), scores)
nb::tuple fold_top(const std::string& x, const In<double, 1>& tables, std::size_t max_loop,
                   const Allowed& allowed, const Paired& paired, std::size_t k) {
  check_tables(tables);
  std::vector<std::int64_t> partner;
  std::vector<double> value;
  {
    const nb::gil_scoped_release unlocked;
    FoldScores scores;
    fill_fold(x, tables, max_loop, allowed, paired, 0, scores);
    for (const auto& [s, score] : FoldCells().top(scores, k)) {
      partner.insert(partner.end(), s.begin(), s.end());
      value.push_back(score);
    }
  }
  const std::size_t found = value.size();
  return nb::make_tuple(out_array(std::move(partner), {found, x.size()}),
                        out_array(std::move(value), {found}));
}

}  // namespace

void bind_folds(nb::module_& m) {
  m.def("folds", &fold, "X"_a, "tables"_a, "max_loop"_a, "allowed"_a, "paired"_a, "temperature"_a,
        "threads"_a);
  m.def("folds_top", &fold_top, "x"_a, "tables"_a, "max_loop"_a, "allowed"_a.none(), "paired"_a.none(),
        "k"_a);
}

}  // namespace hinge::python
