#include "hinge/core/options.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hinge {
namespace {

struct Sample {
  double gap = 1e-3;
  int order = 1;
  std::uint64_t seed = 0;
  bool bias = true;
  std::string loss = "count";
  std::vector<double> costs = {1, 2};
  std::vector<std::string> formats = {"conll"};
  double anything = 0;
  std::string parents = "", templates = "default";
  std::vector<std::string> more = {};

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::positive, "stop at this gap");
    visit("order", self.order, range::between(1, 3), "labels in a row");
    visit("seed", self.seed, range::any, "of random choices");
    visit("bias", self.bias, range::any, "a feature that is always on");
    visit("loss", self.loss, range::one_of({"count", "normalised"}), "what an error costs");
    visit("costs", self.costs, range::not_negative, "by label");
    visit("formats", self.formats, range::one_of({"conll", "svmhmm"}), "of the files");
    visit("anything", self.anything, range::any, "free");
    visit("parents", self.parents, range::file, "a file");
    visit("templates", self.templates, range::file_or({"default"}), "a file or what is built in");
    visit("more", self.more, range::file, "files");
  }
};

std::string complaint(const Sample& options) {
  try {
    validate(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Options, AreFineByDefault) { EXPECT_EQ(complaint({}), ""); }

TEST(Options, NameTheOptionTheValueAndWhatItTakes) {
  EXPECT_EQ(complaint({.gap = 0}), "`gap` is 0, but must be more than 0.");
  EXPECT_EQ(complaint({.gap = -2.5}), "`gap` is -2.5, but must be more than 0.");
  EXPECT_EQ(complaint({.gap = NAN}), "`gap` is nan, but must be more than 0.");
  EXPECT_EQ(complaint({.gap = INFINITY}), "`gap` is inf, but must be more than 0.");
  EXPECT_EQ(complaint({.order = 4}), "`order` is 4, but must be at least 1 and at most 3.");
  EXPECT_EQ(complaint({.order = 12345678}), "`order` is 12345678, but must be at least 1 and at most 3.");
  EXPECT_EQ(complaint({.loss = "cuont"}),
            "`loss` is 'cuont' (did you mean count?), but must be one of count, normalised.");
  EXPECT_EQ(complaint({.costs = {1, -1}}), "`costs` is -1, but must be at least 0.");
  EXPECT_EQ(complaint({.formats = {"conll", "xml"}}),
            "`formats` is 'xml', but must be one of conll, svmhmm.");
  EXPECT_EQ(complaint({.anything = -1e300}), "");
}

TEST(Options, AreListedAndSetWithoutTheirTypes) {
  Sample sample;
  const std::vector<OptionRef> list = list_options(sample);
  std::vector<std::string> names;
  for (const OptionRef& option : list) names.push_back(option.name);
  EXPECT_EQ(names, (std::vector<std::string>{"gap", "order", "seed", "bias", "loss", "costs", "formats",
                                             "anything", "parents", "templates", "more"}));
  EXPECT_EQ(list[0].help, "stop at this gap");
  EXPECT_EQ(list[0].range.text(), "more than 0");
  *std::get<double*>(list[0].field) = 0.5;
  *std::get<int*>(list[1].field) = 2;
  std::get<std::vector<std::string>*>(list[6].field)->push_back("svmhmm");
  EXPECT_EQ(sample.gap, 0.5);
  EXPECT_EQ(sample.order, 2);
  EXPECT_EQ(sample.formats.size(), 2u);
}

TEST(Options, SayWhichFilesTheyName) {
  Sample sample{.loss = "normalised", .parents = "p", .templates = "t", .more = {"a", "b"}};
  EXPECT_EQ(complaint(sample), "");
  const auto files = [&] {
    std::vector<std::string> all;
    for (const OptionRef& option : list_options(sample))
      for (const std::string& file : files_of(option)) all.push_back(file);
    return all;
  };
  EXPECT_EQ(files(), (std::vector<std::string>{"p", "t", "a", "b"}));
  sample.parents = "", sample.templates = "default", sample.more = {"-"};
  EXPECT_EQ(files(), std::vector<std::string>{"-"});
  EXPECT_EQ(range::file.text(), "a file");
  EXPECT_EQ(range::file_or({"default", "other"}).text(), "a file or default or other");
}

TEST(Range, SaysWhatItTakes) {
  EXPECT_EQ(range::any.text(), "any value");
  EXPECT_EQ(range::at_least_one.text(), "at least 1");
  EXPECT_EQ(range::between(0, 1).text(), "at least 0 and at most 1");
  EXPECT_EQ((Range{.high = 5}).text(), "at most 5");
  EXPECT_TRUE(range::between(0, 1).contains(0));
  EXPECT_TRUE(range::between(0, 1).contains(1));
  EXPECT_FALSE(range::positive.contains(0));
  EXPECT_FALSE(range::any.contains(NAN));
}

}  // namespace
}  // namespace hinge
