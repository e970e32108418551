// Predictions that keep to a file of rules, where one is named.
#pragma once

#include <map>
#include <string>

#include "hinge/rules/rules.h"
#include "hinge/tasks/powers.h"
#include "hinge/training/model.h"

namespace hinge {

class RuledPredictions {
 public:
  // Before the data is read. Rules to which training gave weights have those for costs; throws InputError where
  // such a model is used without rules.
  RuledPredictions(Model& model, const std::string& file, double strength);
  // Before the data is predicted.
  void guide(const Data& data) const;

 private:
  HasTokens* tokens_ = nullptr;
  Rules rules_;
  double strength_;
  std::map<std::string, double> learned_;  // weights of rules, by their text
};

}  // namespace hinge
