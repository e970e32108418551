#include "hinge/training/training_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "hinge/core/text_file.h"

namespace hinge {

ValuesOfC::ValuesOfC(std::initializer_list<double> values)
    : text(fmt::format("{}", fmt::join(values.begin(), values.end(), ","))) {}

std::vector<double> ValuesOfC::ascending() const {
  std::vector<double> values;
  if (text.empty() || chosen_by_data()) return values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    if (one == kAuto) fail("`C` has '{}' among numbers: give it alone.", one);
    double value = 0;
    if (!parse_number(one, value)) fail("`C` is '{}', but must be a number.", one);
    check_option("C", value, range::positive);
    values.push_back(value);
    begin = end + 1;
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Formulation TrainingOptions::formulation() const {
  Formulation result =
      Formulation::named(method, rescaling == "slack" ? Rescaling::slack : Rescaling::margin, epsilon);
  const auto replace = [](const char* name, double given, double& temperature) {
    if (given == kOfTheMethod) return;
    if (!(given >= 0) || !std::isfinite(given)) fail("`{}` is {:g}, but must be at least 0.", name, given);
    temperature = given;
  };
  replace("output_temperature", output_temperature, result.output_temperature);
  replace("latent_temperature", latent_temperature, result.latent_temperature);
  return result;
}

void TrainingOptions::check_consistency() const {
  validate(*this);
  C.ascending();
  if (!inner.empty() && solver != "cccp")
    fail("`inner` is the solver inside cccp: add `solver` cccp, or name it with `solver` alone.");
  if (inner == "cccp" || inner == "descent")
    fail("`inner` {} is no solver of convex problems: name one of the others.", inner);
  const Formulation f = formulation();
  if (f.loss_weight == 0 && f.output_temperature == 0)
    fail(
        "method {} at an output temperature of 0 is a maximum without a loss, which zero weights already "
        "minimise: raise it, or use ssvm, lssvm or mssvm.",
        method);
  if (rescaling == "slack" && !f.query(Side::free).hard())
    fail("`rescaling` slack needs both temperatures at 0.");
  if (anneal > 0 && f.output_temperature == 1 && f.latent_temperature == 1)
    fail("`anneal` ends at the method's temperatures, which are 1 already: leave it out.");
}

double usual_C(const TrainingOptions& options, std::size_t examples) {
  const bool soft = options.formulation().output_temperature > 0;
  return std::max(1.0, static_cast<double>(examples) / (soft ? 1 : 10));
}

std::vector<double> tried_C(const TrainingOptions& options, std::size_t examples) {
  constexpr double kFirst = 0.01, kLast = 1e4;
  std::vector<double> values;
  for (double factor = kFirst; factor <= kLast; factor *= 10)
    for (const double step : {1.0, 3.0}) values.push_back(usual_C(options, examples) * factor * step);
  return values;
}

}  // namespace hinge
