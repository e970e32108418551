// The oracle of a task that Python has written: features, loss, predict, most_violating and perhaps complete and
// most_violating_slack (see oracle/task.h). Each call takes the interpreter's lock once, and no object of Python's
// leaves it. What the task raises comes through as it is.
#pragma once

#include "binding.h"
#include "hinge/oracle/oracle.h"

namespace hinge::python {

// Whether threads of Python run beside each other: there is no lock.
#ifdef Py_GIL_DISABLED
inline constexpr bool kFreeThreads = true;
#else
inline constexpr bool kFreeThreads = false;
#endif

// An array of weights that Python may look at but not write, kept between calls where nobody else has it.
class WeightView {
 public:
  nb::object of(Weights w);

 private:
  nb::object array_;
  double* data_ = nullptr;
  std::size_t size_ = 0;
};

// The number of a task's weights.
Index dimension_of(const nb::object& task);

// Adds what a task's `features` returned: a row of all weights, or (indices, values).
void add_features(nb::handle returned, std::size_t dimension, double factor, std::size_t example,
                  SparseVector& out);

// The number of each example where it was given, which messages have; of all of them where that is empty.
class Places {
 public:
  Places() = default;
  explicit Places(std::vector<std::size_t> given) : given_(std::move(given)) {}
  std::size_t operator[](std::size_t i) const { return given_.empty() ? i : given_[i]; }

 private:
  std::vector<std::size_t> given_;
};

// Made, used and destroyed with the lock held, but for `support`, which takes it.
class PlainOracle final : public Oracle {
 public:
  PlainOracle(nb::object task, nb::list X, nb::list y, std::vector<double> weights, Places places);

  Index dimension() const override { return dimension_; }
  std::size_t size() const override { return determined_.size(); }
  double weight(std::size_t i) const override { return weights_.empty() ? 1 : weights_[i]; }
  bool determined(std::size_t i) const override { return determined_[i] != 0; }
  std::string refusal(const Query& query) const override;
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override;

 private:
  double loss(std::size_t i, nb::handle structure) const;

  nb::object task_;
  nb::list X_, y_;
  std::vector<double> weights_;
  Places places_;
  std::vector<char> determined_;
  Index dimension_ = 0;
  bool latent_ = false, slack_ = false;
  mutable WeightView view_;  // where there is a lock
};

}  // namespace hinge::python
