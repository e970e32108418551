#include "hinge/tasks/motif/any_motif.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <optional>

#include "hinge/oracle/check_task.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/motif/motif_task.h"
#include "hinge/tasks/motif/sequences_reader.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/task_data.h"

namespace hinge {
namespace {

struct ReadOptions {
  std::vector<std::string> positive, negative;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("positive", self.positive, any,
          "FASTA files of sequences with the motif, beside or instead of `data`");
    visit("negative", self.negative, any, "FASTA files of sequences without it");
  }
};

struct ModelOptions {
  std::vector<double> length = {10};
  int background_order = 3;
  std::string strands = "forward";
  std::string alphabet = "dna";
  double negative_weight = 1, background_weight = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("length", self.length, between(1, MotifTask::kMaxLength),
          "letters of the motif; `hinge cross-validate` compares several");
    visit("background_order", self.background_order, between(0, MotifTask::kMaxOrder),
          "letters before it that the background of a letter depends on");
    visit("strands", self.strands, one_of({"forward", "both"}),
          "read the motif as written, or also on the opposite strand of DNA");
    visit("alphabet", self.alphabet, one_of({"dna", "protein"}), "which letters there are");
    visit("negative_weight", self.negative_weight, positive,
          "how much the loss of a sequence without the motif counts");
    visit("background_weight", self.background_weight, positive,
          "how much that of a sequence for the background alone does (third field 0)");
  }
};

struct PredictOptions {
  bool marginals = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, any, "one more column: the probability that there is a motif");
  }
};

class MotifData final : public TaskData<MotifTask> {
 public:
  MotifData(std::shared_ptr<const MotifTask> task, std::vector<Example<MotifTask>> examples,
            nlohmann::json facts, std::vector<std::string> names)
      : TaskData(std::move(task), std::move(examples), std::move(facts)), names_(std::move(names)) {}
  const std::string& name(std::size_t i) const { return names_[i]; }

 private:
  std::vector<std::string> names_;
};

