// Learning from labelled examples, unlabelled ones, and rules about these:
//
// | method        |                                                                                         |
// |---------------|-----------------------------------------------------------------------------------------|
// | transductive  | Yu 2012, eq. 13 (learning/transduction_oracle.h) by CCCP, from what the labelled ones teach |
// | codl          | Chang 2007: label by guided inference, learn from that, take a share of it; a few rounds  |
// | pr            | Bellare 2009, Ganchev 2010: project p(y|x) onto what rules expect, learn from that          |
// | ge            | Mann & McCallum 2008: likelihood, and KL(target | mean of the rule's features) of each rule |
// | any other     | the labelled examples alone                                                             |
//
// Temperatures other than the method's make soft versions of `transductive`: with both at 1 and no loss, a
// transductive CRF.
#pragma once

#include <functional>
#include <limits>

#include "hinge/learning/summary.h"
#include "hinge/learning/transduction_oracle.h"
#include "hinge/tasks/labels.h"
#include "hinge/training/solver_choice.h"
#include "hinge/training/training_options.h"
#include "hinge/training/watch.h"

namespace hinge {

struct TransductionOptions {
  static constexpr double kUsual = -1;
  double C1 = 0;
  double C2 = kUsual;
  double mu = 1;
  int anneal_mu = 0;
  int rule_beam = static_cast<int>(GuidedSettings{}.beam);
  bool rule_features = false;
  bool labels_as_constraints = false;
  int rule_rounds = 5;
  int self_best = 1;
  double self_share = 0.1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("C1", self.C1, range::not_negative, "weight of the labelled examples' mean loss; 0: `C`");
    visit("C2", self.C2, range::between(kUsual, std::numeric_limits<double>::max()),
          "weight of the unlabelled examples and their rules; -1: half of their number for transductive, "
          "else 1");
    visit("mu", self.mu, range::positive,
          "how near a labelling's features are kept to what rules want of them");
    visit("anneal_mu", self.anneal_mu, range::between(0, 100),
          "transductive: reach `mu` in so many steps from a tenth of it, each a whole run");
    visit(
        "rule_beam", self.rule_beam, range::at_least_one,
        "labels with states of rules about whole examples that inference keeps at each position, where there "
        "are too many for all");
    visit("rule_features", self.rule_features, range::any,
          "every rule has a weight of its own besides, that of how many of its features hold");
    visit("labels_as_constraints", self.labels_as_constraints, range::any,
          "transductive: no loss; each label is a rule about its own example (Yu 2012, section 4)");
    visit("rule_rounds", self.rule_rounds, range::at_least_one,
          "codl and pr: rounds of labelling and learning");
    visit("self_best", self.self_best, range::at_least_one,
          "codl: so many of its best labellings of an unlabelled example are taken as labels, each in part");
    visit("self_share", self.self_share, range::between(0, 1),
          "codl: share of the weights that its own labels teach in each round");
  }
  GuidedSettings guided_settings() const { return {.beam = static_cast<std::size_t>(rule_beam)}; }
};

// What there is to learn from. `labelled` is null for labels as constraints, which come as Γ; else Γ is what the
// rules want.
struct TransductionData {
  const Oracle* labelled = nullptr;
  const Unlabelled& unlabelled;
  const Gamma* gamma = nullptr;
  Vector start_v = {};  // where v begins; empty: at 1, every rule satisfied
};

// Where a method stands after a round.
struct TransductionRound {
  std::size_t round = 0;
  TransductionOracle::Terms terms;
  TransductionOracle::Bound bound;
  std::string text() const;  // labelled loss, Γ, quadratic distance, broken rules
};

struct Transduced {
  Vector weights;  // of the task, then one a rule where rules have weights
  Summary run;     // of the method; its weights are empty
  TransductionRound end;
};

// Learns by `options.method`. `solver` is used as it is for methods that minimise an Objective: cccp around
// another. `told` hears of every round.
Transduced transduce(const TransductionData& data, const TrainingOptions& options,
                     const TransductionOptions& transduction, const Solver& solver, Executor& executor,
                     Watch& watch, const std::function<void(const TransductionRound&)>& told = {});

// Its solver: cccp around the one that the options name, by default frank_wolfe.
SolverChoice transduction_choice(const TrainingOptions& options);

// C1: as given, or C, or the usual one.
double labelled_weight(const TrainingOptions& options, const TransductionOptions& transduction,
                       std::size_t labelled);

// C2: as given, or the usual one.
double unlabelled_weight(const TrainingOptions& options, const TransductionOptions& transduction,
                         std::size_t unlabelled);

// Labels as constraints: φ says which label each position has, and Γ = 1/2 |v − φ(y)|₁. `classes` of each
// position; positions whose label is unknown are left open.
struct LabelConstraints {
  Knowledge knowledge;
  Gamma gamma;
  Vector target;  // φ(y)
};
LabelConstraints label_constraints(const std::vector<Labels>& labels, std::size_t classes);

}  // namespace hinge
