#include "plain_oracle.h"

#include <cmath>

#include "hinge/core/errors.h"

namespace hinge::python {

nb::object WeightView::of(Weights w) {
  if (!array_.is_valid() || size_ != w.size() || Py_REFCNT(array_.ptr()) != 1) {
    size_ = w.size();
    auto* const kept = new std::vector<double>(size_);
    data_ = kept->data();
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    array_ = nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<1>>(data_, {size_}, owner));
  }
  std::ranges::copy(w, data_);
  return array_;
}

void add_features(nb::handle returned, std::size_t dimension, double factor, std::size_t example,
                  SparseVector& out) {
  if (PyTuple_Check(returned.ptr()) && size_of(returned) == 2) {
    In<std::int64_t, 1> index;
    In<double, 1> value;
    if (!array_of(item_of(returned, 0), "i8", index) || !array_of(item_of(returned, 1), "f8", value) ||
        index.size() != value.size())
      fail("features of example {} returned a pair that is not (indices, values) of one length.", example);
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (index.data()[k] < 0 || static_cast<std::size_t>(index.data()[k]) >= dimension)
        fail("features of example {} returned the index {}: they are numbered from 0, and dimension is {}.",
             example, index.data()[k], dimension);
      if (!std::isfinite(value.data()[k]))
        fail("features of example {} returned {}: give finite numbers.", example, value.data()[k]);
      out.add(static_cast<Index>(index.data()[k]), factor * value.data()[k]);
    }
    return;
  }
  In<double, 1> row;
  if (!array_of(returned, "f8", row))
    throw nb::type_error(
        fmt::format(
            "features of example {} returned a {}: give an array of {} numbers, or (indices, values).",
            example, nb::cast<std::string>(returned.type().attr("__name__")), dimension)
            .c_str());
  if (row.size() != dimension)
    fail("features of example {} returned {} numbers, but dimension is {}.", example, row.size(), dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    if (!std::isfinite(row.data()[j]))
      fail("features of example {} returned {}: give finite numbers.", example, row.data()[j]);
    if (row.data()[j] != 0) out.add(static_cast<Index>(j), factor * row.data()[j]);
  }
}

Index dimension_of(const nb::object& task) {
  const nb::object given = task.attr("dimension");
  std::int64_t dimension = 0;
  if (!nb::try_cast(given, dimension) || dimension < 1 || dimension > 0x7fffffff)
    fail("the task's dimension is {}: give the number of its weights.",
         nb::cast<std::string>(nb::str(given)));
  return static_cast<Index>(dimension);
}

PlainOracle::PlainOracle(nb::object task, nb::list X, nb::list y, std::vector<double> weights, Places places)
    : task_(std::move(task)),
      X_(std::move(X)),
      y_(std::move(y)),
      weights_(std::move(weights)),
      places_(std::move(places)) {
  dimension_ = dimension_of(task_);
  latent_ = nb::hasattr(task_, "complete");
  slack_ = nb::hasattr(task_, "most_violating_slack");
  for (std::size_t i = 0; i < nb::len(X_); ++i) {
    const nb::object said = task_.attr("determined")(y_[i]);
    const int one = PyObject_IsTrue(said.ptr());
    if (one < 0) throw nb::python_error();
    determined_.push_back(one > 0 ? 1 : 0);
  }
}

std::string PlainOracle::refusal(const Query& query) const {
  if (query.rescaling == Rescaling::slack && !slack_)
    return "slack rescaling needs most_violating_slack(x, y, w) of the task.";
  if (!query.hard())
    return "a positive temperature needs a task made of parts: write a FactoredTask, or use ssvm or lssvm.";
  if (query.loss_weight != 0 && query.loss_weight != 1)
    return "a loss weight other than 0 and 1 needs a FactoredTask: most_violating(x, y, w) adds the loss "
           "once.";
  if (query.side == Side::clamped && !latent_)
    return "hidden variables need complete(x, y, w) of the task: the best structure that a label admits.";
  return {};
}

double PlainOracle::loss(std::size_t i, nb::handle structure) const {
  const nb::object returned = task_.attr("loss")(y_[i], structure);
  double value = 0;
  if (!nb::try_cast(returned, value))
    throw nb::type_error(fmt::format("loss of example {} returned a {}: give a number.", places_[i],
                                     nb::cast<std::string>(returned.type().attr("__name__")))
                             .c_str());
  if (!(value >= 0) || !std::isfinite(value))
    fail("loss of example {} returned {}: give 0 or more.", places_[i], value);
  return value;
}

void PlainOracle::support(std::size_t i, Weights w, const Query& query, Plane& out) const {
  const nb::gil_scoped_acquire lock;
  out.clear();
  WeightView own;
  const nb::object view = (kFreeThreads ? own : view_).of(w), x = X_[i], y = y_[i];
  const nb::object winner = query.side == Side::clamped ? task_.attr("complete")(x, y, view)
                            : query.rescaling == Rescaling::slack
                                ? task_.attr("most_violating_slack")(x, y, view)
                            : query.loss_weight == 0 ? task_.attr("predict")(x, view)
                                                     : task_.attr("most_violating")(x, y, view);
  out.offset = query.side == Side::clamped ? 0 : query.loss_weight * loss(i, winner);
  add_features(task_.attr("features")(x, winner), dimension_, 1, places_[i], out.slope);
  if (query.side == Side::excess) {
    add_features(task_.attr("features")(x, task_.attr("structure")(y)), dimension_, -1, places_[i],
                 out.slope);
    if (query.rescaling == Rescaling::slack) out.slope.scale(out.offset);
  }
  out.slope.compress();
}

}  // namespace hinge::python
