#include "hinge/learning/formulation.h"

#include <fmt/ranges.h>

#include "hinge/core/errors.h"

namespace hinge {

const std::vector<std::string>& Formulation::names() {
  static const std::vector<std::string> names = {
      "ssvm",    "lssvm",        "mssvm", "crf", "hcrf", "softmax-margin",
      "epsilon", "transductive", "codl",  "pr",  "ge"};
  return names;
}

bool Formulation::transductive(const std::string& name) {
  return name == "transductive" || name == "codl" || name == "pr" || name == "ge";
}

Formulation Formulation::named(const std::string& name, Rescaling rescaling, double epsilon) {
  if (name != "ssvm" && rescaling == Rescaling::slack)
    fail("`rescaling` slack belongs to `method` ssvm, not to {}: use `rescaling` margin.", name);
  if (name == "ssvm" || name == "lssvm") return {name, 1, 0, 0, rescaling};
  if (name == "mssvm") return {name, 1, 0, 1, Rescaling::margin};
  if (name == "crf" || name == "hcrf") return {name, 0, 1, 1, Rescaling::margin};
  if (name == "softmax-margin") return {name, 1, 1, 1, Rescaling::margin};
  if (name == "transductive") return {name, 1, 0, 0, Rescaling::margin, true};
  if (name == "codl") return {name, 1, 0, 0, Rescaling::margin};
  if (name == "pr" || name == "ge") return {name, 0, 1, 1, Rescaling::margin};
  if (name == "epsilon") return {name, 1, epsilon, epsilon, Rescaling::margin};
  fail("there is no method '{}': use one of {}.", name, fmt::join(names(), ", "));
}

}  // namespace hinge
