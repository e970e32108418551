#include "hinge/tasks/motif/any_motif.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/motif/examples.h"
#include "hinge/tasks/motif/sequences_reader.h"
#include "hinge/tasks/motif/shared_start.h"
#include "hinge/tasks/motif/sites.h"
#include "hinge/tasks/motif/told_motifs.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

constexpr const char* kClassNames[] = {"-1", "1"};

class AnyMotif final
    : public SharingAdapter<ToldMotifs, AnsweringAdapter<MotifRecords, MotifData, MotifSchema, MotifOptions>>,
      public NamesData,
      public HasVariants,
      public WeightMatrix,
      public SiteFinder,
      public Cautious {
 public:
  std::string name() const override { return "motif"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<std::string> answer_names() const override { return {kClassNames[0], kClassNames[1]}; }
  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }
  std::string matrix(Weights w) const override { return matrix_text(*schema_->task(), w); }
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
    return make_examples(*schema_, options_.model, std::move(records));
  }

  // Of sequences that are predicted to hold the motif, one site each; of both classes, all letters.
  Profile profile(const Data& data, Weights w, Executor& executor) const override {
    const MotifTask& task = *schema_->task();
    const auto sites = map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      return chosen_site(task, own(data).examples()[i].input, w, decoding_);
    });
    return profile_of(sites, own(data).examples(), task);
  }

  // Where something hidden was not found, all sequences are often given one class.
  std::string caution(const Data& data, Weights w, Executor& executor) const override {
    const std::vector<int> answers = predictions(data, w, {}, executor).label;
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
  RankOracle::Start start_of_all(const Data& own_data, Ranks& ranks) const override {
    return shared_start(schema_->task(), own(own_data), ranks);
  }

  // Scores of a sequence are three: that of the motif over none, where its best site begins, and 1 where that
  // is on the opposite strand.
  ExamplePredictions answer(const MotifData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    const FoundMotif found = find(data, i, w, asked.what == Asked::marginals);
    if (asked.what == Asked::labels) return {{found.value}, {}};
    if (asked.what == Asked::marginals) return {{found.value}, {found.probability[0], found.probability[1]}};
    return {{found.value},
            {found.score, static_cast<double>(found.at.position), found.at.reverse ? 1.0 : 0.0}};
  }
  std::size_t values(Asked::What what) const override { return what == Asked::scores ? 3 : 2; }

  JsonValue measure(const MotifData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    return measure_classes(
               data, w, examples, executor, decoding_, [](const MotifLabel& y) { return y.value; },
               [](const Choices& s) { return MotifTask::answer(s); })
        .json(answer_names());
  }

  void write(const MotifData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const bool marginals = options_.columns.marginals;
    out.write(marginals ? "#name\tclass\tscore\tposition\tstrand\tsite\tprobability\n"
                        : "#name\tclass\tscore\tposition\tstrand\tsite\n");
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const auto [value, score, at, probability] = find(data, i, w, marginals);
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{:g}\t{}\t{}\t{}", data.text()[i], kClassNames[value],
                     score, at.position + 1, at.reverse ? '-' : '+',
                     schema_->task()->site(data.examples()[i].input, at));
      if (marginals) fmt::format_to(std::back_inserter(text), "\t{:g}", probability[MotifLabel::kPositive]);
      text.push_back('\n');
    });
  }

 private:
  FoundMotif find(const MotifData& data, std::size_t i, Weights w, bool marginals) const {
    return find_motif(*schema_->task(), data.examples()[i].input, w, decoding_, marginals);
  }
};

}  // namespace

std::unique_ptr<RecordTask<MotifRecords>> make_motif() { return std::make_unique<AnyMotif>(); }

}  // namespace hinge
