#include "hinge/tasks/sequence/chunks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

#include "hinge/core/random.h"

namespace hinge {
namespace {

using Words = std::vector<std::string>;

Words words(const std::string& text) {
  std::istringstream stream(text);
  Words list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

struct Counted {
  std::size_t gold, predicted, right;
  friend bool operator==(const Counted&, const Counted&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Counted& c) {
    return out << c.gold << " gold, " << c.predicted << " predicted, " << c.right << " right";
  }
};

Counted count(const Words& gold, const Words& predicted) {
  Words names = gold;
  names.insert(names.end(), predicted.begin(), predicted.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto numbers = [&](const Words& labels) {
    Labels list;
    for (const auto& label : labels)
      list.push_back(static_cast<int>(std::lower_bound(names.begin(), names.end(), label) - names.begin()));
    return list;
  };
  ChunkCounter counter(names);
  counter.add(numbers(gold), numbers(predicted));
  const ChunkCounts total = counter.total();
  return {total.gold, total.predicted, total.right};
}

Counted count(const std::string& gold, const std::string& predicted) {
  return count(words(gold), words(predicted));
}

TEST(Chunks, CountsByHand) {
  // NP at 0-1, VP at 2, NP at 4-5.
  const std::string gold = "B-NP I-NP B-VP O B-NP I-NP";
  EXPECT_EQ(count(gold, gold), (Counted{3, 3, 3}));
  EXPECT_EQ(count(gold, "B-NP I-NP B-VP O B-NP O"), (Counted{3, 3, 2}));     // one token short
  EXPECT_EQ(count(gold, "B-NP I-NP B-NP O B-NP I-NP"), (Counted{3, 3, 2}));  // wrong type
  EXPECT_EQ(count(gold, "B-NP I-NP I-NP O B-NP I-NP"), (Counted{3, 2, 1}));  // one token long
  EXPECT_EQ(count(gold, "B-NP B-NP B-VP O B-NP I-NP"), (Counted{3, 4, 2}));  // split
  EXPECT_EQ(count(gold, "O O O O O O"), (Counted{3, 0, 0}));
}

TEST(Chunks, ReadsOddTransitions) {
  EXPECT_EQ(count("O I-NP I-NP", "O B-NP I-NP"), (Counted{1, 1, 1}));  // I after O begins
  EXPECT_EQ(count("I-NP I-VP", "B-NP B-VP"), (Counted{2, 2, 2}));      // a change of type inside
  EXPECT_EQ(count("B-NP I-VP I-NP", "B-NP B-VP B-NP"), (Counted{3, 3, 3}));
  EXPECT_EQ(count("I-NP B-NP I-NP", "B-NP B-NP I-NP"), (Counted{2, 2, 2}));  // IOB1: B after I
  EXPECT_EQ(count("I-NP I-NP", "B-NP B-NP"), (Counted{1, 2, 0}));
  EXPECT_EQ(count("I-NP", "I-VP"), (Counted{1, 1, 0}));
}

TEST(Chunks, ReadsEdgesOfBioes) {
  EXPECT_EQ(count("B-A I-A E-A S-A O", "B-A I-A I-A B-A O"), (Counted{2, 2, 2}));
  EXPECT_EQ(count("B-A E-A B-A E-A", "B-A I-A B-A I-A"), (Counted{2, 2, 2}));
  EXPECT_EQ(count("S-A S-A", "B-A I-A"), (Counted{2, 1, 0}));
  EXPECT_EQ(count("E-A E-A", "S-A S-A"), (Counted{2, 2, 2}));  // E after E stands alone
  EXPECT_EQ(count("S-A I-A", "S-A B-A"), (Counted{2, 2, 2}));  // I after S begins
  EXPECT_EQ(count("B-A S-A", "S-A S-A"), (Counted{2, 2, 2}));  // S ends what was open
  EXPECT_EQ(count("O E-A O", "O S-A O"), (Counted{1, 1, 1}));
}

TEST(Chunks, LeavesNothingOpenAtTheEndOfASequence) {
  const Words names = {"B-A", "I-A"};
  ChunkCounter counter(names);
  const Labels first = {0, 1}, second = {1, 1};
  counter.add(first, first);
  counter.add(second, second);
  EXPECT_EQ(counter.total().gold, 2u);
  EXPECT_EQ(counter.total().right, 2u);
}

TEST(Chunks, NamesTheScheme) {
  EXPECT_EQ(chunk_scheme(words("O B-NP I-NP")), "IOB");
  EXPECT_EQ(chunk_scheme(words("I-NP I-A-B O")), "IOB");
  EXPECT_EQ(chunk_scheme(words("O B I")), "IOB");
  EXPECT_EQ(chunk_scheme(words("O B-NP I-NP E-NP S-NP")), "BIOES");
  EXPECT_EQ(chunk_scheme(words("O")), "");
  EXPECT_EQ(chunk_scheme(words("a b c")), "");
  EXPECT_EQ(chunk_scheme(words("B-NP I-NP NN")), "");
  EXPECT_EQ(chunk_scheme(words("O B- I-")), "");
}

// The same in another way: chunks as (begin, end, type), each position's edges decided on the label texts by
// the script's tables of pairs.
std::set<std::tuple<std::size_t, std::size_t, std::string>> segments(Words labels) {
  const std::set<std::string> start_pairs = {"BB", "IB", "OB", "EB", "SB", "BS", "IS", "OS",
                                             "ES", "SS", "EE", "EI", "SE", "SI", "OE", "OI"};
  const std::set<std::string> end_pairs = {"BB", "BS", "BO", "IB", "IS", "IO", "EB", "EI",
                                           "EE", "ES", "EO", "SB", "SI", "SE", "SS", "SO"};
  labels.insert(labels.begin(), "O");
  labels.push_back("O");
  std::set<std::tuple<std::size_t, std::size_t, std::string>> found;
  std::size_t begin = 0;
  for (std::size_t t = 1; t < labels.size(); ++t) {
    const std::string pair = {labels[t - 1][0], labels[t][0]};
    const auto type = [](const std::string& label) { return label.size() > 2 ? label.substr(2) : ""; };
    const std::string last_type = type(labels[t - 1]), this_type = type(labels[t]);
    if (pair[0] != 'O' && (end_pairs.contains(pair) || last_type != this_type))
      found.emplace(begin, t, last_type);
    if (pair[1] != 'O' && (start_pairs.contains(pair) || last_type != this_type)) begin = t;
  }
  return found;
}

TEST(Chunks, AgreesWithSegmentsOnRandomLabels) {
  const Words names = words("O B-x I-x E-x S-x B-y I-y E-y S-y");
  Random random(7);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t length = 1 + random.below(8);
    Words gold, predicted;
    for (std::size_t t = 0; t < length; ++t) {
      gold.push_back(names[random.below(names.size())]);
      predicted.push_back(random.below(3) == 0 ? names[random.below(names.size())] : gold.back());
    }
    const auto a = segments(gold), b = segments(predicted);
    const auto common = static_cast<std::size_t>(
        std::count_if(a.begin(), a.end(), [&](const auto& segment) { return b.contains(segment); }));
    ASSERT_EQ(count(gold, predicted), (Counted{a.size(), b.size(), common}));
  }
}

}  // namespace
}  // namespace hinge
