// Predictions that keep to a file of rules, where one is named.
#pragma once

#include <string>

#include "hinge/rules/rules.h"
#include "hinge/tasks/powers.h"

namespace hinge {

class RuledPredictions {
 public:
  // Before the data is read.
  RuledPredictions(AnyTask& task, const std::string& file, double strength);
  // Before the data is predicted.
  void guide(const Data& data) const;

 private:
  HasTokens* tokens_ = nullptr;
  Rules rules_;
  double strength_;
};

}  // namespace hinge
