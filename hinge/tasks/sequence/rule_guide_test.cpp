// Predictions that keep to rules, beside all labellings.
#include "hinge/tasks/sequence/rule_guide.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "hinge/rules/apply_rules.h"
#include "hinge/rules/check_rules.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sequence/any_sequence.h"
#include "tests/support/any_task.h"
#include "tests/support/complaint.h"

namespace hinge {
namespace {

class GuidedSequences : public AdapterTest {
 protected:
  GuidedSequences() : AdapterTest(make_sequence()) {
    tokens().keep_tokens(true);
    tokens().add_labels({"Z"});
    set(task_->options(), "template", folder_.write("template", "U:%x[0,0]\nB\n"));
    data_ = train("a X\nb Y\n. X\nc X\nb Y\n\nb Y\na X\n\n. Y\nb X\na Y\n. X\nc X\nb Y\n");
  }
  HasTokens& tokens() { return *power<HasTokens>(*task_); }
  std::vector<Labels> answered() {
    return labels_of(power<Answering>(*task_)->predictions(*data_, w_, {}, executor_));
  }

  double score_of(std::size_t i, const Labels& y) {
    std::map<std::string, double> weight;
    for (Index j = 0; j < task_->dimension(); ++j) weight[task_->feature_name(j)] = w_[j];
    const std::vector<std::string> names = tokens().label_names();
    const auto name = [&](std::size_t t) { return names[static_cast<std::size_t>(y[t])]; };
    double score = 0;
    for (std::size_t t = 0; t < y.size(); ++t) {
      score += weight.at("U:" + std::string(tokens().tokens(*data_).text(i, t, 0)) + " -> " + name(t));
      if (t > 0) score += weight.at(name(t - 1) + " , " + name(t));
    }
    return score;
  }

  // score(y) less what broken features cost, by the definition
  double guided_score(const Knowledge& knowledge, const std::vector<double>& costs, std::size_t i,
                      const Labels& y, double score) {
    for_features(knowledge, i, y, [&](const RuleFeature& f) { score -= f.holds ? 0 : costs[f.rule]; });
    return score;
  }

  std::unique_ptr<Data> data_;
  SerialExecutor executor_;
};

TEST_F(GuidedSequences, AreTheBestOfAllLabellings) {
  const std::vector<std::string> sets = {
      "word a in Y\ntransition only at punctuation weight 2\n",
      "each label is one contiguous segment hard\n",
      "hard: first token in Z\nX before Y\nword b not in Y weight 0.3\n",
      "Z at least 1 token hard\nX excludes Y weight 5\nno transition from X to Z\n",
      "fraction of X about 0.1\nY at most 1 segment per example\n",
  };
  for (const std::string& text : sets)
    for (const double strength : {0.0, 0.5, 2.0}) {
      const Rules rules = parse_rules(text, "r");
      const Applied applied = apply_rules(rules, tokens(), *data_);
      const std::vector<double> costs = rule_costs(*applied.knowledge, strength);
      tokens().guide(nullptr, {});
      tokens().guide(applied.knowledge, costs);
      const std::vector<Labels> answers = answered();
      const auto labels = static_cast<int>(tokens().label_names().size());
      ASSERT_EQ(labels, 3);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const std::size_t length = answers[i].size();
        double best = -std::numeric_limits<double>::infinity(), found = best;
        Labels y(length, 0);
        for (bool more = true; more;) {
          const double value = guided_score(*applied.knowledge, costs, i, y, score_of(i, y));
          best = std::max(best, value);
          if (y == answers[i]) found = value;
          std::size_t t = 0;
          while (t < length && ++y[t] == labels) y[t++] = 0;
          more = t < length;
        }
        EXPECT_NEAR(found, best, 1e-12 * (1 + std::abs(best))) << text << strength << " example " << i;
        EXPECT_GT(best, -std::numeric_limits<double>::infinity());
      }
    }
}

TEST_F(GuidedSequences, AreWhatTheyWereWithoutRules) {
  const std::vector<Labels> before = answered();
  const std::string written = predict(*task_, *data_);
  const Applied applied = apply_rules(parse_rules("word a, b in Z hard", "r"), tokens(), *data_);
  tokens().guide(applied.knowledge, rule_costs(*applied.knowledge, 1));
  EXPECT_NE(answered(), before);
  EXPECT_NE(predict(*task_, *data_), written);
  EXPECT_EQ(predict(*task_, *data_, 3), predict(*task_, *data_, 1));
  set(task_->predict_options(), "nbest", 2);
  expect_input_error([&] { predict(*task_, *data_); }, "rules guide the best labelling only");
  set(task_->predict_options(), "nbest", 1);
  tokens().guide(nullptr, {});
  EXPECT_EQ(answered(), before);
  EXPECT_EQ(predict(*task_, *data_), written);
}

TEST_F(GuidedSequences, TellWhatRulesAreWorth) {
  const Rules rules =
      parse_rules("word a in X\nword b in Y\nfraction of X about 0.5\nlast token in X\n", "r");
  const Applied applied = apply_rules(rules, tokens(), *data_);
  const RuleCheck check = check_rules(*task_, *data_, w_, applied.knowledge, 100, 1, executor_);
  EXPECT_EQ(check.applies, (std::vector<std::size_t>{3, 5, 13, 3}));
  ASSERT_TRUE(check.labels && check.predictions && check.guided);
  EXPECT_EQ(check.labels->rules[0].holds, 2u);
  EXPECT_EQ(check.labels->rules[1].holds, 4u);
  EXPECT_EQ(check.labels->rules[2].holds, 7u);
  EXPECT_EQ(check.labels->rules[3].holds, 1u);
  EXPECT_EQ(check.labels->violations[3].size(), 1u);
  EXPECT_EQ(check.labels->violations[3][0].example, 0u);
  EXPECT_EQ(check.labels->violations[3][0].feature.position, 4u);
  EXPECT_TRUE(check.labels->violations[2].empty());
  EXPECT_EQ(check.guided->rules[0].holds, 3u);
  // What leaving rule k out is worth, by the long way.
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<double> costs = rule_costs(*applied.knowledge, 100);
    costs[k] = 0;
    tokens().guide(applied.knowledge, costs);
    std::size_t right = 0;
    const std::vector<Labels> answers = answered();
    for (std::size_t i = 0; i < answers.size(); ++i)
      for (std::size_t t = 0; t < answers[i].size(); ++t)
        right += answers[i][t] == tokens().labels(*data_)[i][t];
    EXPECT_DOUBLE_EQ(check.without[k], static_cast<double>(right) / 13);
  }
  const RuleCheck bare = check_rules(*task_, *data_, {}, applied.knowledge, 1, 1, executor_);
  EXPECT_TRUE(bare.labels && !bare.predictions && !bare.accuracy);
}

}  // namespace
}  // namespace hinge
