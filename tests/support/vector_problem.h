// The problems of the test vectors, as a task. There are two sets: "own" stands in tests/vectors/own, and
// make_vectors.py beside it says what the files hold; "shared" came from another program (the folder named by
// the environment variable HINGE_VECTORS, by default ../shared/vectors beside the source tree).
//
//     node_i[s] = Σ over its terms of value · w[first + s],     edges likewise with s · states(to) + t.
#pragma once

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "hinge/inference/graph_engine.h"
#include "hinge/oracle/task.h"
#include "tests/support/data.h"

namespace hinge {

inline std::optional<nlohmann::json> vector_file(const std::string& name, const std::string& set = "shared") {
  const std::optional<std::string> path = set == "own"
                                              ? source_file("tests/vectors/own/" + name)
                                              : shared_file("HINGE_VECTORS", "../shared/vectors", name);
  if (!path) return std::nullopt;
  std::ifstream file(*path);
  return nlohmann::json::parse(file);
}

class VectorTask {
 public:
  struct Term {
    double value;
    Index first;
  };
  using Terms = std::vector<std::vector<Term>>;  // of each node or edge

  using Input = Terms;  // of the nodes
  struct Label {
    Assignment states;         // kOpen where hidden
    std::vector<Vector> loss;  // of each state of each node
  };
  using Structure = Assignment;
  using Engine = GraphEngine;

  explicit VectorTask(const nlohmann::json& file)
      : dimension_(file.at("n_weights")),
        output_(file.at("type").get<std::vector<int>>()),
        graph_(file.at("card").get<std::vector<Index>>(), edges_of(file)),
        pairwise_(terms(file.at("pairwise"))) {}

  static Terms terms(const nlohmann::json& lists) {
    Terms result;
    for (const auto& list : lists) {
      result.emplace_back();
      for (const auto& term : list) result.back().push_back({term.at(0), term.at(1)});
    }
    return result;
  }

  // A label whose loss is 1 for each wrong output.
  Label hamming(Assignment states) const {
    Label label{std::move(states), {}};
    for (std::size_t i = 0; i < graph_.nodes(); ++i) {
      label.loss.emplace_back(graph_.states(i), label.states[i] == GraphScores::kOpen ? 0.0 : 1.0);
      if (label.states[i] != GraphScores::kOpen) label.loss[i][static_cast<std::size_t>(label.states[i])] = 0;
    }
    return label;
  }

  const Graph& graph() const { return graph_; }
  bool output(std::size_t i) const { return output_[i] == 1; }
  GraphSettings& settings() { return settings_; }
  const GraphSettings& settings() const { return settings_; }

  Index dimension() const { return dimension_; }
  double loss(const Label& y, const Assignment& s) const {
    double sum = 0;
    for (std::size_t i = 0; i < s.size(); ++i) sum += y.loss[i][static_cast<std::size_t>(s[i])];
    return sum;
  }
  bool determined(const Label& y) const {
    return std::find(y.states.begin(), y.states.end(), GraphScores::kOpen) == y.states.end();
  }
  const Assignment& structure(const Label& y) const { return y.states; }

  void score(const Input& x, Weights w, GraphScores& scores) const {
    scores.shape(graph_);
    for (std::size_t i = 0; i < graph_.nodes(); ++i) {
      if (!output(i)) scores.hide(i);
      for (const Term& t : x[i]) add(w.subspan(t.first, graph_.states(i)), t.value, scores.node(i));
    }
    for (std::size_t e = 0; e < graph_.edges(); ++e)
      for (const Term& t : pairwise_[e]) add(w.subspan(t.first, edge_cells(e)), t.value, scores.edge(e));
  }
  void add_loss(const Label& y, double weight, GraphScores& scores) const {
    for (std::size_t i = 0; i < graph_.nodes(); ++i) add(y.loss[i], weight, scores.node(i));
  }
  void forbid(const Label& y, GraphScores& scores) const {
    for (std::size_t i = 0; i < graph_.nodes(); ++i)
      if (y.states[i] != GraphScores::kOpen) scores.observe(i, y.states[i]);
  }
  void hide(const Label&, GraphScores&) const {}  // the same nodes always: score does
  template <class Sink>
  void features(const Input& x, const GraphCounts& counts, Sink& sink) const {
    for (std::size_t i = 0; i < graph_.nodes(); ++i)
      for (const Term& t : x[i]) sink.add_row(t.first, {counts.node(i), graph_.states(i)}, t.value);
    for (std::size_t e = 0; e < graph_.edges(); ++e)
      for (const Term& t : pairwise_[e]) sink.add_row(t.first, {counts.edge(e), edge_cells(e)}, t.value);
  }

 private:
  static std::vector<Graph::Edge> edges_of(const nlohmann::json& file) {
    std::vector<Graph::Edge> edges;
    for (const auto& e : file.at("edges")) edges.push_back({e.at(0), e.at(1)});
    return edges;
  }
  static void add(Weights row, double factor, double* out) {
    for (std::size_t k = 0; k < row.size(); ++k) out[k] += factor * row[k];
  }
  std::size_t edge_cells(std::size_t e) const { return graph_.edge_begin(e + 1) - graph_.edge_begin(e); }

  Index dimension_;
  std::vector<int> output_;
  Graph graph_;
  Terms pairwise_;
  GraphSettings settings_;
};

// One file of a set: a task and its one example.
struct VectorProblem {
  nlohmann::json file;
  VectorTask task;
  std::vector<Example<VectorTask>> examples;
  Vector weights;

  explicit VectorProblem(nlohmann::json json)
      : file(std::move(json)), task(file), weights(file.at("weights").get<Vector>()) {
    examples.push_back(
        {VectorTask::terms(file.at("unary")),
         {file.at("labels").get<Assignment>(), file.at("loss").at("table").get<std::vector<Vector>>()}});
  }
};

// One of the training runs: `train` and `test` as examples. C there weighs the sum, here the mean.
struct TrainingProblem {
  nlohmann::json file;
  VectorTask task;
  std::vector<Example<VectorTask>> train, test;
  Vector start;
  double C;

  explicit TrainingProblem(nlohmann::json json)
      : file(std::move(json)),
        task(file),
        train(examples("train")),
        test(examples("test")),
        start(file.at("w0").get<Vector>()),
        C(file.at("C").get<double>() * static_cast<double>(train.size())) {}

 private:
  std::vector<Example<VectorTask>> examples(const char* part) const {
    std::vector<Example<VectorTask>> result;
    for (const auto& example : file.at(part))
      result.push_back(
          {VectorTask::terms(example.at("unary")), task.hamming(example.at("labels").get<Assignment>())});
    return result;
  }
};

}  // namespace hinge
