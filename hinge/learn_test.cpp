// The front door: a task of one's own, learned, saved, loaded and registered.
#include "hinge/learn.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hinge/core/text_file.h"
#include "hinge/inference/chain.h"
#include "hinge/model/model.h"
#include "hinge/register_task.h"
#include "tests/support/complaint.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

// Signs: a path of two states, whose node scores are w_0 · x(t) · sign(state); with an offset that is state
// of the task.
struct Signs {
  using Engine = Chain;
  using Input = Vector;
  using Label = Path;
  using Structure = Path;
  static constexpr const char* kName = "signs";

  int offset = 0;

  Index dimension() const { return 2; }
  bool determined(const Label& y) const { return std::ranges::find(y, -1) == y.end(); }
  Structure structure(const Label& y) const { return y; }
  double loss(const Label& y, const Structure& s) const {
    double wrong = 0;
    for (std::size_t t = 0; t < y.size(); ++t) wrong += y[t] >= 0 && y[t] != s[t];
    return wrong;
  }
  void score(const Input& x, Weights w, ChainScores& scores) const {
    scores.shape(x.size(), 2);
    for (std::size_t t = 0; t < x.size(); ++t)
      scores.node(t)[1] = w[0] * (x[t] + offset), scores.node(t)[0] = 0;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) scores.edge(a)[b] = a == b ? w[1] : 0;
  }
  void add_loss(const Label& y, double weight, ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] >= 0) scores.node(t)[1 - y[t]] += weight;
  }
  void forbid(const Label& y, ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] >= 0) scores.node(t)[1 - y[t]] = kForbidden;
  }
  void hide(const Label& y, ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] < 0) scores.hide(t);
  }
  template <class Sink>
  void features(const Input& x, const ChainCounts& counts, Sink& sink) const {
    counts.for_each_node([&](std::size_t t, int k, double amount) {
      if (k == 1) sink.add(0, amount * (x[t] + offset));
    });
    counts.for_each_edge([&](int a, int b, double amount) {
      if (a == b) sink.add(1, amount);
    });
  }
  void save(Archive& archive) const { archive.header["offset"] = offset; }
  void load(const Archive& archive) { offset = archive.header.at("offset").get<int>(); }

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("offset", self.offset, range::any, "added to every number");
  }
};

std::vector<Example<Signs>> examples(std::size_t count, std::uint64_t seed, double hidden) {
  Random random(seed);
  std::vector<Example<Signs>> made;
  for (std::size_t i = 0; i < count; ++i) {
    auto& [x, y, weight] = made.emplace_back();
    for (int t = 0; t < 6; ++t) {
      x.push_back(2 * random.normal());
      y.push_back(random.uniform() < hidden ? -1 : x.back() + random.normal() > 0);
    }
  }
  return made;
}

TEST(Learn, GivesAModelThatPredictsMeasuresAndSurvivesItsFile) {
  const auto train = examples(40, 1, 0), test = examples(50, 2, 0);
  const Trained<Signs> model = learn(Signs{.offset = 1}, train, {.C = {0.1, 10}, .folds = 3, .threads = 2});
  EXPECT_TRUE(model.C == 0.1 || model.C == 10);
  EXPECT_EQ(model.summary.termination, Termination::converged);
  EXPECT_LT(model.loss(test), 2);
  const TemporaryFolder folder;
  model.save(folder.path("model"));
  const Trained<Signs> again = load<Signs>(folder.path("model"));
  EXPECT_EQ(again.weights, model.weights);
  EXPECT_EQ(again.task.offset, 1);
  EXPECT_EQ(again.C, model.C);
  EXPECT_EQ(again.summary.primal, model.summary.primal);
  EXPECT_EQ(again.summary.brief(), model.summary.brief());
  for (const auto& [x, y, weight] : test) EXPECT_EQ(again.predict(x), model.predict(x));
}

TEST(Learn, PredictionFollowsTraining) {
  const auto train = examples(30, 3, 0.4);
  const Trained<Signs> marginal = learn(Signs{}, train, {.method = "mssvm", .C = 10});
  EXPECT_EQ(marginal.decoding.latent_temperature, 1);
  const Trained<Signs> joint = learn(Signs{}, train, {.method = "lssvm", .C = 10});
  EXPECT_EQ(joint.decoding.latent_temperature, 0);
  const TemporaryFolder folder;
  marginal.save(folder.path("model"));
  EXPECT_EQ(load<Signs>(folder.path("model")).decoding, marginal.decoding);
}

