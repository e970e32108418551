#include "cli/learning_options.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/text_file.h"
#include "hinge/solvers/cccp.h"

namespace hinge {

Init Init::parse(const std::string& text) {
  if (text.empty()) return {};
  if (text == "zero") return {Kind::zero, 0, {}};
  if (text == "supervised") return {Kind::supervised, 0, {}};
  if (text == "drawn") return {Kind::drawn, 0, {}};
  if (text == "random") return {Kind::random, Exploration{}.spread, {}};
  if (text.starts_with("random:")) {
    double spread = 0;
    if (!parse_number(text.substr(7), spread) || !(spread > 0))
      fail("--init is '{}', but the standard deviation behind 'random:' must be a positive number.", text);
    return {Kind::random, spread, {}};
  }
  return {Kind::model, 0, text};
}

Formulation LearningOptions::formulation() const {
  Formulation result =
      Formulation::named(method, rescaling == "slack" ? Rescaling::slack : Rescaling::margin, epsilon);
  const auto replace = [](const char* flag, double given, double& temperature) {
    if (given == kOfTheMethod) return;
    if (!(given >= 0) || !std::isfinite(given)) fail("{} is {:g}, but must be at least 0.", flag, given);
    temperature = given;
  };
  replace("--output-temperature", output_temperature, result.output_temperature);
  replace("--latent-temperature", latent_temperature, result.latent_temperature);
  return result;
}

std::string LearningOptions::solver_name() const {
  if (!solver.empty()) return solver;
  return formulation().smooth() ? "lbfgs" : solver_kinds().front().name;
}

Exploration LearningOptions::exploration() const {
  Exploration result{.restarts = restarts, .anneal = anneal, .seed = seed};
  if (const Init start = Init::parse(init); start.kind == Init::Kind::random) result.spread = start.spread;
  return result;
}

void LearningOptions::check(const std::function<bool(const std::string&)>& given) const {
  ascending_C();
  if (!inner.empty() && solver != "cccp")
    fail("--inner is the solver inside cccp: add --solver cccp, or name it with --solver alone.");
  if (given("epsilon") && method != "epsilon")
    fail(
        "--epsilon belongs to --method epsilon, not to {}: use --output-temperature and "
        "--latent-temperature.",
        method);
  const Formulation f = formulation();
  if (f.loss_weight == 0 && f.output_temperature == 0)
    fail(
        "method {} at an output temperature of 0 is a maximum without a loss, which zero weights already "
        "minimise: raise it, or use ssvm, lssvm or mssvm.",
        method);
  if (rescaling == "slack" && !f.query(Side::free).hard())
    fail("--rescaling slack needs both temperatures at 0.");
  if (anneal > 0 && f.output_temperature == 1 && f.latent_temperature == 1)
    fail("--anneal ends at the method's temperatures, which are 1 already: leave it out.");
}

std::vector<double> LearningOptions::ascending_C() const {
  std::vector<double> values;
  if (C.empty() || chooses_C()) return values;
  for (std::size_t begin = 0; begin <= C.size();) {
    const std::size_t end = std::min(C.find(',', begin), C.size());
    const std::string text = C.substr(begin, end - begin);
    if (text == kAuto) fail("--C has '{}' among numbers: give it alone.", text);
    double value = 0;
    if (!parse_number(text, value)) fail("--C is '{}', but must be a number.", text);
    check_option("C", value, positive);
    values.push_back(value);
    begin = end + 1;
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

double LearningOptions::usual_C(std::size_t examples) const {
  return std::max(1.0, static_cast<double>(examples) / (formulation().output_temperature > 0 ? 1 : 10));
}

std::vector<double> LearningOptions::tried_C(std::size_t examples) const {
  constexpr double kFirst = 0.01, kLast = 1e4;
  std::vector<double> values;
  for (double factor = kFirst; factor <= kLast; factor *= 10)
    for (const double step : {1.0, 3.0}) values.push_back(usual_C(examples) * factor * step);
  return values;
}

std::unique_ptr<Solver> LearningOptions::make_solver() const {
  const SolverKind& kind = solver_kind(solver_name());
  std::unique_ptr<Solver> made = kind.make();
  if (kind.convex_only) made = std::make_unique<Cccp>(std::move(made));
  if (kind.name == "cccp") {
    if (inner == "cccp" || inner == "descent")
      fail("--inner {} is no solver of convex problems: name one of the others.", inner);
    const std::string usual = formulation().smooth() ? "lbfgs" : solver_kinds().front().name;
    made = std::make_unique<Cccp>(hinge::make_solver(inner.empty() ? usual : inner));
  }
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

void take_solver_flags(Solver& solver, Flags& flags) {
  LearningOptions learning;
  const auto take = [&](const std::string& group, std::vector<OptionRef> own) {
    for (const OptionRef& common : list_options(learning))
      std::erase_if(own, [&](const OptionRef& option) { return option.name == common.name; });
    flags.take(group, own);
  };
  auto* cccp = dynamic_cast<Cccp*>(&solver);
  if (cccp == nullptr) return take(solver.name(), solver.options());
  take(cccp->inner()->name(), cccp->inner()->options());
  take(cccp->name(), list_options(cccp->settings));
}

}  // namespace hinge
