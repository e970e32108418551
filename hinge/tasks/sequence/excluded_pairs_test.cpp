#include "hinge/tasks/sequence/excluded_pairs.h"

#include <gtest/gtest.h>

#include "tests/support/any_task.h"

namespace hinge {
namespace {

StringTable named(std::initializer_list<const char*> names) {
  StringTable table;
  for (const char* name : names) table.intern(name);
  return table;
}

std::vector<int> pairs_of(const std::vector<bool>& excluded) {
  std::vector<int> pairs;
  for (std::size_t p = 0; p < excluded.size(); ++p)
    if (excluded[p]) pairs.push_back(static_cast<int>(p));
  return pairs;
}

TEST(ExcludedPairs, AreThoseForbiddenAndThoseNotRequired) {
  const StringTable labels = named({"O", "B", "I"});
  EXPECT_EQ(pairs_of(excluded_pairs({"O>I"}, {}, labels)), (std::vector<int>{2}));
  EXPECT_EQ(pairs_of(excluded_pairs({}, {"B>I", "B>O"}, labels)), (std::vector<int>{4}));
  EXPECT_EQ(pairs_of(excluded_pairs({"B>O"}, {"B>I", "B>O"}, labels)), (std::vector<int>{3, 4}));
  EXPECT_EQ(pairs_of(excluded_pairs({"A>B>C"}, {}, named({"A>B", "C"}))), (std::vector<int>{1}));
  expect_input_error([&] { excluded_pairs({"O>X"}, {}, labels); }, "`forbidden` has 'O>X'");
  expect_input_error([&] { excluded_pairs({}, {"O"}, labels); }, "`required` has 'O'");
}

TEST(ExcludedPairs, DataMustLeaveALabelling) {
  const StringTable labels = named({"O", "B", "I"});
  const std::vector<bool> excluded = excluded_pairs({"O>I", "O>B"}, {"B>I"}, labels);
  SequenceCorpus corpus;
  corpus.labels = {{1, 2, 0}, {kUnknown, 2}, {1, kUnknown, 0}};
  refuse_excluded(excluded, corpus, labels);
  corpus.labels.push_back({0, kUnknown, 2});  // O stays O
  expect_input_error([&] { refuse_excluded(excluded, corpus, labels); },
                     "sequence 4 has no labelling up to its position 3");
  expect_input_error([&] { refuse_excluded(excluded, corpus, labels, 7); }, "sequence 11 has no labelling");
  corpus.labels.back() = {1, kUnknown};
  corpus.labels.back().one_of.push_back({1, {0, 1}});
  expect_input_error([&] { refuse_excluded(excluded, corpus, labels); },
                     "sequence 4 has no labelling up to its position 2");
}

TEST(ExcludedPairs, LongSequencesMustHaveALabelling) {
  const StringTable labels = named({"O", "B", "I"});
  SequenceCorpus corpus;
  corpus.labels = {{0}};
  const auto refuse = [&](const std::vector<std::string>& forbidden,
                          const std::vector<std::string>& required) {
    refuse_excluded(excluded_pairs(forbidden, required, labels), corpus, labels);
  };
  refuse({"O>O", "B>B", "I>I"}, {});
  refuse({"I>I", "I>O", "I>B"}, {});  // I is the last
  expect_input_error([&] { refuse({"I>I", "I>O", "I>B"}, {"O>B", "B>I"}); }, "of more than 3 positions");
  expect_input_error(
      [&] {
        refuse({"O>O", "B>B", "I>I"}, {"O>O", "B>B", "I>I"});
      },
      "of more than 1 position:");
}

}  // namespace
}  // namespace hinge
