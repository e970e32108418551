#include "hinge/tasks/binary/metrics.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

namespace hinge {

void BinaryMetrics::count(const char* name, double value) {
  if (std::isnan(value)) return;
  means_[name].sum += value;
  ++means_[name].samples;
}

void BinaryMetrics::add(std::span<const double> scores, std::span<const Index> level,
                        std::size_t unlabelled) {
  unlabelled_ += unlabelled;
  if (level.empty()) return;
  ++samples_;
  rows_ += level.size();
  for (std::size_t i = 0; i < level.size(); ++i) {
    positives_ += level[i];
    right_ += (scores[i] > 0) == (level[i] == 1);
  }
  const Measured seen = measure_scores(goal_, scores, level);
  count("error", seen.error);
  count("f1", seen.f1);
  count("fbeta", seen.fbeta);
  count("prbep", seen.prbep);
  count("precision_at_k", seen.precision);
  count("recall_at_k", seen.recall);
  count("roc_area", seen.roc_area);
  count("average_precision", seen.average_precision);
  count("loss", 1 - seen.of(goal_.measure));
}

nlohmann::json BinaryMetrics::json() const {
  if (rows_ == 0) fail("no row has a label, so that there is nothing to compare predictions with.");
  nlohmann::json metrics = {
      {"samples", samples_},     {"rows", rows_},
      {"positives", positives_}, {"unlabelled", unlabelled_},
      {"right", right_},         {"accuracy", static_cast<double>(right_) / static_cast<double>(rows_)},
      {"k", goal_.at},           {"measure", measure_names()[static_cast<std::size_t>(goal_.measure)]}};
  for (const auto& [name, mean] : means_) metrics[name] = mean.sum / static_cast<double>(mean.samples);
  if (!metrics.contains("loss"))
    fail(
        "no sample has the measure {} that was learned: it needs rows that are positive and rows that are "
        "not.",
        metrics["measure"].get<std::string>());
  return metrics;
}

std::string binary_report(const nlohmann::json& metrics) {
  std::string text =
      fmt::format("accuracy {:.2f} % ({} of {} rows, {} of them positive)   1 - {} is {:.4f}\n\n",
                  100 * metrics.at("accuracy").get<double>(), metrics.at("right").get<std::size_t>(),
                  metrics.at("rows").get<std::size_t>(), metrics.at("positives").get<std::size_t>(),
                  metrics.at("measure").get<std::string>(), metrics.at("loss").get<double>());
  const auto k = metrics.at("k").get<std::size_t>();
  for (const auto& [key, name] : {std::pair<const char*, std::string>{"error", "error rate"},
                                  {"f1", "f1"},
                                  {"fbeta", "fbeta"},
                                  {"prbep", "precision/recall break-even"},
                                  {"precision_at_k", fmt::format("precision@{}", k)},
                                  {"recall_at_k", fmt::format("recall@{}", k)},
                                  {"roc_area", "ROC area"},
                                  {"average_precision", "average precision"}})
    if (metrics.contains(key))
      fmt::format_to(std::back_inserter(text), "{:<28}  {:.4f}\n", name, metrics.at(key).get<double>());
  return text;
}

}  // namespace hinge
