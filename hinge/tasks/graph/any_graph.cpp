#include "hinge/tasks/graph/any_graph.h"

#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/bare_tokens.h"
#include "hinge/tasks/graph/examples.h"
#include "hinge/tasks/graph/labeller.h"
#include "hinge/tasks/graph/metrics.h"
#include "hinge/tasks/graph/share_graphs.h"
#include "hinge/tasks/graph_answers.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

class AnyGraph final : public AnsweringAdapter<GraphRecords, GraphData, FixedGraph, GraphOptions>,
                       public BareTokens,
                       public ListsBest,
                       public ReadsBeside,
                       public SharesData {
 public:
  std::string name() const override { return "graph"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<std::string> answer_names() const override { return texts_of(schema_->labels()); }
  std::vector<std::string> label_names() const override { return answer_names(); }
  std::string report(const nlohmann::json& metrics) const override { return graph_report(metrics); }

  std::vector<std::string> files_beside(const std::vector<std::string>& files) const override {
    const std::shared_ptr<const GraphFormat> format = make_graph_format(options_.format);
    std::vector<std::string> found;
    for (const std::string& file : files)
      if (std::string path = format->label_file(file); !path.empty()) found.push_back(std::move(path));
    return found;
  }
  GraphRecords read_records(const std::vector<std::string>& files,
                            const Selection& selection) const override {
    const std::shared_ptr<const GraphFormat> format = make_graph_format(options_.format);
    return {[=](GraphBuilder& builder) { format->fill(files, builder); }, selection};
  }
  std::unique_ptr<Data> train_on(GraphRecords records) override {
    require_options();
    GraphCorpus corpus = grow(records, nullptr);
    return make_examples(*schema_, std::move(corpus), keeps_text_);
  }
  std::unique_ptr<Data> read_share(const std::vector<std::string>& files, Ranks& ranks,
                                   std::size_t shards) override {
    require_options();
    refuse_kernel_of_share(options_.kernel.any());
    const auto [share, records] = share_graphs(files, options_, ranks, shards);
    GraphCorpus corpus = grow(records, &ranks);
    return shared_data(make_examples(*schema_, std::move(corpus), keeps_text_),
                       *make_examples(*schema_, {}, keeps_text_), share, ranks);
  }
  std::unique_ptr<Data> examples_of(GraphRecords records) const override {
    const GraphReading how = options_.reading();
    GraphCorpus corpus = corpus_of(records, GraphBuilder(schema_->schema(), how, records.selection));
    return make_examples(*schema_, std::move(corpus), keeps_text_);
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
    if (schema_->schema().agreement)
      fail("rules do not keep weights nonnegative, as `pairs` agreement needs: use `pairs` table.");
    for (const auto& example : own(data).examples())
      for (std::size_t i = 0; i < example.input.shape->nodes(); ++i)
        if (example.input.shape->states(i) != schema_->labels().size())
          fail("rules about graphs need nodes that all have a label, and here some are hidden for good.");
    return std::make_unique<GuidedExamples<GraphTask>>(*schema_->task(), std::span(own(data).examples()),
                                                       labelled, knowledge, rule_features, settings);
  }

  std::vector<std::vector<RankedLabels>> best_labels(const Data& data, Weights w, std::size_t k, bool given,
                                                     Executor& executor) const override {
    const GraphData& graphs = own(data);
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      const auto& [x, y, weight] = graphs.examples()[i];
      for (const Index kind : x.node_kind)
        if (schema_->schema().node_kinds[kind].hidden)
          fail("the best labellings of a graph with nodes that are hidden for good cannot be listed.");
      return best_labels_of(*schema_->task(), x, w, k, given ? &y : nullptr);
    });
  }

 protected:
  std::vector<Labels> position_labels(const Data& data) const override {
    std::vector<Labels> labels;
    for (const auto& example : own(data).examples()) labels.push_back(example.label);
    return labels;
  }

  // Nodes that are hidden for good have no label, and zeros as marginals.
  ExamplePredictions answer(const GraphData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    const GraphAnswer answer = labeller().answer(
        data.examples()[i], w, {.marginals = asked.what == Asked::marginals, .fill = asked.given});
    ExamplePredictions one;
    for (const std::string_view label : answer.labels)
      one.label.push_back(label.empty() ? -1 : static_cast<int>(schema_->labels().find(label)));
    for (std::size_t k = 0; k < answer.marginals.size(); ++k) {
      std::vector<double> row(schema_->labels().size(), 0.0);
      if (one.label[k] >= 0) row = answer.marginals[k];
      one.value.insert(one.value.end(), row.begin(), row.end());
    }
    if (asked.what == Asked::scores) add_maxima(data.examples()[i], w, asked.given, one);
    return one;
  }
  // The score of a label at a node is that of the best labelling with it.
  std::size_t values(Asked::What) const override { return schema_->labels().size(); }

  JsonValue measure(const GraphData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    GraphMetrics metrics(schema_->labels().size());
    const auto add = [&](std::size_t i, const Assignment& found, const Answer& answer) {
      const Labels& y = data.examples()[i].label;
      metrics.add(y, found, schema_->task()->loss(y, found), answer);
    };
    for_predictions(data.only(), w, examples, executor, decoding_, add);
    return metrics.json(schema_->schema(), data.text().unseen_labels);
  }

  void write(const GraphData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const GraphOutput& output = options_.output;
    const auto format = make_graph_format(options_.format);
    const bool json = output.output_format == "jsonl";
    if ((output.marginals || output.scores) && !json && !format->annotates())
      fail("`marginals` and `scores` have no place in the format {}: add `output_format` jsonl.",
           options_.format.format);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const GraphAnswer answer = labeller().answer(data.examples()[i], w, output);
      const std::string& source = data.text().sources[i];
      if (json)
        append_json(format->annotates() ? source : "", answer, text);
      else
        format->append(source, answer, text);
    });
  }

 private:
  void add_maxima(const Example<GraphTask>& example, Weights w, bool given, ExamplePredictions& one) const {
    const GraphInput& x = example.input;
    Vector& best = scratch<Vector, struct AnyGraphMaxima>();
    maxima_of(*schema_->task(), x, w, best, given ? &example.label : nullptr);
    const std::size_t labels = schema_->labels().size();
    one.value.assign(one.label.size() * labels, 0.0);
    for (std::size_t k = 0; k < one.label.size(); ++k)
      if (one.label[k] >= 0)
        std::copy_n(best.begin() + static_cast<std::ptrdiff_t>(x.shape->node_begin(k)), labels,
                    one.value.begin() + static_cast<std::ptrdiff_t>(k * labels));
  }

  GraphLabeller labeller() const { return {*schema_->task(), schema_->schema(), decoding_}; }
  // Makes the schema; `ranks` have other records of the same data, null where nobody has.
  GraphCorpus grow(const GraphRecords& records, Ranks* ranks) {
    const GraphReading how = options_.reading();
    GraphSchema schema;
    schema.per_position = how.per_position;
    schema.agreement = how.agreement;
    GraphCorpus corpus = corpus_of(records, GraphBuilder(schema, how, records.selection), ranks);
    schema_ = std::make_shared<const FixedGraph>(std::move(schema), options_);
    return corpus;
  }
  static GraphCorpus corpus_of(const GraphRecords& records, GraphBuilder builder, Ranks* ranks = nullptr) {
    together(ranks, [&] { records.fill(builder); });
    return std::move(builder).finish(ranks);
  }
};

}  // namespace

std::unique_ptr<RecordTask<GraphRecords>> make_graph() { return std::make_unique<AnyGraph>(); }

}  // namespace hinge
