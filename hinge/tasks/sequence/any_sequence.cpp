#include "hinge/tasks/sequence/any_sequence.h"

#include <algorithm>
#include <cassert>

#include "hinge/tasks/fields.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/sequence/context_task.h"
#include "hinge/tasks/sequence/metrics.h"
#include "hinge/tasks/sequence/reader.h"
#include "hinge/tasks/sequence/sequence_task.h"
#include "hinge/tasks/sequence/tagger.h"

namespace hinge {
namespace {

struct ModelOptions {
  int order = 1;
  int beam = 0;
  int states = 1;
  std::string features = "all";
  bool boundaries = false;
  double bias = 0;
  std::string loss = "count";
  std::vector<std::string> label_costs;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("order", self.order, between(1, 3), "how many labels back a transition looks");
    visit("beam", self.beam, not_negative,
          "contexts kept at each position at order 2 and 3, so that maxima may be missed; 0: all, exact");
    visit("states", self.states, between(1, 1000), "hidden states of each label, at order 1");
    visit("features", self.features, one_of({"all", "observed"}),
          "weights for all pairs of attribute and label and of neighbouring labels, or only for those in the "
          "training data (at order 2 and 3 all pairs of neighbouring labels have one)");
    visit("boundaries", self.boundaries, any, "weights for the first and the last label of a sequence");
    visit("bias", self.bias, not_negative, "value of one more attribute that every position has; 0: none");
    visit("loss", self.loss, one_of({"count", "normalised"}),
          "errors of a sequence: their number, or their share");
    visit("label_costs", self.label_costs, any,
          "LABEL:COST of an error on a position with that true label; else 1");
  }
};

struct PredictOptions {
  bool marginals = false;
  bool scores = false;
  int nbest = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, any, "after each label, label:probability for every label");
    visit("scores", self.scores, any, "above each sequence, the score of its labelling");
    visit("nbest", self.nbest, at_least_one, "the K best labellings of each sequence, with their scores");
  }
};

constexpr const char* kBias = "__bias__";

class AnySequence final : public AnyTask {
 public:
  std::string name() const override { return "sequence"; }

