#include "hinge/oracle/check_task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// Which of three classes: the SVM-struct way.
struct Classes {
  using Input = Vector;
  using Label = int;
  using Structure = int;
  static constexpr int kClasses = 3;
  Index inputs = 4;

  Index dimension() const { return kClasses * inputs; }
  double loss(Label y, Structure s) const { return y == s ? 0 : 1 + 0.5 * std::abs(y - s); }
  bool determined(Label) const { return true; }
  Structure structure(Label y) const { return y; }
  void features(const Input& x, Structure s, SparseSink& sink) const { sink.add_row(s * inputs, x, 1); }

  template <class Value>
  Structure best(Value&& value) const {
    Structure top = 0;
    for (Structure s = 1; s < kClasses; ++s)
      if (value(s) > value(top)) top = s;
    return top;
  }
  double score(const Input& x, Structure s, Weights w) const { return dot(w.subspan(s * inputs, inputs), x); }
  Structure predict(const Input& x, Weights w) const {
    return best([&](Structure s) { return score(x, s, w); });
  }
  Structure most_violating(const Input& x, Label y, Weights w) const {
    return best([&](Structure s) { return loss(y, s) + score(x, s, w); });
  }
  Structure most_violating_slack(const Input& x, Label y, Weights w) const {
    return best([&](Structure s) { return loss(y, s) * (1 + score(x, s, w) - score(x, y, w)); });
  }
  template <class F>
  void for_each_structure(const Input&, F&& f) const {
    for (Structure s = 0; s < kClasses; ++s) f(s);
  }
};

struct ForgetsTheLoss : Classes {
  Structure most_violating(const Input& x, Label, Weights w) const { return predict(x, w); }
};
struct CountsTheTruth : Classes {
  double loss(Label y, Structure s) const { return 0.25 + Classes::loss(y, s); }
};
struct ForgetsAClass : Classes {
  Structure most_violating_slack(const Input& x, Label y, Weights w) const {
    const Structure s = Classes::most_violating_slack(x, y, w);
    return s == 2 ? 1 : s;
  }
};

// An engine over the cells of a table, and a task on it: two tags that know of each other; a tag of −1 is
// hidden.
struct Table : AlwaysExact {
  static constexpr std::size_t kTags = 3;
  using Structure = std::array<int, 2>;
  static std::size_t cell(const Structure& s) { return s[0] * kTags + s[1]; }

  struct Scores {
    Vector cells = Vector(kTags * kTags);
    double of(const Structure& s) const { return cells[cell(s)]; }
    void clear() { std::ranges::fill(cells, 0.0); }
  };
  struct Counts {
    Vector cells = Vector(kTags * kTags);
    Structure winner;
    const Structure& structure() const { return winner; }
    const Structure& most_probable() const { return winner; }
    void subtract(const Structure& s) { cells[cell(s)] -= 1; }
    void scale(double factor) {
      for (double& v : cells) v *= factor;
    }
  };
  double solve(const Scores& scores, double temperature, double, Counts& counts) {
    const double value = smooth_max(scores.cells, temperature, counts.cells);
    const int best = static_cast<int>(arg_max(scores.cells)), tags = kTags;
    counts.winner = {best / tags, best % tags};
    return value;
  }
  double solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts) {
    Scores products;
    for (std::size_t c = 0; c < products.cells.size(); ++c)
      products.cells[c] = losses.cells[c] * (1 + scores.cells[c] - reference);
    return solve(products, 0, 0, counts);
  }
  template <class F>
  void for_each_structure(const Scores&, F&& f) const {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) f(Structure{a, b});
  }
};

// An engine that does not say how exact it is, is none.
struct SilentTable {
  using Structure = Table::Structure;
  using Scores = Table::Scores;
  using Counts = Table::Counts;
  double solve(const Scores& scores, double output, double latent, Counts& counts) {
    return Table().solve(scores, output, latent, counts);
  }
};
struct SilentOfShapes : SilentTable {
  static constexpr std::array<const char*, 1> ways = {"guess"};
  static Answer answer() { return {.exact = false}; }
};
struct FrankTable : SilentOfShapes {
  static bool may_approximate(const Scores&, double, double) { return true; }
};
static_assert(Engine<Table> && Engine<FrankTable>);
static_assert(!Engine<SilentTable> && !Engine<SilentOfShapes>);

