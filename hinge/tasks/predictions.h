// Predictions as numbers, for programs that want no text: each example has items (positions, nodes, rows; one
// where the example itself is labelled), each item the number of its label and, where they are asked for, a row
// of values.
//
//     const auto* answering = power<Answering>(*model.task);
//     const Predictions told = answering->predictions(*data, model.weights, {Asked::marginals}, executor);
//     // of item j: answering->answer_names()[told.label[j]], told.value[j · told.width … ]
#pragma once

#include <string>
#include <vector>

#include "hinge/core/string_table.h"
#include "hinge/inference/pair_probability.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

struct Asked {
  // A task without probabilities or scores of labels throws InputError.
  enum What {
    labels,
    marginals,  // of every label, at temperature 1
    scores,     // of every label, or of what the task scores instead
  } what = labels;
  bool given = false;  // keep the labels that the data has, and predict the others given them
};

struct Predictions {
  std::vector<std::size_t> first = {0};  // item of each example, and their number last
  std::vector<int> label;                // of each item; -1 where it is hidden for good
  std::size_t width = 0;                 // of a row of values; 0 where none was asked for
  std::vector<double> value;             // item by item
};

// Those of each example.
std::vector<Labels> labels_of(const Predictions& predictions);

// What is said of one example.
struct ExamplePredictions {
  std::vector<int> label;
  std::vector<double> value;
};

class Answering {
 public:
  virtual ~Answering() = default;
  // The names of the labels by their numbers; none where labels are numbers only.
  virtual std::vector<std::string> answer_names() const = 0;
  virtual Predictions predictions(const Data& data, Weights w, const Asked& asked,
                                  Executor& executor) const = 0;
};

// The k best labellings of each example, with their scores.
struct RankedLabels {
  std::vector<int> label;
  double score = 0;
};
class ListsBest {
 public:
  virtual ~ListsBest() = default;
  // `given`: of those that agree with the labels of the data. Throws InputError where the task has no inference for it.
  virtual std::vector<std::vector<RankedLabels>> best_labels(const Data& data, Weights w, std::size_t k,
                                                             bool given, Executor& executor) const = 0;
};

// How probable each pair of letters is, of those that are not improbable; `given`: what the data knows is so.
class PairsLetters {
 public:
  virtual ~PairsLetters() = default;
  virtual std::vector<std::vector<PairProbability>> pair_probabilities(const Data& data, Weights w,
                                                                       bool given,
                                                                       Executor& executor) const = 0;
};

// At most k trees of each sentence, best first, in brackets on one line; `given`: those that what the data knows admits.
struct RankedTree {
  std::string text;
  double score = 0;  // −∞ where the grammar has none, and pieces stand side by side
};
class ListsTrees {
 public:
  virtual ~ListsTrees() = default;
  virtual std::vector<std::vector<RankedTree>> best_trees(const Data& data, Weights w, std::size_t k,
                                                          bool given, Executor& executor) const = 0;
};

std::vector<std::string> texts_of(const StringTable& names);

// body(i) says what is predicted of example i; `width` is of its rows where values are asked for.
template <class Body>
Predictions predict_examples(const Data& data, Executor& executor, std::size_t width, const Body& body) {
  Predictions all;
  all.width = width;
  for_answers(chosen(data, {}), executor, body, [&](std::size_t, const ExamplePredictions& one) {
    all.label.insert(all.label.end(), one.label.begin(), one.label.end());
    all.value.insert(all.value.end(), one.value.begin(), one.value.end());
    all.first.push_back(all.label.size());
  });
  return all;
}

}  // namespace hinge
