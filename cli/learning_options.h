// The options that any training has, whatever the task and the solver.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "hinge/core/options.h"
#include "hinge/learning/formulation.h"
#include "hinge/solvers/exploration.h"

namespace hinge {

// What --init says.
struct Init {
  enum class Kind { unset, zero, random, supervised, drawn, model };
  Kind kind = Kind::unset;
  double spread = 0;  // of random
  std::string model;  // its file

  static Init parse(const std::string& text);
};

struct LearningOptions {
  static constexpr double kOfTheMethod = -1;
  static constexpr const char* kAuto = "auto";

  std::string C;  // numbers between commas, kAuto, or nothing: see usual_C
  std::string method = "ssvm";
  std::string rescaling = "margin";
  double epsilon = 0.1;
  double output_temperature = kOfTheMethod, latent_temperature = kOfTheMethod;
  std::string solver, inner;
  std::string init;
  int restarts = 1;
  int anneal = 0;
  double l1 = 0;
  double time_limit = 0;
  int threads = 1;
  std::uint64_t seed = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit(
        "C", self.C, any,
        "minimise 1/2 |w|^2 + C/n times the sum of the examples' losses; several (0.1,1,10) are one path; "
        "auto chooses by --validation or a tenth of the data held out, then trains on all (n where outputs "
        "have a temperature, else n/10, at least 1; cross-validate: a tenth of that, that, ten times that)");
    visit("method", self.method, one_of(Formulation::names()), "which losses");
    visit("rescaling", self.rescaling, one_of({"margin", "slack"}), "how ssvm uses the loss");
    visit("epsilon", self.epsilon, not_negative, "both temperatures of method epsilon");
    visit("output_temperature", self.output_temperature, any,
          "of the outputs, 0 for a maximum (-1: that of the method)");
    visit("latent_temperature", self.latent_temperature, any,
          "of what is hidden, 0 for a maximum (-1: that of the method)");
    visit("solver", self.solver, any,
          "how to minimise (frank_wolfe, lbfgs for smooth methods); cccp goes around it where labels are "
          "incomplete, unless lbfgs does without");
    visit("inner", self.inner, any, "the solver that --solver cccp goes around");
    visit(
        "init", self.init, any,
        "where to start: zero, random:S (standard deviation S), supervised (what the examples with complete "
        "labels teach), drawn (what one draw of all that is hidden teaches, as of motifs' places), or a "
        "model, with its task's options where no flag says otherwise (where labels are "
        "incomplete what the task knows, as motif does, or random:0.1; else zero)");
    visit("restarts", self.restarts, at_least_one,
          "where labels are incomplete: start so many times, keep the best objective");
    visit("anneal", self.anneal, between(0, 100),
          "where labels are incomplete: lower the temperatures from 1 to the method's in so many steps");
    visit("l1", self.l1, not_negative, "add this times |w|_1 (lbfgs only)");
    visit("time_limit", self.time_limit, not_negative,
          "stop after this many seconds with the best so far (0: never)");
    visit("threads", self.threads, between(0, 1024),
          "work on so many at a time, which changes no bit of the result (0: every core)");
    visit("seed", self.seed, any, "of everything random");
  }

  Formulation formulation() const;
  std::string solver_name() const;  // the one given, or the default for the method
  // All but the init's weights.
  Exploration exploration() const;
  // Throws InputError about the first flags that contradict each other.
  void check(const std::function<bool(const std::string&)>& given) const;
  bool chooses_C() const { return C == kAuto; }
  // Each once; none where C is left out or chosen. Throws InputError about what is no positive number.
  std::vector<double> ascending_C() const;
  // What is tried where C is chosen, for so many examples: from a hundredth of the usual C on, in steps of
  // about 3, as far as it may take.
  std::vector<double> tried_C(std::size_t examples) const;
  // What C is, where none was given, for so many examples: each counts 1, as by default in scikit-learn,
  // LIBLINEAR and (but for a factor of 2) CRFsuite, or 1/10 where outputs compete by a margin: there more
  // costs time and gains nothing (bench/README.md).
  double usual_C(std::size_t examples) const;
  // The solver, with cccp around it where it can do nothing without complete labels. Options that it shares
  // with these (seed) are set.
  std::unique_ptr<Solver> make_solver() const;
};

// Takes the flags of a solver's options, but for those that LearningOptions has too: in a group of its name,
// and in one of cccp's own where that goes around it.
void take_solver_flags(Solver& solver, Flags& flags);

}  // namespace hinge
