// The positions of a task that have labels but no texts and no order, for rules about labels alone: fractions
// over the sample. One position an example, or a node of a graph each.
#pragma once

#include "hinge/tasks/powers.h"

namespace hinge {

class BareTokens : public Guidable {
 public:
  void keep_tokens(bool) override {}
  void add_labels(std::vector<std::string> names) override;
  const TokenTexts& tokens(const Data& data) const override;
  const std::vector<Labels>& labels(const Data& data) const override;
  void guide(std::shared_ptr<const Knowledge> knowledge, std::vector<double> costs) override;

 protected:
  virtual std::vector<Labels> position_labels(const Data& data) const = 0;

 private:
  // Of the data that was last asked for.
  mutable TokenTexts texts_;
  mutable std::vector<Labels> labels_;
};

}  // namespace hinge
