#include "hinge/training/training_options.h"

#include <gtest/gtest.h>

#include "tests/support/complaint.h"

namespace hinge {
namespace {

TEST(ValuesOfC, AreAscendingAndEachOnce) {
  EXPECT_EQ(ValuesOfC({10, 0.1, 10, 1}).ascending(), (std::vector<double>{0.1, 1, 10}));
  EXPECT_EQ(ValuesOfC("3,1e-3").ascending(), (std::vector<double>{1e-3, 3}));
  EXPECT_EQ(ValuesOfC(7).ascending(), (std::vector<double>{7}));
  EXPECT_TRUE(ValuesOfC().ascending().empty());
  EXPECT_TRUE(ValuesOfC("auto").ascending().empty());
  EXPECT_TRUE(ValuesOfC("auto").chosen_by_data());
}

TEST(ValuesOfC, KeepEveryBitOfANumber) {
  const double odd = 0.1 + 0.2;
  EXPECT_EQ(ValuesOfC({odd}).ascending(), (std::vector<double>{odd}));
}

TEST(ValuesOfC, RefuseWhatIsNoPositiveNumber) {
  EXPECT_EQ(complaint([] { ValuesOfC("1,x").ascending(); }), "`C` is 'x', but must be a number.");
  EXPECT_EQ(complaint([] { ValuesOfC("1,auto").ascending(); }),
            "`C` has 'auto' among numbers: give it alone.");
  EXPECT_NE(complaint([] { ValuesOfC(0.0).ascending(); }).find("must be more than 0"), std::string::npos);
  EXPECT_NE(complaint([] { ValuesOfC("").ascending(), ValuesOfC(",1").ascending(); }).find("number"),
            std::string::npos);
}

// One sentence for each pair of options that contradict each other, by the options' own names.
TEST(TrainingOptions, RefuseContradictions) {
  const auto trouble = [](const TrainingOptions& options) {
    return complaint([&] { options.check_consistency(); });
  };
  EXPECT_EQ(trouble({}), "no complaint");
  EXPECT_NE(trouble({.solver = "bundle", .inner = "bundle"}).find("`inner`"), std::string::npos);
  EXPECT_NE(trouble({.solver = "cccp", .inner = "cccp"}).find("no solver of convex"), std::string::npos);
  EXPECT_EQ(trouble({.solver = "cccp", .inner = "bundle"}), "no complaint");
  EXPECT_NE(trouble({.method = "crf", .output_temperature = 0}).find("without a loss"), std::string::npos);
  EXPECT_NE(trouble({.method = "crf", .rescaling = "slack"}).find("`rescaling` slack"), std::string::npos);
  EXPECT_NE(trouble({.rescaling = "slack", .output_temperature = 0.5}).find("`rescaling` slack"),
            std::string::npos);
  EXPECT_NE(trouble({.method = "hcrf", .anneal = 2}).find("`anneal`"), std::string::npos);
  EXPECT_NE(trouble({.method = "nothing"}).find("`method`"), std::string::npos);
  EXPECT_NE(trouble({.latent_temperature = -3}).find("`latent_temperature`"), std::string::npos);
  EXPECT_NE(trouble({.restarts = 0}).find("`restarts`"), std::string::npos);
}

TEST(UsualC, CountsEveryExampleOneOrATenth) {
  EXPECT_EQ(usual_C({.method = "crf"}, 500), 500);
  EXPECT_EQ(usual_C({.method = "ssvm"}, 500), 50);
  EXPECT_EQ(usual_C({.method = "mssvm"}, 500), 50);
  EXPECT_EQ(usual_C({.method = "ssvm"}, 3), 1);
  const std::vector<double> tried = tried_C({.method = "crf"}, 100);
  EXPECT_EQ(tried.front(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(tried));
  EXPECT_NE(std::ranges::find(tried, 100.0), tried.end());
}

TEST(Init, SaysWhereToStart) {
  EXPECT_EQ(Init::parse("").kind, Init::Kind::unset);
  EXPECT_EQ(Init::parse("random:0.5").spread, 0.5);
  EXPECT_EQ(Init::parse("a/file").model, "a/file");
  for (const char* text : {"random:", "random:x", "random:0", "random:-1"})
    EXPECT_NE(complaint([&] { Init::parse(text); }).find("`init`"), std::string::npos) << text;
}

}  // namespace
}  // namespace hinge