TEST(Learn, MarginalsSumToOne) {
  const auto model = learn(Signs{}, examples(30, 3, 0.2), {.method = "hcrf"});
  double sum = 0;
  model.marginals({1, -1, 0.5}).for_each_node([&](std::size_t, int, double amount) { sum += amount; });
  EXPECT_NEAR(sum, 3, 1e-12);
}

// Its features are not what its scores mean.
struct Broken : Signs {
  template <class Sink>
  void features(const Input& x, const ChainCounts&, Sink& sink) const {
    sink.add(0, x[0]);
  }
};

TEST(Learn, RefusesATaskThatBreaksItsContract) {
  const auto good = examples(10, 1, 0);
  std::vector<Example<Broken>> bad;
  for (const auto& [x, y, weight] : good) bad.push_back({x, y});
  EXPECT_NE(complaint([&] { learn(Broken{}, bad, {}); }).find("does not keep its contract"),
            std::string::npos);
}

TEST(Learn, AnObserverEndsItWithTheBestSoFar) {
  const auto model = learn(Signs{}, examples(40, 1, 0), {.watch = [](const Progress&) { return false; }});
  EXPECT_EQ(model.summary.termination, Termination::stopped);
  EXPECT_EQ(model.weights.size(), 2u);
}

struct Other : Signs {
  static constexpr const char* kName = "other";
};

TEST(Load, RefusesAnotherTask) {
  const TemporaryFolder folder;
  learn(Signs{}, examples(10, 1, 0), {}).save(folder.path("model"));
  EXPECT_NE(complaint([&] { load<Other>(folder.path("model")); }).find("of task signs, not of other"),
            std::string::npos);
  EXPECT_NE(complaint([&] { load<Signs>(folder.path("nothing")); }), "no complaint");
}

std::vector<Example<Signs>> read_signs(const std::string& file) {
  std::vector<Example<Signs>> made;
  LineReader reader(file);
  std::string_view line;
  while (reader.next(line)) {
    auto& [x, y, weight] = made.emplace_back();
    for (const char c : line) x.push_back(c == '+' ? 1 : -1), y.push_back(c == '+');
  }
  return made;
}
std::string write_signs(const Vector&, const Path& s) {
  std::string text;
  for (const int state : s) text += state == 1 ? '+' : '-';
  return text;
}

// What was learned in a program is a model of the command line's, and the other way round.
TEST(RegisterTask, MakesATaskLikeThoseThatAreBuiltIn) {
  register_task<Signs>({.name = "signs", .summary = "signs", .read = read_signs, .write = write_signs});
  EXPECT_NE(complaint([] { register_task<Signs>({.name = "signs"}); }).find("already"), std::string::npos);
  EXPECT_NE(complaint([] { register_task<Signs>({.name = "two words"}); }).find("no name"),
            std::string::npos);
  const TemporaryFolder folder;
  const std::string file = folder.write("train", "++--+-\n+-+\n---++\n++\n");
  auto task = make_task("signs");
  ASSERT_EQ(task->options().size(), 1u);
  *std::get<int*>(task->options().front().field) = 3;
  const auto data = task->read_training({file});
  EXPECT_EQ(data->size(), 4u);
  EXPECT_TRUE(task->check(*data, {}).passed());
  SerialExecutor executor;
  Model model = fit(std::move(task), *data, {.method = "mssvm", .C = 5}, executor);
  save_model(folder.path("model"), *model.task, model.weights, model.summary, model.options);
  Model again = load_model(folder.path("model"));
  EXPECT_EQ(*std::get<int*>(again.task->options().front().field), 3);
  const auto later = again.task->read({file});
  const nlohmann::json metrics = again.task->evaluate(*later, again.weights, {}, executor);
  EXPECT_EQ(metrics, model.task->evaluate(*data, model.weights, {}, executor));
  OutputFile out(folder.path("out"));
  again.task->predict(*later, again.weights, executor, out);
  out.commit();
  EXPECT_EQ(folder.read("out").size(), 20u);
  const Trained<Signs> typed = load<Signs>(folder.path("model"));
  EXPECT_EQ(typed.weights, model.weights);
}

}  // namespace
}  // namespace hinge
