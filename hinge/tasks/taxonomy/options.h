// Options of taxonomy.
#pragma once

#include "hinge/tasks/class_columns.h"
#include "hinge/tasks/input_kernel.h"
#include "hinge/tasks/option_lists.h"

namespace hinge {

struct TaxonomyTraining {
  std::string separator;
  std::string parents;
  std::string answers = "leaves";
  std::string loss = "tree";
  std::string cost_matrix;
  std::string features = "auto";
  double bias = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("separator", self.separator, range::any,
          "what stands between the parts of a class's name, from the top down (/ where a name has one, else "
          ".)");
    visit("parents", self.parents, range::file,
          "file with a class and its parents in each line, for names that do not tell");
    visit("answers", self.answers, range::one_of({"leaves", "all"}),
          "predict classes without others below them, or any class");
    visit("loss", self.loss, range::one_of({"tree", "errors"}),
          "half the number of edges between two classes, or 1 for any two");
    visit("cost_matrix", self.cost_matrix, range::file, "file with what each confusion costs, instead");
    visit(
        "features", self.features, range::one_of({"auto", "all", "observed"}),
        "weights for all pairs of feature and class, or only for those in the training data; auto: all while "
        "they are at most 2^25");
    visit("bias", self.bias, range::not_negative,
          "value of one more feature that every example has; 0: none");
  }
  // Throws InputError about options of which one says what another does.
  void check_consistency() const {
    if (!cost_matrix.empty() && loss != TaxonomyTraining().loss)
      fail("`cost_matrix` says what each confusion costs, and `loss` {} does too: give one of them.", loss);
    if (!separator.empty() && !parents.empty())
      fail(
          "`separator` takes names apart, and with `parents` a file says who is above whom: give one of "
          "them.");
  }
};

struct TaxonomyOptions {
  TaxonomyTraining training;
  InputKernel kernel;
  ClassColumns columns;

  std::vector<OptionRef> train() { return all_options(training, kernel); }
  std::vector<OptionRef> predict() { return list_options(columns); }
  std::vector<OptionRef> kept() { return only({"loss"}, list_options(training)); }  // the schema has the rest
};

}  // namespace hinge