  std::vector<OptionRef> options() override { return all_options(format_, model_); }
  std::vector<OptionRef> read_options() override { return only("folds", list_options(format_)); }
  std::vector<OptionRef> predict_options() override { return list_options(predict_); }
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    validate(format_);
    validate(model_);
    if (model_.order > 1 && model_.states > 1)
      fail("`states` {} belongs to `order` 1, not to {}: leave one of them out.", model_.states,
           model_.order);
    schema_ = {};
    SequenceCorpus corpus = reader()->read_training(files, schema_, selection);
    if (schema_.labels.empty()) fail("no position has a label: give some a label in place of '?'.");
    if (schema_.labels.size() == 1)
      fail("every label is '{}', but there is nothing to learn from one label: add data with another.",
           schema_.labels.text(0));
    bias_ = model_.bias != 0 ? schema_.attributes.intern(kBias) : StringTable::kNone;
    add_bias(corpus);
    const std::size_t A = schema_.attributes.size(), K = width(), S = states();
    emissions_ = model_.features == "observed" ? Emissions::observed(A, K, corpus.inputs, corpus.labels, S)
                                               : Emissions::all(A, K);
    transitions_ = !schema_.transitions            ? Transitions::none(K)
                   : model_.features == "observed" ? Transitions::observed(K, corpus.labels, S)
                                                   : Transitions::all(K);
    graph_ = model_.order > 1
                 ? ContextTask::seen_contexts(corpus.labels, K, static_cast<std::size_t>(model_.order))
                 : nullptr;
    make_tagger();
    return adopt(std::move(corpus));
  }

  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    SequenceCorpus corpus = reader()->read(files, schema_, selection);
    add_bias(corpus);
    return adopt(std::move(corpus));
  }

  nlohmann::json evaluate(const Data& data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    const SequenceData& own = sequences(data);
    if (const auto& [file, line, columns] = own.corpus().unlabelled_file; line > 0)
      fail_at(file, line,
              "has {} where the training data had {}, so that there is no label to compare with: add the "
              "label as the last column.",
              counted(columns, "column"), schema_.columns);
    const auto examples = chosen(data, subset);
    const auto answers = map_examples(
        examples, executor, [&](std::size_t i) { return tagger_->best(own.input(i), w, decoding_); });
    SequenceMetrics metrics(own.corpus(), schema_);
    for (std::size_t k = 0; k < examples.size(); ++k)
      metrics.add(examples[k], answers[k], tagger_->loss(own.corpus().labels[examples[k]], answers[k]));
    return metrics.json();
  }

  std::string report(const nlohmann::json& metrics) const override { return sequence_report(metrics); }

  void predict(const Data& data, Weights w, Executor& executor, OutputFile& out) const override {
    validate(predict_);
    if (predict_.nbest > 1 && model_.states > 1)
      fail("`nbest` {} would list one labelling with several paths of its {} states a label: leave it out.",
           predict_.nbest, model_.states);
    if (decoding_.max_marginals && predict_.nbest > 1)
      fail(
          "`nbest` is about whole labellings, `decode` max-marginals about one position at a time: leave out "
          "one of them.");
    if (predict_.marginals && !schema_.label.empty()) refuse_marginals();
    const SequenceData& own = sequences(data);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      static thread_local Vector marginals;
      marginals.clear();
      const Sequence& x = own.input(i);
      const bool scored = predict_.nbest > 1 || predict_.scores;
      std::vector<Tagging> best = {{tagger_->best(x, w, decoding_), 0}};
      if (scored) best[0].score = tagger_->score(x, w, best[0].labels, decoding_.latent_temperature);
      if (predict_.nbest > 1) add_others(tagger_->top(x, w, static_cast<std::size_t>(predict_.nbest)), best);
      if (predict_.marginals) tagger_->marginals(x, w, marginals);
      append_prediction(own.corpus(), schema_, i, best, marginals, scored, text);
    });
  }

  Index dimension() const override { return tagger_->dimension(); }
  std::string feature_name(Index weight) const override {
    const auto label = [&](std::size_t k) {
      const std::string_view text = schema_.labels.text(static_cast<Index>(k / states()));
      return states() == 1 ? std::string(text) : fmt::format("{}/{}", text, k % states() + 1);
    };
    const std::size_t K = width();
    if (weight < emissions_.size()) {
      const auto [attribute, k] = emissions_.pair(weight);
      return fmt::format("{} -> {}", schema_.attributes.text(attribute), label(k));
    }
    std::size_t rest = weight - emissions_.size();
    const std::size_t neighbours = graph_ ? graph_->patterns() : transitions_.size();
    if (rest < neighbours) {
      std::string name;
      for (int k : neighbours_of(rest))
        name += fmt::format("{}{}", name.empty() ? "" : " , ", label(static_cast<std::size_t>(k)));
      return name;
    }
    rest -= neighbours;
    return rest < K ? fmt::format("start -> {}", label(rest)) : fmt::format("{} -> stop", label(rest - K));
  }

  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return tagger_->check(data, options);
  }

  void save(Archive& archive) const override {
    schema_.save(archive);
    emissions_.save(archive);
    if (graph_)
      graph_->save(archive);
    else
      transitions_.save(archive);
    auto& header = archive.header["sequence"];
    header = {{"format", format_.format},
              {"order", model_.order},
              {"beam", model_.beam},
              {"states", model_.states},
              {"boundaries", model_.boundaries},
              {"loss", model_.loss},
              {"label_costs", model_.label_costs},
              {"bias", model_.bias}};
  }

  void load(const Archive& archive) override {
    schema_.load(archive);
    const auto& header = archive.header.at("sequence");
    header.at("format").get_to(format_.format);
    model_.order = whole_number<int>(header, "order");
    model_.beam = whole_number<int>(header, "beam");
    model_.states = whole_number<int>(header, "states");
    header.at("boundaries").get_to(model_.boundaries);
    header.at("loss").get_to(model_.loss);
    header.at("label_costs").get_to(model_.label_costs);
    const nlohmann::json& bias = header.at("bias");  // a switch in models of earlier versions
    model_.bias = bias.is_boolean() ? (bias.get<bool>() ? 1 : 0) : bias.get<double>();
    validate(model_);
    const std::size_t K = width();
    emissions_ = Emissions::load(archive, schema_.attributes.size(), K);
    graph_ = model_.order > 1 ? ContextGraph::load(K, archive) : nullptr;
    transitions_ = graph_ ? Transitions::none(K) : Transitions::load(archive, K);
    bias_ = model_.bias != 0 ? schema_.attributes.find(kBias) : StringTable::kNone;
    make_tagger();
  }

 private:
  static const SequenceData& sequences(const Data& data) {
    assert(dynamic_cast<const SequenceData*>(&data) != nullptr);
    return static_cast<const SequenceData&>(data);
  }

  // They go into MISC, whose entries stand between '|'.
  void refuse_marginals() const {
    for (Index k = 0; k < schema_.labels.size(); ++k)
      if (schema_.label == "misc" || schema_.labels.text(k).find('|') != std::string_view::npos)
        fail("`marginals` has no place in CoNLL-U for labels such as '{}' ({}): leave it out.",
             schema_.labels.text(k), schema_.label);
  }

  // Puts the labellings of `top` that differ from best[0] behind it, as many together as `top` has. Where
  // several labellings score the same, or a beam has missed the best one, best[0] need not be the first
  // there.
  static void add_others(std::vector<Tagging> top, std::vector<Tagging>& best) {
    for (Tagging& tagging : top)
      if (best.size() < top.size() && tagging.labels != best[0].labels) best.push_back(std::move(tagging));
  }

  std::unique_ptr<SequenceReader> reader() const {
    auto reader = make_sequence_reader(format_);
    reader->keep_text(keeps_text_);
    return reader;
  }

  // The bias is the last attribute, so that it comes last at each position.
  void add_bias(SequenceCorpus& corpus) const {
    if (bias_ == StringTable::kNone) return;
    const auto value = static_cast<float>(model_.bias);
    for (Sequence& x : corpus.inputs) {
      Sequence wider;
      const bool ones = x.value.empty() && value == 1;
      for (std::size_t t = 0; t < x.length(); ++t) {
        for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
          wider.attribute.push_back(x.attribute[a]);
          if (!ones) wider.value.push_back(x.value.empty() ? 1 : x.value[a]);
        }
        wider.attribute.push_back(bias_);
        if (!ones) wider.value.push_back(value);
        wider.start.push_back(static_cast<Index>(wider.attribute.size()));
      }
      x = std::move(wider);
    }
  }

  Hamming hamming() const {
    Hamming hamming = Hamming::make(model_.loss == "normalised", model_.label_costs, schema_.labels);
    hamming.states = model_.states;
    return hamming;
  }

  std::size_t states() const { return static_cast<std::size_t>(model_.states); }
  std::size_t width() const { return schema_.labels.size() * states(); }

  void make_tagger() {
    const std::size_t K = width();
    if (graph_) {
      if (!schema_.transitions)
        fail("`order` {} needs transitions: add the line B to the templates.", model_.order);
      tagger_ = std::make_shared<TaggerOf<ContextTask>>(ContextTask(
          emissions_, K, graph_, model_.boundaries, hamming(), static_cast<std::size_t>(model_.beam)));
    } else {
      if (model_.beam > 0) fail("`beam` belongs to `order` 2 and 3: leave it out.");
      tagger_ = std::make_shared<TaggerOf<SequenceTask>>(
          SequenceTask(emissions_, K, transitions_, model_.boundaries, hamming()));
    }
  }

  // The labels of a transition's or pattern's weight.
  Path neighbours_of(std::size_t weight) const {
    const std::size_t K = width();
    if (graph_ && weight >= K * K) return graph_->ngrams()[weight - K * K];
    const auto [from, to] = graph_ ? std::pair(static_cast<Index>(weight / K), static_cast<Index>(weight % K))
                                   : transitions_.pair(weight);
    return {static_cast<int>(from), static_cast<int>(to)};
  }

  std::unique_ptr<Data> adopt(SequenceCorpus corpus) const {
    nlohmann::json facts = {{"sequences", corpus.inputs.size()},
                            {"tokens", corpus.tokens},
                            {"labels", schema_.labels.size()},
                            {"attributes", schema_.attributes.size()}};
    const auto mention = [&](const char* what, std::size_t count) {
      if (count > 0) facts[what] = count;
    };
    if (!schema_.label.empty()) facts["format"] = fmt::format("conllu with label {}", schema_.label);
    if (const auto& [file, line, columns] = corpus.unlabelled_file; line > 0)
      facts["note"] =
          fmt::format("{}:{} has {}, one less than the training data, and is taken to have no label", file,
                      line, counted(columns, "column"));
    mention("tokens without a label", corpus.unlabelled_tokens);
    mention("tokens with a label unseen in training", corpus.unseen_label_tokens);
    mention("attributes unseen in training", corpus.unseen_attributes);
    return tagger_->adopt(std::move(corpus), std::move(facts));
  }

  SequenceFormat format_;
  ModelOptions model_;
  PredictOptions predict_;
  SequenceSchema schema_;
  Emissions emissions_;
  Transitions transitions_ = Transitions::none(0);  // at order 1
  std::shared_ptr<const ContextGraph> graph_;       // at order 2 and up
  Index bias_ = StringTable::kNone;
  std::shared_ptr<const Tagger> tagger_;
};

}  // namespace

std::unique_ptr<AnyTask> make_sequence() { return std::make_unique<AnySequence>(); }

}  // namespace hinge