struct TwoTags {
  using Engine = Table;
  using Input = std::array<double, 2>;
  using Label = std::array<int, 2>;
  using Structure = Table::Structure;
  static constexpr Index kPairs = Table::kTags;  // weights: one a tag, then one a pair of tags

  Index dimension() const { return kPairs + kPairs * kPairs; }
  double loss(const Label& y, const Structure& s) const {
    return (y[0] >= 0 && y[0] != s[0]) + (y[1] >= 0 && y[1] != s[1]);
  }
  bool determined(const Label& y) const { return y[0] >= 0 && y[1] >= 0; }
  Structure structure(const Label& y) const { return y; }

  template <class F>
  void for_each_cell(F&& f) const {
    Table().for_each_structure({}, [&](const Structure& s) { f(s, Table::cell(s)); });
  }
  void score(const Input& x, Weights w, Table::Scores& scores) const {
    for_each_cell([&](const Structure& s, std::size_t c) {
      scores.cells[c] = x[0] * w[s[0]] + x[1] * w[s[1]] + w[kPairs + c];
    });
  }
  void add_loss(const Label& y, double weight, Table::Scores& scores) const {
    for_each_cell([&](const Structure& s, std::size_t c) { scores.cells[c] += weight * loss(y, s); });
  }
  void forbid(const Label& y, Table::Scores& scores) const {
    for_each_cell([&](const Structure& s, std::size_t c) {
      if (loss(y, s) != 0) scores.cells[c] = kForbidden;
    });
  }
  template <class Sink>
  void features(const Input& x, const Table::Counts& counts, Sink&& sink) const {
    for_each_cell([&](const Structure& s, std::size_t c) {
      sink.add(s[0], x[0] * counts.cells[c]);
      sink.add(s[1], x[1] * counts.cells[c]);
      sink.add(kPairs + static_cast<Index>(c), counts.cells[c]);
    });
  }
};

struct WrongAdjoint : TwoTags {
  template <class Sink>
  void features(const Input& x, const Table::Counts& counts, Sink&& sink) const {
    TwoTags::features({x[0], x[0]}, counts, sink);
  }
};
struct LosesALoss : TwoTags {
  void add_loss(const Label& y, double weight, Table::Scores& scores) const {
    TwoTags::add_loss({y[0], -1}, weight, scores);
  }
};

template <class T>
std::vector<Example<T>> pairs(std::uint64_t seed, bool hidden) {
  Random random(seed);
  std::vector<Example<T>> list;
  for (int i = 0; i < 12; ++i) {
    const int a = static_cast<int>(random.below(3)), b = static_cast<int>(random.below(3));
    list.push_back({{random.normal(), random.normal()}, {a, hidden && i % 2 == 1 ? -1 : b}});
  }
  return list;
}

template <class T>
std::vector<Example<T>> examples(std::uint64_t seed) {
  Random random(seed);
  std::vector<Example<T>> list;
  for (int i = 0; i < 12; ++i) {
    Vector x(4);
    for (double& v : x) v = random.normal();
    list.push_back({x, static_cast<int>(random.below(T::kClasses))});
  }
  return list;
}

// A pair of which the label says the first only; `complete` finds the second.
struct HiddenPair : Classes {
  using Structure = std::array<int, 2>;
  Index dimension() const { return 9 * inputs; }
  double loss(Label y, Structure s) const { return Classes::loss(y, s[0]); }
  bool determined(Label) const { return false; }
  Structure structure(Label y) const { return {y, 0}; }
  void features(const Input& x, Structure s, SparseSink& sink) const {
    sink.add_row((3 * s[0] + s[1]) * inputs, x, 1);
  }
  template <class Value>
  Structure best_pair(Value&& value) const {
    Structure top = {0, 0};
    for_each_structure({}, [&](const Structure& s) {
      if (value(s) > value(top)) top = s;
    });
    return top;
  }
  double score(const Input& x, Structure s, Weights w) const {
    return dot(w.subspan((3 * s[0] + s[1]) * inputs, inputs), x);
  }
  Structure predict(const Input& x, Weights w) const {
    return best_pair([&](Structure s) { return score(x, s, w); });
  }
  Structure most_violating(const Input& x, Label y, Weights w) const {
    return best_pair([&](Structure s) { return loss(y, s) + score(x, s, w); });
  }
  Structure most_violating_slack(const Input&, Label, Weights) const = delete;
  Structure complete(const Input& x, Label y, Weights w) const {
    return best_pair([&](Structure s) { return s[0] == y ? score(x, s, w) : -1e9; });
  }
  template <class F>
  void for_each_structure(const Input&, F&& f) const {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) f(Structure{a, b});
  }
};
struct CompletesBlindly : HiddenPair {
  Structure complete(const Input&, Label y, Weights) const { return {y, 1}; }
};
struct PoursTooFar : Classes {
  void features(const Input& x, Structure s, SparseSink& sink) const {
    Classes::features(x, s, sink);
    if (s == 2) sink.add(dimension() + 1000000, 1);
  }
};
struct PartsPourTooFar : TwoTags {
  template <class Sink>
  void features(const Input& x, const Table::Counts& counts, Sink&& sink) const {
    TwoTags::features(x, counts, sink);
    sink.add(dimension(), counts.cells[4]);
  }
};

