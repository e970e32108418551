#include "hinge/tasks/cluster/any_cluster.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/cluster/examples.h"
#include "hinge/tasks/cluster/json_document.h"
#include "hinge/tasks/cluster/make_schema.h"
#include "hinge/tasks/cluster/metrics.h"
#include "hinge/tasks/cluster/reader.h"
#include "hinge/tasks/cluster/told_documents.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

class AnyCluster final
    : public SharingAdapter<ToldDocuments,
                            AnsweringAdapter<ClusterRecords, ClusterData, ClusterSchema, ClusterOptions>>,
      public Converter {
 public:
  std::string name() const override { return "cluster"; }
  // Only the antecedents of an item can be summed over cluster by cluster.
  std::vector<std::string> decodings() const override {
    if (options_.model.structure == "antecedents") return {"joint", "marginal-map"};
    return {"joint"};
  }
  std::vector<std::string> answer_names() const override { return {}; }
  std::string report(const nlohmann::json& metrics) const override { return cluster_report(metrics); }

  ClusterRecords read_records(const std::vector<std::string>& files,
                              const Selection& selection) const override {
    return read_documents(files, selection);
  }
  std::unique_ptr<Data> examples_of(ClusterRecords records) const override {
    return make_examples(*schema_, std::move(records), keeps_text_);
  }

  void convert(const std::vector<std::string>& files, OutputFile& out) const override {
    StringTable given;
    read_documents(files, given, [&](ItemDocument&& document, const std::string&, std::size_t) {
      out.write(document.source.starts_with('{') ? document.source + "\n" : json_of(document));
    });
  }

 protected:
  MakeCutter cutter() const override { return cut_documents(); }
  void fix(const ClusterRecords& all, const ClusterRecords& own, Ranks* ranks) override {
    schema_ = make_schema(all, own, options_.model, ranks, pairs_);
  }
  // Those that the schema was made of, once; or none.
  std::unique_ptr<Data> training_examples(ClusterRecords records) const override {
    return make_training_examples(*schema_, std::move(records), std::exchange(pairs_, {}), keeps_text_);
  }

  // An item's label is its cluster.
  ExamplePredictions answer(const ClusterData& data, std::size_t i, Weights w, const Asked&) const override {
    const Partition clusters = find(data, i, w).clusters;
    return {{clusters.begin(), clusters.end()}, {}};
  }
  std::size_t values(Asked::What) const override {
    fail("clusters have no probabilities and no scores here: ask for labels.");
  }
  void append(const ClusterData& data, std::size_t i, const ExamplePredictions& answer,
              std::string& text) const override {
    const DocumentFacts& facts = data.text()[i];
    const Partition clusters(answer.label.begin(), answer.label.end());
    text += options_.output.output_format == "jsonl" ? json_line_with_clusters(facts.source, clusters)
                                                     : with_clusters(facts.source, facts.name, clusters);
  }

  JsonValue measure(const ClusterData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    refuse_nothing_to_compare(data);
    ClusterMetrics metrics;
    const auto found = [&](std::size_t i) { return find(data, i, w); };
    for_answers(examples, executor, found, [&](std::size_t i, const ClusterAnswer& answer) {
      const DocumentFacts& facts = data.text()[i];
      if (facts.labelled)
        metrics.add(facts.name, clusters_of(data, i), answer.clusters, answer.loss, answer.exact);
      else
        metrics.add_unlabelled();
    });
    return metrics.json();
  }

 private:
  mutable std::vector<Document> pairs_;  // of the records that the schema was made of

  ClusterAnswer find(const ClusterData& data, std::size_t i, Weights w) const {
    return data.visit(
        [&](const auto& of) { return find_clusters(of.task(), of.examples()[i], w, decoding_); });
  }

  static void refuse_nothing_to_compare(const ClusterData& data) {
    std::set<std::string> files;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (data.text()[i].labelled && !clusters_of(data, i).empty()) return;
      files.insert(data.text()[i].file);
    }
    fail("{}: no document has items with clusters, so that nothing can be compared: add \"clusters\".",
         fmt::join(files, ", "));
  }
};

}  // namespace

std::unique_ptr<RecordTask<ClusterRecords>> make_cluster() { return std::make_unique<AnyCluster>(); }

}  // namespace hinge
