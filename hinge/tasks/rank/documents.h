// The documents of one query, each a row of features, scored <w, x_i>. Rows are stored as a table where at
// least a third of it is filled, else sparse. Documents with a grade stand first; the others are only ever
// scored.
#pragma once

#include <span>
#include <vector>

#include "hinge/core/workspace.h"
#include "hinge/oracle/sink.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

class Documents {
 public:
  Documents() = default;
  // Rows with features 0 … features − 1; the first `judged` of them have a grade.
  Documents(const std::vector<SparseRow>& rows, std::size_t judged, Index features);

  std::size_t size() const { return size_; }
  std::size_t judged() const { return judged_; }
  std::size_t entries() const { return value_.size(); }  // stored numbers

  struct Row {
    std::span<const Index> column;
    std::span<const float> value;
  };
  Row row(std::size_t i) const {
    const std::size_t begin = dense_ ? i * features_ : start_[i],
                      end = dense_ ? begin + features_ : start_[i + 1];
    const std::span<const Index> all = column_;
    return {dense_ ? all : all.subspan(begin, end - begin), {value_.data() + begin, end - begin}};
  }

  // out[i] = <w, x_i> of the first |out| documents
  void score(Weights w, std::span<double> out) const;

  // Pours Σ_i amount_i x_i.
  template <class Sink>
  void pour(std::span<const double> amount, Sink& sink) const {
    if (dense_) {
      Vector& sum = scratch<Vector, struct DocumentsSum>();
      add_rows(amount, sum);
      sink.add_row(0, sum, 1.0);
      return;
    }
    for (std::size_t i = 0; i < amount.size(); ++i)
      for (std::size_t k = start_[i]; amount[i] != 0 && k < start_[i + 1]; ++k)
        sink.add(column_[k], amount[i] * value_[k]);
  }

  // Which documents are compared with which, by structures that compare: see Comparisons, Interleaving.
  std::vector<Index> level;

 private:
  void add_rows(std::span<const double> amount, Vector& sum) const;

  bool dense_ = false;
  std::size_t size_ = 0, judged_ = 0, features_ = 0;
  std::vector<float> value_;   // of the table, row by row; or of the sparse entries
  std::vector<Index> column_;  // of sparse entries, or of the table
  std::vector<std::size_t> start_;
};

// What stored documents have, in the order of the data: place[k] is that of document k.
Vector placed(std::span<const double> stored, std::span<const Index> place);

}  // namespace hinge
