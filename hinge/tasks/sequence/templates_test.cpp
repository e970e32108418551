#include "hinge/tasks/sequence/templates.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

using Names = std::vector<std::string>;

// All attributes of the token at `row` of a sentence whose only column is the words.
Names expand(const std::string& text, const std::vector<std::string_view>& words, std::ptrdiff_t row) {
  const FeatureTemplates templates(text, "t", 1);
  Names names;
  std::string name;
  for (std::size_t k = 0; k < templates.size(); ++k)
    if (templates.expand(k, {words, 1}, row, name)) names.push_back(name);
  return names;
}

TEST(FeatureTemplates, MacrosReadWhatTheySay) {
  EXPECT_EQ(expand("U:%x[0,0]", {"IBM-5150's"}, 0), Names{"U:IBM-5150's"});
  EXPECT_EQ(expand("U:%l[0,0]", {"IBM-5150's"}, 0), Names{"U:ibm-5150's"});
  EXPECT_EQ(expand("U:%s[0,0]", {"IBM-5150's"}, 0), Names{"U:A-0'a"});
  EXPECT_EQ(expand("U:%p[0,0,3]|%q[0,0,2]", {"IBM-5150's"}, 0), Names{"U:IBM|'s"});
  EXPECT_EQ(expand("U:%p[0,0,2]", {"a"}, 0), Names{});
  EXPECT_EQ(expand("U:%q[0,0,1]", {"a"}, 0), Names{"U:a"});
  EXPECT_EQ(expand("Ubias\nU", {"a"}, 0), (Names{"Ubias", "U"}));
  EXPECT_EQ(expand("U:%x[ +1 , 0 ] 100", {"a", "b"}, 0), Names{"U:b 100"});
}

TEST(FeatureTemplates, CutsWholeCharacters) {
  EXPECT_EQ(expand("U:%p[0,0,2]|%q[0,0,3]", {"Öl€ü"}, 0), Names{"U:Öl|l€ü"});
  EXPECT_EQ(expand("U:%q[0,0,5]", {"Öl€ü"}, 0), Names{});
  EXPECT_EQ(expand("U:%s[0,0]|%l[0,0]", {"Añb"}, 0), Names{"U:Aa|añb"});
}

TEST(FeatureTemplates, ReadsOutsideTheSentence) {
  EXPECT_EQ(expand("U:%x[-2,0]|%l[-1,0]|%s[1,0]|%x[3,0]", {"a"}, 0), Names{"U:_B-2|_B-1|_B+1|_B+3"});
  EXPECT_EQ(expand("U:%i[-1,0]\nU:%p[1,0,1]\nU:%q[1,0,1]", {"a"}, 0), Names{});
  EXPECT_EQ(expand("U:%e[-1]\nU:%e[1]", {"a", "b"}, 0), Names{"U:_B-1"});
}

TEST(FeatureTemplates, SaysWhatIsWrongAndWhere) {
  const auto refuses = [](const std::string& text, const std::string& part) {
    expect_input_error([&] { FeatureTemplates(text, "my.tpl", 2); }, part);
  };
  refuses("# c\n\nU:%z[0,0]\n", "my.tpl:3: the macro '%z' is unknown");
  refuses("U:%x[0,0]\nU:50%", "my.tpl:2: the macro '%' is unknown");
  refuses("U:%x", "lacks its [row,column]");
  refuses("U:%x[0,0", "lacks its [row,column]");
  refuses("U:%x[0,2]", "my.tpl:1: '%x[0,2]' reads column 2, but the data has the columns 0 to 1");
  refuses("U:%x[0]", "is not written as %x[row,column]");
  refuses("U:%x[0,-1]", "is not written as %x[row,column]");
  refuses("U:%x[a,0]", "is not written as");
  refuses("U:%p[0,0]", "is not written as %p[row,column,length]");
  refuses("U:%p[0,0,0]", "is not written as %p[row,column,length]");
  refuses("U:%e[0,0]", "is not written as %e[row]");
  refuses("U:%x[99999999999999999999,0]", "is not written as");
  refuses("U:%x[0,0]\nB01:%x[0,0]", "my.tpl:2: 'B01:%x[0,0]' joins label pairs with observations");
  refuses("*:%x[0,0]", "is no template");
  refuses("", "holds no U template");
  refuses("B\n", "holds no U template");
}

TEST(FeatureTemplates, KnowsWhetherPairsAreAskedFor) {
  EXPECT_FALSE(FeatureTemplates("U:%x[0,0]", "t", 1).transitions());
  EXPECT_TRUE(FeatureTemplates("B00\r\nU:%x[0,0]\r\n", "t", 1).transitions());
}

TEST(FeatureTemplates, BuiltInOnesFitTheColumns) {
  for (std::size_t columns = 1; columns <= 4; ++columns)
    EXPECT_TRUE(FeatureTemplates(built_in_templates("default", columns), "default", columns).transitions());
  EXPECT_EQ(FeatureTemplates(built_in_templates("crfsuite", 2), "crfsuite", 2).size(), 21u);
  expect_input_error([] { FeatureTemplates(built_in_templates("crfsuite", 1), "crfsuite", 1); },
                     "reads column 1, but the data has the columns 0 to 0");
  EXPECT_EQ(built_in_templates("other", 2), "");
}

}  // namespace
}  // namespace hinge
