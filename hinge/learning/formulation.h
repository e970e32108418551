// Which method: four numbers of the one objective (see query.h and docs/methods.md).
//
// | method          | ρ | τy | τh | source                                   |
// |-----------------|---|----|----|------------------------------------------|
// | ssvm            | 1 | 0  | 0  | Tsochantaridis 2005, Joachims 2006       |
// | ssvm, slack     | Δ(1 + score − reference)| the same                      |
// | lssvm           | 1 | 0  | 0  | Yu & Joachims 2009                       |
// | mssvm           | 1 | 0  | 1  | Ping, Liu & Ihler 2014                   |
// | crf             | 0 | 1  | 1  | Lafferty 2001                            |
// | hcrf            | 0 | 1  | 1  | Quattoni 2007                            |
// | softmax-margin  | 1 | 1  | 1  | Volkovs 2011                             |
// | epsilon         | 1 | ε  | ε  | Schwing 2012                             |
//
// ssvm and lssvm are one, and so are crf and hcrf: the name says whether something is hidden, the data
// decides. Any other pair of temperatures is a method between these (Ping 2014, eq. 5).
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
  // ε is `epsilon`'s two temperatures; the other methods have their own.
  static Formulation named(const std::string& name, Rescaling rescaling = Rescaling::margin,
                           double epsilon = 0.1);
};

}  // namespace hinge
