// Whether a sequence x of length n holds a motif, at a hidden position h (Yu & Joachims 2009, section 5.1):
//
//     <w, φ(x, +, h)> = Σ_{j<l} matrix[j][x_{h+j}] + Σ_{i outside h … h+l−1} background[x_{i−m} … x_i]
//     <w, φ(x, −)>    = Σ_i background[x_{i−m} … x_i],                         Δ(y, y') = [y ≠ y']
//
// The background is a Markov model of order m, the same for both classes, so that the background of the whole
// sequence adds the same to every structure. It is left out of all of them, which changes no objective and no
// prediction: − scores 0, and + scores matrix less background within the window. On two strands the matrix
// may also be laid on the reverse complement of the window.
//
// An ambiguous letter scores the mean of the letters it stands for in the matrix, nothing in the background,
// and whatever comes behind it has a context that begins there, as at the beginning of the sequence.
//
// Scores cost l a position: windows of background are differences of its sums from the beginning.
#pragma once

#include <algorithm>

#include "hinge/core/workspace.h"
#include "hinge/inference/grouped_choices.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/motif/alphabet.h"

namespace hinge {

struct MotifSequence {
  std::vector<Alphabet::Symbol> symbols;
  // Which weight of the background each position uses; none where it is ambiguous.
  static constexpr Index kNone = 0xffffffff;
  std::vector<Index> background;
  bool ambiguous = false;  // some symbol is
};

// What the data says: whether there is a motif, and how many places it could have.
struct MotifLabel {
  static constexpr int kHidden = -1, kNegative = 0, kPositive = 1;
  int value = kHidden;
  std::size_t places = 0;
};

class MotifTask {
 public:
  using Input = MotifSequence;
  using Label = MotifLabel;
  using Structure = Choices;  // of one item: 0 is no motif, 1 + k is place k
  using Engine = GroupedChoices;

  struct Shape {
    std::size_t length = 10;
    std::size_t order = 3;  // of the background
    bool both_strands = false;
  };
  static constexpr std::size_t kMaxLength = 1000, kMaxOrder = 3;

  MotifTask(const Alphabet& alphabet, const Shape& shape);

  const Alphabet& alphabet() const { return *alphabet_; }
  const Shape& shape() const { return shape_; }
  Index dimension() const { return dimension_; }
  // The matrix comes first, a row of letters for each position; then the background, contexts of 0, 1, … m
  // letters, each with a row of letters.
  Index background() const { return background_; }
  // Which letters a weight of the background stands for: context and letter.
  std::string background_letters(Index weight) const;

  // The sequence of these symbols, and its label. It must be as long as the motif.
  MotifSequence sequence(std::vector<Alphabet::Symbol> symbols) const;
  MotifLabel label(int value, const MotifSequence& x) const {
    return {value, windows(x) * (shape_.both_strands ? 2 : 1)};
  }

  std::size_t windows(const MotifSequence& x) const { return x.symbols.size() - shape_.length + 1; }
  struct Place {
    std::size_t position;
    bool reverse;
  };
  Place place(const MotifSequence& x, Index option) const {
    const std::size_t k = option - 1, count = windows(x);
    return {k % count, k >= count};
  }

  // The letters of a place as the matrix reads them; an ambiguous one as ?.
  std::string site(const MotifSequence& x, const Place& at) const;

  bool determined(const Label& y) const {
    return y.value == MotifLabel::kNegative || (y.value == MotifLabel::kPositive && y.places == 1);
  }
  const Choices& structure(const Label& y) const {
    static const Choices without = {0}, with = {1};
    return y.value == MotifLabel::kPositive ? with : without;
  }
  static int answer(const Choices& s) { return s[0] == 0 ? MotifLabel::kNegative : MotifLabel::kPositive; }
  double loss(const Label& y, const Choices& s) const {
    return y.value == MotifLabel::kHidden || y.value == answer(s) ? 0 : 1;
  }

