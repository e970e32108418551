// The fold of a sequence of RNA, without pseudoknots: which letters are paired. Scores are sums over loops with learned weights
// (part_weights.h; after De Bona et al. 2007 and the nearest-neighbour model):
//
//     <w, φ(x, s)> = Σ over pairs and loops of the weights of their parts  (− w_E E(x, s) / kT with published energies E)
//     Δ(y, s)      = pairs of s that the label knows to be wrong + known pairs that s lacks
//
// Weights stay near those that say what is known: w_E = 1 and 0 for all others, where a fold is as probable as its energy says.
// A letter of which the label knows nothing is hidden: it may be paired with any letter of its kind that no known pair is
// between.
#pragma once

#include "hinge/inference/fold_cells.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/fold/part_weights.h"
#include "hinge/tasks/fold/records.h"

namespace hinge {

struct FoldInput {
  std::vector<std::uint8_t> letters;
  double gamma = 1;
};

struct FoldLabel {
  FoldPairs partners;     // kUnknownPair where nothing is known
  std::size_t known = 0;  // letters
  std::size_t pairs = 0;  // known ones
};

class FoldTask {
 public:
  using Input = FoldInput;
  using Label = FoldLabel;
  using Structure = FoldPairs;
  using Engine = FoldCells;
  static constexpr const char* no_slack =
      "the loss of folds has no exact search for slack rescaling: use `rescaling` margin.";

  FoldTask(PartWeights::Level level, std::size_t max_loop,
           std::shared_ptr<const FoldEnergies> energies = nullptr)
      : weights_(level, std::move(energies)), max_loop_(max_loop) {}

  Index dimension() const { return weights_.dimension(); }
  std::string feature_name(Index weight) const { return weights_.name(weight); }

  const FoldEnergies* energies() const { return weights_.energies(); }
  // Empty where there are no energies.
  Vector centre() const;
  Vector start(std::span<const Example<FoldTask>>, std::span<const std::size_t>, std::size_t) const {
    return centre();
  }

  static FoldInput input(const FoldRecord& record, double gamma);
  // Known pairs that no fold here has are left out, their letters unpaired: of letters that do not pair, too near to each other,
  // or around a loop that is too long. `lost` becomes how many they are.
  FoldLabel label(const FoldRecord& record, std::size_t& lost) const;

  bool determined(const Label& y) const { return y.known == y.partners.size(); }
  const FoldPairs& structure(const Label& y) const { return y.partners; }
  double loss(const Label& y, const FoldPairs& s) const;

  void score(const FoldInput& x, Weights w, FoldScores& scores) const;
  void add_loss(const Label& y, double weight, FoldScores& scores) const;
  void forbid(const Label& y, FoldScores& scores) const;
  std::string refusal(const Query& query) const;
  template <class Sink>
  void features(const FoldInput&, const FoldCounts& counts, Sink& sink) const {
    weights_.features(counts.uses(), sink);
  }

  double work(const FoldInput& x) const {
    const double n = static_cast<double>(x.letters.size());
    return n * n * (n / 6 + 80);
  }

 private:
  bool admits(std::string_view letters, const FoldPairs& partners, std::size_t i) const;

  PartWeights weights_;
  std::size_t max_loop_;
};

static_assert(FactoredTask<FoldTask>);

}  // namespace hinge
