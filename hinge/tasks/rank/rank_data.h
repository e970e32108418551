// The queries of a file under the task of one goal.
#pragma once

#include "hinge/oracle/check_task.h"
#include "hinge/tasks/rank/rank_task.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// What is written of a query's documents, in the order of the file.
struct QueryNames {
  long long id = 0;
  std::vector<Index> place;  // of each stored document in the file's order
  std::vector<std::string> documents;
};

class RankData : public Data {
 public:
  virtual const Documents& documents(std::size_t query) const = 0;
  virtual const std::vector<double>& grades(std::size_t query) const = 0;  // of the judged ones
  virtual CheckReport check(const CheckOptions& options) const = 0;

  const QueryNames& names(std::size_t query) const { return names_[query]; }

 protected:
  explicit RankData(std::vector<QueryNames> names) : names_(std::move(names)) {}

 private:
  std::vector<QueryNames> names_;
};

template <class T>
class RankExamples final : public RankData {
 public:
  RankExamples(T task, std::vector<Example<T>> examples, std::vector<QueryNames> names, nlohmann::json facts)
      : RankData(std::move(names)),
        data_(std::make_shared<const T>(std::move(task)), std::move(examples), std::move(facts)) {}

  const Oracle& oracle() const override { return data_.oracle(); }
  nlohmann::json facts() const override { return data_.facts(); }
  const Documents& documents(std::size_t query) const override { return data_.examples()[query].input; }
  const std::vector<double>& grades(std::size_t query) const override {
    return data_.examples()[query].label.grade;
  }
  CheckReport check(const CheckOptions& options) const override {
    return check_task(data_.task(), data_.examples(), options);
  }

 private:
  TaskData<T> data_;
};

}  // namespace hinge
