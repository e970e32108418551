// What alignments and folds do alike: their answers pair letters, and so do their probabilities; ranks can share them. Told is
// what a rank tells the others (sharing_adapter.h).
#pragma once

#include <algorithm>
#include <iterator>

#include "hinge/core/ranks.h"
#include "hinge/core/workspace.h"
#include "hinge/oracle/factored.h"
#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/pair_columns.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/record_place.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {

template <class Told, class T, class Records, class Text, class Schema, class Options>
class PairingAdapter
    : public SharingAdapter<Told, AnsweringAdapter<Records, RecordData<Text, T>, Schema, Options>>,
      public HasViews,
      public ListsBest,
      public PairsLetters {
 public:
  std::vector<std::string> decodings() const override { return {"joint", "max-marginals"}; }

  std::vector<std::string> answer_names() const override { return {}; }
  std::vector<std::vector<RankedLabels>> best_labels(const Data& data, Weights w, std::size_t k, bool given,
                                                     Executor& executor) const override {
    if (given) fail("the best answers that agree with pairs that are known cannot be listed.");
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      std::vector<RankedLabels> ranked;
      list(this->own(data), i, w, k, [&](typename T::Structure&& s, double score) {
        ranked.push_back({std::move(s), score});
        return static_cast<double>(2 * sizeof(RankedLabels) + sizeof(int) * ranked.back().label.capacity());
      });
      return ranked;
    });
  }
  std::vector<std::vector<PairProbability>> pair_probabilities(const Data& data, Weights w, bool given,
                                                               Executor& executor) const override {
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      const auto& [x, y, weight] = this->own(data).examples()[i];
      this->schema_->task()->score(x, w, engine().scores());
      if (given) {
        this->schema_->task()->forbid(y, engine().scores());
        solve_given(i, 1, 1);
      }
      return probable_pairs();
    });
  }

 protected:
  // Items are letters, of two sequences those of the first; their labels the number of the letter that each is
  // paired with, or -1.
  ExamplePredictions answer(const RecordData<Text, T>& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    const auto& [x, y, weight] = data.examples()[i];
    return {asked.given ? find_given(i, x, y, w) : find(x, w), {}};
  }
  std::size_t values(Asked::What) const override {
    fail("letters have no values of their own: ask for pairs of them.");
  }

  typename T::Structure find(const typename T::Input& x, Weights w) const {
    return engine().predict(*this->schema_->task(), x, w, this->decoding_);
  }
  // Among those that the label admits. Throws InputError where there is none.
  typename T::Structure find_given(std::size_t i, const typename T::Input& x, const typename T::Label& y,
                                   Weights w) const {
    const T& task = *this->schema_->task();
    if constexpr (SettingTask<T>) engine().engine().settings = task.settings();
    task.score(x, w, engine().scores());
    task.forbid(y, engine().scores());
    const bool sums = this->decoding_.max_marginals;
    solve_given(i, sums ? 1 : 0, sums ? 1 : this->decoding_.latent_temperature);
    return sums ? engine().counts().most_probable() : engine().counts().structure();
  }
  // Of scores that were forbidden what the label of example i excludes.
  static void solve_given(std::size_t i, double output_temperature, double latent_temperature) {
    const double value =
        engine().engine().solve(engine().scores(), output_temperature, latent_temperature, engine().counts());
    if (value == kForbidden) fail("what is given of example {} leaves no answer: give less.", i);
  }
  // Example i with an answer, as the data would have it.
  virtual void append_answer(const RecordData<Text, T>& data, std::size_t i, const typename T::Structure& s,
                             std::string& text) const = 0;
  void write(const RecordData<Text, T>& data, Weights w, Executor& executor, OutputFile& out) const final {
    refuse_decoding();
    refuse_columns(this->options_.columns);
    const auto nbest = static_cast<std::size_t>(this->options_.columns.nbest);
    const auto at_once = std::max(
        kExamplesAtOnce / nbest, executor.ranks() == nullptr ? executor.workers() : executor.ranks()->size());
    write_examples(
        data, executor, out,
        [&](std::size_t i, std::string& text) { write_answers(data, i, w, this->options_.columns, text); },
        at_once);
  }
  // `metrics` once add(i, answer) was told of each example.
  template <class Metrics, class Add>
  JsonValue measured(const Metrics& metrics, const RecordData<Text, T>& data, Weights w,
                     const std::vector<std::size_t>& examples, Executor& executor, const Add& add) const {
    for_answers(
        examples, executor, [&](std::size_t i) { return find(data.examples()[i].input, w); }, add);
    return metrics.json(examples.empty() ? RecordPlace() : data.text()[examples[0]].place);
  }
  // Of the input that this thread scored last, for an answer or otherwise.
  static const std::vector<PairProbability>& probable_pairs() {
    engine().engine().solve(engine().scores(), 1, 1, engine().counts());
    return engine().counts().pairs();
  }
  // How many bytes a list of an example's best answers may take besides its cells. Throws InputError where these are too many.
  virtual double room_for_list(const RecordData<Text, T>& data, std::size_t i) const = 0;
  // Throws InputError about a list that takes more, which had room for so many answers.
  [[noreturn]] virtual void refuse_list(const RecordData<Text, T>& data, std::size_t i, std::size_t k,
                                        std::size_t listed) const = 0;

 private:
  // The answer that is decoded, or each of the best with its score behind it; then probabilities.
  void write_answers(const RecordData<Text, T>& data, std::size_t i, Weights w, const PairColumns& columns,
                     std::string& text) const {
    if (columns.nbest == 1) {
      append_answer(data, i, find(data.examples()[i].input, w), text);
    } else {
      list(data, i, w, static_cast<std::size_t>(columns.nbest), [&](typename T::Structure&& s, double score) {
        const std::size_t before = text.size();
        append_answer(data, i, s, text);
        fmt::format_to(std::back_inserter(text), "; score {:g}\n", score);
        return 2.0 * static_cast<double>(text.size() - before);  // twice while it grows
      });
    }
    if (!columns.marginals) return;
    for (const auto& [i1, j1, probability] : probable_pairs())
      if (probability >= columns.threshold)
        fmt::format_to(std::back_inserter(text), "; {} {} {:.6f}\n", i1 + 1, j1 + 1, probability);
  }
  // Throws InputError about options that predictions by the decoding do not look at.
  virtual void refuse_decoding() const {}
  void refuse_columns(const PairColumns& columns) const {
    if (columns.threshold != PairColumns().threshold && !columns.marginals)
      fail("`threshold` leaves out lines of `marginals`: give that too, or leave out `threshold`.");
    if (columns.nbest > 1 && this->decoding_.max_marginals)
      fail(
          "`nbest` lists answers by their scores, `decode` max-marginals has none: leave out one of them, or "
          "say `decode` joint.");
  }
  // f(answer, score) of each of the best, which returns how many bytes it keeps.
  template <class F>
  void list(const RecordData<Text, T>& data, std::size_t i, Weights w, std::size_t k, F&& f) const {
    const double room = room_for_list(data, i);
    this->schema_->task()->score(data.examples()[i].input, w, engine().scores());
    std::size_t listed = 0;
    const auto keep = [&](typename T::Structure&& s, double score) {
      const double bytes = f(std::move(s), score);
      ++listed;
      return bytes;
    };
    if (!engine().engine().list(engine().scores(), k, room, keep)) refuse_list(data, i, k, listed);
  }
  static Factored<T>& engine() { return scratch<Factored<T>, struct PairingEngine>(); }
};

}  // namespace hinge
