#include "hinge/tasks/sequence/any_sequence.h"

#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/adapter.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sequence/excluded_pairs.h"
#include "hinge/tasks/sequence/metrics.h"
#include "hinge/tasks/sequence/rule_guide.h"
#include "hinge/tasks/sequence/shared_corpus.h"
#include "hinge/tasks/sequence/tagger.h"
#include "hinge/tasks/sequence/weights.h"
#include "hinge/tasks/share_files.h"
#include "hinge/tasks/shares_data.h"

namespace hinge {
namespace {

// Beside the corpus, whose inputs the examples took.
using SequenceData = RecordData<SequenceCorpus, SequenceTask, ContextTask>;

class AnySequence final : public Adapter<SequenceRecords, SequenceData, SequenceWeights, SequenceOptions>,
                          public HasTokens,
                          public Guidable,
                          public Answering,
                          public ListsBest,
                          public SharesData {
 public:
  std::string name() const override { return "sequence"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  SequenceRecords read_records(const std::vector<std::string>& files,
                               const Selection& selection) const override {
    const std::shared_ptr<const SequenceReader> reader = make_sequence_reader(options_.format);
    return {[=](CorpusBuilder& builder) { reader->fill(files, builder); }, selection};
  }
  std::unique_ptr<Data> train_on(SequenceRecords records) override {
    require_options();
    SequenceSchema schema;
    SequenceCorpus corpus = corpus_of(records, CorpusBuilder(schema, records.selection));
    for (const std::string& label : added_labels_) schema.labels.intern(label);
    schema_ = std::make_shared<const SequenceWeights>(std::move(schema), corpus, options_);
    return examples(std::move(corpus));
  }
  std::unique_ptr<Data> examples_of(SequenceRecords records) const override {
    SequenceCorpus corpus = corpus_of(records, CorpusBuilder(schema_->schema(), records.selection));
    schema_->prepare(corpus);
    return examples(std::move(corpus));
  }

  std::unique_ptr<Data> read_share(const std::vector<std::string>& files, Ranks& ranks,
                                   std::size_t shards) override {
    require_options();
    const std::shared_ptr<const SequenceReader> reader = make_sequence_reader(options_.format);
    const FileShare share = share_files(
        files, [&](const std::string& file) { return reader->cutter(file); }, ranks, shards,
        [&](const std::string& file) {
          SequenceSchema ignored;
          CorpusBuilder builder(ignored, Selection(std::vector<bool>()));
          reader->fill_share({file}, builder);
        });
    SequenceSchema schema;
    SequenceCorpus corpus;
    ranks.together([&] {
      CorpusBuilder builder(schema);
      builder.keep_text(false);
      reader->fill_share(share.files, builder);
      share.require(builder.sequences());
      corpus = std::move(builder).finish();
    });
    SequenceCorpus seen = merge_corpora(ranks, schema, corpus);
    schema_ = std::make_shared<const SequenceWeights>(std::move(schema), corpus, options_, &seen);
    ranks.together([&] {
      const StringTable& labels = schema_->schema().labels;
      refuse_excluded(excluded_pairs(options_.model.forbidden, options_.model.required, labels), corpus,
                      labels, share.place.first);
    });
    std::unique_ptr<Data> own = examples(std::move(corpus));
    nlohmann::json facts = own->facts();
    facts["sequences"] = share.place.examples;
    facts["tokens"] = seen.tokens;
    if (seen.unlabelled_tokens > 0) facts["tokens_without_a_label"] = seen.unlabelled_tokens;
    return std::make_unique<SharedData>(std::move(own), share.place, ranks, std::move(facts));
  }

  std::string report(const nlohmann::json& metrics) const override { return sequence_report(metrics); }

  void keep_tokens(bool keep) override { keeps_tokens_ = keep; }
  void add_labels(std::vector<std::string> names) override { added_labels_ = std::move(names); }
  std::vector<std::string> label_names() const override {
    const StringTable& labels = schema_->schema().labels;
    std::vector<std::string> names;
    for (Index k = 0; k < labels.size(); ++k) names.emplace_back(labels.text(k));
    return names;
  }
  const TokenTexts& tokens(const Data& data) const override { return own(data).text().texts; }
  const std::vector<Labels>& labels(const Data& data) const override { return own(data).text().labels; }
  std::vector<Labels> answers(const Data& data, Weights w, Executor& executor) const override {
    return own(data).visit([&](const auto& of) {
      const Tagger tagger(of.task());
      return map_examples(chosen(data, {}), executor, [&](std::size_t i) { return best(tagger, of, w, i); });
    });
  }
  std::vector<std::string> answer_names() const override { return texts_of(schema_->schema().labels); }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    if (asked.what == Asked::scores) fail("positions have no scores of their own: ask for `marginals`.");
    const StringTable& labels = schema_->schema().labels;
    const std::size_t width = asked.what == Asked::marginals ? labels.size() : 0;
    return own(data).visit([&](const auto& of) {
      const Tagger tagger(of.task());
      return predict_examples(data, executor, width, [&](std::size_t i) {
        const auto& [x, y, weight] = of.examples()[i];
        Vector& marginals = scratch<Vector, struct AnySequencePredictions>();
        const Labels* const given = asked.given ? &y : nullptr;
        ExamplePredictions one{given ? tagger.best(x, w, decoding_, given) : best(tagger, of, w, i), {}};
        if (width == 0) return one;
        tagger.marginals(x, w, marginals, given);
        one.value.assign(marginals.begin(), marginals.end());
        return one;
      });
    });
  }
  std::vector<std::vector<RankedLabels>> best_labels(const Data& data, Weights w, std::size_t k,
                                                     Executor& executor) const override {
    if (options_.model.states > 1)
      fail("the best labellings of a model with {} states a label cannot be listed.", options_.model.states);
    return own(data).visit([&](const auto& of) {
      const Tagger tagger(of.task());
      return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
        std::vector<RankedLabels> ranked;
        for (Tagging& tagging : tagger.top(of.examples()[i].input, w, k))
          ranked.push_back({std::move(tagging.labels), tagging.score});
        return ranked;
      });
    });
  }
  std::unique_ptr<Data> read_both(const std::vector<std::string>& files,
                                  const std::vector<std::string>& unlabelled,
                                  std::size_t& labelled) override {
    const std::shared_ptr<const SequenceReader> reader = make_sequence_reader(options_.format);
    return train_on({[&, reader](CorpusBuilder& builder) {
      reader->fill(files, builder);
      labelled = builder.sequences();
      builder.hide_labels(true);
      reader->fill(unlabelled, builder);
      builder.hide_labels(false);
    }});
  }
  std::unique_ptr<AnyGuidedExamples> guided(const Data& data, std::size_t labelled,
                                            const Knowledge& knowledge, bool rule_features,
                                            const GuidedSettings& settings) const override {
    refuse_guiding("learning");
    return own(data).visit([&]<class T>(const TaskData<T>& of) -> std::unique_ptr<AnyGuidedExamples> {
      if constexpr (std::same_as<T, SequenceTask>)
        return std::make_unique<GuidedExamples<T>>(of.task(), std::span(of.examples()), labelled, knowledge,
                                                   rule_features, settings);
      else
        return nullptr;  // refused above
    });
  }
  std::vector<Labels> position_labels(const Data& data) const override { return own(data).text().labels; }
  std::size_t label_count() const override { return schema_->schema().labels.size(); }

