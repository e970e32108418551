#include "hinge/tasks/graph/any_graph.h"

#include <cassert>

#include "hinge/core/options_json.h"
#include "hinge/oracle/check_task.h"
#include "hinge/tasks/graph/format.h"
#include "hinge/tasks/graph/graph_task.h"
#include "hinge/tasks/graph/metrics.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/task_data.h"

namespace hinge {
namespace {

struct ModelOptions {
  std::string weights = "shared";
  std::vector<std::string> directed;
  std::string unlabelled = "hidden";
  int hidden_states = 0;
  double bias = 0;
  bool scale = false;
  std::string loss = "count";
  std::vector<std::string> label_costs;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("weights", self.weights, one_of({"shared", "position"}),
          "weights that nodes and edges of one type share, or some for each node and edge of graphs that all "
          "have one shape");
    visit("directed", self.directed, any,
          "edge types whose pairs of labels have an order, from and to; 'all' for all of them");
    visit("unlabelled", self.unlabelled, one_of({"hidden", "class", "drop"}),
          "a node without a label in training is hidden, has a label of its own ('unlabelled'), or is left "
          "out with its edges");
    visit("hidden_states", self.hidden_states, not_negative,
          "states of nodes that are hidden for good and do not say; 0: as many as labels");
    visit("bias", self.bias, not_negative,
          "value of one more feature that every node and every edge has; 0: none");
    visit("scale", self.scale, any, "divide each feature by the largest value it has in training");
    visit("loss", self.loss, one_of({"count", "normalised"}),
          "errors of a graph: their number, or their share");
    visit("label_costs", self.label_costs, any,
          "LABEL:COST of an error on a node with that true label; else 1");
  }
};

struct PredictOptions {
  bool marginals = false;
  bool scores = false;
  bool fill = false;
  std::string output_format = "data";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, any, "probability of each label at each node, in JSON Lines");
    visit("scores", self.scores, any, "score of each labelling, in JSON Lines");
    visit("fill", self.fill, any, "keep the labels that the data has, and predict the others given them");
    visit("output_format", self.output_format, one_of({"data", "jsonl"}),
          "write predictions in the data's own format, or as JSON Lines");
  }
};

class GraphData final : public TaskData<GraphTask> {
 public:
  GraphData(std::shared_ptr<const GraphTask> task, std::vector<Example<GraphTask>> examples,
            nlohmann::json facts, std::vector<std::string> sources, StringTable unseen_labels)
      : TaskData(std::move(task), std::move(examples), std::move(facts)),
        sources_(std::move(sources)),
        unseen_labels_(std::move(unseen_labels)) {}
  const std::string& source(std::size_t i) const {
    assert(i < sources_.size());
    return sources_[i];
  }
  const StringTable& unseen_labels() const { return unseen_labels_; }

 private:
  std::vector<std::string> sources_;
  StringTable unseen_labels_;
};

