#include "hinge/solvers/soft_dual.h"

#include <gtest/gtest.h>

#include "hinge/oracle/task_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/lbfgs.h"
#include "hinge/solvers/potentials.h"
#include "hinge/tasks/cluster/cluster_task.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "hinge/tasks/parse/reader.h"
#include "hinge/tasks/parse/schema.h"
#include "hinge/tasks/rank/rank_task.h"
#include "hinge/tasks/sequence/context_task.h"
#include "hinge/tasks/sequence/sequence_task.h"
#include "hinge/tasks/sequence_class/sequence_class.h"
#include "tests/support/classes_oracle.h"
#include "tests/support/complaint.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vector_problem.h"

namespace hinge {
namespace {

constexpr std::size_t kAttributes = 9, kLabels = 4;
constexpr std::size_t kManyLabels = 11;  // so many are served in single precision first

// A task with its examples, and an oracle of both.
template <class T>
struct Problem {
  T task;
  std::vector<Example<T>> examples;
  TaskOracle<T> oracle{task, examples};
  Problem(T made, std::vector<Example<T>> list) : task(std::move(made)), examples(std::move(list)) {}
  Problem(const Problem&) = delete;
};

Problem<MulticlassTask> classes(std::size_t count = 40, bool hide = false) {
  Random random(5);
  std::vector<Example<MulticlassTask>> examples(count);
  for (auto& [x, y, weight] : examples) {
    y = static_cast<int>(random.below(kLabels));
    for (Index j = 0; j < 6; ++j) {
      x.index.push_back(j);
      x.value.push_back(static_cast<float>(random.normal() + (j == static_cast<Index>(y) ? 1 : 0)));
    }
    if (hide && random.uniform() < 0.3) y = MulticlassTask::kHidden;
    weight = 0.5 + random.uniform();
  }
  return {MulticlassTask(6, kLabels), std::move(examples)};
}

// Labels that follow their attributes, mostly; lengths from 0 on.
template <class T>
std::vector<Example<T>> sequences(std::size_t count, bool partial, std::size_t labels = kLabels) {
  Random random(3);
  std::vector<Example<T>> examples(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto& [x, y, weight] = examples[i];
    for (std::size_t t = 0; t < i % 7; ++t) {
      const auto label = random.below(labels);
      for (Index a = 0; a < kAttributes; ++a)
        if (a % labels == label ? random.uniform() < 0.7 : random.uniform() < 0.3) x.attribute.push_back(a);
      x.start.push_back(static_cast<Index>(x.attribute.size()));
      y.push_back(partial && random.uniform() < 0.3 ? kUnknown : static_cast<int>(label));
    }
  }
  return examples;
}

template <class Examples>
std::pair<std::vector<Sequence>, std::vector<Labels>> split(const Examples& examples) {
  std::pair<std::vector<Sequence>, std::vector<Labels>> result;
  for (const auto& example : examples) {
    result.first.push_back(example.input);
    result.second.push_back(example.label);
  }
  return result;
}

Problem<SequenceTask> chains(bool observed, bool partial = false, std::size_t count = 30,
                             std::size_t width = kLabels) {
  auto examples = sequences<SequenceTask>(count, partial, width);
  const auto [inputs, labels] = split(examples);
  return {SequenceTask(observed ? Emissions::observed(kAttributes, width, inputs, labels)
                                : Emissions::all(kAttributes, width),
                       width, Transitions::observed(width, labels), true, Hamming{}),
          std::move(examples)};
}

Problem<ContextTask> contexts() {
  auto examples = sequences<ContextTask>(25, false);
  const auto labels = split(examples).second;
  return {ContextTask(Emissions::all(kAttributes, kLabels), kLabels,
                      ContextTask::seen_contexts(labels, kLabels, 2), false, Hamming{}),
          std::move(examples)};
}

Problem<SequenceClassTask> whole_chains(std::size_t states) {
  Random random(7);
  std::vector<Example<SequenceClassTask>> examples(15);
  for (auto& [x, y, weight] : examples) {
    x.channels = 2;
    y.length = 1 + random.below(4);
    for (std::size_t k = 0; k < 2 * y.length; ++k) x.values.push_back(static_cast<float>(random.normal()));
    y.value = static_cast<int>(random.below(3));
  }
  return {SequenceClassTask({2, 3, states, false}), std::move(examples)};
}

Problem<PairwiseTask> clusters() {
  Random random(17);
  std::vector<Example<PairwiseTask>> examples;
  for (std::size_t items = 1; items <= 8; ++items) {
    Document x;
    x.items = items;
    for (std::size_t p = 0; p < first_pair(items); ++p) {
      for (Index f = 0; f < 6; ++f)
        if (random.uniform() < 0.5) x.rows.attribute.push_back(f);
      x.rows.start.push_back(static_cast<Index>(x.rows.attribute.size()));
      x.row_of.push_back(static_cast<Index>(p));
    }
    Partition y(items);
    for (Index& cluster : y) cluster = static_cast<Index>(random.below(1 + items / 2));
    examples.push_back({std::move(x), renumbered(std::move(y)), 1});
  }
  return {PairwiseTask(6, 0.25), std::move(examples)};
}

constexpr double kTight = 1e-9;

Summary by_lbfgs(Objective& objective, double gap = 1e-10) {
  Lbfgs solver;
  solver.settings.gap = gap;
  return solver.minimize(objective, {}, {});
}

SoftDual solver_to(double gap, const char* room = "full") {
  SoftDual solver;
  solver.settings.gap = gap;
  solver.settings.room = room;
  solver.settings.max_passes = 3000;
  return solver;
}

// The dual is never above the optimum, the primal is the objective, and both solvers agree within their gaps.
void expect_certified(const Oracle& oracle, const Formulation& formulation, double C,
                      Regulariser regulariser = {}) {
  SCOPED_TRACE(fmt::format("{} τ {} C {}", formulation.name, formulation.output_temperature, C));
  SerialExecutor executor;
  Objective objective(oracle, formulation, C, executor, std::move(regulariser));
  const Summary reference = by_lbfgs(objective);
  const double rounding = 1e-11 * std::abs(reference.primal);
  struct Asked {
    double gap;
    const char* room;
    int batch = 0;  // in waves that ranks might share
  };
  for (const auto& [gap, room, batch] : {Asked{0.1, "full"},
                                         {1e-3, "small"},
                                         {1e-3, "short"},
                                         {1e-5, "full"},
                                         {1e-6, "full"},
                                         {1e-6, "short"},
                                         {kTight, "small"},
                                         {1e-3, "full", 16},
                                         {1e-5, "full", 64},
                                         {1e-8, "small", 5}}) {  // below it waves may find no more
    SoftDual solver = solver_to(gap, room);
    solver.settings.batch = batch;
    const Summary found = solver.minimize(objective, {}, {});
    SCOPED_TRACE(fmt::format("gap {} room {} batch {}", gap, room, batch));
    EXPECT_EQ(found.termination, Termination::converged) << found.message;
    EXPECT_LE(found.relative_gap(), gap);
    EXPECT_LE(found.dual, reference.primal + rounding);
    EXPECT_GE(found.primal, reference.dual - rounding);
    EXPECT_NEAR(found.primal, objective.value(found.weights), rounding);
    for (const Progress& progress : found.history) EXPECT_LE(progress.dual, reference.primal + rounding);
  }
}

TEST(SoftDual, IsCertifiedOnEveryKindOfTask) {
  const Formulation crf = Formulation::named("crf"), margin = Formulation::named("softmax-margin");
  for (const Formulation& formulation : {crf, margin})
    for (const double share : {0.05, 0.5, 5.0}) {
      const auto check = [&](const Oracle& oracle) {
        expect_certified(oracle, formulation, share * static_cast<double>(oracle.size()));
      };
      check(classes().oracle);
      check(chains(false).oracle);
      check(chains(true).oracle);  // in the packed layout, some of whose weights must stay 0
      check(chains(false, false, 30, kManyLabels).oracle);
      check(chains(true, false, 30, kManyLabels).oracle);
      check(contexts().oracle);
      check(whole_chains(1).oracle);
      check(clusters().oracle);
    }
}

TEST(SoftDual, IsCertifiedOnTrees) {
  TemporaryFolder folder;
  const ParseRecords records = read_trees(
      {folder.write("trees",
                    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n"
                    "(S (NP (NN it)) (VP (VBZ is) (NP (NP (DT the) (NN dog)) (PP (IN in) (NP (NN it))))))\n"
                    "(S (NP (NN it)) (VP (VBZ is) (NP (NN dog)) (PP (IN in) (NP (NN it)))))\n"
                    "(S (VP (VBZ is)))\n"
                    "(NP (NP (NN dog)) (PP (IN in) (NP (NP (NN it)) (PP (IN in) (NP (NN it))))))\n")});
  for (const char* tags : {"given", "found"})
    for (const char* features : {"rules", "all"}) {
      ParseOptions options;
      options.training.tags = tags;
      options.training.features = features;
      const ParseSchema schema(records, word_uses(records.trees), options);
      std::vector<Example<ParseTask>> examples;
      for (const SentenceTree& tree : records.trees)
        examples.push_back({schema.input_of(tree), schema.label_of(tree)});
      const TaskOracle<ParseTask> oracle(*schema.task(), examples);
      for (const char* method : {"crf", "softmax-margin"})
        expect_certified(oracle, Formulation::named(method), 5);
    }
}

TEST(SoftDual, IsCertifiedOnGraphs) {
  for (const char* name : {"chain_0.json", "cycle_4.json", "grid_6.json"}) {
    const auto file = vector_file(name, "own");
    ASSERT_TRUE(file) << name;
    const VectorProblem problem(*file);
    const Graph& graph = problem.task.graph();
    Random random(9);
    std::vector<Example<VectorTask>> examples;
    for (int k = 0; k < 6; ++k) {
      Assignment states(graph.nodes());
      for (std::size_t i = 0; i < states.size(); ++i)
        states[i] = static_cast<int>(random.below(graph.states(i)));
      examples.push_back({problem.examples[0].input, problem.task.hamming(states)});
    }
    const TaskOracle<VectorTask> oracle(problem.task, examples);
    for (const char* method : {"crf", "softmax-margin"})
      expect_certified(oracle, Formulation::named(method), 10);
  }
}

TEST(SoftDual, ServesEveryTemperature) {
  for (const std::size_t labels : {kLabels, kManyLabels}) {
    const auto problem = chains(true, false, 30, labels);
    for (const double temperature : {0.1, 0.3, 2.0})
      for (const double rho : {0.0, 0.5})
        expect_certified(problem.oracle, {"epsilon", rho, temperature, temperature}, 15);
    expect_certified(problem.oracle, Formulation::named("epsilon"), 15);
  }
}

TEST(SoftDual, ServesDiagonalRegularisersAndCentres) {
  const auto wide = chains(true), single = chains(true, false, 30, kManyLabels);
  const auto plain = classes();
  for (const Oracle* oracle :
       {static_cast<const Oracle*>(&wide.oracle), static_cast<const Oracle*>(&single.oracle),
        static_cast<const Oracle*>(&plain.oracle)}) {
    Random random(11);
    Regulariser regulariser;
    for (Index j = 0; j < oracle->dimension(); ++j) {
      regulariser.curvature.push_back(0.2 + 3 * random.uniform());
      regulariser.centre.push_back(random.normal());
    }
    expect_certified(*oracle, Formulation::named("softmax-margin"), 20, regulariser);
    expect_certified(*oracle, Formulation::named("crf"), 20, {{}, regulariser.centre, 0});
  }
}

// D from its definition: inference at the potentials that the run left, in the order of the examples.
double dual_of(const Objective& objective, const Potentials& state) {
  const auto [oracle, places] = objective.layout();
  const auto parts = oracle.parts(objective.formulation().query(Side::free));
  Vector slope(oracle.dimension()), zero(oracle.dimension());
  double sum = 0;
  for (std::size_t i = 0; i < objective.size(); ++i) {
    const std::size_t size = parts->look(i, zero).size();
    Vector theta;
    state.theta[i].get(theta);
    EXPECT_EQ(theta.size(), size);
    Vector counts(size), label(size);
    const double value = parts->solve(theta, counts).value, kappa = objective.block_weight(i);
    sum += kappa * (value - dot(theta, counts) + parts->loss(counts));
    parts->pour(counts, -kappa, slope, nullptr);
    parts->clamped(zero, label);
    parts->pour(label, kappa, slope, nullptr);
  }
  double square = 0;
  for (const Index place : places) square += slope[place] * slope[place];
  return sum - 0.5 * (places.empty() ? squared_norm(slope) : square);
}

// Small changes of a block that were left out of w would let the bound pass the optimum.
TEST(SoftDual, ItsBoundBelongsToThePotentialsItLeaves) {
  SerialExecutor executor;
  for (const std::size_t labels : {kLabels, kManyLabels}) {
    const auto problem = chains(true, false, 30, labels);
    for (const double C : {3.0, 300.0})
      for (const auto& [gap, room] : {std::pair{0.3, "full"},
                                      {1e-2, "small"},
                                      {1e-2, "short"},
                                      {1e-5, "full"},
                                      {1e-6, "small"},
                                      {1e-6, "short"}}) {
        Objective objective(problem.oracle, Formulation::named("softmax-margin"), C, executor);
        const Summary found = solver_to(gap, room).minimize(objective, {}, {});
        ASSERT_NE(found.potentials, nullptr);
        EXPECT_NEAR(dual_of(objective, *found.potentials), found.dual, 1e-11 * found.primal);
      }
  }
}

// A state that does not belong to the run is worth nothing, and changes no certificate.
TEST(SoftDual, IsCertifiedFromAnyStart) {
  const auto problem = chains(true, false, 30, kManyLabels);
  SerialExecutor executor;
  Objective objective(problem.oracle, Formulation::named("crf"), 15, executor);
  const double optimum = by_lbfgs(objective).primal;
  Potentials wild;
  Random random(2);
  const auto parts = problem.oracle.parts(objective.formulation().query(Side::free));
  const Vector zero(problem.oracle.dimension());
  for (std::size_t i = 0; i < objective.size(); ++i) {
    std::vector<float> theta(parts->look(i, zero).size() + (i % 5 == 0 ? 1 : 0));
    for (float& v : theta) v = static_cast<float>(20 * random.normal());
    wild.theta.emplace_back().set(theta);
    wild.step.push_back(0.9);
  }
  wild.C = 15;
  const Summary found = solver_to(1e-6).descend(
      objective, {.potentials = std::make_shared<const Potentials>(std::move(wild))}, {});
  EXPECT_EQ(found.termination, Termination::converged) << found.message;
  EXPECT_LE(found.dual, optimum * (1 + 1e-11));
  EXPECT_LE(found.primal, optimum * (1 + 1.1e-6));
}

// As by a callback that waits for an objective, and from then on wishes to stop wherever it is asked.
TEST(SoftDual, KeepsTheObjectiveAtWhichItIsStopped) {
  const auto problem = chains(true, false, 100, kManyLabels);
  SerialExecutor executor;
  Objective objective(problem.oracle, Formulation::named("crf"), 50, executor);
  bool seen = false;
  const Observer observer([&](const Progress& progress) { return !(seen = std::isfinite(progress.primal)); },
                          [&] { return seen; });
  const Summary found = solver_to(1e-4).minimize(objective, {}, observer);
  EXPECT_TRUE(seen);
  EXPECT_NEAR(found.primal, objective.value(found.weights), 1e-11 * found.primal);
}

TEST(SoftDual, GoesOnWhereAnEarlierRunEnded) {
  const auto problem = chains(true, false, 100);
  SerialExecutor executor;
  Objective objective(problem.oracle, Formulation::named("crf"), 50, executor);
  const Summary first = solver_to(1e-5).minimize(objective, {}, {});
  const Summary again = solver_to(1e-5).descend(objective, {.potentials = first.potentials}, {});
  EXPECT_LE(again.iterations, 2u);
  EXPECT_LT(again.oracle_calls, first.oracle_calls / 3);
  objective.set_C(60);
  const Summary cold = solver_to(1e-3).minimize(objective, {}, {});
  const Summary warm = solver_to(1e-3).descend(objective, {.potentials = first.potentials}, {});
  EXPECT_EQ(warm.termination, Termination::converged);
  EXPECT_LE(warm.oracle_calls, cold.oracle_calls);
}

TEST(SoftDual, RepeatsBitForBitWithAnyNumberOfThreads) {
  const auto problem = chains(true, false, 600, kManyLabels);
  std::vector<Summary> runs;
  for (const std::size_t threads : {1, 2, 7}) {
    const auto executor = make_executor(threads);
    Objective objective(problem.oracle, Formulation::named("crf"), 20, *executor);
    runs.push_back(solver_to(1e-4).minimize(objective, {}, {}));
  }
  for (const Summary& run : runs) {
    EXPECT_EQ(run.weights, runs[0].weights);
    EXPECT_EQ(run.primal, runs[0].primal);
    EXPECT_EQ(run.dual, runs[0].dual);
  }
}

// Rounds of cccp around it end where those around lbfgs end.
TEST(SoftDual, SolvesTheRoundsOfCccp) {
  const auto rounds = [](const Oracle& oracle, double C) {
    SerialExecutor executor;
    Vector ends;
    for (const char* inner : {"lbfgs", "soft_dual"}) {
      Objective objective(oracle, Formulation::named("hcrf"), C, executor);
      auto solver = make_solver(inner);
      for (const OptionRef& option : solver->options())
        if (option.name == "gap") *std::get<double*>(option.field) = 1e-7;
      Cccp cccp(std::move(solver));
      cccp.settings.decrease = 1e-8;
      cccp.settings.max_rounds = 300;
      Vector start(oracle.dimension());
      Random random(4);
      for (double& v : start) v = 0.1 * random.normal();
      const Summary found = cccp.descend(objective, {start}, {});
      EXPECT_EQ(found.termination, Termination::converged) << found.message;
      objective.follow();
      EXPECT_NEAR(found.primal, objective.value(found.weights), 1e-10 * std::abs(found.primal));
      ends.push_back(found.primal);
    }
    EXPECT_NEAR(ends[0], ends[1], 1e-4 * std::abs(ends[0]));
  };
  rounds(chains(true, true).oracle, 15);
  rounds(classes(40, true).oracle, 20);
  rounds(whole_chains(2).oracle, 8);
}

TEST(SoftDual, RefusesWhatItDoesNotServe) {
  const auto problem = chains(false);
  SerialExecutor executor;
  const auto said = [&](const Oracle& oracle, const Formulation& formulation, double l1 = 0) {
    Objective objective(oracle, formulation, 1, executor, {{}, {}, l1});
    return complaint([&] { solver_to(1e-3).minimize(objective, {}, {}); });
  };
  EXPECT_NE(said(problem.oracle, Formulation::named("ssvm")).find("frank_wolfe"), std::string::npos);
  EXPECT_NE(said(problem.oracle, Formulation::named("crf"), 0.1).find("L1"), std::string::npos);
  EXPECT_NE(said(problem.oracle, {"mixed", 1, 1, 0.5}).find("one temperature"), std::string::npos);
  EXPECT_NE(said(ClassesOracle::random(5, 2, 2, 1), Formulation::named("crf")).find("parts"),
            std::string::npos);
}

// Inputs whose norms differ by orders of magnitude, at small and large C: no example stays where it cannot be moved.
TEST(SoftDual, IsCertifiedWhereNormsDiffer) {
  Random random(23);
  constexpr Index kFeatures = 200;
  std::vector<Example<MulticlassTask>> examples(60);
  for (auto& [x, y, weight] : examples) {
    y = static_cast<int>(random.below(kLabels));
    const double scale = std::pow(10, 4 * random.uniform() - 1);
    for (Index j = 0; j < kFeatures; ++j) {
      if (random.uniform() > 0.05) continue;
      x.index.push_back(j);
      x.value.push_back(static_cast<float>(scale * (1 + random.below(5))));
    }
  }
  const Problem<MulticlassTask> problem{MulticlassTask(kFeatures, kLabels), std::move(examples)};
  SerialExecutor executor;
  for (const double share : {0.05, 0.5, 5.0, 50.0}) {
    Objective objective(problem.oracle, Formulation::named("crf"), 60 * share, executor);
    const Summary found = solver_to(1e-4).minimize(objective, {}, {});
    EXPECT_EQ(found.termination, Termination::converged) << found.message;
    EXPECT_NEAR(found.primal, objective.value(found.weights), 1e-9 * found.primal);
    EXPECT_NEAR(dual_of(objective, *found.potentials), found.dual, 1e-9 * found.primal);
  }
}

// Inputs so large that single precision, and at last double, cannot hold what chains sum: a bound is a bound all the same, and
// weights and objective are numbers.
TEST(SoftDual, TellsNoFalseBoundOfLargeInputs) {
  for (const std::size_t labels : {kLabels, kManyLabels}) {
    for (const double scale : {30.0, 1e3, 1e6, 1e12, 1e20}) {
      Random random(29);
      auto examples = sequences<SequenceTask>(40, false, labels);
      for (auto& [x, y, weight] : examples) {
        x.value.resize(x.attribute.size());
        for (float& v : x.value) v = static_cast<float>(scale * random.uniform());
      }
      const Problem<SequenceTask> problem{SequenceTask(Emissions::all(kAttributes, labels), labels,
                                                       Transitions::all(labels), true, Hamming{}),
                                          std::move(examples)};
      for (const double share : {1.0, 1000.0})
        for (const auto& [room, batch] :
             {std::pair{"full", 0}, {"small", 0}, {"short", 0}, {"full", 7}, {"small", 7}}) {
          SCOPED_TRACE(fmt::format("{} labels, scale {}, C/n {}, room {}, batch {}", labels, scale, share,
                                   room, batch));
          SerialExecutor executor;
          Objective objective(problem.oracle, Formulation::named("crf"), 40 * share, executor);
          SoftDual solver = solver_to(1e-3, room);
          solver.settings.max_passes = 60;
          solver.settings.batch = batch;  // as ranks that share visits
          const Summary found = solver.minimize(objective, {}, {});
          Lbfgs other;
          other.settings.max_passes = 300;
          const double reference = std::min(found.primal, other.minimize(objective, {}, {}).primal);
          EXPECT_LE(found.dual, reference * (1 + 1e-9));
          EXPECT_TRUE(std::ranges::all_of(found.weights, [](double w) { return std::isfinite(w); }));
          if (scale < 1e12) {
            EXPECT_TRUE(std::isfinite(found.primal));
          }
        }
    }
  }
}

// Wherever it is stopped, within a pass, a rebuild or between two values of C, what it tells is a lower bound.
TEST(SoftDual, TellsNoFalseBoundWhereverItIsStopped) {
  const auto problem = chains(true, false, 30);
  SerialExecutor executor;
  for (const double share : {0.5, 20.0}) {
    Objective objective(problem.oracle, Formulation::named("crf"), 30 * share, executor);
    const double reference = by_lbfgs(objective).primal;
    for (int limit = 1; limit < 400; limit += 7) {
      SoftDual solver = solver_to(1e-9, "small");
      solver.settings.batch = limit % 2 == 0 ? 5 : 0;
      int asked = 0;
      const Observer observer([](const Progress&) { return true; }, [&] { return ++asked > limit; });
      const Summary found = solver.minimize(objective, {}, observer);
      EXPECT_LE(found.dual, reference * (1 + 1e-9)) << share << " " << limit;
    }
  }
}

// Where C/n is large, visits of ranks begin at a smaller C too, which tells no bound: from labels all at once they go astray.
TEST(SoftDual, BeginsAtASmallerCInWaves) {
  const auto problem = chains(true, false, 60);
  SerialExecutor executor;
  for (const double share : {0.5, 33.0}) {
    Objective objective(problem.oracle, Formulation::named("crf"), 60 * share, executor);
    SoftDual waves = solver_to(1e-2, "small");
    waves.settings.batch = 6;
    const Summary found = waves.minimize(objective, {}, {});
    EXPECT_EQ(std::isfinite(found.history.front().dual), share < 1);
    EXPECT_TRUE(std::isfinite(found.dual));
  }
}

// Examples enough for waves of several.
TEST(SoftDual, IsCertifiedInWaves) {
  const auto sequences = chains(true, false, 700), single = chains(true, false, 700, kManyLabels);
  const auto whole = classes(700);
  for (const Oracle* oracle :
       {static_cast<const Oracle*>(&sequences.oracle), static_cast<const Oracle*>(&single.oracle),
        static_cast<const Oracle*>(&whole.oracle)})
    for (const double C : {70.0, 7000.0}) {
      SerialExecutor executor;
      Objective objective(*oracle, Formulation::named("softmax-margin"), C, executor);
      const Summary reference = by_lbfgs(objective, 1e-7);
      const Summary found = solver_to(1e-6).minimize(objective, {}, {});
      EXPECT_EQ(found.termination, Termination::converged) << found.message;
      EXPECT_LE(found.dual, reference.primal * (1 + 1e-11));
      EXPECT_GE(found.primal, reference.dual * (1 - 1e-11));
    }
}

// Weights near the optimum see the examples nearly as the optimum does.
TEST(SoftDual, BeginsAtGivenWeights) {
  const auto sequences = chains(true, false, 200), single = chains(true, false, 200, kManyLabels);
  const auto whole = classes(200);
  for (const Oracle* oracle :
       {static_cast<const Oracle*>(&sequences.oracle), static_cast<const Oracle*>(&single.oracle),
        static_cast<const Oracle*>(&whole.oracle)}) {
    SerialExecutor executor;
    Objective objective(*oracle, Formulation::named("crf"), 100, executor);
    const Summary reference = by_lbfgs(objective, 1e-8), cold = solver_to(1e-5).minimize(objective, {}, {});
    const Summary warm = solver_to(1e-5).minimize(objective, {reference.weights}, {});
    EXPECT_EQ(warm.termination, Termination::converged) << warm.message;
    EXPECT_LE(warm.dual, reference.primal * (1 + 1e-11));
    EXPECT_LE(warm.iterations, 2u);
    EXPECT_LT(2 * warm.oracle_calls, cold.oracle_calls);
    const Summary far = solver_to(1e-5).minimize(objective, {Vector(oracle->dimension(), 3.0)}, {});
    EXPECT_EQ(far.termination, Termination::converged) << far.message;
    EXPECT_GE(far.primal, reference.dual * (1 - 1e-11));
  }
}

TEST(SoftDual, StopsWhenTold) {
  const auto problem = chains(true, false, 30, kManyLabels);
  SerialExecutor executor;
  Objective objective(problem.oracle, Formulation::named("crf"), 15, executor);
  const double optimum = by_lbfgs(objective).primal;
  int asked = 0;
  const Summary found = solver_to(0).minimize(
      objective, {}, Observer([](const Progress&) { return true; }, [&] { return ++asked > 100; }));
  EXPECT_EQ(found.termination, Termination::stopped);
  EXPECT_LE(found.dual, optimum * (1 + 1e-11));
  SoftDual solver = solver_to(0);
  solver.settings.max_passes = 7;
  const Summary limited = solver.minimize(objective, {}, {});
  EXPECT_EQ(limited.termination, Termination::iteration_limit);
  EXPECT_TRUE(std::isfinite(limited.primal));
}

}  // namespace
}  // namespace hinge
