// Which method: four numbers of the one objective (see query.h and docs/methods.md).
//
// | method          | ρ | τy | τh | source                                   |
// |-----------------|---|----|----|------------------------------------------|
// | ssvm            | 1 | 0  | -  | Tsochantaridis 2005, Joachims 2006       |
// | ssvm, slack     | Δ(1 + score − reference)| the same                      |
// | crf             | 0 | 1  | -  | Lafferty 2001                            |
// | softmax-margin  | 1 | 1  | 1  | Volkovs 2011                             |
#pragma once

#include <string>
#include <vector>

#include "hinge/oracle/oracle.h"

namespace hinge {

struct Formulation {
  std::string name = "ssvm";
  double loss_weight = 1;         // ρ
  double output_temperature = 0;  // τy
  double latent_temperature = 0;  // τh
  Rescaling rescaling = Rescaling::margin;

  Query query(Side side) const {
    return {side, loss_weight, output_temperature, latent_temperature, rescaling};
  }
  // Whether every free and clamped term is differentiable.
  bool smooth() const { return output_temperature > 0 && latent_temperature > 0; }

  static const std::vector<std::string>& names();
  static Formulation named(const std::string& name, Rescaling rescaling = Rescaling::margin);
};

}  // namespace hinge
