#include "hinge/tasks/cluster/any_cluster.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "hinge/tasks/cluster/choose_comparators.h"
#include "hinge/tasks/cluster/conll_document.h"
#include "hinge/tasks/cluster/json_document.h"
#include "hinge/tasks/cluster/metrics.h"
#include "hinge/tasks/cluster/pair_encoder.h"
#include "hinge/tasks/cluster/reader.h"
#include "hinge/tasks/cluster/schema.h"
#include "hinge/tasks/cluster/told_documents.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

// What the data says of a document beside its pairs.
struct DocumentFacts {
  std::string name, source, file;
  bool labelled = true;
};

struct EncodedDocument {
  Document pairs;
  Partition clusters;  // of one item each where nothing is known
  double weight = 1;
  DocumentFacts facts;
};

using ClusterData =
    RecordData<std::vector<DocumentFacts>, ForestTask, AntecedentTask, CorrelationTask, PairwiseTask>;

const Partition& label(const ClusterData& data, std::size_t i) {
  return data.visit([&](const auto& of) -> const Partition& { return of.examples()[i].label; });
}

class AnyCluster final
    : public SharingAdapter<ToldDocuments,
                            Adapter<ClusterRecords, ClusterData, ClusterSchema, ClusterOptions>>,
      public Converter,
      public Answering {
 public:
  std::string name() const override { return "cluster"; }
  // Only the antecedents of an item can be summed over cluster by cluster.
  std::vector<std::string> decodings() const override {
    if (options_.model.structure == "antecedents") return {"joint", "marginal-map"};
    return {"joint"};
  }

  ClusterRecords read_records(const std::vector<std::string>& files,
                              const Selection& selection) const override {
    ClusterRecords records;
    const TakeDocument take = [&](ItemDocument&& document, const std::string& file, std::size_t line) {
      records.documents.push_back(std::move(document));
      records.documents.back().file = file;
      records.documents.back().line = line;
    };
    read_documents(files, records.pair_features, take, selection);
    return records;
  }

  std::unique_ptr<Data> examples_of(ClusterRecords records) const override {
    const std::vector<std::string> missing = without_fields(schema_->comparators(), records);
    StringTable features = schema_->features();
    PairEncoder encoder(parse_comparators(schema_->comparators()), records.pair_features, features, false);
    std::vector<EncodedDocument> encoded = encode(std::move(records.documents), encoder);
    return examples(std::move(encoded), encoder.unseen(), missing);
  }

  std::string report(const nlohmann::json& metrics) const override { return cluster_report(metrics); }

  // An item's label is its cluster.
  std::vector<std::string> answer_names() const override { return {}; }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    if (asked.what != Asked::labels)
      fail("clusters have no probabilities and no scores here: ask for labels.");
    return predict_examples(data, executor, 0, [&](std::size_t i) {
      const Partition clusters = answer(own(data), i, w).clusters;
      return ExamplePredictions{{clusters.begin(), clusters.end()}, {}};
    });
  }

  void convert(const std::vector<std::string>& files, OutputFile& out) const override {
    StringTable given;
    read_documents(files, given, [&](ItemDocument&& document, const std::string&, std::size_t) {
      out.write(document.source.starts_with('{') ? document.source + "\n" : json_of(document));
    });
  }

 protected:
  MakeCutter cutter() const override { return cut_documents(); }
  // Comparators are chosen by what all documents have, and features numbered as their pairs come.
  void fix(const ClusterRecords& all, const ClusterRecords& own, Ranks* ranks) override {
    together(ranks, [&] {
      for (std::size_t i = 0; i < own.documents.size(); ++i)
        if (const ItemDocument& document = own.documents[i]; !document.clusters)
          fail_at(document.file.empty() ? fmt::format("document {}", i) : document.file, document.line,
                  "the document has no \"clusters\": add them, or leave it out of training.");
    });
    ChosenComparators chosen = choose_comparators(options_.model.comparators, all);
    StringTable features;
    PairEncoder encoder(parse_comparators(chosen.kept), all.pair_features, features, true);
    for (const ItemDocument& document : own.documents) encoder(document);
    if (ranks != nullptr) merge_names(*ranks, features);
    schema_ =
        std::make_shared<const ClusterSchema>(std::move(chosen.kept), std::move(features), options_.model);
    left_out_ = std::move(chosen.left_out);
  }
  std::unique_ptr<Data> training_examples(ClusterRecords records) const override {
    StringTable features = schema_->features();
    PairEncoder encoder(parse_comparators(schema_->comparators()), records.pair_features, features, false);
    return examples(encode(std::move(records.documents), encoder), 0, left_out_);
  }

  JsonValue measure(const ClusterData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    refuse_nothing_to_compare(data);
    ClusterMetrics metrics;
    const auto found = [&](std::size_t i) { return answer(data, i, w); };
    for_answers(examples, executor, found, [&](std::size_t i, const ClusterAnswer& answer) {
      const DocumentFacts& facts = data.text()[i];
      if (facts.labelled)
        metrics.add(facts.name, label(data, i), answer.clusters, answer.loss, answer.exact);
      else
        metrics.add_unlabelled();
    });
    return metrics.json();
  }

  void write(const ClusterData& data, Weights w, Executor& executor, OutputFile& out) const override {
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const DocumentFacts& facts = data.text()[i];
      const Partition clusters = answer(data, i, w).clusters;
      text += options_.output.output_format == "jsonl" ? as_json(facts.source, clusters)
                                                       : with_clusters(facts.source, facts.name, clusters);
    });
  }

 private:
  ClusterAnswer answer(const ClusterData& data, std::size_t i, Weights w) const {
    return data.visit(
        [&](const auto& of) { return find_clusters(of.task(), of.examples()[i], w, decoding_); });
  }

  static void refuse_nothing_to_compare(const ClusterData& data) {
    std::set<std::string> files;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (data.text()[i].labelled && !label(data, i).empty()) return;
      files.insert(data.text()[i].file);
    }
    fail("{}: no document has items with clusters, so that nothing can be compared: add \"clusters\".",
         fmt::join(files, ", "));
  }

  std::vector<EncodedDocument> encode(std::vector<ItemDocument> documents, PairEncoder& encoder) const {
    std::vector<EncodedDocument> encoded;
    for (ItemDocument& each : documents) {
      ItemDocument document = std::exchange(each, ItemDocument());
      EncodedDocument next;
      next.pairs = encoder(document);
      next.weight = document.weight;
      if (!keeps_text_) document.source = {};
      next.facts = {std::move(document.name), std::move(document.source), std::move(document.file),
                    document.clusters.has_value()};
      next.clusters.resize(next.pairs.items);
      std::iota(next.clusters.begin(), next.clusters.end(), Index{0});
      if (document.clusters) next.clusters = *std::move(document.clusters);
      encoded.push_back(std::move(next));
    }
    return encoded;
  }

  std::unique_ptr<Data> examples(std::vector<EncodedDocument> documents, std::size_t unseen,
                                 const std::vector<std::string>& missing) const {
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
                            {"different_pairs", rows},       {"features", schema_->features().size()}};
    if (unlabelled > 0) facts["documents_without_clusters"] = unlabelled;
    if (unseen > 0) facts["features_of_different_pairs_unseen_in_training"] = unseen;
    if (!missing.empty())
      facts["comparators_whose_fields_no_item_has"] = fmt::format("{}", fmt::join(missing, " "));
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
        schema_->task());
  }

  std::vector<std::string> left_out_;  // comparators, by the last training

  static std::string as_json(const std::string& source, const Partition& clusters) {
    if (source.empty() || source.starts_with('{')) return json_with_clusters(source, clusters);
    ItemDocument document = conll_document(source);
    document.clusters = clusters;
    return json_of(document);
  }
};

}  // namespace

std::unique_ptr<RecordTask<ClusterRecords>> make_cluster() { return std::make_unique<AnyCluster>(); }

}  // namespace hinge
