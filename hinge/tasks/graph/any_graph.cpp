#include "hinge/tasks/graph/any_graph.h"

#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/adapter.h"
#include "hinge/tasks/bare_tokens.h"
#include "hinge/tasks/graph/labeller.h"
#include "hinge/tasks/graph/metrics.h"
#include "hinge/tasks/mapped_rows.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

// The schema that training fixes, and the task with its weights.
struct FixedGraph {
  GraphSchema schema;
  std::shared_ptr<const GraphTask> task;

  FixedGraph(GraphSchema made, const GraphOptions& options) : schema(std::move(made)) { make_task(options); }
  FixedGraph(const Archive& archive, const GraphOptions& options) {
    schema.load(archive);
    make_task(options);
  }
  void save(Archive& archive) const { schema.save(archive); }
  Index dimension() const { return task->dimension(); }
  std::string feature_name(Index weight) const { return schema.weight_name(weight); }

 private:
  void require_cuts() const {
    if (!schema.agreement)
      fail("`maxima` cut needs `pairs` agreement, which keeps edges such that they can be cut.");
    for (const NodeKind& kind : schema.node_kinds)
      if (kind.states > 2)
        fail("`maxima` cut needs nodes of two labels, but some have {}: use auto, expansion or messages.",
             kind.states);
  }
  void make_task(const GraphOptions& options) {
    if (options.inference.maxima == "cut") require_cuts();
    const bool normalised = options.model.loss == "normalised";
    task = std::make_shared<const GraphTask>(
        schema, Hamming::make(normalised, options.model.label_costs, schema.labels), options.inference);
  }
};

struct GraphText {
  std::vector<std::string> sources;
  StringTable unseen_labels;
};
using GraphData = RecordData<GraphText, GraphTask>;

