#include "hinge/training/choose_c.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/training/metric.h"

namespace hinge {
namespace {

constexpr std::size_t kFolds = 10;

std::unique_ptr<HeldOut> hold_out_tenth(const FoldPlan& plan, std::uint64_t seed, const HoldOut& hold_out) {
  if (plan.most_folds() < 2)
    fail("there is one example{}, of which nothing can be held out: give `C` a number.",
         plan.groups.empty() ? "" : ", or one group of them");
  try {
    const Folds folds = plan.draw(std::min(kFolds, plan.most_folds()), seed);
    return hold_out(folds.rest(0), folds.part(0));
  } catch (const InputError& error) {
    fail("with a tenth held out to choose C: {} Give `C` a number, or `validation` data.", error.what());
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

ChosenC choose_C(const std::string& task, const Problem& all, const FoldPlan& plan, const std::string& select,
                 const HoldOut& hold_out, Watch& watch) {
  const std::size_t examples = all.oracle.size();
  const std::unique_ptr<HeldOut> tenth = hold_out_tenth(plan, all.options.seed, hold_out);
  const Problem rest{.oracle = tenth->oracle(),
                     .options = all.options,
                     .solver = all.solver,
                     .executor = all.executor,
                     .init = tenth->init(),
                     .share = tenth->share(),
                     .label = "choosing  "};
  ChosenC chosen;
  chosen.held_out = tenth->size();
  BestC best(select, usual_C(all.options, examples));
  follow_path(rest, tried_C(all.options, examples), watch, [&](double C, Summary run) {
    chosen.seconds += run.seconds;
    chosen.cpu_seconds += run.cpu_seconds;
    chosen.oracle_calls += run.oracle_calls;
    if (!watch.stopped().empty()) return false;
    nlohmann::json row = run_summary(task, rest, C, run);
    row["validation"] = tenth->evaluate(run.weights, all.executor);
    const bool go_on = best.take(C, run.termination, row["validation"]);
    chosen.rows.push_back(std::move(row));
    return go_on;
  });
  chosen.C = best.C();
  if (watch.interrupted()) fail("stopped while C was being chosen, so that there is no model to write.");
  if (!watch.stopped().empty())
    chosen.stopped =
        fmt::format("Half of the time limit was over after {} values of C, of which the best was taken.",
                    chosen.rows.size());
  return chosen;
}

}  // namespace hinge