  void guide(std::shared_ptr<const Knowledge> knowledge, std::vector<double> costs) override {
    guide_.reset();
    if (!knowledge) return;
    refuse_guiding("predictions");
    if (decoding_.max_marginals)
      fail(
          "rules guide whole labellings, `decode` max-marginals is about one position at a time: leave out "
          "one of them.");
    guide_ = std::make_unique<const RuleGuide>(std::move(knowledge), std::move(costs));
  }

 protected:
  void refuse_options() const override {
    if (options_.model.order > 1 && options_.model.states > 1)
      fail("`states` {} belongs to `order` 1, not to {}: leave one of them out.", options_.model.states,
           options_.model.order);
  }

  JsonValue measure(const SequenceData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    const SequenceCorpus& corpus = data.text();
    if (const auto& [file, line, columns] = corpus.unlabelled_file; line > 0)
      fail_at(file, line,
              "has {} where the training data had {}, so that there is no label to compare with: add the "
              "label as the last column.",
              counted(columns, "column"), schema_->schema().columns);
    SequenceMetrics metrics(corpus, schema_->schema());
    data.visit([&](const auto& of) {
      const Tagger tagger(of.task());
      const auto answer_of = [&](std::size_t i) { return best(tagger, of, w, i); };
      for_answers(examples, executor, answer_of, [&](std::size_t i, const Labels& answer) {
        metrics.add(i, answer, tagger.loss(corpus.labels[i], answer));
      });
    });
    return metrics.json();
  }

