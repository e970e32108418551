#include "hinge/tasks/graph/graph_task.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"
#include "tests/support/graph_files.h"

namespace hinge {
namespace {

static_assert(HidingTask<GraphTask>);

// Small graphs of every kind: random trees and cycles, features dense and sparse, labels known or not.
struct Making {
  bool edge_features = false, edge_types = false, hidden_nodes = false, unknown_labels = false,
       states = false, sets = false;
};

std::string random_graphs(const Making& making) {
  Random random(7);
  std::string text;
  for (int g = 0; g < 6; ++g) {
    const std::size_t nodes = 2 + random.below(3);
    auto graph = nlohmann::json::object();
    for (std::size_t i = 0; i < nodes; ++i) {
      if (i % 2 == 0)
        graph["features"].push_back({random.normal(), 0, random.normal()});
      else
        graph["features"].push_back({{"1", random.normal()}});
      const bool hidden = making.hidden_nodes && i % 3 == 1;
      if (making.hidden_nodes) graph["hidden"].push_back(hidden);
      if (making.states) graph["states"].push_back(i % 2 == 0 ? 3 : 2);
      const bool unknown = hidden || (making.unknown_labels && i > 0 && random.uniform() < 0.4);
      const std::size_t states = making.states && i % 2 == 1 ? 2 : 3, label = random.below(states);
      graph["labels"].push_back(unknown ? nlohmann::json() : nlohmann::json(label));
      if (making.sets && !hidden && random.uniform() < 0.5)
        graph["labels"].back() = {label, (label + 1) % states};
    }
    graph["edges"] = nlohmann::json::array();
    for (std::size_t i = 0; i < nodes; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (random.uniform() < 0.7) {
          graph["edges"].push_back(random.uniform() < 0.5 ? nlohmann::json{i, j} : nlohmann::json{j, i});
          if (making.edge_features) graph["edge_features"].push_back({random.normal(), random.normal()});
          if (making.edge_types) graph["edge_types"].push_back(random.uniform() < 0.5 ? "near" : "far");
        }
    if (making.edge_features && !graph.contains("edge_features"))
      graph["edge_features"] = nlohmann::json::array();
    text += graph.dump() + "\n";
  }
  return text;
}

void expect_sound(const Making& making, const GraphReading& reading = {}, const Hamming& hamming = {}) {
  const GraphFile file(random_graphs(making), reading);
  const GraphTask task(file.schema, hamming);
  CheckOptions options;
  options.examples = 6;
  const CheckReport report = check_task(task, file.examples(), options);
  EXPECT_EQ(report.text(), "");
  EXPECT_GT(report.comparisons, 100u);
}

TEST(GraphTask, IsSoundWithEveryNodeKnown) {
  expect_sound({});
  expect_sound({.edge_features = true});
  expect_sound({.edge_types = true});
  expect_sound({.states = true});
  expect_sound({}, {.bias = 0.5});
}

TEST(GraphTask, IsSoundWithDirectedEdges) {
  expect_sound({.edge_features = true, .edge_types = true}, {.directed = {"far"}});
  expect_sound({.edge_types = true, .states = true}, {.directed = {"all"}});
}

TEST(GraphTask, IsSoundWithHiddenNodes) {
  expect_sound({.unknown_labels = true});
  expect_sound({.edge_features = true, .hidden_nodes = true});
  expect_sound({.edge_types = true, .hidden_nodes = true, .unknown_labels = true},
               {.directed = {"near"}, .hidden_states = 2});
  expect_sound({.hidden_nodes = true, .states = true});
}

TEST(GraphTask, IsSoundWhereOneOfSeveralLabelsIsKnown) {
  expect_sound({.sets = true}, {}, {true, {1, 0.5, 3}});
  expect_sound({.edge_features = true, .hidden_nodes = true, .sets = true});
  expect_sound({.edge_types = true, .unknown_labels = true, .sets = true}, {.directed = {"far"}});
  expect_sound({.states = true, .sets = true});
  expect_sound({.sets = true}, {.agreement = true});
}

// A set of one label is that label, and one of all is none; by elimination and, with no room for it, by messages.
TEST(GraphTask, SetsOfOneAndOfAllAreALabelAndNone) {
  const std::string shape = ",\"features\":[[1],[-2],[3],[0.5]],\"edges\":[[0,1],[1,2],[2,3],[3,0]]}\n";
  const GraphFile sets("{\"labels\":[[0],[2,0,1],[1],[\"1\",2,0]]" + shape + "{\"labels\":[0,1,2,1]" + shape),
      plain("{\"labels\":[0,null,1,\"?\"]" + shape + "{\"labels\":[0,1,2,1]" + shape);
  EXPECT_EQ(sets.corpus.labels[0], plain.corpus.labels[0]);
  EXPECT_EQ(sets.corpus.labels[0].one_of.size(), 2u);
  EXPECT_EQ(sets.corpus.unlabelled_nodes, 2u);
  for (const int cells : {1000, 0}) {
    GraphSettings settings;
    settings.max_cells = cells;
    const GraphTask task(sets.schema, {}, settings);
    Random random(3);
    Vector w(task.dimension());
    for (double& value : w) value = 0.3 * random.normal();
    const auto of_sets = sets.examples(), of_labels = plain.examples();
    const TaskOracle<GraphTask> by_set(task, of_sets), by_label(task, of_labels);
    Plane one, other;
    for (const double temperature : {0.0, 1.0})
      for (const Side side : {Side::free, Side::clamped}) {
        by_set.support(0, w, {side, 1, temperature, temperature}, one);
        by_label.support(0, w, {side, 1, temperature, temperature}, other);
        EXPECT_NEAR(one.at(w), other.at(w), 1e-9 * (1 + std::abs(one.at(w))));
      }
  }
}

TEST(GraphTask, IsSoundWhereOnlyAgreementCounts) {
  expect_sound({}, {.bias = 0.5, .agreement = true});
  expect_sound({.edge_types = true, .unknown_labels = true}, {.directed = {"far"}, .agreement = true});
}

// A weight for each label that both ends share, in either direction, and all of them are bounded.
TEST(GraphTask, WeighsAgreementAlone) {
  const GraphFile file(
      "{\"labels\":[0,1,1],\"features\":[[1],[1],[1]],\"edges\":[[0,1],[2,1]],\"edge_features\":[[2,3],[5,0]]"
      "}\n",
      {.agreement = true});
  const GraphTask task(file.schema, {});
  EXPECT_EQ(task.dimension(), 2u + 2u * 2);
  EXPECT_EQ(task.nonnegative(), (std::vector<Index>{2, 3, 4, 5}));
  GraphScores scores;
  const Vector w = {0, 0, 1, 10, 100, 1000};  // feature 0: labels 0, 1; feature 1: labels 0, 1
  task.score(file.corpus.inputs[0], w, scores);
  for (const auto& [s, value] : {std::pair{Assignment{0, 0, 0}, 2 + 300 + 5},
                                 {Assignment{1, 1, 1}, 20 + 3000 + 50},
                                 {Assignment{0, 1, 1}, 50},
                                 {Assignment{0, 1, 0}, 0}})
    EXPECT_EQ(scores.of(s), value);
}

TEST(GraphTask, RefusesWhatCannotAgree) {
  EXPECT_THROW(
      GraphFile("{\"labels\":[0,1],\"edges\":[[0,1]],\"edge_features\":[[-1]]}\n", {.agreement = true}),
      InputError);
  EXPECT_THROW(GraphFile("{\"labels\":[0,1],\"states\":[2,3],\"edges\":[[0,1]]}\n", {.agreement = true}),
               InputError);
  EXPECT_THROW(GraphFile("{\"labels\":[0,1,null],\"hidden\":[false,false,true],\"edges\":[[0,2]]}\n",
                         {.agreement = true}),
               InputError);
}

TEST(GraphTask, IsSoundWithEveryLoss) {
  expect_sound({.unknown_labels = true}, {}, {true, {}});
  expect_sound({.unknown_labels = true}, {}, {false, {1, 0.5, 3}});
}

TEST(GraphTask, IsSoundWithWeightsPerPosition) {
  const char* text =
      "{\"nodes\":3,\"labels\":[0,null,1],\"hidden\":[false,true,false],\"features\":[[1],[0.5],[-1]],"
      "\"edges\":[[0,1],[2,1]]}\n"
      "{\"nodes\":3,\"labels\":[1,null,null],\"hidden\":[false,true,false],\"features\":[[2],[1],[-0.5]],"
      "\"edges\":[[0,1],[2,1]]}\n";
  const GraphFile file(text, {.per_position = true, .hidden_states = 3, .bias = 1});
  const GraphTask task(file.schema, {});
  EXPECT_EQ(task.dimension(), 2u * (2 + 3 + 2) + 2u * 6);  // features "0" and "constant"; pairs
  EXPECT_EQ(check_task(task, file.examples()).text(), "");
}

// The features of a labelling, by the names of their weights.
std::map<std::string, double> features(const GraphFile& file, std::size_t graph, const Assignment& s) {
  const GraphTask task(file.schema, {});
  GraphCounts counts;
  counts.begin(*file.corpus.inputs[graph].shape, true);
  counts.use(s);
  Vector dense(task.dimension(), 0.0);
  DenseSink sink{dense};
  task.features(file.corpus.inputs[graph], counts, sink);
  std::map<std::string, double> named;
  for (std::size_t j = 0; j < dense.size(); ++j)
    if (dense[j] != 0) named[file.schema.weight_name(j)] = dense[j];
  return named;
}

using Named = std::map<std::string, double>;

TEST(GraphTask, CountsFeaturesOfNodesAndEdges) {
  const GraphFile file(
      "{\"features\":[{\"x\":2},{\"x\":3,\"y\":1}],\"labels\":[\"a\",\"b\"],\"edges\":[[0,1]],"
      "\"edge_features\":[{\"d\":0.5}]}\n");
  EXPECT_EQ(features(file, 0, {0, 1}),
            (Named{{"x -> a", 2}, {"x -> b", 3}, {"y -> b", 1}, {"edge : d -> b , a", 0.5}}));
  EXPECT_EQ(features(file, 0, {1, 0}),
            (Named{{"x -> b", 2}, {"x -> a", 3}, {"y -> a", 1}, {"edge : d -> b , a", 0.5}}));
}

TEST(GraphTask, DirectedEdgesKnowTheirEnds) {
  const GraphFile file("{\"labels\":[\"a\",\"b\"],\"edges\":[[0,1]],\"edge_types\":[\"up\"]}\n",
                       {.directed = {"up"}});
  EXPECT_EQ(features(file, 0, {0, 1}), (Named{{"edge up: constant -> a , b", 1}}));
  EXPECT_EQ(features(file, 0, {1, 0}), (Named{{"edge up: constant -> b , a", 1}}));
}

TEST(GraphTask, UndirectedEdgesBetweenKindsAreTurnedOneWay) {
  const GraphFile file(
      "{\"labels\":[\"a\",null],\"hidden\":[false,true],\"edges\":[[0,1]]}\n"
      "{\"labels\":[\"b\",null],\"hidden\":[false,true],\"edges\":[[1,0]]}\n",
      {.hidden_states = 3});
  EXPECT_EQ(file.schema.edge_kinds.size(), 1u);
  EXPECT_EQ(features(file, 0, {1, 2}), features(file, 1, {1, 2}));
  EXPECT_EQ(features(file, 0, {1, 2}), (Named{{"edge [][hidden: ]: constant -> b , #2", 1}}));
}

// Observations that contradict what else a task forbids.
struct Contradiction : GraphTask {
  using GraphTask::GraphTask;
  void forbid(const Labels& y, GraphScores& scores) const {
    GraphTask::forbid(y, scores);
    scores.node(0)[y[0]] = kForbidden;
  }
};

TEST(GraphTask, ALabelThatAdmitsNoStructureNamesItsExample) {
  const GraphFile file("{\"labels\":[0,1,null],\"edges\":[[0,1],[1,2]]}\n");
  const Contradiction task(file.schema, {});
  std::vector<Example<Contradiction>> examples = {{file.corpus.inputs[0], file.corpus.labels[0], 1}};
  const TaskOracle<Contradiction> oracle(task, examples);
  Plane plane;
  const Vector w(task.dimension(), 0.0);
  for (const double temperature : {0.0, 1.0}) {
    oracle.support(0, w, {Side::free, 1, temperature, temperature}, plane);
    try {
      oracle.support(0, w, {Side::clamped, 1, temperature, temperature}, plane);
      FAIL() << "not refused";
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("example 1: its label admits no structure"));
    }
  }
}

TEST(GraphTask, GraphsOfOneShapeShareIt) {
  const char* line = "{\"labels\":[0,1],\"edges\":[[0,1]]}\n";
  const GraphFile file(std::string(line) + "{\"labels\":[0,1]}\n" + line);
  EXPECT_EQ(file.corpus.inputs[0].shape, file.corpus.inputs[2].shape);
  EXPECT_NE(file.corpus.inputs[0].shape, file.corpus.inputs[1].shape);
}

TEST(SymmetricCell, NumbersEachPairOnce) {
  for (std::size_t a = 0, cell = 0; a < 50; ++a)
    for (std::size_t b = 0; b <= a; ++b, ++cell) {
      EXPECT_EQ(symmetric_cell(a, b), cell);
      EXPECT_EQ(symmetric_cell(b, a), cell);
      EXPECT_EQ(symmetric_pair(cell), std::pair(a, b));
    }
}

}  // namespace
}  // namespace hinge
