// What a kernel without a map learns samples from (oracle/gram_oracle.h): row by row where the excess of a sample is a sum
// over its rows (binary_task.h). Elsewhere planes are found by the same task over the scores themselves: row i has one
// feature, the i-th, of value 1, so that weights are scores and slopes are amounts of rows.
#pragma once

#include <optional>

#include "hinge/oracle/gram_oracle.h"
#include "hinge/tasks/binary/binary_task.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

template <class E>
class SamplePlanes final : public RowPlanes {
 public:
  using Task = BinaryTask<E>;

  // place[i]: of each stored row of sample i, which of the sample it is in the data, by which rows are numbered.
  SamplePlanes(const TaskData<Task>& data, const std::vector<std::vector<Index>>& place) : data_(data) {
    for (std::size_t i = 0; i < data.examples().size(); ++i) {
      const Sample& x = data.examples()[i].input;
      std::vector<std::size_t>& numbers = numbers_.emplace_back();
      for (const Index k : place[i]) numbers.push_back(owner_.size() + k);
      owner_.resize(owner_.size() + place[i].size(), {kNone, 0});
      for (std::size_t k = 0; k < x.rows.judged(); ++k) owner_[numbers[k]] = {i, x.rows.level[k]};
    }
    make_samples();
  }

  std::size_t rows() const { return owner_.size(); }
  std::size_t number(std::size_t sample, std::size_t stored) const { return numbers_[sample][stored]; }

  std::size_t example(std::size_t row) const override { return owner_[row].sample; }
  bool all_planes(std::size_t row, const Query& query, ProductPlanes& out) const override {
    if (!data_.task().sums_rows(query)) return false;
    const auto& [sample, level] = owner_[row];
    Task::planes_of_row(level, query, out);
    if (sample == kNone) {  // nothing is learned from it
      out.offset.assign(2, 0.0);
      out.factor.assign(2, 0.0);
    }
    return true;
  }
  const Oracle* of_scores() const override { return of_scores_.get(); }

 private:
  struct Owner {
    std::size_t sample;
    Index level;
  };
  void make_samples() {
    const auto all = static_cast<Index>(rows());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Example<Task>& example = data_.examples()[i];
      std::vector<SparseRow> units;
      for (std::size_t k = 0; k < example.input.rows.judged(); ++k)
        units.push_back({{static_cast<Index>(numbers_[i][k])}, {1.0f}});
      Sample sample{Documents(units, units.size(), all), example.input.factor, {}};
      sample.rows.level = example.input.rows.level;
      samples_.push_back({std::move(sample), example.label, example.weight});
    }
    task_.emplace(data_.task().of_scores(all));
    of_scores_ = std::make_unique<const TaskOracle<Task>>(*task_, samples_);
  }

  const TaskData<Task>& data_;
  std::vector<Owner> owner_;                       // by number
  std::vector<std::vector<std::size_t>> numbers_;  // by sample
  std::vector<Example<Task>> samples_;
  std::optional<Task> task_;
  std::unique_ptr<const TaskOracle<Task>> of_scores_;
};

}  // namespace hinge
