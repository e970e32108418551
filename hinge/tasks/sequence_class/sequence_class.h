// One class y for a whole sequence of frames x, by a chain of H hidden states (the hidden CRF of Quattoni
// 2007):
//
//     <w, φ(x, y, h)> = Σ_t <x_t, w[h_t]> + Σ_t w[y, h_t] + Σ_{t>0} w[y, h_{t-1}, h_t],      Δ(y, y') = [y ≠ y']
//
// States are shared by all classes, or each class has its own: then <x_t, w[y, h_t]> is the first term. With
// one state of its own a class is a linear classifier of summed frames.
#pragma once

#include "hinge/core/kernels.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/class_chain.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/sequence_class/frames.h"

namespace hinge {

// What the data says: the class, and how many frames there are to explain.
struct SequenceClass {
  static constexpr int kHidden = -1;
  int value = kHidden;  // 0 … C−1; C and above: a class that training never saw
  std::size_t length = 0;
};

class SequenceClassTask {
 public:
  using Input = Frames;
  using Label = SequenceClass;
  using Structure = ClassPath;
  using Engine = ClassChain;

  struct Shape {
    std::size_t channels = 0, classes = 0, states = 1;
    bool own_states = false;  // of each class
    std::size_t columns() const { return own_states ? classes * states : states; }
  };

  explicit SequenceClassTask(const Shape& shape);

  const Shape& shape() const { return shape_; }
  Index dimension() const { return dimension_; }
  // Where the weights w[y, h] and w[y, h, h'] begin; those of channels are first, rows of columns().
  Index class_states() const { return class_states_; }
  Index transitions() const { return transitions_; }

  bool seen(const Label& y) const {
    return y.value >= 0 && static_cast<std::size_t>(y.value) < shape_.classes;
  }
  bool determined(const Label& y) const { return shape_.states == 1 && seen(y); }
  ClassPath structure(const Label& y) const { return {static_cast<Index>(y.value), Path(y.length, 0)}; }
  double loss(const Label& y, const ClassPath& s) const {
    return y.value < 0 || (seen(y) && static_cast<Index>(y.value) == s.label) ? 0 : 1;
  }

  void score(const Frames& x, Weights w, ClassScores& scores) const;
  void add_loss(const Label& y, double weight, ClassScores& scores) const {
    for (std::size_t c = 0; y.value >= 0 && c < shape_.classes; ++c)
      if (c != static_cast<std::size_t>(y.value)) scores.offset(c) += weight;
  }
  void forbid(const Label& y, ClassScores& scores) const {
    for (std::size_t c = 0; seen(y) && c < shape_.classes; ++c)
      if (c != static_cast<std::size_t>(y.value)) scores.offset(c) = kForbidden;
  }
  // The states always are; the class too where it is not known.
  void hide(const Label& y, ClassScores& scores) const {
    if (!seen(y)) scores.hide();
  }

  template <class Sink>
  void features(const Frames& x, const ClassCounts& counts, Sink& sink) const {
    Vector& uses = scratch<Vector, struct SequenceClassUses>();
    Vector& sums = scratch<Vector, struct SequenceClassSums>();
    channel_features(x, counts, uses, sums);
    const std::size_t columns = shape_.columns();
    for (std::size_t d = 0; d < shape_.channels; ++d)
      sink.add_row(static_cast<Index>(d * columns), {sums.data() + d * columns, columns}, 1.0);
    class_features(counts, sums);
    for (std::size_t k = 0; k < sums.size(); k += shape_.states)
      sink.add_row(class_states_ + static_cast<Index>(k), {sums.data() + k, shape_.states}, 1.0);
  }

  double work(const Frames& x) const;

 private:
  // uses[t][column] is how often each column is used at a position, sums[d][column] = Σ_t x[t][d]
  // uses[t][column]
  void channel_features(const Frames& x, const ClassCounts& counts, Vector& uses, Vector& sums) const;
  // sums of the weights from class_states_ on
  void class_features(const ClassCounts& counts, Vector& sums) const;

  Shape shape_;
  std::vector<Index> rows_;  // 0, 1, … channels − 1
  Index class_states_, transitions_, dimension_;
};

static_assert(HidingTask<SequenceClassTask>);

}  // namespace hinge
