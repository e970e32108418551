#include "hinge/tasks/sequence/any_sequence.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/sequence/examples.h"
#include "hinge/tasks/sequence/metrics.h"
#include "hinge/tasks/sequence/rule_guide.h"
#include "hinge/tasks/sequence/tagger.h"
#include "hinge/tasks/shares_data.h"

namespace hinge {
namespace {

class AnySequence final
    : public AnsweringAdapter<SequenceRecords, SequenceData, SequenceWeights, SequenceOptions>,
      public Guidable,
      public ListsBest,
      public SharesData {
 public:
  std::string name() const override { return "sequence"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<std::string> answer_names() const override { return texts_of(schema_->schema().labels); }
  std::vector<std::string> label_names() const override { return answer_names(); }
  std::string report(const nlohmann::json& metrics) const override { return sequence_report(metrics); }

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
    return make_examples(*schema_, std::move(corpus));
  }
  std::unique_ptr<Data> examples_of(SequenceRecords records) const override {
    SequenceCorpus corpus = corpus_of(records, CorpusBuilder(schema_->schema(), records.selection));
    schema_->prepare(corpus);
    return make_examples(*schema_, std::move(corpus));
  }
  std::unique_ptr<Data> read_share(const std::vector<std::string>& files, Ranks& ranks,
                                   std::size_t shards) override {
    require_options();
    SharedCorpus shared = read_shared_corpus(*make_sequence_reader(options_.format), files, ranks, shards);
    schema_ =
        std::make_shared<const SequenceWeights>(std::move(shared.schema), shared.own, options_, &shared.seen);
    return make_shared_examples(*schema_, std::move(shared), options_.model, ranks);
  }

  void keep_tokens(bool keep) override { keeps_tokens_ = keep; }
  void add_labels(std::vector<std::string> names) override { added_labels_ = std::move(names); }
  const TokenTexts& tokens(const Data& data) const override { return own(data).text().texts; }
  const std::vector<Labels>& labels(const Data& data) const override { return own(data).text().labels; }
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

  std::vector<std::vector<RankedLabels>> best_labels(const Data& data, Weights w, std::size_t k, bool given,
                                                     Executor& executor) const override {
    if (options_.model.states > 1)
      fail("the best labellings of a model with {} states a label cannot be listed.", options_.model.states);
    return own(data).visit([&](const auto& of) {
      return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
        std::vector<RankedLabels> ranked;
        const auto& [x, y, weight] = of.examples()[i];
        for (Tagging& tagging : Tagger(of.task()).top(x, w, k, given ? &y : nullptr))
          ranked.push_back({std::move(tagging.labels), tagging.score});
        return ranked;
      });
    });
  }

 protected:
  void refuse_options() const override {
    if (options_.model.order > 1 && options_.model.states > 1)
      fail("`states` {} belongs to `order` 1, not to {}: leave one of them out.", options_.model.states,
           options_.model.order);
  }

  ExamplePredictions answer(const SequenceData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    return data.visit([&](const auto& of) {
      const Tagger tagger(of.task());
      const auto& [x, y, weight] = of.examples()[i];
      const Labels* const given = asked.given ? &y : nullptr;
      ExamplePredictions one{given ? tagger.best(x, w, decoding_, given) : best(of, w, i), {}};
      if (asked.what == Asked::marginals) tagger.marginals(x, w, one.value, given);
      if (asked.what == Asked::scores) tagger.maxima(x, w, one.value, given);
      return one;
    });
  }
  // The score of a label at a position is that of the best labelling with it.
  std::size_t values(Asked::What) const override { return schema_->schema().labels.size(); }

  JsonValue measure(const SequenceData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    SequenceMetrics metrics(data.text(), schema_->schema());
    data.visit([&](const auto& of) {
      const auto answer_of = [&](std::size_t i) { return best(of, w, i); };
      for_answers(examples, executor, answer_of, [&](std::size_t i, const Labels& answer) {
        metrics.add(i, answer, Tagger(of.task()).loss(data.text().labels[i], answer));
      });
    });
    return metrics.json();
  }

  void write(const SequenceData& data, Weights w, Executor& executor, OutputFile& out) const override {
    refuse_output(options_.output, schema_->schema(), options_.model.states, decoding_, guide_ != nullptr);
    const auto [marginal, scores, nbest] = options_.output;
    const bool scored = scores || nbest > 1;
    data.visit([&](const auto& of) {
      const Tagger tagger(of.task());
      write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
        Vector& marginals = scratch<Vector, struct AnySequenceMarginals>();
        marginals.clear();
        const Sequence& x = of.examples()[i].input;
        std::vector<Tagging> taggings = {{best(of, w, i), 0}};
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
  Labels best(const TaskData<T>& of, Weights w, std::size_t i) const {
    const Sequence& x = of.examples()[i].input;
    if constexpr (std::same_as<T, SequenceTask>)
      if (guide_) return guide_->best(of.task(), x, w, i);
    return Tagger(of.task()).best(x, w, decoding_);
  }

  SequenceCorpus corpus_of(const SequenceRecords& records, CorpusBuilder builder) const {
    builder.keep_text(keeps_text_);
    builder.keep_tokens(keeps_tokens_);
    builder.read_with(reading_);
    records.fill(builder);
    return std::move(builder).finish();
  }

  bool keeps_tokens_ = false;
  std::vector<std::string> added_labels_;
  std::unique_ptr<const RuleGuide> guide_;
};

}  // namespace

std::unique_ptr<RecordTask<SequenceRecords>> make_sequence() { return std::make_unique<AnySequence>(); }

}  // namespace hinge
