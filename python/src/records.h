// Records as Python makes them: of one task each, handed to it once.
#pragma once

#include "binding.h"
#include "hinge/core/errors.h"
#include "hinge/tasks/compared_inputs.h"
#include "hinge/tasks/record_task.h"

namespace hinge::python {

class Records {
 public:
  virtual ~Records() = default;
  virtual std::unique_ptr<Data> train(AnyTask& task) = 0;
  virtual std::unique_ptr<Data> examples(const AnyTask& task) = 0;
};

template <class R>
class RecordsOf final : public Records {
 public:
  explicit RecordsOf(R records) : records_(std::move(records)) {}

  std::unique_ptr<Data> train(AnyTask& task) override { return of<RecordTask<R>>(task).train_on(take()); }
  std::unique_ptr<Data> examples(const AnyTask& task) override {
    return of<const RecordTask<R>>(task).examples_of(take());
  }

 private:
  template <class T, class Any>
  static T& of(Any& task) {
    auto* const own = dynamic_cast<T*>(&task);
    if (own == nullptr) fail("these are not records of the task {}.", task.name());
    return *own;
  }
  R take() {
    if (taken_) fail("records are used once: make them again.");
    taken_ = true;
    return std::move(records_);
  }

  R records_;
  bool taken_ = false;
};

template <class R>
std::unique_ptr<Records> made(R records) {
  return std::make_unique<RecordsOf<R>>(std::move(records));
}

// Rows of features: a table, or CSR. Column j is feature j + 1, as in svmlight files.
class Rows {
 public:
  Rows() = default;
  explicit Rows(In<double, 2> table);
  explicit Rows(In<float, 2> table);
  Rows(In<std::int64_t, 1> start, In<std::int64_t, 1> column, In<double, 1> value);

  // Inputs of training that a kernel compares, from the table of all their products.
  static std::unique_ptr<Rows> of_products(const In<double, 2>& products);

  std::size_t size() const { return rows_.size(); }
  const std::shared_ptr<const ComparedInputs>& compared() const { return compared_; }
  // A row may be taken once.
  SparseRow take(std::size_t i) { return std::move(rows_[i]); }

 private:
  template <class T>
  void fill(const T& table);
  std::vector<SparseRow> rows_;
  std::shared_ptr<const ComparedInputs> compared_;
};

// Sequences and graphs hold references to Python's objects until they are read.
void bind_sequence_records(nb::module_& m);
void bind_graph_records(nb::module_& m);
void bind_row_records(nb::module_& m);
void bind_other_records(nb::module_& m);

// Weight i of an optional array; 1 without.
inline double weight_of(const std::optional<In<double, 1>>& weights, std::size_t i) {
  return weights ? weights->data()[i] : 1.0;
}

// A label's name by its code; nothing where it is negative.
inline std::optional<std::string_view> name_of(const std::vector<std::string>& names, std::int64_t code) {
  if (code < 0) return std::nullopt;
  if (static_cast<std::size_t>(code) >= names.size())
    fail("a label has the code {}, of {} names.", code, names.size());
  return names[static_cast<std::size_t>(code)];
}

inline void require_length(const char* what, std::size_t found, std::size_t expected) {
  if (found != expected) fail("there are {} {} for {} examples: give one for each.", found, what, expected);
}

}  // namespace hinge::python
