#include "hinge/tasks/cluster/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/inference/pair_scores.h"
#include "hinge/tasks/cluster/assignment.h"

namespace hinge {
namespace {

// How many items clusters share: those of one partition are rows, those of the other columns.
struct Overlap {
  Overlap(const Partition& of, const Partition& with)
      : rows(cluster_count(of)), columns(cluster_count(with)), shared(rows * columns, 0), size(rows, 0) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      ++shared[of[i] * columns + with[i]];
      ++size[of[i]];
    }
  }
  double at(std::size_t row, std::size_t column) const { return shared[row * columns + column]; }

  std::size_t rows, columns;
  std::vector<double> shared, size;
};

Share muc_recall(const Overlap& overlap) {
  Share share;
  for (std::size_t k = 0; k < overlap.rows; ++k) {
    const auto first = overlap.shared.begin() + static_cast<std::ptrdiff_t>(k * overlap.columns);
    const auto parts = std::count_if(first, first + static_cast<std::ptrdiff_t>(overlap.columns),
                                     [](double shared) { return shared > 0; });
    share += {overlap.size[k] - static_cast<double>(parts), overlap.size[k] - 1};
  }
  return share;
}

Share b_cubed_recall(const Overlap& overlap) {
  Share share;
  for (std::size_t k = 0; k < overlap.rows; ++k)
    for (std::size_t r = 0; r < overlap.columns; ++r)
      share += {overlap.at(k, r) * overlap.at(k, r) / overlap.size[k], overlap.at(k, r)};
  return share;
}

double similarity_of_entities(const Overlap& small, const Overlap& large) {
  std::vector<double> weight(small.rows * small.columns);
  for (std::size_t k = 0; k < small.rows; ++k)
    for (std::size_t r = 0; r < small.columns; ++r)
      weight[k * small.columns + r] = 2 * small.at(k, r) / (small.size[k] + large.size[r]);
  return best_assignment(weight, small.rows, small.columns);
}

nlohmann::json fields(const std::string& name, const RecallPrecision& scores) {
  return {{name + "_recall", scores.recall.value()},
          {name + "_precision", scores.precision.value()},
          {name + "_f1", scores.f1()}};
}

nlohmann::json fields(const ClusterScores& scores) {
  nlohmann::json all = fields("muc", scores.muc);
  all.update(fields("b_cubed", scores.b_cubed));
  all.update(fields("ceaf_e", scores.ceaf_e));
  all["conll_f1"] = scores.conll_f1();
  return all;
}

}  // namespace

double RecallPrecision::f1() const {
  const double sum = recall.value() + precision.value();
  return sum == 0 ? 0 : 2 * recall.value() * precision.value() / sum;
}

ClusterScores ClusterScores::of(const Partition& key, const Partition& response) {
  const Overlap of_key(key, response), of_response(response, key);
  ClusterScores scores;
  scores.muc = {muc_recall(of_key), muc_recall(of_response)};
  scores.b_cubed = {b_cubed_recall(of_key), b_cubed_recall(of_response)};
  const double similarity = of_key.rows <= of_key.columns ? similarity_of_entities(of_key, of_response)
                                                          : similarity_of_entities(of_response, of_key);
  scores.ceaf_e = {{similarity, static_cast<double>(of_key.rows)},
                   {similarity, static_cast<double>(of_response.rows)}};
  double both = 0;
  for (const double shared : of_key.shared) both += shared * (shared - 1) / 2;
  const auto together = static_cast<double>(pairs_together(key) + pairs_together(response));
  scores.wrong_pairs = {together - 2 * both, static_cast<double>(first_pair(key.size()))};
  return scores;
}

ClusterScores& ClusterScores::operator+=(const ClusterScores& other) {
  wrong_pairs += other.wrong_pairs;
  muc += other.muc;
  b_cubed += other.b_cubed;
  ceaf_e += other.ceaf_e;
  return *this;
}

void ClusterMetrics::add(const std::string& document, const Partition& key, const Partition& response,
                         double loss, bool exact) {
  const ClusterScores scores = ClusterScores::of(key, response);
  const double pair_loss = scores.wrong_pairs.value(0), mitre_loss = 1 - scores.muc.f1();
  sum_ += scores;
  loss_ += loss;
  pair_loss_ += pair_loss;
  mitre_loss_ += mitre_loss;
  items_ += key.size();
  clusters_ += cluster_count(key);
  predicted_ += cluster_count(response);
  approximate_ += !exact;
  nlohmann::json row = fields(scores);
  row.update({{"document", document}, {"pair_loss", pair_loss}, {"mitre_loss", mitre_loss}, {"loss", loss}});
  documents_.push_back(std::move(row));
}

nlohmann::json ClusterMetrics::json() const {
  const double n = static_cast<double>(std::max<std::size_t>(documents_.size(), 1));
  nlohmann::json all = fields(sum_);
  all.update({{"loss", loss_ / n},
              {"accuracy", 1 - pair_loss_ / n},
              {"pair_loss", pair_loss_ / n},
              {"mitre_loss", mitre_loss_ / n},
              {"items", items_},
              {"clusters", clusters_},
              {"predicted_clusters", predicted_},
              {"unlabelled_documents", unlabelled_},
              {"approximate_predictions", approximate_},
              {"documents", documents_}});
  return all;
}

std::string cluster_report(const nlohmann::json& metrics) {
  const std::size_t documents = metrics["documents"].size();
  std::string text;
  const auto percent = [&](const std::string& name) { return 100 * metrics[name].get<double>(); };
  text += fmt::format("{:<12}{:>10}{:>12}{:>10}\n", "", "recall", "precision", "F1");
  for (const auto& [name, title] :
       {std::pair("muc", "MUC"), std::pair("b_cubed", "B-cubed"), std::pair("ceaf_e", "CEAF-e")}) {
    const std::string key = name;
    text += fmt::format("{:<12}{:>8.2f} %{:>10.2f} %{:>8.2f} %\n", title, percent(key + "_recall"),
                        percent(key + "_precision"), percent(key + "_f1"));
  }
  text += fmt::format("CoNLL average F1 {:.2f} %\n", percent("conll_f1"));
  text += fmt::format("pair loss {:.2f} %, MITRE loss {:.2f} % (means over {} documents)\n",
                      percent("pair_loss"), percent("mitre_loss"), documents);
  text += fmt::format("{} items, {} clusters, {} predicted; loss {:.4g} a document\n",
                      metrics["items"].get<std::size_t>(), metrics["clusters"].get<std::size_t>(),
                      metrics["predicted_clusters"].get<std::size_t>(), metrics["loss"].get<double>());
  if (const auto count = metrics["approximate_predictions"].get<std::size_t>(); count > 0)
    text += fmt::format("{} predictions are approximate: greedy, not certainly the best partition\n", count);
  if (const auto count = metrics["unlabelled_documents"].get<std::size_t>(); count > 0)
    text += fmt::format("{} documents without clusters are not counted\n", count);
  return text;
}

}  // namespace hinge
