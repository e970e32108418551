// Options of multiclass.
#pragma once

#include "hinge/tasks/class_columns.h"
#include "hinge/tasks/input_kernel.h"
#include "hinge/tasks/option_lists.h"

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
    visit("cost_matrix", self.cost_matrix, range::file,
          "file with what each confusion costs; without it every error costs 1");
    visit(
        "class_weights", self.class_weights, range::any,
        "CLASS:W multiplies the weight of that class's examples; 'balanced' gives all classes the same sum");
    visit("feature_names", self.feature_names, range::file, "file whose line i names feature i, for inspect");
  }
};

struct MulticlassOptions {
  MulticlassTraining training;
  InputKernel kernel;
  ClassColumns columns;

  std::vector<OptionRef> train() { return all_options(training, kernel); }
  std::vector<OptionRef> predict() { return list_options(columns); }
  std::vector<OptionRef> kept() { return {}; }  // the schema has all
};

}  // namespace hinge
