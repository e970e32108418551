// The alignment of two sequences x and z with learned scores (Yu, Joachims, Elber, Pillardy 2007). A pair of letters
// scores by what they are, by what stands around both, and by their secondary structure; a letter opposite a gap by what
// it is and by what stands to both sides of the gap in the other sequence:
//
//     match(i, j)  = Σ_{|o| ≤ window} table_|o| {x_{i+o}, z_{j+o}} + Σ_{|o| ≤ window} helix_|o| {s_{i+o}, t_{j+o}}
//     open(i, j)   = open + letter[x_i] + structure[s_i]                              x_i opens a gap behind z_j
//                    + flank[z_j] + flank[z_{j+1}] + structures{t_j, t_{j+1}}, or end where z has no letter there
//     extend(i, j) = the same with weights of its own, without flank
//     Δ(y, s)      = letters of x whose place is known, but which are not aligned within `tolerance` of it
//
// Tables know unordered pairs {a, b}: it does not matter which sequence is x. At o = 0 they are of letters, around it of
// groups of similar letters. Partners that the label does not know, of either sequence, are hidden.
#pragma once

#include "hinge/core/workspace.h"
#include "hinge/inference/pair_cells.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/align/records.h"

namespace hinge {

// Classes of letters and of secondary structure, by position; kNoClass where there is none.
struct PairInput {
  static constexpr std::uint8_t kNoClass = 0xff;
  struct Side {
    std::vector<std::uint8_t> letters, groups, structures;
    std::size_t size() const { return letters.size(); }
  };
  Side x, z;
};

struct PairLabel {
  Partners partners;               // kUnknownPartner where nothing is known
  std::vector<std::size_t> gaps2;  // letters of z that stand opposite a gap
  std::size_t known = 0;           // letters of x
};

class AlignTask {
 public:
  using Input = PairInput;
  using Label = PairLabel;
  using Structure = Partners;
  using Engine = PairCells;
  static constexpr const char* no_slack =
      "the loss of alignments has no exact search for slack rescaling: use `rescaling` margin.";

  struct Shape {
    const Alphabet* alphabet = &Alphabet::protein();
    std::size_t window = 2;
    bool structure = false, local = false;
    int tolerance = 0;
  };
  explicit AlignTask(const Shape& shape);
  AlignTask(const AlignTask&) = delete;  // stacks point to tables
  AlignTask& operator=(const AlignTask&) = delete;

  const Shape& shape() const { return shape_; }
  Index dimension() const { return dimension_; }
  std::string feature_name(Index weight) const;

  PairInput input(const AlignRecord& record) const;
  PairLabel label(const AlignRecord& record) const;

  bool determined(const Label& y) const { return y.known == y.partners.size(); }
  const Partners& structure(const Label& y) const { return y.partners; }
  bool right(int truth, int answer) const {
    return truth < 0 || answer < 0 ? truth == answer : std::abs(truth - answer) <= shape_.tolerance;
  }
  double loss(const Label& y, const Partners& s) const;

  void score(const PairInput& x, Weights w, AlignmentScores& scores) const;
  void add_loss(const Label& y, double weight, AlignmentScores& scores) const;
  void forbid(const Label& y, AlignmentScores& scores) const;
  // Outputs are the partners of all letters, of both sequences, of which the label knows them.
  void hide(const Label& y, AlignmentScores& scores) const;
  std::string refusal(const Query& query) const;

  template <class Sink>
  void features(const PairInput& x, const AlignmentCounts& counts, Sink& sink) const {
    if (!counts.hard()) {
      Vector& sums = scratch<Vector, struct AlignTaskSums>();
      sum_uses(x, counts, sums);
      sink.add_row(0, sums, 1.0);
    }
    const auto add = [&](Index weight, double amount) { sink.add(weight, amount); };
    counts.for_each_use(
        [&](std::size_t i, std::size_t j, double amount) {
          for (const Stack& stack : stacks_) {
            const std::uint8_t a = class_at(stack, x.x, i), b = class_at(stack, x.z, j);
            if (a != PairInput::kNoClass && b != PairInput::kNoClass) add(stack.table->at(a, b), amount);
          }
        },
        [&](AlignedSide side, std::size_t letter, std::size_t place, bool opens, double amount) {
          const bool is_x = side == AlignedSide::x;
          for_each_letter_weight(is_x ? x.x : x.z, letter, opens, [&](Index j) { add(j, amount); });
          for_each_place_weight(is_x ? x.z : x.x, place, opens, [&](Index j) { add(j, amount); });
        });
  }