class AnyMotif final : public AnyTask,
                       public NamesData,
                       public HasVariants,
                       public WeightMatrix,
                       public SiteFinder,
                       public Cautious {
 public:
  std::string name() const override { return "motif"; }
  std::vector<OptionRef> options() override { return all_options(read_, model_); }
  std::vector<OptionRef> read_options() override { return list_options(read_); }
  std::vector<OptionRef> predict_options() override { return list_options(predict_); }
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<OptionRef> data_options() override { return list_options(read_); }

  std::vector<std::string> variants() const override {
    std::vector<std::string> names;
    for (double length : model_.length) names.push_back(fmt::format("length {:g}", length));
    return names.size() > 1 ? names : std::vector<std::string>();
  }
  void choose(std::size_t variant) override { variant_ = variant; }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    validate(model_);
    make_task();
    if (!read_.positive.empty() || !read_.negative.empty()) training_ = std::exchange(read_, {});
    const auto records = read_records(files, training_, selection);
    std::size_t count[2] = {};
    for (const MotifRecord& record : records)
      if (record.label != MotifLabel::kHidden) ++count[record.label];
    if (count[MotifLabel::kPositive] == 0)
      fail("no sequence is known to hold the motif: give some as `positive` F, or with label 1.");
    if (count[MotifLabel::kNegative] == 0)
      fail("no sequence is known to be without the motif: give some as `negative` F, or with label -1.");
    return adopt(records);
  }

  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return adopt(read_records(files, read_, selection));
  }

  nlohmann::json evaluate(const Data& any_data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    const MotifData& data = own(any_data);
    return measure_classes(
               data, w, subset, executor, decoding_, [](const MotifLabel& y) { return y.value; },
               [](const Choices& s) { return MotifTask::answer(s); })
        .json({kClassNames[0], kClassNames[1]});
  }

  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

  void predict(const Data& any_data, Weights w, Executor& executor, OutputFile& out) const override {
    const MotifData& data = own(any_data);
    out.write(predict_.marginals ? "#name\tclass\tscore\tposition\tstrand\tsite\tprobability\n"
                                 : "#name\tclass\tscore\tposition\tstrand\tsite\n");
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      static thread_local Factored<MotifTask> factored;
      const MotifSequence& x = data.examples()[i].input;
      const Choices answer = factored.predict(*task_, x, w, decoding_);
      const auto values = factored.counts().group_values(0);
      const double score = values[MotifLabel::kPositive] - values[MotifLabel::kNegative];
      const auto [position, reverse] = best_place(x, factored.scores());
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{:g}\t{}\t{}\t{}", data.name(i),
                     kClassNames[MotifTask::answer(answer)], score, position + 1, reverse ? '-' : '+',
                     task_->site(x, {position, reverse}));
      if (predict_.marginals) {
        factored.engine().solve(factored.scores(), 1, 1, factored.counts());
        fmt::format_to(std::back_inserter(text), "\t{:g}",
                       factored.counts().group_amounts(0)[MotifLabel::kPositive]);
      }
      text.push_back('\n');
    });
  }

  Index dimension() const override { return task_->dimension(); }

  std::string feature_name(Index weight) const override {
    if (weight >= task_->background()) return "background " + task_->background_letters(weight);
    const std::size_t size = task_->alphabet().size();
    return fmt::format("{} at {}", task_->alphabet().letters()[weight % size], weight / size + 1);
  }

  // A row a position: the weight of each letter, and the letter with the highest.
  std::string matrix(Weights w) const override {
    const std::string& letters = task_->alphabet().letters();
    std::string text = "position";
    for (const char c : letters) text += fmt::format(" {:>8}", c);
    text += "  best\n";
    for (std::size_t j = 0; j < task_->shape().length; ++j) {
      const auto row = w.subspan(j * letters.size(), letters.size());
      text += fmt::format("{:>8}", j + 1);
      for (double weight : row) text += fmt::format(" {:>8.4f}", weight);
      text += fmt::format("  {}\n", letters[arg_max(row)]);
    }
    return text;
  }

  // Of sequences that are predicted to hold the motif, one site each; of both classes, all letters.
  Profile profile(const Data& any_data, Weights w, Executor& executor) const override {
    const MotifData& data = own(any_data);
    const std::string& letters = task_->alphabet().letters();
    const auto sites = map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      const MotifSequence& x = data.examples()[i].input;
      const Choices answer = data.oracle().predict(x, w, decoding_);
      return answer[0] == 0 ? std::string() : task_->site(x, task_->place(x, answer[0]));
    });
    Profile profile{letters, task_->shape().both_strands, Vector(letters.size()),
                    std::vector<Vector>(task_->shape().length, Vector(letters.size())), 0};
    double known = 0;
    for (const auto& example : data.examples())
      for (const Alphabet::Symbol s : example.input.symbols)
        if (!task_->alphabet().ambiguous(s)) profile.background[s] += 1, known += 1;
    for (double& share : profile.background) share /= std::max(known, 1.0);
    for (const std::string& site : sites) {
      profile.sites += !site.empty();
      for (std::size_t j = 0; j < site.size(); ++j)
        if (site[j] != '?') profile.counts[j][letters.find(site[j])] += 1;
    }
    if (profile.sites == 0)
      fail("no sequence is predicted to hold the motif, so that there is no site to show.");
    return profile;
  }

  // Where something hidden was not found, all sequences are often given one class.
  std::string caution(const Data& any_data, Weights w, Executor& executor) const override {
    const MotifData& data = own(any_data);
    const auto answers = map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      return MotifTask::answer(data.oracle().predict(data.examples()[i].input, w, decoding_));
    });
    if (std::ranges::adjacent_find(answers, std::ranges::not_equal_to{}) != answers.end()) return {};
    return fmt::format(
        "Every training sequence is predicted to be {} the motif: it was not found. Try a larger C, "
        "`restarts` or "
        "another `length`.",
        answers.front() == MotifLabel::kPositive ? "with" : "without");
  }

  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return check_task(*task_, own(data).examples(), options);
  }

  void save(Archive& archive) const override {
    const MotifTask::Shape& shape = task_->shape();
    archive.header["motif"] = {{"length", shape.length},
                               {"background_order", shape.order},
                               {"strands", shape.both_strands ? "both" : "forward"},
                               {"alphabet", task_->alphabet().name()}};
  }

  void load(const Archive& archive) override {
    AnyMotif loaded;
    const auto& header = archive.header.at("motif");
    loaded.model_.length = {static_cast<double>(whole_number<int>(header, "length"))};
    loaded.model_.background_order = whole_number<int>(header, "background_order");
    header.at("strands").get_to(loaded.model_.strands);
    header.at("alphabet").get_to(loaded.model_.alphabet);
    validate(loaded.model_);
    loaded.make_task();
    loaded.read_ = read_;
    loaded.predict_ = predict_;
    loaded.decoding_ = decoding_;
    *this = std::move(loaded);
  }

 private:
  static constexpr const char* kClassNames[] = {"-1", "1"};

  static const MotifData& own(const Data& data) {
    assert(dynamic_cast<const MotifData*>(&data) != nullptr);
    return static_cast<const MotifData&>(data);
  }

  // The place that scores most, whatever the class.
  MotifTask::Place best_place(const MotifSequence& x, const GroupedScores& scores) const {
    return task_->place(x, static_cast<Index>(1 + arg_max(scores.values(0).subspan(1))));
  }

  void make_task() {
    if (model_.length.size() != 1 && !variant_)
      fail("several lengths are for `hinge cross-validate`, which says which is best: give one `length`.");
    const double length = model_.length[variant_.value_or(0)];
    if (length != std::floor(length)) fail("`length` is {:g}, but must be a whole number.", length);
    const Alphabet& alphabet = Alphabet::named(model_.alphabet);
    const bool both = model_.strands == "both";
    if (both && !alphabet.has_strands()) fail("`strands` both is for DNA: a protein has one strand.");
    task_ = std::make_shared<MotifTask>(
        alphabet, MotifTask::Shape{static_cast<std::size_t>(length),
                                   static_cast<std::size_t>(model_.background_order), both});
  }

  std::vector<MotifRecord> read_records(const std::vector<std::string>& files, const ReadOptions& more,
                                        const Selection& selection) const {
    return read_sequences({files, more.positive, more.negative}, task_->alphabet(), task_->shape().length,
                          selection);
  }

  std::unique_ptr<Data> adopt(std::vector<MotifRecord> records) const {
    std::vector<Example<MotifTask>> examples(records.size());
    std::vector<std::string> names(records.size());
    std::size_t count[2] = {}, letters = 0, ambiguous = 0, background = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      auto& [x, y, weight] = examples[i];
      letters += records[i].symbols.size();
      x = task_->sequence(std::move(records[i].symbols));
      y = task_->label(records[i].label, x);
      if (y.value == MotifLabel::kNegative) weight *= model_.negative_weight;
      if (records[i].background_only) weight *= model_.background_weight;
      if (y.value != MotifLabel::kHidden) ++count[y.value];
      ambiguous += x.ambiguous;
      background += records[i].background_only;
      names[i] = std::move(records[i].name);
    }
    nlohmann::json facts = {{"sequences", examples.size()},
                            {"letters", letters},
                            {"with the motif", count[MotifLabel::kPositive]},
                            {"without it", count[MotifLabel::kNegative]},
                            {"of unknown class", examples.size() - count[0] - count[1]}};
    if (ambiguous > 0) facts["with ambiguous letters"] = ambiguous;
    if (background > 0 && model_.background_weight != 1) facts["for the background alone"] = background;
    return std::make_unique<MotifData>(task_, std::move(examples), std::move(facts), std::move(names));
  }

  ReadOptions read_;
  ReadOptions training_;  // those of training data, which validation and later runs do not share
  ModelOptions model_;
  PredictOptions predict_;
  std::optional<std::size_t> variant_;  // of several lengths
  std::shared_ptr<const MotifTask> task_;
};

}  // namespace

std::unique_ptr<AnyTask> make_motif() { return std::make_unique<AnyMotif>(); }

}  // namespace hinge