  void score(const MotifSequence& x, Weights w, GroupedScores& scores) const;
  void add_loss(const Label& y, double weight, GroupedScores& scores) const {
    if (y.value != MotifLabel::kHidden) scores.offsets(0)[static_cast<std::size_t>(1 - y.value)] += weight;
  }
  void forbid(const Label& y, GroupedScores& scores) const {
    if (y.value != MotifLabel::kHidden) scores.offsets(0)[static_cast<std::size_t>(1 - y.value)] = kForbidden;
  }
  // The place always is; the class too where it is not known.
  void hide(const Label& y, GroupedScores& scores) const {
    if (y.value != MotifLabel::kHidden) return;
    scores.regroup(0, 1);
    std::ranges::fill(scores.groups(0), Index{0});
  }

  template <class Sink>
  void features(const MotifSequence& x, const GroupedCounts& counts, Sink& sink) const {
    std::size_t used = 0;
    counts.for_each_use([&](std::size_t, std::size_t, double) { ++used; });
    if (used <= kFewUses)
      counts.for_each_use([&](std::size_t, std::size_t option, double amount) {
        if (option > 0) pour_window(x, place(x, static_cast<Index>(option)), amount, sink);
      });
    else
      pour_all(x, counts, sink);
  }

  // From the words that are most enriched in sequences with the motif (see word_start.h).
  Vector start(std::span<const Example<MotifTask>> examples, std::span<const std::size_t> chosen,
               std::size_t attempt) const;

  template <class Sink>
  void draw_features(const MotifSequence& x, const Label& y, Random& random, Sink& sink) const {
    const std::size_t without = y.value == MotifLabel::kPositive ? 1 : 0;
    if (y.value == MotifLabel::kNegative) return;
    const auto option = static_cast<Index>(without + random.below(y.places + 1 - without));
    if (option > 0) pour_window(x, place(x, option), 1, sink);
  }

  double work(const MotifSequence& x) const {
    return static_cast<double>(shape_.length * windows(x) * (shape_.both_strands ? 2 : 1));
  }

 private:
  static constexpr std::size_t kFewUses = 3;

  // f(weight, share) for what a symbol in row j of the matrix, read on one of the strands, uses.
  template <class F>
  void for_each_cell(std::size_t j, Alphabet::Symbol symbol, bool reverse, F&& f) const {
    const std::vector<Alphabet::Symbol>& letters = alphabet_->meanings(symbol);
    for (const Alphabet::Symbol letter : letters)
      f(static_cast<Index>(j * alphabet_->size() + (reverse ? alphabet_->complement(letter) : letter)),
        1.0 / static_cast<double>(letters.size()));
  }

  template <class Sink>
  void pour_window(const MotifSequence& x, const Place& at, double amount, Sink& sink) const {
    for (std::size_t j = 0; j < shape_.length; ++j)
      for_each_cell(at.reverse ? shape_.length - 1 - j : j, x.symbols[at.position + j], at.reverse,
                    [&](Index weight, double share) { sink.add(weight, amount * share); });
    for (std::size_t i = at.position; i < at.position + shape_.length; ++i)
      if (x.background[i] != MotifSequence::kNone) sink.add(x.background[i], -amount);
  }

  template <class Sink>
  void pour_all(const MotifSequence& x, const GroupedCounts& counts, Sink& sink) const {
    Vector& cells = scratch<Vector, struct MotifTaskCells>();
    Vector& covered = scratch<Vector, struct MotifTaskCovered>();
    sum_uses(x, counts, cells, covered);
    sink.add_row(0, cells, 1.0);
    for (std::size_t i = 0; i < x.background.size(); ++i)
      if (x.background[i] != MotifSequence::kNone && covered[i] != 0) sink.add(x.background[i], -covered[i]);
  }
  void fill_column(std::size_t row, bool reverse, bool ambiguous, Weights w, double* column) const;
  // How often each cell of the matrix is used, and each position covered by a window.
  void sum_uses(const MotifSequence& x, const GroupedCounts& counts, Vector& cells, Vector& covered) const;

  const Alphabet* alphabet_;
  Shape shape_;
  Index background_, dimension_;
};

static_assert(HidingTask<MotifTask>);

}  // namespace hinge
