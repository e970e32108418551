#include "hinge/learning/formulation.h"

#include <fmt/ranges.h>

#include "hinge/core/errors.h"

namespace hinge {

const std::vector<std::string>& Formulation::names() {
  static const std::vector<std::string> names = {"ssvm", "crf", "softmax-margin"};
  return names;
}

Formulation Formulation::named(const std::string& name, Rescaling rescaling) {
  if (name != "ssvm" && rescaling == Rescaling::slack)
    fail("--rescaling slack belongs to --method ssvm, not to {}: use --rescaling margin.", name);
  if (name == "ssvm") return {"ssvm", 1, 0, 0, rescaling};
  if (name == "crf") return {"crf", 0, 1, 1, Rescaling::margin};
  if (name == "softmax-margin") return {"softmax-margin", 1, 1, 1, Rescaling::margin};
  fail("there is no method '{}': use one of {}.", name, fmt::join(names(), ", "));
}

}  // namespace hinge
