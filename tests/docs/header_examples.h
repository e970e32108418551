// What the examples on top of public headers find around them: a folder with small files, a task of one's own
// and data for it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "hinge/hinge.h"
#include "hinge/kernel_features.h"
#include "hinge/model/model.h"
#include "hinge/training/fit.h"
#include "tests/support/temporary_folder.h"

// Which of two numbers is the larger one.
struct Matching {
  using Input = std::array<double, 2>;
  using Label = hinge::Index;
  using Structure = hinge::Index;

  hinge::Index dimension() const { return 1; }
  bool determined(Label) const { return true; }
  Structure structure(Label y) const { return y; }
  double loss(Label y, Structure s) const { return y != s; }
  void features(const Input& x, Structure s, hinge::SparseSink& sink) const { sink.add(0, x[s]); }
  Structure predict(const Input& x, hinge::Weights w) const { return w[0] * x[1] > w[0] * x[0]; }
  Structure most_violating(const Input& x, Label y, hinge::Weights w) const {
    return w[0] * x[1] + (y == 0) > w[0] * x[0] + (y == 1);
  }
};

class HeaderExample : public testing::Test {
 protected:
  HeaderExample() : before_(std::filesystem::current_path()) {
    folder_.write("train.svm", "a 1:1\nb 2:1\na 1:2\nb 2:2\n");
    folder_.write("test.svm", "a 1:1\nb 2:1\n");
    std::filesystem::current_path(folder_.path("."));
    auto task = hinge::make_task("multiclass");
    const auto data = task->read_training({"train.svm"});
    hinge::SerialExecutor executor;
    hinge::save_model("my.model", hinge::fit(std::move(task), *data, {}, executor));
    for (int i = 0; i < 20; ++i) {
      const double x = i * 0.1;
      train.push_back({{x, 1 - x}, x < 0.5 ? 1u : 0u});
    }
    test = train;
  }
  ~HeaderExample() override { std::filesystem::current_path(before_); }

  std::vector<hinge::Example<Matching>> train, test;

 private:
  hinge::TemporaryFolder folder_;
  std::filesystem::path before_;
};
