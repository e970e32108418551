#include "hinge/tasks/graph/metrics.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

namespace hinge {

void GraphMetrics::add(const Labels& truth, const Assignment& predicted, double loss, const Answer& answer) {
  std::size_t known = 0, errors = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == kUnknown) continue;
    ++known;
    errors += truth[i] != predicted[i];
    unseen_ += truth[i] <= kUnseen;
    const int number = truth[i] >= 0 ? truth[i] : static_cast<int>(labels_) + kUnseen - truth[i];
    confusion_.add(static_cast<Index>(number), static_cast<Index>(predicted[i]));
  }
  ++graphs_;
  nodes_ += known;
  errors_ += errors;
  unlabelled_ += truth.size() - known;
  labelled_graphs_ += known > 0;
  right_graphs_ += known > 0 && errors == 0;
  approximate_ += !answer.exact;
  unconverged_ += !answer.converged;
  loss_ += loss;
}

nlohmann::json GraphMetrics::json(const GraphSchema& schema, const StringTable& unseen_labels) const {
  if (nodes_ == 0) fail("no node has a label, so that there is nothing to compare predictions with.");
  const auto ratio = [](std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  nlohmann::json metrics = {{"loss", loss_ / static_cast<double>(graphs_)},
                            {"accuracy", ratio(nodes_ - errors_, nodes_)},
                            {"graph_accuracy", ratio(right_graphs_, labelled_graphs_)},
                            {"graphs", graphs_},
                            {"nodes", nodes_},
                            {"errors", errors_},
                            {"unlabelled_nodes", unlabelled_},
                            {"unseen_label_nodes", unseen_},
                            {"approximate", approximate_},
                            {"unconverged", unconverged_}};
  std::vector<std::string> names;
  for (const StringTable* table : {&schema.labels, &unseen_labels})
    for (Index c = 0; c < table->size(); ++c) names.emplace_back(table->text(c));
  confusion_.write(names, metrics);
  double sum = 0;
  std::size_t present = 0;
  for (const auto& row : metrics["labels"])
    if (row["support"] > 0) {
      sum += row["recall"].get<double>();
      ++present;
    }
  metrics["mean_class_accuracy"] = sum / static_cast<double>(present);
  return metrics;
}

std::string graph_report(const nlohmann::json& metrics) {
  const auto percent = [&](const char* key) { return 100 * metrics.at(key).get<double>(); };
  const auto count = [&](const char* key) { return metrics.at(key).get<std::size_t>(); };
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} graphs, {} nodes with a label\n", count("graphs"), count("nodes"));
  if (count("unlabelled_nodes") > 0)
    fmt::format_to(out, "{} nodes without a label were not counted\n", count("unlabelled_nodes"));
  if (count("unseen_label_nodes") > 0)
    fmt::format_to(out, "{} nodes have a label that training has not seen; they count as errors\n",
                   count("unseen_label_nodes"));
  if (count("approximate") > 0)
    fmt::format_to(
        out, "{} predictions are approximate, of which {} come from an iteration that did not converge\n",
        count("approximate"), count("unconverged"));
  fmt::format_to(out,
                 "\nnode accuracy        {:6.2f} %\nmean class accuracy  {:6.2f} %\n"
                 "graph accuracy       {:6.2f} %\nmean loss            {:.6g}\n\n",
                 percent("accuracy"), percent("mean_class_accuracy"), percent("graph_accuracy"),
                 metrics.at("loss").get<double>());
  return text + confusion_report(metrics);
}

}  // namespace hinge
