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
// | transductive    | 1 | 0  | 0  | Yu 2012: see transduction_oracle.h       |
// | codl            | 1 | 0  | 0  | Chang, Ratinov & Roth 2007               |
// | pr              | 0 | 1  | 1  | Bellare 2009, Ganchev 2010               |
// | ge              | 0 | 1  | 1  | Mann & McCallum 2008                     |
//
// ssvm and lssvm are one, and so are crf and hcrf: the name says whether something is hidden, the data
// decides. The last four are the losses of labelled examples; they learn from unlabelled ones besides
// (training/transduction.h). Any other pair of temperatures is a method between these (Ping 2014, eq. 5).
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
  bool corners = false;  // a penalty that has some stands beside the losses

  // Whether every free and clamped term is differentiable.
  bool smooth() const { return output_temperature > 0 && latent_temperature > 0 && !corners; }
  // Whether it learns from unlabelled examples and rules.
  static bool transductive(const std::string& name);

  static const std::vector<std::string>& names();
  // ε is `epsilon`'s two temperatures; the other methods have their own.
  static Formulation named(const std::string& name, Rescaling rescaling = Rescaling::margin,
                           double epsilon = 0.1);
};

}  // namespace hinge
