// `hinge train` with unlabelled files and rules: what is read, learned and told there.
#pragma once

#include "cli/learning_flags.h"
#include "hinge/training/fit_guided.h"

namespace hinge {

struct TransductiveFiles {
  std::vector<std::string> unlabelled;
  std::string rules;
};

class TransductiveTraining {
 public:
  // Whether the flags ask for it.
  static bool wanted(const TransductiveFiles& files, const LearningFlags& flags);

  // Looks at the flags, reads the rules, and tells the task to keep what they look at.
  TransductiveTraining(TransductiveFiles files, LearningFlags& flags);

  std::unique_ptr<Data> read(const std::vector<std::string>& data);
  Fitted learn(const Data& data, const Solver& solver, Watch& watch,
               const std::function<void(const std::string&)>& note);
  // Validation data is predicted by rules that have weights.
  void guide(const Data& data) const;
  double C1() const { return C1_; }

 private:
  TransductiveFiles files_;
  LearningFlags& flags_;
  Rules rules_;
  std::size_t labelled_ = 0;
  double C1_ = 0;
  Vector rule_weights_;  // where rules have some
};

}  // namespace hinge
