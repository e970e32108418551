#include "cli/choose_c.h"

#include "cli/files.h"

namespace hinge {
namespace {

constexpr std::size_t kFolds = 10;

HeldOut hold_out(const DataSource& source, std::size_t examples, const LearningOptions& options,
                 const std::string& select, Executor& executor) {
  if (examples < 2) fail("there is one example, of which nothing can be held out: give -C a number.");
  try {
    HeldOut tenth(source, {}, Folds(examples, std::min(kFolds, examples), options.seed), 0,
                  options.formulation().latent_temperature);
    tenth.require_metric(select, executor);
    return tenth;
  } catch (const InputError& error) {
    fail("with a tenth held out to choose C: {} Give -C a number, or --validation F.", error.what());
  }
}

}  // namespace

bool BestC::take(double C, Termination termination, const nlohmann::json& metrics) {
  constexpr double kGain = 0.01, kRise = 0.1;
  if (converged_ && termination != Termination::converged) return false;
  converged_ = termination == Termination::converged;
  const double value = metric(metrics, name_);
  const double lacking = better(name_, 0, 1) ? value : 1 - value;
  const bool gains = !any_ || (C > usual_ ? lacking < (1 - kGain) * lacking_ : lacking <= lacking_);
  worse_ = any_ && lacking > (1 + kRise) * lacking_ ? worse_ + 1 : 0;
  no_better_ = gains ? 0 : no_better_ + 1;
  if (gains) {
    any_ = true;
    C_ = C;
    lacking_ = lacking;
  }
  return worse_ < 2 && (C < usual_ || no_better_ < 2);
}

ChosenC choose_C(const DataSource& source, std::size_t examples, const LearningOptions& options,
                 const std::string& select, const Model& init, const Learner& learner, Monitor& monitor,
                 Executor& executor) {
  const HeldOut tenth = hold_out(source, examples, options, select, executor);
  ChosenC chosen;
  chosen.held_out = tenth.size();
  BestC best(select, options.usual_C(examples));
  learner.path(tenth.oracle(), tenth.carried_over(init), {options.tried_C(examples), tenth.share()},
               "choosing  ", monitor, [&](double C, Summary run) {
                 chosen.seconds += run.seconds;
                 chosen.cpu_seconds += run.cpu_seconds;
                 chosen.oracle_calls += run.oracle_calls;
                 if (!monitor.stopped().empty()) return false;
                 nlohmann::json row = learner.summary(source.task(), tenth.oracle(), C, run);
                 run.weights.resize(tenth.oracle().dimension());
                 row["validation"] = tenth.evaluate(run.weights, executor);
                 const bool go_on = best.take(C, run.termination, row["validation"]);
                 chosen.rows.push_back(std::move(row));
                 return go_on;
               });
  chosen.C = best.C();
  if (monitor.interrupted()) fail("stopped while C was being chosen, so that there is no model to write.");
  if (!monitor.stopped().empty())
    chosen.stopped =
        fmt::format("Half of the time limit was over after {} values of C, of which the best was taken.",
                    chosen.rows.size());
  return chosen;
}

}  // namespace hinge
