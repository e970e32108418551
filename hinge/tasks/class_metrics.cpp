#include "hinge/tasks/class_metrics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

namespace hinge {

void ClassMetrics::add(Index truth, Index answer, double loss) {
  ++examples_;
  right_ += truth == answer;
  loss_ += loss;
  confusion_.add(truth, answer);
}

nlohmann::json ClassMetrics::json(const std::vector<std::string>& names) const {
  if (examples_ == 0) fail("no example has a label, so that there is nothing to compare predictions with.");
  nlohmann::json metrics = {{"examples", examples_},
                            {"unlabelled", unlabelled_},
                            {"loss", loss_ / static_cast<double>(examples_)},
                            {"accuracy", static_cast<double>(right_) / static_cast<double>(examples_)},
                            {"right", right_}};
  confusion_.write(names, metrics);
  return metrics;
}

std::string class_report(const nlohmann::json& metrics) {
  return fmt::format("accuracy {:.2f} % ({} of {})   mean loss {:.4f}   macro f1 {:.4f}\n\n{}",
                     100 * metrics.at("accuracy").get<double>(), metrics.at("right").get<std::size_t>(),
                     metrics.at("examples").get<std::size_t>(), metrics.at("loss").get<double>(),
                     metrics.at("macro_f1").get<double>(), confusion_report(metrics));
}

}  // namespace hinge
