#include "hinge/core/string_table.h"

#include <gtest/gtest.h>

#include <map>

#include "hinge/core/random.h"

namespace hinge {
namespace {

TEST(StringTable, NumbersTextsInOrderOfArrival) {
  StringTable table;
  EXPECT_EQ(table.find("a"), StringTable::kNone);
  EXPECT_EQ(table.intern("a"), 0u);
  EXPECT_EQ(table.intern(""), 1u);
  EXPECT_EQ(table.intern("a"), 0u);
  EXPECT_EQ(table.intern(std::string_view("a\0b", 3)), 2u);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table.text(2), std::string_view("a\0b", 3));
  EXPECT_EQ(table.find(""), 1u);
  EXPECT_EQ(table.find("b"), StringTable::kNone);
}

TEST(StringTable, AgreesWithAMapOnRandomTexts) {
  Random random(1);
  StringTable table;
  std::map<std::string, Index> reference;
  for (int k = 0; k < 20000; ++k) {
    std::string text(random.below(20), ' ');
    for (char& c : text) c = static_cast<char>('a' + random.below(3));
    const auto [entry, fresh] = reference.try_emplace(text, static_cast<Index>(reference.size()));
    EXPECT_EQ(table.find(text), fresh ? StringTable::kNone : entry->second);
    ASSERT_EQ(table.intern(text), entry->second);
  }
  ASSERT_EQ(table.size(), reference.size());
  std::vector<std::string_view> texts = {"not there"};
  for (const auto& [text, number] : reference) texts.push_back(text);
  std::vector<Index> found(texts.size()), again(texts.size());
  table.find(texts, found);
  EXPECT_EQ(found[0], StringTable::kNone);
  StringTable batch;
  batch.find(texts, again);
  EXPECT_EQ(again, std::vector<Index>(texts.size(), StringTable::kNone));
  batch.intern(texts, again);
  for (std::size_t k = 1; k < texts.size(); ++k) {
    EXPECT_EQ(found[k], reference[std::string(texts[k])]);
    EXPECT_EQ(again[k], k);
  }
  Archive archive;
  table.save(archive, "words");
  StringTable loaded;
  loaded.load(archive, "words");
  ASSERT_EQ(loaded.size(), reference.size());
  for (const auto& [text, index] : reference) {
    EXPECT_EQ(loaded.find(text), index);
    EXPECT_EQ(loaded.text(index), text);
  }
}

TEST(StringTable, RefusesDamagedArrays) {
  StringTable table;
  table.intern("one");
  table.intern("two");
  Archive good;
  table.save(good, "t");
  const auto refuses = [&](std::vector<std::int64_t> offsets) {
    Archive bad = good;
    bad.arrays["t.offsets"] = std::move(offsets);
    StringTable loaded;
    EXPECT_THROW(loaded.load(bad, "t"), InputError);
    EXPECT_TRUE(loaded.empty());
  };
  refuses({});
  refuses({0, 3});           // not the whole blob
  refuses({0, 7, 6});        // descending, beyond the blob
  refuses({0, -1, 6});       // negative
  refuses({0, 0, 0, 3, 6});  // the same text twice
  refuses({1, 3, 6});
  EXPECT_THROW(StringTable().load(Archive{}, "t"), InputError);
}

}  // namespace
}  // namespace hinge
