// What tasks do alike beyond an Adapter whose answers are numbers (predictions.h): programs get these, and text is made
// of the same.
//
//     answer(data, i, w, asked) ─┬→ predictions()
//                                └→ append(data, i, answer, text) → write()
#pragma once

#include "hinge/tasks/adapter.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

template <class Records, class OwnData, class Schema, class Options>
class AnsweringAdapter : public Adapter<Records, OwnData, Schema, Options>, public Answering {
 public:
  Predictions predictions(const Data& data, Weights w, const Asked& asked, Executor& executor) const final {
    const std::size_t width = asked.what == Asked::labels ? 0 : values(asked.what);
    return predict_examples(data, executor, width,
                            [&](std::size_t i) { return answer(this->own(data), i, w, asked); });
  }

 protected:
  // What is predicted of example i.
  virtual ExamplePredictions answer(const OwnData& data, std::size_t i, Weights w,
                                    const Asked& asked) const = 0;
  // How many marginals or scores an item has. Throws InputError where the task has none.
  virtual std::size_t values(Asked::What what) const = 0;

  // What the options want written of each item, and the text that example i then has.
  virtual Asked written() const { return {}; }
  virtual void append(const OwnData&, std::size_t, const ExamplePredictions&, std::string&) const {}
  void write(const OwnData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const Asked asked = written();
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      append(data, i, answer(data, i, w, asked), text);
    });
  }
};

}  // namespace hinge
