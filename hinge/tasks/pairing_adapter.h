// What alignments and folds do alike: their answers pair letters, and so do their probabilities; ranks can share them. Told is
// what a rank tells the others (sharing_adapter.h).
#pragma once

#include <iterator>

#include "hinge/core/workspace.h"
#include "hinge/oracle/factored.h"
#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/pair_columns.h"
#include "hinge/tasks/powers.h"
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
  std::vector<std::vector<RankedLabels>> best_labels(const Data& data, Weights w, std::size_t k,
                                                     Executor& executor) const override {
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      std::vector<RankedLabels> ranked;
      for (auto& [s, score] : best(this->own(data), i, w, k)) ranked.push_back({std::move(s), score});
      return ranked;
    });
  }
  std::vector<std::vector<PairProbability>> pair_probabilities(const Data& data, Weights w,
                                                               Executor& executor) const override {
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      this->schema_->task()->score(this->own(data).examples()[i].input, w, engine().scores());
      return probable_pairs();
    });
  }

 protected:
  // Items are letters, of two sequences those of the first; their labels the number of the letter that each is
  // paired with, or -1.
  ExamplePredictions answer(const RecordData<Text, T>& data, std::size_t i, Weights w,
                            const Asked&) const override {
    return {find(data.examples()[i].input, w), {}};
  }
  std::size_t values(Asked::What) const override {
    fail("letters have no values of their own: ask for pairs of them.");
  }

  typename T::Structure find(const typename T::Input& x, Weights w) const {
    return engine().predict(*this->schema_->task(), x, w, this->decoding_);
  }
  // Example i with an answer, as the data would have it.
  virtual void append_answer(const RecordData<Text, T>& data, std::size_t i, const typename T::Structure& s,
                             std::string& text) const = 0;
  void write(const RecordData<Text, T>& data, Weights w, Executor& executor, OutputFile& out) const final {
    refuse_decoding();
    refuse_columns(this->options_.columns);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      write_answers(data, i, w, this->options_.columns, text);
    });
  }
  // `metrics` once add(i, answer) was told of each example.
  template <class Metrics, class Add>
  JsonValue measured(const Metrics& metrics, const RecordData<Text, T>& data, Weights w,
                     const std::vector<std::size_t>& examples, Executor& executor, const Add& add) const {
    for_answers(
        examples, executor, [&](std::size_t i) { return find(data.examples()[i].input, w); }, add);
    return metrics.json();
  }
  // Of the input that this thread scored last, for an answer or otherwise.
  static const std::vector<PairProbability>& probable_pairs() {
    engine().engine().solve(engine().scores(), 1, 1, engine().counts());
    return engine().counts().pairs();
  }
  // Throws InputError where a list of the best answers would take too much memory.
  virtual void refuse_list(const RecordData<Text, T>&, std::size_t) const {}

 private:
  // The answer that is decoded, or each of the best with its score behind it; then probabilities.
  void write_answers(const RecordData<Text, T>& data, std::size_t i, Weights w, const PairColumns& columns,
                     std::string& text) const {
    if (columns.nbest == 1) {
      append_answer(data, i, find(data.examples()[i].input, w), text);
    } else {
      for (const auto& [s, score] : best(data, i, w, static_cast<std::size_t>(columns.nbest))) {
        append_answer(data, i, s, text);
        fmt::format_to(std::back_inserter(text), "; score {:g}\n", score);
      }
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
  std::vector<std::pair<typename T::Structure, double>> best(const RecordData<Text, T>& data, std::size_t i,
                                                             Weights w, std::size_t k) const {
    refuse_list(data, i);
    this->schema_->task()->score(data.examples()[i].input, w, engine().scores());
    return engine().engine().top(engine().scores(), k);
  }
  static Factored<T>& engine() { return scratch<Factored<T>, struct PairingEngine>(); }
};

}  // namespace hinge
