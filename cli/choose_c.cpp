#include "cli/choose_c.h"

#include <optional>

#include "cli/files.h"

namespace hinge {
namespace {

constexpr std::size_t kFolds = 10;

HeldOut hold_out(const DataSource& source, std::size_t examples, const LearningOptions& options,
                 const std::string& select, Executor& executor) {
  if (examples < 2) fail("there is one example, of which nothing can be held out: give -C a number.");
  try {
    HeldOut tenth(source, {}, Folds(examples, std::min(kFolds, examples), options.seed), 0,
                  {options.formulation().latent_temperature, false});
    tenth.require_metric(select, executor);
    return tenth;
  } catch (const InputError& error) {
    fail("with a tenth held out to choose C: {} Give -C a number, or --validation F.", error.what());
  }
}

}  // namespace

ChosenC choose_C(const DataSource& source, std::size_t examples, const LearningOptions& options,
                 const std::string& select, const Model& init, const Learner& learner, Monitor& monitor,
                 Executor& executor) {
  const HeldOut tenth = hold_out(source, examples, options, select, executor);
  ChosenC chosen;
  chosen.C = options.usual_C(examples);
  chosen.held_out = tenth.size();
  PathEnd end(select);
  std::optional<double> best;
  learner.path(tenth.oracle(), tenth.carried_over(init), {options.tried_C(examples), tenth.share()},
               "choosing  ", monitor, [&](double C, Summary run) {
                 chosen.seconds += run.seconds;
                 chosen.cpu_seconds += run.cpu_seconds;
                 chosen.oracle_calls += run.oracle_calls;
                 if (!monitor.stopped().empty()) return false;
                 nlohmann::json row = learner.summary(source.task(), tenth.oracle(), C, run);
                 run.weights.resize(tenth.oracle().dimension());
                 row["validation"] = tenth.evaluate(run.weights, executor);
                 const double value = metric(row["validation"], select);
                 if (!best || better(select, value, *best)) {
                   best = value;
                   chosen.C = C;
                 }
                 const bool enough = end.reached(row["validation"]);
                 chosen.rows.push_back(std::move(row));
                 return !enough;
               });
  if (monitor.interrupted()) fail("stopped while C was being chosen, so that there is no model to write.");
  if (!monitor.stopped().empty())
    chosen.stopped =
        fmt::format("Half of the time limit was over after {} values of C, of which the best was taken.",
                    chosen.rows.size());
  return chosen;
}

}  // namespace hinge
