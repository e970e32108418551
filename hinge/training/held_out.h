// A part of the data held out: what is learned from the rest is measured on the part. Nothing of the part is
// known before the rest has fixed dictionaries, scales and weights.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hinge/core/executor.h"
#include "hinge/core/json_value.h"
#include "hinge/oracle/oracle.h"
#include "hinge/tasks/selection.h"

namespace hinge {

class HeldOut {
 public:
  virtual ~HeldOut() = default;
  virtual const Oracle& oracle() const = 0;  // of the rest
  virtual std::size_t size() const = 0;      // of the part
  virtual Vector init() const {
    return {};
  }  // weights of a model to go on from, for the features of the rest
  // Metrics of the part, with "loss" among them.
  virtual JsonValue evaluate(Weights w, Executor& executor) const = 0;

  // rest / all: C times that weighs each loss of the rest as C does each of all the data.
  virtual double share() const;
};

// Makes one. Throws InputError when the rest cannot be learned from, or the part not be measured on.
using HoldOut = std::function<std::unique_ptr<HeldOut>(const Selection& rest, const Selection& part)>;

// Every example is in one of `count` folds, at random; their sizes differ by one at most.
class Folds {
 public:
  Folds(std::size_t examples, std::size_t count, std::uint64_t seed);
  // The same of groups of examples, of which none is split: group[i] is the number of example i's, from 0 on.
  Folds(const std::vector<std::size_t>& group, std::size_t count, std::uint64_t seed);

  Selection part(std::size_t fold) const { return chosen(fold, true); }
  Selection rest(std::size_t fold) const { return chosen(fold, false); }

 private:
  Selection chosen(std::size_t fold, bool inside) const;
  std::vector<std::size_t> fold_of_;
};

}  // namespace hinge
