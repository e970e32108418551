#include "hinge/tasks/cluster/examples.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "hinge/tasks/cluster/pair_encoder.h"

namespace hinge {
namespace {

struct EncodedDocument {
  Document pairs;
  Partition clusters;
  double weight = 1;
  DocumentFacts facts;
};

// pairs(k, document) are those of the k-th.
template <class Pairs>
std::vector<EncodedDocument> encode(std::vector<ItemDocument> documents, const Pairs& pairs,
                                    bool keeps_text) {
  std::vector<EncodedDocument> encoded;
  for (ItemDocument& each : documents) {
    ItemDocument document = std::exchange(each, ItemDocument());
    EncodedDocument next;
    next.pairs = pairs(encoded.size(), document);
    next.weight = document.weight;
    if (!keeps_text) document.source = {};
    next.facts = {std::move(document.name), std::move(document.source), std::move(document.file),
                  document.clusters.has_value()};
    next.clusters.resize(next.pairs.items);
    std::iota(next.clusters.begin(), next.clusters.end(), Index{0});
    if (document.clusters) next.clusters = *std::move(document.clusters);
    encoded.push_back(std::move(next));
  }
  return encoded;
}

nlohmann::json count(const ClusterSchema& schema, const std::vector<EncodedDocument>& documents,
                     std::size_t unseen, const std::vector<std::string>& missing) {
  std::size_t items = 0, clusters = 0, pairs = 0, rows = 0, unlabelled = 0;
  for (const EncodedDocument& document : documents) {
    items += document.pairs.items;
    pairs += document.pairs.row_of.size();
    rows += document.pairs.rows.length();
    clusters += document.facts.labelled ? cluster_count(document.clusters) : 0;
    unlabelled += !document.facts.labelled;
  }
  nlohmann::json facts = {{"documents", documents.size()}, {"items", items},
                          {"clusters", clusters},          {"pairs", pairs},
                          {"different_pairs", rows},       {"features", schema.features().size()}};
  if (unlabelled > 0) facts["documents_without_clusters"] = unlabelled;
  if (unseen > 0) facts["features_of_different_pairs_unseen_in_training"] = unseen;
  if (!missing.empty())
    facts["comparators_whose_fields_no_item_has"] = fmt::format("{}", fmt::join(missing, " "));
  return facts;
}

std::unique_ptr<Data> examples(const ClusterSchema& schema, std::vector<EncodedDocument> documents,
                               nlohmann::json facts) {
  return std::visit(
      [&]<class T>(const std::shared_ptr<const T>& task) -> std::unique_ptr<Data> {
        std::vector<Example<T>> made;
        std::vector<DocumentFacts> kept;
        for (EncodedDocument& document : documents) {
          const double weight = document.weight * T::weight(document.pairs.items);
          made.push_back({std::move(document.pairs), std::move(document.clusters), weight});
          kept.push_back(std::move(document.facts));
        }
        return std::make_unique<ClusterData>(task, std::move(made), std::move(facts), std::move(kept));
      },
      schema.task());
}

}  // namespace

std::unique_ptr<Data> make_examples(const ClusterSchema& schema, ClusterRecords records, bool keeps_text) {
  const std::vector<std::string> missing = without_fields(schema.comparators(), records);
  StringTable features = schema.features();
  PairEncoder encoder(parse_comparators(schema.comparators()), records.pair_features, features, false);
  auto encoded = encode(
      std::move(records.documents),
      [&](std::size_t, const ItemDocument& document) { return encoder(document); }, keeps_text);
  auto facts = count(schema, encoded, encoder.unseen(), missing);
  return examples(schema, std::move(encoded), std::move(facts));
}

std::unique_ptr<Data> make_training_examples(const ClusterSchema& schema, ClusterRecords records,
                                             std::vector<Document> pairs, bool keeps_text) {
  auto encoded = encode(
      std::move(records.documents),
      [&](std::size_t k, const ItemDocument&) { return std::move(pairs.at(k)); }, keeps_text);
  auto facts = count(schema, encoded, 0, schema.left_out());
  return examples(schema, std::move(encoded), std::move(facts));
}

}  // namespace hinge
