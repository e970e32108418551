// The parts of an AnyTask that are the same for every task: examples with their task and oracle, and loops
// over them whose results come in example order whatever the executor does.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "hinge/oracle/task_oracle.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

// Shares its task, so that data outlives a task that has read again or loaded another model.
template <class T>
class TaskData : public Data {
 public:
  TaskData(std::shared_ptr<const T> task, std::vector<Example<T>> examples, nlohmann::json facts)
      : task_(std::move(task)),
        examples_(std::move(examples)),
        facts_(std::move(facts)),
        oracle_(*task_, examples_) {}
  TaskData(const TaskData&) = delete;
  TaskData& operator=(const TaskData&) = delete;

  const TaskOracle<T>& oracle() const override { return oracle_; }
  nlohmann::json facts() const override { return facts_; }
  const T& task() const { return *task_; }
  const std::vector<Example<T>>& examples() const { return examples_; }

 private:
  std::shared_ptr<const T> task_;
  std::vector<Example<T>> examples_;
  nlohmann::json facts_;
  TaskOracle<T> oracle_;
};

// The examples a subset names: itself, or all of them when it is empty.
inline std::vector<std::size_t> chosen(const Data& data, const std::vector<std::size_t>& subset) {
  if (!subset.empty()) return subset;
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// result[k] = body(examples[k]), computed by the executor.
template <class Body>
auto map_examples(const std::vector<std::size_t>& examples, Executor& executor, const Body& body) {
  std::vector<std::invoke_result_t<const Body&, std::size_t>> results(examples.size());
  executor.run(examples.size(), [&](std::size_t k) { results[k] = body(examples[k]); });
  return results;
}

// Writes what body(example, text) appends to text for every example, in example order; a limited number is
// in memory at a time.
template <class Body>
void write_examples(const Data& data, Executor& executor, OutputFile& out, const Body& body) {
  constexpr std::size_t at_once = 4096;
  std::vector<std::string> texts(std::min(at_once, data.size()));
  for (std::size_t first = 0; first < data.size(); first += at_once) {
    const std::size_t count = std::min(at_once, data.size() - first);
    executor.run(count, [&](std::size_t k) {
      texts[k].clear();
      body(first + k, texts[k]);
    });
    for (std::size_t k = 0; k < count; ++k) out.write(texts[k]);
  }
}

}  // namespace hinge
