#include "cli/learning_options.h"

#include <algorithm>

namespace hinge {

Formulation LearningOptions::formulation() const {
  return Formulation::named(method, rescaling == "slack" ? Rescaling::slack : Rescaling::margin);
}

std::vector<double> LearningOptions::ascending_C() const {
  std::vector<double> values = C;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::unique_ptr<Solver> LearningOptions::make_solver() const {
  const bool smooth = formulation().smooth();
  auto made = hinge::make_solver(!solver.empty() ? solver : smooth ? "lbfgs" : solver_kinds().front().name);
  LearningOptions copy = *this;
  for (const OptionRef& common : list_options(copy))
    for (const OptionRef& own : made->options())
      if (own.name == common.name)
        std::visit(
            [&](auto* to) {
              if (const auto* from = std::get_if<decltype(to)>(&common.field)) *to = **from;
            },
            own.field);
  return made;
}

std::vector<OptionRef> own_options(Solver& solver) {
  LearningOptions learning;
  std::vector<OptionRef> own = solver.options();
  for (const OptionRef& common : list_options(learning))
    std::erase_if(own, [&](const OptionRef& option) { return option.name == common.name; });
  return own;
}

}  // namespace hinge
