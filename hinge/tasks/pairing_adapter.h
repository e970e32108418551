// What alignments and folds do alike beyond an Adapter: their answers pair letters, and so do their
// probabilities.
#pragma once

#include <iterator>

#include "hinge/core/workspace.h"
#include "hinge/oracle/factored.h"
#include "hinge/tasks/adapter.h"
#include "hinge/tasks/pair_columns.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

template <class T, class Records, class Text, class Schema, class Options>
class PairingAdapter : public Adapter<Records, RecordData<Text, T>, Schema, Options>,
                       public HasViews,
                       public Answering,
                       public PairsLetters {
 public:
  std::vector<std::string> decodings() const override { return {"joint", "max-marginals"}; }

  // Items are letters, of two sequences those of the first; their labels the number of the letter that each is
  // paired with, or -1.
  std::vector<std::string> answer_names() const override { return {}; }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    if (asked.what != Asked::labels) fail("letters have no values of their own: ask for pairs of them.");
    return predict_examples(data, executor, 0, [&](std::size_t i) {
      return ExamplePredictions{answer(this->own(data).examples()[i].input, w), {}};
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
  typename T::Structure answer(const typename T::Input& x, Weights w) const {
    return engine().predict(*this->schema_->task(), x, w, this->decoding_);
  }
  // Of the input that this thread scored last, for an answer or otherwise.
  static const std::vector<PairProbability>& probable_pairs() {
    engine().engine().solve(engine().scores(), 1, 1, engine().counts());
    return engine().counts().pairs();
  }
  static void write_pairs(const PairColumns& columns, std::string& text) {
    if (!columns.marginals) return;
    for (const auto& [i, j, probability] : probable_pairs())
      if (probability >= columns.threshold)
        fmt::format_to(std::back_inserter(text), "; {} {} {:.6f}\n", i + 1, j + 1, probability);
  }

 private:
  static Factored<T>& engine() { return scratch<Factored<T>, struct PairingEngine>(); }
};

}  // namespace hinge