TEST(CheckTask, ComparesCompletionsWithEnumeration) {
  const CheckReport sound = check_task(HiddenPair{}, examples<HiddenPair>(1));
  EXPECT_TRUE(sound.passed()) << sound.text();
  const CheckReport blind = check_task(CompletesBlindly{}, examples<CompletesBlindly>(1));
  EXPECT_NE(blind.text().find("clamped at temperature 0 is"), std::string::npos) << blind.text();
  EXPECT_NE(blind.text().find("but enumeration gives"), std::string::npos) << blind.text();
}

TEST(CheckTask, FindsAFeatureBeyondTheDimension) {
  const CheckReport plain = check_task(PoursTooFar{}, examples<PoursTooFar>(1));
  EXPECT_NE(plain.text().find("pours feature 1000012, but its dimension() is 12"), std::string::npos)
      << plain.text();
  const CheckReport parts = check_task(PartsPourTooFar{}, pairs<PartsPourTooFar>(5, true));
  EXPECT_NE(parts.text().find("pours feature 12, but its dimension() is 12"), std::string::npos)
      << parts.text();
  const PartsPourTooFar task;
  const auto list = pairs<PartsPourTooFar>(5, false);
  const TaskOracle<PartsPourTooFar> oracle(task, list);
  Vector w(task.dimension()), gradient(task.dimension());
  const Query soft{Side::excess, 0, 1, 1};
  Plane plane;
  EXPECT_THROW(oracle.support(0, w, soft, plane), FeatureError);
  EXPECT_THROW(oracle.add_support(0, w, soft, 1, gradient), FeatureError);
}

TEST(CheckTask, SaysWhatItLeftOut) {
  const auto list = examples<Classes>(1);
  EXPECT_EQ(check_task(Classes{}, list).text(), "");
  const CheckReport many = check_task(Classes{}, list, {.max_structures = 2});
  EXPECT_TRUE(many.passed());
  EXPECT_NE(many.text().find("12 of 12 examples (the first is example 1) were not compared with enumeration: "
                             "they have more than 2 structures"),
            std::string::npos)
      << many.text();
  struct Unlisted : HiddenPair {
    void for_each_structure() = delete;
  };
  const CheckReport unlisted = check_task(Unlisted{}, examples<Unlisted>(1));
  EXPECT_NE(unlisted.text().find("nothing lists their structures"), std::string::npos) << unlisted.text();
  const CheckReport parts = check_task(TwoTags{}, pairs<TwoTags>(5, false), {.max_structures = 8});
  EXPECT_NE(parts.text().find("more than 8 structures"), std::string::npos) << parts.text();
}

// An engine that cannot sum, and says so only when it is asked.
struct NoSums : Table {
  double solve(const Scores& scores, double temperature, double latent, Counts& counts) {
    if (temperature > 0) fail("this engine knows no sums.");
    return Table::solve(scores, temperature, latent, counts);
  }
};
struct TagsWithoutSums : TwoTags {
  using Engine = NoSums;
};

TEST(CheckTask, LeavesOutWhatAnEngineRefuses) {
  const CheckReport report = check_task(TagsWithoutSums{}, pairs<TagsWithoutSums>(5, true));
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_GT(report.comparisons, 100u);
  EXPECT_NE(report.text().find(
                "free with loss weight 1 at temperature 1 was not checked: this engine knows no sums."),
            std::string::npos)
      << report.text();
}

struct Laborious : Classes {
  double work(const Input&) const { return 1e6; }
};