  void write(const SequenceData& data, Weights w, Executor& executor, OutputFile& out) const override {
    refuse_output();
    const auto [marginal, scores, nbest] = options_.output;
    const bool scored = scores || nbest > 1;
    data.visit([&](const auto& of) {
      const Tagger tagger(of.task());
      write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
        Vector& marginals = scratch<Vector, struct AnySequenceMarginals>();
        marginals.clear();
        const Sequence& x = of.examples()[i].input;
        std::vector<Tagging> taggings = {{best(tagger, of, w, i), 0}};
        if (scored) taggings[0].score = tagger.score(x, w, taggings[0].labels, decoding_.latent_temperature);
        if (nbest > 1) add_others(tagger.top(x, w, static_cast<std::size_t>(nbest)), taggings);
        if (marginal) tagger.marginals(x, w, marginals);
        append_prediction(data.text(), schema_->schema(), i, taggings, marginals, scored, text);
      });
    });
  }

 private:
  void refuse_guiding(const char* what) const {
    if (options_.model.order > 1 || options_.model.states > 1)
      fail("rules guide {} of `order` 1 and `states` 1, and this model has {} and {}: leave them out.", what,
           options_.model.order, options_.model.states);
  }

  // The labelling of example i, by the rules where there are some.
  template <class T>
  Labels best(const Tagger<T>& tagger, const TaskData<T>& of, Weights w, std::size_t i) const {
    const Sequence& x = of.examples()[i].input;
    if constexpr (std::same_as<T, SequenceTask>)
      if (guide_) return guide_->best(of.task(), x, w, i);
    return tagger.best(x, w, decoding_);
  }

  SequenceCorpus corpus_of(const SequenceRecords& records, CorpusBuilder builder) const {
    builder.keep_text(keeps_text_);
    builder.keep_tokens(keeps_tokens_);
    records.fill(builder);
    return std::move(builder).finish();
  }

  std::unique_ptr<Data> examples(SequenceCorpus corpus) const {
    const SequenceSchema& schema = schema_->schema();
    nlohmann::json facts = {{"sequences", corpus.inputs.size()},
                            {"tokens", corpus.tokens},
                            {"labels", schema.labels.size()},
                            {"attributes", schema.attributes.size()}};
    const auto mention = [&](const char* what, std::size_t count) {
      if (count > 0) facts[what] = count;
    };
    if (!schema.label.empty()) facts["format"] = fmt::format("conllu with label {}", schema.label);
    if (const auto& [file, line, columns] = corpus.unlabelled_file; line > 0)
      facts["note"] =
          fmt::format("{}:{} has {}, one less than the training data, and is taken to have no label", file,
                      line, counted(columns, "column"));
    if (schema_->map()) mention("kernel_features", schema_->map()->size());
    mention("tokens_without_a_label", corpus.unlabelled_tokens);
    mention("tokens with a label unseen in training", corpus.unseen_label_tokens);
    mention("attributes unseen in training", corpus.unseen_attributes);
    return std::visit(
        [&]<class T>(const std::shared_ptr<const T>& task) -> std::unique_ptr<Data> {
          std::vector<Example<T>> made(corpus.inputs.size());
          for (std::size_t i = 0; i < made.size(); ++i)
            made[i] = {std::move(corpus.inputs[i]), corpus.labels[i], corpus.weight(i)};
          corpus.inputs.clear();
          return std::make_unique<SequenceData>(task, std::move(made), std::move(facts), std::move(corpus));
        },
        schema_->task());
  }

  void refuse_output() const {
    const SequenceOutput& output = options_.output;
    const SequenceSchema& schema = schema_->schema();
    if (output.nbest > 1 && options_.model.states > 1)
      fail("`nbest` {} would list one labelling with several paths of its {} states a label: leave it out.",
           output.nbest, options_.model.states);
    if (guide_ && (output.nbest > 1 || output.marginals))
      fail("rules guide the best labelling only: leave out `nbest` and `marginals`, or the rules.");
    if (decoding_.max_marginals && output.nbest > 1)
      fail(
          "`nbest` is about whole labellings, `decode` max-marginals about one position at a time: leave out "
          "one of them.");
    if (!output.marginals || schema.label.empty()) return;
    for (Index k = 0; k < schema.labels.size(); ++k)  // they go into MISC, whose entries stand between '|'
      if (schema.label == "misc" || schema.labels.text(k).find('|') != std::string_view::npos)
        fail("`marginals` has no place in CoNLL-U for labels such as '{}' ({}): leave it out.",
             schema.labels.text(k), schema.label);
  }

  // Puts the labellings of `top` that differ from best[0] behind it, as many together as `top` has. Where
  // several labellings score the same, or a beam has missed the best one, best[0] need not be the first
  // there.
  static void add_others(std::vector<Tagging> top, std::vector<Tagging>& best) {
    for (Tagging& tagging : top)
      if (best.size() < top.size() && tagging.labels != best[0].labels) best.push_back(std::move(tagging));
  }

  bool keeps_tokens_ = false;
  std::vector<std::string> added_labels_;
  std::unique_ptr<const RuleGuide> guide_;
};

}  // namespace

std::unique_ptr<RecordTask<SequenceRecords>> make_sequence() { return std::make_unique<AnySequence>(); }

}  // namespace hinge
