#include "hinge/tasks/motif/any_motif.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hinge/core/workspace.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/motif/schema.h"
#include "hinge/tasks/motif/sequences_reader.h"
#include "hinge/tasks/motif/sites.h"
#include "hinge/tasks/motif/told_motifs.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

constexpr const char* kClassNames[] = {"-1", "1"};

using MotifData = RecordData<std::vector<std::string>, MotifTask>;  // with the names of the sequences

class AnyMotif final
    : public SharingAdapter<ToldMotifs, Adapter<MotifRecords, MotifData, MotifSchema, MotifOptions>>,
      public NamesData,
      public HasVariants,
      public WeightMatrix,
      public SiteFinder,
      public Cautious,
      public Answering {
 public:
  std::string name() const override { return "motif"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<OptionRef> data_options() override { return list_options(options_.files); }

  std::vector<std::string> variants() const override {
    std::vector<std::string> names;
    for (double length : options_.model.length) names.push_back(fmt::format("length {:g}", length));
    return names.size() > 1 ? names : std::vector<std::string>();
  }
  void choose(std::size_t variant) override { options_.model.length = {options_.model.length[variant]}; }

  // The files that options name are those of training: validation and later data have their own.
  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    auto data = Adapter::read_training(files, selection);
    options_.files = {};
    return data;
  }
  MotifRecords read_records(const std::vector<std::string>& files,
                            const Selection& selection) const override {
    const MotifSchema schema = schema_ ? *schema_ : MotifSchema(options_.model);
    return read_sequences({files, options_.files.positive, options_.files.negative},
                          schema.task()->alphabet(), schema.task()->shape().length, selection);
  }

  std::unique_ptr<Data> examples_of(MotifRecords records) const override {
    const MotifTask& task = *schema_->task();
    std::vector<Example<MotifTask>> examples(records.size());
    std::vector<std::string> names(records.size());
    std::size_t count[2] = {}, letters = 0, ambiguous = 0, background = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      MotifRecord record = std::move(records[i]);
      auto& [x, y, weight] = examples[i];
      if (record.letters.size() < task.shape().length) fail("{}", too_short(record, task.shape().length));
      letters += record.letters.size();
      x = task.sequence(symbols_of(record, task.alphabet()));
      y = task.label(record.has_motif ? int{*record.has_motif} : MotifLabel::kHidden, x);
      if (y.value == MotifLabel::kNegative) weight *= options_.model.negative_weight;
      weight *= record.weight;
      if (record.background_only) weight *= options_.model.background_weight;
      if (y.value != MotifLabel::kHidden) ++count[y.value];
      ambiguous += x.ambiguous;
      background += record.background_only;
      names[i] = std::move(record.name);
    }
    nlohmann::json facts = {{"sequences", examples.size()},
                            {"letters", letters},
                            {"with_the_motif", count[MotifLabel::kPositive]},
                            {"without_it", count[MotifLabel::kNegative]},
                            {"of_unknown_class", examples.size() - count[0] - count[1]}};
    if (ambiguous > 0) facts["with_ambiguous_letters"] = ambiguous;
    if (background > 0 && options_.model.background_weight != 1)
      facts["for_the_background_alone"] = background;
    return std::make_unique<MotifData>(schema_->task(), std::move(examples), std::move(facts),
                                       std::move(names));
  }

  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }
  std::string matrix(Weights w) const override { return matrix_text(*schema_->task(), w); }

  // Of sequences that are predicted to hold the motif, one site each; of both classes, all letters.
  Profile profile(const Data& data, Weights w, Executor& executor) const override {
    const MotifTask& task = *schema_->task();
    const auto sites = map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      const MotifSequence& x = own(data).examples()[i].input;
      const Choices s = answer(x, w);
      return s[0] == 0 ? std::string() : task.site(x, task.place(x, s[0]));
    });
    return profile_of(sites, own(data).examples(), task);
  }

  // Scores of a sequence are three: that of the motif over none, where its best site begins, and 1 where that
  // is on the opposite strand.
  std::vector<std::string> answer_names() const override { return {kClassNames[0], kClassNames[1]}; }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    const std::size_t width = asked.what == Asked::labels ? 0 : asked.what == Asked::scores ? 3 : 2;
    return predict_examples(data, executor, width, [&](std::size_t i) {
      Factored<MotifTask>& factored = own_engine();
      const MotifSequence& x = own(data).examples()[i].input;
      ExamplePredictions one{{MotifTask::answer(answer(x, w))}, {}};
      if (asked.what == Asked::scores) {
        const auto [score, at] = best_site(x);
        one.value = {score, static_cast<double>(at.position), at.reverse ? 1.0 : 0.0};
      } else if (asked.what == Asked::marginals) {
        factored.engine().solve(factored.scores(), 1, 1, factored.counts());
        const auto amounts = factored.counts().group_amounts(0);
        one.value.assign(amounts.begin(), amounts.begin() + 2);
      }
      return one;
    });
  }

  // Where something hidden was not found, all sequences are often given one class.
  std::string caution(const Data& data, Weights w, Executor& executor) const override {
    const auto answers = map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      return MotifTask::answer(answer(own(data).examples()[i].input, w));
    });
    if (std::ranges::adjacent_find(answers, std::ranges::not_equal_to{}) != answers.end()) return {};
    return fmt::format(
        "Every training sequence is predicted to be {} the motif: it was not found. Try a larger C, "
        "`restarts` or another `length`.",
        answers.front() == MotifLabel::kPositive ? "with" : "without");
  }

 protected:
  void refuse_options() const override { MotifSchema{options_.model}; }

  MakeCutter cutter() const override { return cut_sequences(); }
  void refuse_share(const std::vector<std::string>&) const override {
    if (!options_.files.positive.empty() || !options_.files.negative.empty())
      fail(
          "`share_data` cuts files of `data` alone: give lines NAME:LABEL:FULL:SEQUENCE there instead of "
          "`positive` and `negative`.");
  }
  void fix(const MotifRecords& all, const MotifRecords&, Ranks*) override {
    if (!ToldMotifs::has(all, true))
      fail("no sequence is known to hold the motif: give some as `positive` F, or with label 1.");
    if (!ToldMotifs::has(all, false))
      fail("no sequence is known to be without the motif: give some as `negative` F, or with label -1.");
    schema_ = std::make_shared<const MotifSchema>(options_.model);
  }
  // Words are looked up in all sequences: for as long as that takes, every rank has the letters of all.
  RankOracle::Start start_of_all(const Data& own_data, Ranks& ranks) const override {
    return [&ranks, &own_data, task = schema_->task()](std::size_t attempt) {
      std::vector<Example<MotifTask>> all;
      ToldSymbols mine;
      for (const auto& [x, y, weight] : own(own_data).examples()) mine.add(x.symbols, y.value, weight);
      for (ToldSymbols& theirs : told_by_all(ranks, mine))
        theirs.for_each([&](std::vector<Alphabet::Symbol> symbols, int label, double weight) {
          MotifSequence x = task->sequence(std::move(symbols));
          const MotifLabel y = task->label(label, x);
          all.push_back({std::move(x), y, weight});
        });
      std::vector<std::size_t> chosen(all.size());
      std::iota(chosen.begin(), chosen.end(), std::size_t{0});
      return task->start(all, chosen, attempt);
    };
  }

  JsonValue measure(const MotifData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    return measure_classes(
               data, w, examples, executor, decoding_, [](const MotifLabel& y) { return y.value; },
               [](const Choices& s) { return MotifTask::answer(s); })
        .json({kClassNames[0], kClassNames[1]});
  }

  void write(const MotifData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const MotifTask& task = *schema_->task();
    const bool marginals = options_.columns.marginals;
    out.write(marginals ? "#name\tclass\tscore\tposition\tstrand\tsite\tprobability\n"
                        : "#name\tclass\tscore\tposition\tstrand\tsite\n");
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      Factored<MotifTask>& factored = own_engine();
      const MotifSequence& x = data.examples()[i].input;
      const Choices s = answer(x, w);
      const auto [score, at] = best_site(x);
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{:g}\t{}\t{}\t{}", data.text()[i],
                     kClassNames[MotifTask::answer(s)], score, at.position + 1, at.reverse ? '-' : '+',
                     task.site(x, at));
      if (marginals) {
        factored.engine().solve(factored.scores(), 1, 1, factored.counts());
        fmt::format_to(std::back_inserter(text), "\t{:g}",
                       factored.counts().group_amounts(0)[MotifLabel::kPositive]);
      }
      text.push_back('\n');
    });
  }

 private:
  static Factored<MotifTask>& own_engine() {
    Factored<MotifTask>& factored = scratch<Factored<MotifTask>, struct AnyMotifFactored>();
    return factored;
  }
  // After an answer: the score of the motif over none, and the place that scores most, whatever the class.
  std::pair<double, MotifTask::Place> best_site(const MotifSequence& x) const {
    Factored<MotifTask>& factored = own_engine();
    const auto values = factored.counts().group_values(0);
    const auto best = static_cast<Index>(1 + arg_max(factored.scores().values(0).subspan(1)));
    return {values[MotifLabel::kPositive] - values[MotifLabel::kNegative], schema_->task()->place(x, best)};
  }
  Choices answer(const MotifSequence& x, Weights w) const {
    return own_engine().predict(*schema_->task(), x, w, decoding_);
  }
};

}  // namespace

std::unique_ptr<RecordTask<MotifRecords>> make_motif() { return std::make_unique<AnyMotif>(); }

}  // namespace hinge