TEST(CheckTask, BoundsItsWorkAndSaysSo) {
  const auto list = examples<Laborious>(1);
  const CheckReport all = check_task(Laborious{}, list, {.max_work = 0}),
                    few = check_task(Laborious{}, list, {.max_work = 3e9});
  EXPECT_LT(few.comparisons, all.comparisons);
  EXPECT_GT(few.comparisons, 100u);
  EXPECT_NE(few.text().find("examples were checked, not 12"), std::string::npos) << few.text();
}

TEST(CheckTask, EndsWhenItIsToldTo) {
  const auto list = examples<Classes>(1);
  double last = 0;
  std::size_t told = 0;
  const CheckReport whole = check_task(Classes{}, list, {.watch = [&](double done) {
                                         EXPECT_GE(done, last);
                                         last = done;
                                         ++told;
                                         return true;
                                       }});
  EXPECT_EQ(whole.done, 1);
  EXPECT_GT(last, 0.9);
  for (const std::size_t stop : {std::size_t{1}, told / 2, 9 * told / 10}) {
    std::size_t asked = 0;
    const CheckReport part = check_task(Classes{}, list, {.watch = [&](double) { return ++asked < stop; }});
    EXPECT_EQ(asked, stop);
    EXPECT_LT(part.done, 1);
    EXPECT_LT(part.comparisons, whole.comparisons);
  }
}

TEST(CheckTask, PassesAPlainTask) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const CheckReport report = check_task(Classes{}, examples<Classes>(seed), {.seed = seed});
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_GT(report.comparisons, 1000u);
  }
}

TEST(CheckTask, PassesAFactoredTask) {
  for (bool hidden : {false, true}) {
    const CheckReport report = check_task(TwoTags{}, pairs<TwoTags>(5, hidden));
    EXPECT_TRUE(report.passed()) << report.text();
  }
}

TEST(CheckTask, FindsAWrongAdjoint) {
  const CheckReport report =
      check_task(WrongAdjoint{}, pairs<WrongAdjoint>(5, false), {.max_failures = 1000});
  for (const char* what : {"not linear", "does not touch", "but differences give", "enumeration gives"})
    EXPECT_NE(report.text().find(what), std::string::npos) << what;
}

TEST(CheckTask, FindsALossThatDiffersFromItsParts) {
  const CheckReport report = check_task(LosesALoss{}, pairs<LosesALoss>(5, false));
  EXPECT_NE(report.text().find("excess with loss weight 1 at temperature 0 is"), std::string::npos)
      << report.text();
}

TEST(CheckTask, NamesExamplePropertyAndNumbers) {
  const CheckReport report = check_task(ForgetsTheLoss{}, examples<ForgetsTheLoss>(1), {.max_failures = 5});
  ASSERT_FALSE(report.passed());
  EXPECT_NE(report.text().find("example "), std::string::npos);
  EXPECT_NE(report.text().find("loss weight 1"), std::string::npos);
  EXPECT_NE(report.text().find("does not lie below"), std::string::npos) << report.text();
}

TEST(CheckTask, FindsALossOfTheTruth) {
  const CheckReport report = check_task(CountsTheTruth{}, examples<CountsTheTruth>(1), {});
  ASSERT_FALSE(report.passed());
  EXPECT_NE(report.text().find("own structure is 0.25"), std::string::npos) << report.text();
}

TEST(CheckTask, FindsAnIncompleteSearch) {
  const CheckReport report = check_task(ForgetsAClass{}, examples<ForgetsAClass>(1), {.max_failures = 50});
  ASSERT_FALSE(report.passed());
  EXPECT_NE(report.text().find("slack rescaling is"), std::string::npos) << report.text();
}

// Authors are told what a task lacks, users of one that says why it has no search what to use instead.
struct SaysWhy : HiddenPair {
  static constexpr const char* no_slack = "pairs have no search.";
};
TEST(TaskOracle, SaysWhySlackRescalingIsNotServed) {
  const Query slack{Side::excess, 1, 0, 0, Rescaling::slack};
  const auto refusal = [&]<class T>(const T& task) {
    const std::vector<Example<T>> none;
    return TaskOracle<T>(task, none).refusal(slack);
  };
  EXPECT_NE(refusal(HiddenPair()).find("needs most_violating_slack(x, y, w) of the task"), std::string::npos);
  EXPECT_EQ(refusal(SaysWhy()), "pairs have no search.");
  EXPECT_EQ(refusal(Classes()), "");
}

}  // namespace
}  // namespace hinge
