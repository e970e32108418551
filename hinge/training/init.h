// Where a training starts, as its option says.
#pragma once

#include <string>

namespace hinge {

struct Init {
  enum class Kind { unset, zero, random, supervised, drawn, model };
  Kind kind = Kind::unset;
  double spread = 0;  // of random
  std::string model;  // its file

  // "" (unset), zero, random, random:S, supervised, drawn; anything else is the file of a model.
  static Init parse(const std::string& text);
};

}  // namespace hinge
