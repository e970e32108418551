#include "hinge/oracle/decoding.h"

#include <fmt/ranges.h>

#include "hinge/core/errors.h"

namespace hinge {

const std::vector<std::string>& Decoding::names() {
  static const std::vector<std::string> names = {"joint", "marginal-map", "max-marginals"};
  return names;
}

Decoding Decoding::named(const std::string& name) {
  if (name == "joint") return {0, false};
  if (name == "marginal-map") return {1, false};
  if (name == "max-marginals") return {1, true};
  fail("there is no decoding '{}': use one of {}.", name, fmt::join(names(), ", "));
}

}  // namespace hinge
