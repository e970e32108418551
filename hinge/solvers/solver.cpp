#include "hinge/solvers/solver.h"

#include "hinge/core/errors.h"
#include "hinge/learning/keeper.h"
#include "hinge/oracle/gram_oracle.h"
#include "hinge/solvers/plane_model.h"
#include "hinge/solvers/potentials.h"

namespace hinge {
namespace {

// A model that is made anew where it is read. Complete blocks take their planes from the oracle.
void keep(Snapshot& snapshot, const Objective& objective, std::shared_ptr<PlaneModel>& model) {
  std::vector<char> complete;
  if (model)
    for (std::size_t b = 0; b < model->blocks(); ++b) complete.push_back(model->complete(b));
  snapshot(complete);
  if (snapshot.reading()) {
    model.reset();
    if (complete.empty()) return;
    model = std::make_shared<PlaneModel>(objective.dimension(), Vector(complete.size(), 1.0),
                                         objective.regulariser());
    ProductPlanes all;
    for (std::size_t b = 0; b < complete.size(); ++b)
      if (complete[b] && objective.all_planes(b, all)) model->hold_all(b, all);
  }
  if (model) model->keep(snapshot);
}

void keep(Snapshot& snapshot, std::shared_ptr<const Potentials>& potentials) {
  std::optional<Potentials> there;
  if (potentials) there = *potentials;
  snapshot(there);
  if (snapshot.reading()) potentials = there ? std::make_shared<Potentials>(*there) : nullptr;
}

}  // namespace

void keep_left(Snapshot& snapshot, const Objective& objective, std::shared_ptr<PlaneModel>& planes,
               std::shared_ptr<const Potentials>& potentials) {
  keep(snapshot, objective, planes);
  keep(snapshot, potentials);
}

Summary Solver::descend(Objective& objective, Start start, const Observer& observer) const {
  if (name() != "gram" && name() != "cccp" && dynamic_cast<const GramOracle*>(&objective.oracle()) != nullptr)
    fail(
        "solver {} learns weights of features, and `kernel_map` none has none: use solver gram, or "
        "`kernel_map` greedy.",
        name());
  if (divides() && !objective.needs_linearizing())
    if (const auto terms = objective.oracle().divided(objective.formulation().query(Side::excess))) {
      Objective divided(*terms, objective.formulation(), objective.C(), objective.executor(),
                        objective.regulariser());
      Summary run = descend(divided, std::move(start), observer);
      objective.count_calls(divided.oracle_calls());
      return run;
    }
  Keeper* const keeper = observer.keeper();
  Summary run;
  const auto record = [&](Snapshot& snapshot) {
    InferenceReport inference = objective.inference();
    snapshot(run);
    keep(snapshot, inference);
    if (snapshot.reading()) objective.answered_before(inference);
  };
  const auto carried = [&](Snapshot& snapshot) {
    snapshot(objective);
    keep_left(snapshot, objective, run.planes, run.potentials);
  };
  if (keeper != nullptr && keeper->answers(&objective, record, carried)) return run;
  Keeper::Level level(keeper);
  run = solve(objective, std::move(start), observer);
  level.finished(&objective, record, carried);
  return run;
}

}  // namespace hinge