class AnyGraph final : public AnyTask {
 public:
  std::string name() const override { return "graph"; }
  std::vector<OptionRef> options() override { return all_options(format_, model_, inference_); }
  std::vector<OptionRef> read_options() override { return only("split", list_options(format_)); }
  std::vector<OptionRef> predict_options() override { return list_options(predict_); }
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    validate(model_);
    validate(inference_);
    GraphCorpus corpus = make_graph_format(format_)->read_training(files, schema_, reading(), selection);
    make_task();
    return adopt(std::move(corpus));
  }
  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return adopt(make_graph_format(format_)->read(files, schema_, reading(), selection));
  }

  nlohmann::json evaluate(const Data& data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    const GraphData& own = graphs(data);
    const auto examples = chosen(data, subset);
    const auto answers = map_examples(examples, executor, [&](std::size_t i) {
      Assignment s = scratch().predict(*task_, own.examples()[i].input, w, decoding_);
      return std::pair(std::move(s), scratch().engine().answer());
    });
    GraphMetrics metrics(schema_.labels.size());
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const Labels& y = own.examples()[examples[k]].label;
      const auto& [s, answer] = answers[k];
      metrics.add(y, s, task_->loss(y, s), answer);
    }
    return metrics.json(schema_, own.unseen_labels());
  }
  std::string report(const nlohmann::json& metrics) const override { return graph_report(metrics); }

  void predict(const Data& data, Weights w, Executor& executor, OutputFile& out) const override {
    validate(predict_);
    const auto format = make_graph_format(format_);
    const bool json = predict_.output_format == "jsonl";
    if ((predict_.marginals || predict_.scores) && !json && !format->annotates())
      fail("`marginals` and `scores` have no place in the format {}: add `output_format` jsonl.",
           format_.format);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const GraphAnswer answer = answer_for(graphs(data).examples()[i], w);
      if (json)
        append_json(format->annotates() ? graphs(data).source(i) : "", answer, text);
      else
        format->append(graphs(data).source(i), answer, text);
    });
  }

  Index dimension() const override { return task_->dimension(); }
  std::string feature_name(Index weight) const override { return schema_.weight_name(weight); }
  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return check_task(*task_, graphs(data).examples(), options);
  }

  void save(Archive& archive) const override {
    schema_.save(archive);
    auto format = format_;
    auto model = model_;
    auto inference = inference_;
    archive.header["graph"] = {{"format", options_to_json(list_options(format))},
                               {"model", options_to_json(list_options(model))},
                               {"inference", options_to_json(list_options(inference))}};
  }
  void load(const Archive& archive) override {
    schema_.load(archive);
    const auto& header = archive.header.at("graph");
    options_from_json(header.at("format"), list_options(format_));
    options_from_json(header.at("model"), list_options(model_));
    options_from_json(header.at("inference"), list_options(inference_));
    format_.split = GraphFormatOptions{}.split;
    make_task();
  }

 private:
  static const GraphData& graphs(const Data& data) {
    assert(dynamic_cast<const GraphData*>(&data) != nullptr);
    return static_cast<const GraphData&>(data);
  }
  static Factored<GraphTask>& scratch() {
    static thread_local Factored<GraphTask> factored;
    return factored;
  }

  GraphReading reading() const {
    std::vector<std::string> directed = model_.directed;
    if (format_.format == "snakes") directed = {"all"};
    return {model_.weights == "position",
            model_.unlabelled,
            directed,
            static_cast<std::size_t>(model_.hidden_states),
            model_.bias,
            model_.scale};
  }

  void make_task() {
    task_ = std::make_shared<const GraphTask>(
        schema_, Hamming::make(model_.loss == "normalised", model_.label_costs, schema_.labels), inference_);
  }

  std::unique_ptr<Data> adopt(GraphCorpus corpus) const {
    nlohmann::json facts = {{"graphs", corpus.inputs.size()},
                            {"nodes", corpus.nodes},
                            {"edges", corpus.edges},
                            {"labels", schema_.labels.size()},
                            {"node_features", schema_.node_features.size()},
                            {"edge_features", schema_.edge_features.size()},
                            {"nodes_hidden_for_good", corpus.hidden_nodes},
                            {"nodes_without_a_label", corpus.unlabelled_nodes},
                            {"nodes_with_a_label_unseen_in_training", corpus.unseen_label_nodes},
                            {"features_unseen_in_training", corpus.unseen_features},
                            {"edges_of_a_kind_unseen_in_training", corpus.unseen_edges}};
    std::vector<Example<GraphTask>> examples(corpus.inputs.size());
    for (std::size_t i = 0; i < examples.size(); ++i)
      examples[i] = {std::move(corpus.inputs[i]), std::move(corpus.labels[i]), corpus.weights[i]};
    if (!keeps_text_) corpus.sources.clear();
    return std::make_unique<GraphData>(task_, std::move(examples), std::move(facts),
                                       std::move(corpus.sources), std::move(corpus.unseen_labels));
  }

  GraphAnswer answer_for(const Example<GraphTask>& example, Weights w) const {
    Factored<GraphTask>& factored = scratch();
    GraphScores& scores = factored.scores();
    factored.engine().settings = inference_;
    const auto solve = [&](double output_temperature, double latent_temperature) {
      task_->score(example.input, w, scores);
      if (predict_.fill) task_->forbid(example.label, scores);
      factored.engine().solve(scores, output_temperature, latent_temperature, factored.counts());
    };
    GraphAnswer answer;
    if (predict_.marginals || decoding_.max_marginals) solve(1, 1);
    if (predict_.marginals)
      for (std::size_t i = 0; i < example.label.size(); ++i)
        answer.marginals.emplace_back(factored.counts().node(i),
                                      factored.counts().node(i) + scores.graph().states(i));
    if (!decoding_.max_marginals) solve(0, decoding_.latent_temperature);
    const Assignment s =
        decoding_.max_marginals ? factored.counts().most_probable() : factored.counts().structure();
    answer.scored = predict_.scores;
    if (predict_.scores) answer.score = score_of(example.input, s, w);
    for (std::size_t i = 0; i < s.size(); ++i)
      answer.labels.push_back(schema_.node_kinds[example.input.node_kind[i]].hidden
                                  ? std::string_view{}
                                  : schema_.labels.text(static_cast<Index>(s[i])));
    return answer;
  }

  // Of the labels in s: T_τ over the nodes that are hidden for good.
  double score_of(const GraphInput& x, const Assignment& s, Weights w) const {
    Factored<GraphTask>& factored = scratch();
    task_->score(x, w, factored.scores());
    Labels outputs(s.begin(), s.end());
    for (std::size_t i = 0; i < s.size(); ++i)
      if (schema_.node_kinds[x.node_kind[i]].hidden) outputs[i] = kUnknown;
    const double temperature = decoding_.latent_temperature;
    if (temperature == 0 || fully_known(outputs)) return factored.scores().of(s);
    task_->forbid(outputs, factored.scores());
    return factored.engine().solve(factored.scores(), temperature, temperature, factored.counts());
  }

  GraphFormatOptions format_;
  ModelOptions model_;
  GraphSettings inference_;
  PredictOptions predict_;
  GraphSchema schema_;
  std::shared_ptr<const GraphTask> task_;
};

}  // namespace

std::unique_ptr<AnyTask> make_graph() { return std::make_unique<AnyGraph>(); }

}  // namespace hinge
