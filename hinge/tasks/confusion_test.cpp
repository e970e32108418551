#include "hinge/tasks/confusion.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hinge {
namespace {

nlohmann::json example() {
  Confusion confusion;
  confusion.add(0, 0, 3);
  confusion.add(0, 1);
  confusion.add(1, 0, 2);
  confusion.add(1, 1, 4);
  nlohmann::json metrics;
  confusion.write({"cat", "dog", "absent"}, metrics);
  return metrics;
}

TEST(Confusion, CountsByLabel) {
  const auto metrics = example();
  const auto& cat = metrics["labels"][0];
  EXPECT_EQ(cat["label"], "cat");
  EXPECT_EQ(cat["precision"], 3.0 / 5);
  EXPECT_EQ(cat["recall"], 3.0 / 4);
  EXPECT_EQ(cat["f1"], 6.0 / 9);
  EXPECT_EQ(cat["support"], 4);
  EXPECT_EQ(cat["predicted"], 5);
  EXPECT_EQ(metrics["labels"][2]["f1"], 0.0);
  EXPECT_DOUBLE_EQ(metrics["macro_f1"].get<double>(), (6.0 / 9 + 8.0 / 11) / 2);
  EXPECT_EQ(metrics["confusion"],
            nlohmann::json::parse(R"({"cat":{"cat":3,"dog":1},"dog":{"cat":2,"dog":4}})"));
}

TEST(Confusion, ReportsForPeople) {
  EXPECT_EQ(confusion_report(example()),
            "label   precision  recall      f1  support\n"
            "cat        0.6000  0.7500  0.6667        4\n"
            "dog        0.8000  0.6667  0.7273        6\n"
            "absent     0.0000  0.0000  0.0000        0\n"
            "\n"
            "most frequent confusions\n"
            "     2  dog     taken for cat\n"
            "     1  cat     taken for dog\n"
            "\n"
            "confusion: rows are true labels, columns predictions in the same order\n"
            "     3     1     .  cat\n"
            "     2     4     .  dog\n"
            "     .     .     .  absent\n");
}

}  // namespace
}  // namespace hinge
