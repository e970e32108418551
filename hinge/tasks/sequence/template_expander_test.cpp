#include "hinge/tasks/sequence/template_expander.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// Every length of key, every way to leave an attribute out, and positions on both sides of the sentence.
const std::string kTemplates =
    "Ubias\nU0:%x[0,0]\nU1:%i[-2,1]\nU2:%p[1,0,2]\nU3:%e[-1]\nU4:%x[-1,0]|%l[0,0]\nU5:%i[-1,1]|%x[0,1]|%x[1,"
    "1]\n"
    "U6:%x[-2,1]|%x[-1,1]|%x[0,1]|%x[1,1]\nU7:%x[-2,1]|%x[-1,1]|%x[0,1]|%x[1,1]|%s[2,0]\nU8:%x[-1,0]|%x[1,0]"
    "\n";

TEST(TemplateExpander, GivesWhatTheTemplatesGive) {
  const std::vector<std::string_view> words = {"a", "b", "Ab", "aB", "abc", "_B-1", "_B+1"};
  const FeatureTemplates templates(kTemplates, "t", 2);
  SequenceSchema schema;
  for (const bool growing : {true, false}) {
    CorpusBuilder builder = growing ? CorpusBuilder(schema) : CorpusBuilder(std::as_const(schema));
    TemplateExpander expander(templates, builder);
    std::vector<std::vector<std::string>> wanted;
    Random random(growing ? 1 : 2);
    std::size_t unseen = 0;
    std::string name;
    for (int sentence = 0; sentence < (growing ? 40 : 200); ++sentence) {
      std::vector<std::string_view> cells(2 * (1 + random.below(5)));
      for (auto& cell : cells) cell = words[random.below(words.size())];
      const TokenGrid grid{cells, 2};
      expander.begin_sentence(grid);
      for (std::ptrdiff_t row = 0; row < grid.rows(); ++row) {
        expander.add_attributes(row);
        builder.token("X");
        auto& names = wanted.emplace_back();
        for (std::size_t k = 0; k < templates.size(); ++k) {
          if (!templates.expand(k, grid, row, name)) continue;
          if (schema.attributes.find(name) != StringTable::kNone)
            names.push_back(name);
          else
            ++unseen;
        }
        std::ranges::sort(names);
      }
      builder.end_sequence();
    }
    const SequenceCorpus corpus = std::move(builder).finish();
    EXPECT_EQ(corpus.unseen_attributes, unseen);
    EXPECT_EQ(unseen > 0, !growing);
    std::size_t token = 0;
    for (const Sequence& input : corpus.inputs)
      for (std::size_t t = 0; t < input.length(); ++t, ++token) {
        std::vector<std::string> names;
        for (Index k = input.start[t]; k < input.start[t + 1]; ++k)
          names.emplace_back(schema.attributes.text(input.attribute[k]));
        std::ranges::sort(names);
        ASSERT_EQ(names, wanted[token]) << "token " << token;
      }
  }
}

}  // namespace
}  // namespace hinge
