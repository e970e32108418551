// Options of multiclass.
#pragma once

#include "hinge/tasks/class_columns.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/row_map.h"

namespace hinge {

struct MulticlassTraining {
  double bias = 1;
  std::string cost_matrix;
  std::vector<std::string> class_weights;
  std::string feature_names;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("bias", self.bias, range::not_negative,
          "value of one more feature that every example has; 0: none");
    visit("cost_matrix", self.cost_matrix, range::any,
          "file with what each confusion costs; without it every error costs 1");
    visit(
        "class_weights", self.class_weights, range::any,
        "CLASS:W multiplies the weight of that class's examples; 'balanced' gives all classes the same sum");
    visit("feature_names", self.feature_names, range::any, "file whose line i names feature i, for inspect");
  }
};

// Kernels of rows, and of strings, which stand in the place of rows then (string_map.h).
struct MulticlassKernel : KernelOptions {
  static constexpr int kLongest = 100;
  int length = 3;
  double decay = 0.5;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    KernelOptions::describe(
        self, [&](std::string_view name, auto& field, const Range& range, std::string_view help) {
          if (name != "kernel") return visit(name, field, range, help);
          std::vector<std::string> names = range.words;
          names.insert(names.end(), {"spectrum", "subsequence"});
          visit(name, field, range::one_of(names),
                fmt::format("{}; spectrum, subsequence: examples are strings, a label and a tab before each",
                            help));
        });
    visit("kernel_length", self.length, range::between(1, kLongest),
          "letters of the substrings and subsequences that strings are compared by");
    visit("kernel_decay", self.decay, range::between(0, 1),
          "what each letter that a subsequence spans multiplies it by");
  }
  bool of_strings() const { return kernel == "spectrum" || kernel == "subsequence"; }
  // As of KernelOptions.
  bool any() const;
};

struct MulticlassOptions {
  MulticlassTraining training;
  MulticlassKernel kernel;
  ClassColumns columns;

  std::vector<OptionRef> train() { return all_options(training, kernel); }
  std::vector<OptionRef> predict() { return list_options(columns); }
  std::vector<OptionRef> kept() { return {}; }  // the schema has all
};

}  // namespace hinge
