// What any training is asked for, whatever the task. Plain values: no file is read and no clock looked at for
// them. In C++ they are written where they are used,
//
//     hinge::learn(task, examples, {.method = "crf", .C = {1, 10, 100}, .folds = 5});
//
// on the command line and in Python they come from the same description.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/learning/formulation.h"
#include "hinge/learning/observer.h"
#include "hinge/training/init.h"

namespace hinge {

// Which C to train at: numbers, "auto" (held-out data chooses), or nothing, which is the usual one.
struct ValuesOfC {
  std::string text;  // numbers between commas, or kAuto
  static constexpr const char* kAuto = "auto";

  ValuesOfC() = default;
  ValuesOfC(double value) : ValuesOfC({value}) {}
  ValuesOfC(std::initializer_list<double> values);
  ValuesOfC(const char* words) : text(words) {}
  ValuesOfC(std::string words) : text(std::move(words)) {}

  bool chosen_by_data() const { return text == kAuto; }
  // Each once, none where C is left out or chosen by data. Throws InputError about what is no positive
  // number.
  std::vector<double> ascending() const;
};

struct TrainingOptions {
  static constexpr double kOfTheMethod = -1;

  std::string method = "ssvm";
  ValuesOfC C = {};
  std::string rescaling = "margin";
  double epsilon = 0.1;
  double output_temperature = kOfTheMethod, latent_temperature = kOfTheMethod;
  std::string solver = "auto";
  std::string inner = {};                       // the solver that cccp goes around
  std::map<std::string, double> settings = {};  // of the solver's own options, such as {"gap", 1e-4}
  std::string init = {};
  int folds = 0;  // of cross-validation where C has several values
  int restarts = 1;
  int anneal = 0;
  double l1 = 0;
  double time_limit = 0;  // seconds; kept by who calls, see watch/
  int threads = 1;        // of the executor that who calls makes
  int shards = 0;         // the same
  std::uint64_t seed = 1;
  bool check = true;  // that a task of one's own keeps its contract, on a few examples
  Observer watch = {};

  // What the command line and the bindings offer. The others are theirs to translate.
  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("C", self.C.text, range::any,
          "minimise 1/2 |w|^2 + C/n times the sum of the examples' losses: a number; several (0.1,1,10), one "
          "path to choose from; auto, chosen by `validation` or a tenth held out (n where outputs have a "
          "temperature, else n/10, at least 1; cross-validate: a tenth of that, that, ten times that)");
    visit("method", self.method, range::one_of(Formulation::names()), "which losses");
    visit("rescaling", self.rescaling, range::one_of({"margin", "slack"}), "how ssvm uses the loss");
    visit("epsilon", self.epsilon, range::not_negative, "both temperatures of method epsilon");
    visit("output_temperature", self.output_temperature, range::any,
          "of the outputs, 0 for a maximum (-1: that of the method)");
    visit("latent_temperature", self.latent_temperature, range::any,
          "of what is hidden, 0 for a maximum (-1: that of the method)");
    visit("solver", self.solver, range::any,
          "how to minimise; auto chooses by method and data and says why. cccp goes around solvers of convex "
          "problems where labels are incomplete");
    visit("inner", self.inner, range::any, "the solver that `solver` cccp goes around");
    visit("init", self.init, range::any,
          "where to start: zero, random:S (standard deviation S), supervised (what complete labels teach), "
          "drawn (what one draw of the hidden parts teaches), or a model's file, whose task options hold "
          "where no flag says otherwise (the task's own start or random:0.1 where labels are incomplete, "
          "else zero)");
    visit("restarts", self.restarts, range::at_least_one,
          "where labels are incomplete: start so many times, keep the best objective");
    visit("anneal", self.anneal, range::between(0, 100),
          "where labels are incomplete: lower the temperatures from 1 to the method's in so many steps");
    visit("l1", self.l1, range::not_negative, "add this times |w|_1 (lbfgs only)");
    visit("time_limit", self.time_limit, range::not_negative,
          "stop after this many seconds with the best so far (0: never)");
    visit("threads", self.threads, range::between(0, 1024),
          "work on so many at a time, which changes no bit of the result (0: every core)");
    visit("shards", self.shards, range::between(0, 65536),
          "cut sums over examples into so many pieces, of which each machine takes some (0: as many as help, "
          "up to 64, by the "
          "numbers of examples and weights alone)");
    visit("seed", self.seed, range::any, "of everything random");
  }

  // Throws InputError about the first options that contradict each other.
  void check_consistency() const;
  Formulation formulation() const;
};

// What C is, where none was given, for so many examples: each counts 1, as by default in scikit-learn,
// LIBLINEAR and (but for a factor of 2) CRFsuite, or 1/10 where outputs compete by a margin: there more costs
// time and gains nothing (bench/README.md).
double usual_C(const TrainingOptions& options, std::size_t examples);
// What is tried where data chooses: from a hundredth of the usual C on, in steps of about 3, as far as it may
// take.
std::vector<double> tried_C(const TrainingOptions& options, std::size_t examples);

}  // namespace hinge
