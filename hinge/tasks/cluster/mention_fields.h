// Fields of the mentions of a text, from the words alone (there are no parts of speech nor trees):
//
// | field    | value                                                                                       |
// |----------|---------------------------------------------------------------------------------------------|
// | text     | the words                                                                                   |
// | core     | the words without a determiner in front or a 's behind; not of pronouns                     |
// | head     | the last word before the first preposition, relative pronoun or comma                       |
// | kind     | i, we, you, he, she, it, they; name; definite, demonstrative, possessive, indefinite, bare  |
// | type     | speaker (i, we, you), pronoun, name, nominal                                                |
// | gender   | masculine, feminine, neuter; by pronouns, titles and nouns of people; else missing          |
// | number   | singular, plural; missing for you                                                           |
// | sentence | its number in the document                                                                  |
// | span     | the first and the last word, numbered in the document                                       |
// | speech   | whether it stands in quotation marks; quote: in the how many-eth quotation, else missing    |
// | before   | the word before it: comma, be, quote, word, or start of the sentence                        |
// | length   | 1, 2, 3, 4+ words                                                                           |
// | capital  | whether the head begins with a capital letter                                               |
// | begins   | whether it is the first mention that begins in its sentence                                 |
#pragma once

#include <string_view>
#include <vector>

#include "hinge/tasks/cluster/items.h"

namespace hinge {

struct MentionText {
  struct Word {
    std::string_view text;
    std::size_t sentence;
  };
  struct Mention {
    std::size_t first, last;  // words
  };
  std::vector<Word> words;
  std::vector<Mention> mentions;
};

ItemTable mention_fields(const MentionText& text);

}  // namespace hinge