  // Where columns are hidden: log-odds of the letters that stand opposite each other where that is known, and gaps
  // that cost. Attempts after the first add noise.
  Vector start(std::span<const Example<AlignTask>> examples, std::span<const std::size_t> chosen,
               std::size_t attempt) const {
    return start(count_pairs(examples, chosen), attempt);
  }
  // What that looks at, which ranks may add: how often letters stand opposite each other, each letter, and all.
  Vector count_pairs(std::span<const Example<AlignTask>> examples, std::span<const std::size_t> chosen) const;
  Vector start(const Vector& counts, std::size_t attempt) const;

  double work(const PairInput& x) const { return 4.0 * static_cast<double>(x.x.size() * x.z.size()); }

 private:
  enum class Kind { letter, group, structure };
  // Weights of unordered pairs of classes.
  struct Table {
    Kind kind;
    std::size_t offset;  // |o|
    std::size_t size;
    Index first;
    Index at(std::size_t a, std::size_t b) const {
      if (a > b) std::swap(a, b);
      return first + static_cast<Index>(a * size - a * (a + 1) / 2 + b);
    }
    std::size_t weights() const { return size * (size + 1) / 2; }
  };
  // The rows of matches that pairs at one distance o add; its own begin at `first_row`.
  struct Stack {
    const Table* table;
    long offset;
    std::size_t first_row;
  };
  // Weights of letters opposite gaps: once where the gap begins, once elsewhere.
  struct GapWeights {
    Index bias, letter, structure, end, structures, flank;
  };

  static const std::vector<std::uint8_t>& classes(Kind kind, const PairInput::Side& side) {
    return kind == Kind::letter ? side.letters : kind == Kind::group ? side.groups : side.structures;
  }
  static std::uint8_t class_at(const Stack& stack, const PairInput::Side& side, std::size_t position) {
    const auto& all = classes(stack.table->kind, side);
    const long at = static_cast<long>(position) + stack.offset;
    return at < 0 || at >= static_cast<long>(all.size()) ? PairInput::kNoClass
                                                         : all[static_cast<std::size_t>(at)];
  }
  static std::size_t structure_pair(std::size_t a, std::size_t b) {
    return a > b ? structure_pair(b, a) : a * 3 - a * (a + 1) / 2 + b;
  }

  template <class F>
  void for_each_letter_weight(const PairInput::Side& side, std::size_t letter, bool opens, F&& f) const {
    const GapWeights& gap = gaps_[opens ? 0 : 1];
    f(gap.bias);
    f(gap.letter + side.letters[letter]);
    if (shape_.structure && side.structures[letter] != PairInput::kNoClass)
      f(gap.structure + side.structures[letter]);
  }
  template <class F>
  void for_each_place_weight(const PairInput::Side& side, std::size_t place, bool opens, F&& f) const {
    const GapWeights& gap = gaps_[opens ? 0 : 1];
    if (place == 0 || place == side.size()) {
      f(gap.end);
      return;
    }
    if (opens)
      for (const std::size_t at : {place - 1, place}) f(gap.flank + side.groups[at]);
    const std::uint8_t a = shape_.structure ? side.structures[place - 1] : PairInput::kNoClass,
                       b = shape_.structure ? side.structures[place] : PairInput::kNoClass;
    if (a != PairInput::kNoClass && b != PairInput::kNoClass)
      f(gap.structures + static_cast<Index>(structure_pair(a, b)));
  }
  void sum_uses(const PairInput& x, const AlignmentCounts& counts, Vector& sums) const;

  Shape shape_;
  std::vector<std::string> groups_;  // letters of each
  std::vector<Table> tables_;
  std::vector<Stack> stacks_;
  std::size_t rows_ = 1;
  GapWeights gaps_[2];
  Index dimension_ = 0;
};

static_assert(FactoredTask<AlignTask>);

}  // namespace hinge