class AnyGraph final : public Adapter<GraphRecords, GraphData, FixedGraph, GraphOptions>,
                       public BareTokens,
                       public Answering,
                       public SharesData {
 public:
  std::string name() const override { return "graph"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  GraphRecords read_records(const std::vector<std::string>& files,
                            const Selection& selection) const override {
    const std::shared_ptr<const GraphFormat> format = make_graph_format(options_.format);
    return {[=](GraphBuilder& builder) { format->fill(files, builder); }, selection};
  }
  std::unique_ptr<Data> train_on(GraphRecords records) override {
    require_options();
    return examples(grow(records, nullptr));
  }
  std::unique_ptr<Data> read_share(const std::vector<std::string>& given, Ranks& ranks,
                                   std::size_t shards) override {
    require_options();
    refuse_kernel_of_share(options_.kernel.any());
    const auto format = make_graph_format(options_.format);
    std::vector<std::string> files = given;
    std::erase_if(files, [&](const std::string& file) { return format->skips(file); });
    if (files.empty()) files = given;  // whoever reads them says so
    const FileShare share = share_files(
        files, [&](const std::string& file) { return format->cutter(file); }, ranks, shards,
        [&](const std::string& file) {
          const GraphReading how = reading();
          GraphSchema ignored;
          GraphBuilder builder(ignored, how);
          format->fill({file}, builder);
        });
    const GraphRecords own{[&](GraphBuilder& builder) {
      if (share.size > 0) format->fill(share.files, builder);
    }};
    GraphCorpus corpus = grow(own, &ranks);
    return shared_data(examples(std::move(corpus)), *examples({}), share, ranks);
  }
  std::unique_ptr<Data> examples_of(GraphRecords records) const override {
    const GraphReading how = reading();
    GraphBuilder builder(schema_->schema, how, records.selection);
    records.fill(builder);
    return examples(std::move(builder).finish());
  }

  std::string report(const nlohmann::json& metrics) const override { return graph_report(metrics); }

  std::vector<std::string> label_names() const override {
    const StringTable& labels = schema_->schema.labels;
    std::vector<std::string> names;
    for (Index k = 0; k < labels.size(); ++k) names.emplace_back(labels.text(k));
    return names;
  }
  std::vector<Labels> position_labels(const Data& data) const override {
    std::vector<Labels> labels;
    for (const auto& example : own(data).examples()) labels.push_back(example.label);
    return labels;
  }
  std::vector<Labels> answers(const Data& data, Weights w, Executor& executor) const override {
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) -> Labels {
      return Factored<GraphTask>().predict(*schema_->task, own(data).examples()[i].input, w, decoding_);
    });
  }
  // Nodes that are hidden for good have no label, and zeros as marginals.
  std::vector<std::string> answer_names() const override { return texts_of(schema_->schema.labels); }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    if (asked.what == Asked::scores) fail("nodes have no scores of their own: ask for `marginals`.");
    const StringTable& labels = schema_->schema.labels;
    const std::size_t width = asked.what == Asked::marginals ? labels.size() : 0;
    const GraphLabeller labeller(*schema_->task, schema_->schema, decoding_);
    const GraphOutput output{.marginals = width > 0, .fill = asked.given};
    return predict_examples(data, executor, width, [&](std::size_t i) {
      const GraphAnswer answer = labeller.answer(own(data).examples()[i], w, output);
      ExamplePredictions one;
      for (const std::string_view label : answer.labels)
        one.label.push_back(label.empty() ? -1 : static_cast<int>(labels.find(label)));
      for (std::size_t k = 0; k < answer.marginals.size(); ++k) {
        std::vector<double> row(width, 0.0);
        if (one.label[k] >= 0) row = answer.marginals[k];
        one.value.insert(one.value.end(), row.begin(), row.end());
      }
      return one;
    });
  }
  std::unique_ptr<Data> read_both(const std::vector<std::string>& files,
                                  const std::vector<std::string>& unlabelled,
                                  std::size_t& labelled) override {
    const std::shared_ptr<const GraphFormat> format = make_graph_format(options_.format);
    return train_on({[&, format](GraphBuilder& builder) {
      format->fill(files, builder);
      labelled = builder.graphs();
      builder.hide_labels(true);
      format->fill(unlabelled, builder);
    }});
  }
  std::unique_ptr<AnyGuidedExamples> guided(const Data& data, std::size_t labelled,
                                            const Knowledge& knowledge, bool rule_features,
                                            const GuidedSettings& settings) const override {
    if (schema_->schema.agreement)
      fail("rules do not keep weights nonnegative, as `pairs` agreement needs: use `pairs` table.");
    for (const auto& example : own(data).examples())
      for (std::size_t i = 0; i < example.input.shape->nodes(); ++i)
        if (example.input.shape->states(i) != label_count())
          fail("rules about graphs need nodes that all have a label, and here some are hidden for good.");
    return std::make_unique<GuidedExamples<GraphTask>>(*schema_->task, std::span(own(data).examples()),
                                                       labelled, knowledge, rule_features, settings);
  }

 protected:
  JsonValue measure(const GraphData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    const GraphTask& task = *schema_->task;
    const auto found = [&](std::size_t i) {
      Factored<GraphTask>& factored = scratch<Factored<GraphTask>, struct AnyGraphFactored>();
      Assignment s = factored.predict(task, data.examples()[i].input, w, decoding_);
      return std::pair(std::move(s), factored.engine().answer());
    };
    GraphMetrics metrics(schema_->schema.labels.size());
    for_answers(examples, executor, found, [&](std::size_t i, const auto& answer) {
      const Labels& y = data.examples()[i].label;
      metrics.add(y, answer.first, task.loss(y, answer.first), answer.second);
    });
    return metrics.json(schema_->schema, data.text().unseen_labels);
  }

  void write(const GraphData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const GraphOutput& output = options_.output;
    const auto format = make_graph_format(options_.format);
    const bool json = output.output_format == "jsonl";
    if ((output.marginals || output.scores) && !json && !format->annotates())
      fail("`marginals` and `scores` have no place in the format {}: add `output_format` jsonl.",
           options_.format.format);
    const GraphLabeller labeller(*schema_->task, schema_->schema, decoding_);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const GraphAnswer answer = labeller.answer(data.examples()[i], w, output);
      const std::string& source = data.text().sources[i];
      if (json)
        append_json(format->annotates() ? source : "", answer, text);
      else
        format->append(source, answer, text);
    });
  }

 private:
  GraphReading reading() const {
    const GraphModel& model = options_.model;
    std::vector<std::string> directed = model.directed;
    if (options_.format.format == "snakes") directed = {"all"};
    return {model.weights == "position",
            model.unlabelled,
            directed,
            static_cast<std::size_t>(model.hidden_states),
            model.bias,
            model.pairs == "agreement",
            model.scale,
            options_.kernel};
  }

  // Makes the schema; `ranks` have other records of the same data, null where nobody has.
  GraphCorpus grow(const GraphRecords& records, Ranks* ranks) {
    const GraphReading how = reading();
    GraphSchema schema;
    schema.per_position = how.per_position;
    schema.agreement = how.agreement;
    GraphBuilder builder(schema, how, records.selection);
    together(ranks, [&] { records.fill(builder); });
    GraphCorpus corpus = std::move(builder).finish(ranks);
    schema_ = std::make_shared<const FixedGraph>(std::move(schema), options_);
    return corpus;
  }

  std::unique_ptr<Data> examples(GraphCorpus corpus) const {
    const GraphSchema& schema = schema_->schema;
    nlohmann::json facts = {{"graphs", corpus.inputs.size()},
                            {"nodes", corpus.nodes},
                            {"edges", corpus.edges},
                            {"labels", schema.labels.size()},
                            {"node_features", schema.node_features.size()},
                            {"edge_features", schema.edge_features.size()},
                            {"nodes_hidden_for_good", corpus.hidden_nodes},
                            {"nodes_without_a_label", corpus.unlabelled_nodes},
                            {"nodes_with_a_label_unseen_in_training", corpus.unseen_label_nodes},
                            {"features_unseen_in_training", corpus.unseen_features},
                            {"edges_of_a_kind_unseen_in_training", corpus.unseen_edges}};
    tell_map(schema.node_map.get(), facts);
    std::vector<Example<GraphTask>> made(corpus.inputs.size());
    for (std::size_t i = 0; i < made.size(); ++i)
      made[i] = {std::move(corpus.inputs[i]), std::move(corpus.labels[i]), corpus.weights[i]};
    if (!keeps_text_) corpus.sources.clear();
    return std::make_unique<GraphData>(schema_->task, std::move(made), std::move(facts),
                                       GraphText{std::move(corpus.sources), std::move(corpus.unseen_labels)});
  }
};

}  // namespace

std::unique_ptr<RecordTask<GraphRecords>> make_graph() { return std::make_unique<AnyGraph>(); }

}  // namespace hinge
