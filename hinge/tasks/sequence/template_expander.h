// Attributes of the tokens of many sentences, fast: what a template gave for some texts is remembered by the
// numbers of those texts, so that its name is put together and looked up once.
//
// A template with one macro remembers in an array by text; with two to four in a hash table whose keys are
// exact; longer ones are expanded each time.
#pragma once

#include <array>
#include <vector>

#include "hinge/core/string_table.h"
#include "hinge/tasks/sequence/corpus.h"
#include "hinge/tasks/sequence/templates.h"

namespace hinge {

class TemplateExpander {
 public:
  // Attributes go to the builder, which must outlive this.
  TemplateExpander(FeatureTemplates templates, CorpusBuilder& builder);

  void begin_sentence(const TokenGrid& grid);
  void add_attributes(std::ptrdiff_t row);

 private:
  static constexpr std::size_t kLongestKey = 4;
  // Beside the attributes' own numbers, and StringTable::kNone for one that the schema lacks:
  static constexpr Index kNotYet = StringTable::kNone - 1, kLeftOut = StringTable::kNone - 2;
  using Key = std::array<Index, kLongestKey + 1>;  // the template, then its texts

  struct Reads {
    std::ptrdiff_t row;
    std::size_t column;
  };
  struct Slot {
    Key key;
    Index attribute = kNotYet;
  };

  Index expand(std::size_t k, std::ptrdiff_t row);
  Index text_at(Reads reads, std::ptrdiff_t row) const;
  Slot& locate(const Key& key);
  void grow();

  FeatureTemplates templates_;
  CorpusBuilder& builder_;
  std::vector<std::vector<Reads>> reads_;    // of each template
  std::vector<std::vector<Index>> by_text_;  // attributes of templates with one macro
  std::vector<Slot> slots_;                  // open addressing; a power of two, at most half full
  std::size_t used_ = 0;
  StringTable texts_;
  TokenGrid grid_;
  std::vector<Index> numbers_;  // of the texts of the grid
  std::string name_;
};

}  // namespace hinge
