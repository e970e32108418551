// What tests of a task's adapter and readers need: a fixture that trains and predicts through files, options
// by name, and bad input with its sentence.
#pragma once

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/core/options.h"
#include "hinge/core/random.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/tasks/any_task.h"
#include "tests/support/temporary_folder.h"

namespace hinge {

// A task with random weights.
class AdapterTest : public ::testing::Test {
 protected:
  explicit AdapterTest(std::unique_ptr<AnyTask> task) : task_(std::move(task)) {}

  std::unique_ptr<Data> train(const std::string& text) {
    auto data = task_->read_training({folder_.write("train", text)});
    Random random(3);
    w_.clear();
    for (Index j = 0; j < task_->dimension(); ++j) w_.push_back(random.normal());
    return data;
  }
  std::string predict(const AnyTask& task, const Data& data, std::size_t threads = 1) {
    OutputFile out(folder_.path("out"));
    task.predict(data, w_, *make_executor(threads), out);
    out.commit();
    return folder_.read("out");
  }

  // What the task saves, another one loads: the same features, and the same predictions with marginals on any
  // number of threads.
  void expect_survives_saving(const Data& data, std::unique_ptr<AnyTask> loaded) {
    Archive archive;
    task_->save(archive);
    loaded->load(archive);
    ASSERT_EQ(loaded->dimension(), task_->dimension());
    for (AnyTask* task : {task_.get(), loaded.get()})
      for (auto& option : task->predict_options())
        if (option.name == "marginals") *std::get<bool*>(option.field) = true;
    const auto again = loaded->read({folder_.path("train")});
    EXPECT_EQ(predict(*loaded, *again), predict(*task_, data, 3));
    for (Index j = 0; j < task_->dimension(); ++j) EXPECT_EQ(loaded->feature_name(j), task_->feature_name(j));
  }

  TemporaryFolder folder_;
  std::unique_ptr<AnyTask> task_;
  Vector w_;
};

template <class T>
void set(std::vector<OptionRef> options, const std::string& name, T value) {
  for (auto& option : options)
    if (option.name == name) {
      *std::get<T*>(option.field) = std::move(value);
      return;
    }
  FAIL() << "no option " << name;
}

template <class Action>
void expect_input_error(const Action& action, const std::string& part) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one with: " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace hinge
