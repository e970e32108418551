// Examples with their task and oracle, and loops over them whose results come in example order whatever the
// executor does.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "hinge/core/share.h"
#include "hinge/core/workspace.h"
#include "hinge/oracle/check_task.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

// Shares its task, so that data outlives a task that has read again or loaded another model.
template <class T>
class TaskData : public Data {
 public:
  TaskData(std::shared_ptr<const T> task, std::vector<Example<T>> examples, JsonValue facts)
      : task_(std::move(task)),
        examples_(std::move(examples)),
        facts_(std::move(facts)),
        oracle_(*task_, examples_) {}
  TaskData(const TaskData&) = delete;
  TaskData& operator=(const TaskData&) = delete;

  const TaskOracle<T>& oracle() const override { return oracle_; }
  JsonValue facts() const override { return facts_; }
  const T& task() const { return *task_; }
  const std::vector<Example<T>>& examples() const { return examples_; }

 private:
  std::shared_ptr<const T> task_;
  std::vector<Example<T>> examples_;
  JsonValue facts_;
  TaskOracle<T> oracle_;
};

// One of several tasks that take the same records; an option chooses which.
template <class... Tasks>
using OneTask = std::variant<std::shared_ptr<const Tasks>...>;

// body(task), whichever it is.
template <class Body, class... Tasks>
decltype(auto) visit_task(const OneTask<Tasks...>& task, Body&& body) {
  return std::visit([&](const auto& which) -> decltype(auto) { return body(*which); }, task);
}

// Nothing.
struct NoText {};

// Examples of one of the tasks, and what is kept of the text they came from.
template <class Text, class... Tasks>
class RecordData final : public Data {
 public:
  template <class T>
  RecordData(std::shared_ptr<const T> task, std::vector<Example<T>> examples, JsonValue facts, Text text = {})
      : data_(std::make_unique<const TaskData<T>>(std::move(task), std::move(examples), std::move(facts))),
        text_(std::move(text)) {}

  const Oracle& oracle() const override {
    return visit([](const auto& data) -> const Oracle& { return data.oracle(); });
  }
  JsonValue facts() const override {
    return visit([](const auto& data) { return data.facts(); });
  }
  CheckReport check(const CheckOptions& options) const {
    return visit([&](const auto& data) { return check_task(data.task(), data.examples(), options); });
  }
  const Text& text() const { return text_; }

  // body(data), a TaskData<T>.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    return std::visit([&](const auto& data) -> decltype(auto) { return body(*data); }, data_);
  }
  // Where there is one task only.
  const auto& only() const
    requires(sizeof...(Tasks) == 1)
  {
    return *std::get<0>(data_);
  }
  const auto& examples() const
    requires(sizeof...(Tasks) == 1)
  {
    return only().examples();
  }

 private:
  std::variant<std::unique_ptr<const TaskData<Tasks>>...> data_;
  Text text_;
};

// The examples a subset names: itself, or all of them when it is empty.
inline std::vector<std::size_t> chosen(const Data& data, const std::vector<std::size_t>& subset) {
  if (!subset.empty()) return subset;
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// result[k] = body(examples[k]), computed by the executor; where there are ranks and results can travel, by each of
// them for all.
template <class Body>
auto map_examples(const std::vector<std::size_t>& examples, Executor& executor, const Body& body) {
  using Result = std::invoke_result_t<const Body&, std::size_t>;
  std::vector<Result> results(examples.size());
  const auto fill = [&](std::size_t k) { results[k] = body(examples[k]); };
  if constexpr (portable<Result> && !std::is_same_v<Result, bool>)
    share(executor, std::span<Result>(results), fill);
  else
    executor.run(examples.size(), fill);
  return results;
}

// add(i, answer(i)) for each of the examples, in their order; the executor computes the answers.
template <class Answer, class Add>
void for_answers(const std::vector<std::size_t>& examples, Executor& executor, const Answer& answer,
                 const Add& add) {
  const auto answers = map_examples(examples, executor, answer);
  for (std::size_t k = 0; k < examples.size(); ++k) add(examples[k], answers[k]);
}

// add(i, structure, answer) for each of the examples, in their order: what is predicted, and how inference came to it.
template <class T, class Add>
void for_predictions(const TaskData<T>& data, Weights w, const std::vector<std::size_t>& examples,
                     Executor& executor, const Decoding& decoding, const Add& add) {
  const auto find = [&](std::size_t i) {
    Factored<T>& factored = scratch<Factored<T>, struct PredictionsFactored>();
    typename T::Structure s = factored.predict(data.task(), data.examples()[i].input, w, decoding);
    return std::pair(std::move(s), factored.engine().answer());
  };
  for_answers(examples, executor, find,
              [&](std::size_t i, const auto& found) { add(i, found.first, found.second); });
}

inline constexpr std::size_t kExamplesAtOnce = 4096;

// Writes what body(example, text) appends to text for every example, in example order; a limited number is
// in memory at a time.
template <class Body>
void write_examples(const Data& data, Executor& executor, OutputFile& out, const Body& body,
                    std::size_t at_once = kExamplesAtOnce) {
  std::vector<std::string> texts(std::min(at_once, data.size()));
  for (std::size_t first = 0; first < data.size(); first += at_once) {
    const std::size_t count = std::min(at_once, data.size() - first);
    share(executor, std::span<std::string>(texts).first(count), [&](std::size_t k) {
      texts[k].clear();
      body(first + k, texts[k]);
    });
    for (std::size_t k = 0; k < count; ++k) out.write(texts[k]);
  }
}

}  // namespace hinge
