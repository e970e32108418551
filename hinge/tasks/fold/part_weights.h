// Which weights the parts of a fold (inference/fold_scores.h) add up: a linear map from weights to tables, in the shapes of the
// nearest-neighbour model. What is the same read from the other end of a helix has one weight. Lengths have a weight for each
// "at least", so that neighbours share most of theirs:
//
//     part = Σ of its weights,     length l = Σ_{k ≤ l} at_least[k]
//
// Published energies, where there are some, have one weight more, and every part scores that times its energy besides.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hinge/inference/fold_scores.h"
#include "hinge/tasks/fold/energies.h"

namespace hinge {

class PartWeights {
 public:
  // Groups of features, each with those before it.
  enum class Level { pairs, stacks, loops, mismatches, all };
  static Level level(const std::string& name);

  explicit PartWeights(Level level, std::shared_ptr<const FoldEnergies> energies = nullptr);

  Index dimension() const { return static_cast<Index>(names_.size()); }
  const std::string& name(Index weight) const { return names_[weight]; }
  const FoldEnergies* energies() const { return energies_.get(); }
  Index energy_weight() const { return dimension() - 1; }  // where there are energies

  void score(Weights w, FoldTables& tables) const;
  // Pours the adjoint.
  template <class Sink>
  void features(const FoldTables& uses, Sink& sink) const {
    FoldTables copy = uses;
    if (energies_ != nullptr) {
      double energy = 0;
      copy.for_both(energies_->tables, [&](double used, double own) { energy += used * own; });
      if (energy != 0) sink.add(energy_weight(), energy);
    }
    std::size_t part = 0;
    copy.for_both(uses, [&](double, double used) {
      if (used != 0)
        for (std::size_t k = first_[part]; k < first_[part + 1]; ++k) sink.add(weights_[k], used);
      ++part;
    });
  }

 private:
  std::shared_ptr<const FoldEnergies> energies_;
  std::vector<std::string> names_;
  std::vector<std::size_t> first_;  // of each part's weights, parts in the order of FoldTables::for_both
  std::vector<Index> weights_;
};

}  // namespace hinge
