#include "hinge/tasks/cluster/mention_fields.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "hinge/tasks/cluster/ascii_lower.h"

namespace hinge {
namespace {

using Words = std::unordered_set<std::string_view>;
using Table = std::unordered_map<std::string_view, std::string_view>;

const Table kPronouns = {
    {"i", "i"},         {"me", "i"},           {"my", "i"},      {"mine", "i"},       {"myself", "i"},
    {"we", "we"},       {"us", "we"},          {"our", "we"},    {"ours", "we"},      {"ourselves", "we"},
    {"you", "you"},     {"your", "you"},       {"yours", "you"}, {"yourself", "you"}, {"yourselves", "you"},
    {"thou", "you"},    {"thee", "you"},       {"thy", "you"},   {"thine", "you"},    {"thyself", "you"},
    {"ye", "you"},      {"he", "he"},          {"him", "he"},    {"his", "he"},       {"himself", "he"},
    {"she", "she"},     {"her", "she"},        {"hers", "she"},  {"herself", "she"},  {"it", "it"},
    {"its", "it"},      {"itself", "it"},      {"they", "they"}, {"them", "they"},    {"their", "they"},
    {"theirs", "they"}, {"themselves", "they"}};

const Table kDeterminers = {{"the", "definite"},        {"this", "demonstrative"},  {"that", "demonstrative"},
                            {"these", "demonstrative"}, {"those", "demonstrative"}, {"my", "possessive"},
                            {"your", "possessive"},     {"his", "possessive"},      {"her", "possessive"},
                            {"its", "possessive"},      {"our", "possessive"},      {"their", "possessive"},
                            {"thy", "possessive"},      {"a", "indefinite"},        {"an", "indefinite"},
                            {"some", "indefinite"},     {"any", "indefinite"},      {"no", "indefinite"},
                            {"every", "indefinite"},    {"each", "indefinite"},     {"all", "indefinite"},
                            {"many", "indefinite"},     {"several", "indefinite"},  {"another", "indefinite"},
                            {"one", "indefinite"},      {"two", "indefinite"},      {"three", "indefinite"},
                            {"such", "indefinite"},     {"few", "indefinite"},      {"both", "indefinite"},
                            {"other", "indefinite"}};

const Words kIndefinitePronouns = {"nobody",   "somebody",  "everybody", "anybody",  "someone",
                                   "everyone", "anyone",    "none",      "one",      "some",
                                   "others",   "something", "nothing",   "anything", "everything"};

const Words kHeadEnds = {"of",    "in",   "on",   "at",    "with",  "from",  "to",    "for",
                         "by",    "who",  "whom", "that",  "which", "whose", "where", "between",
                         "among", "upon", "near", "under", "over",  "like",  "than",  "as",
                         ",",     ";",    ":",    "--",    "(",     "about"};

const Words kMasculine = {"mr.",         "mr",       "sir",     "lord",   "king",      "master",  "uncle",
                          "father",      "brother",  "son",     "man",    "boy",       "husband", "prince",
                          "duke",        "monsieur", "count",   "baron",  "gentleman", "papa",    "dad",
                          "grandfather", "nephew",   "fellow",  "lad",    "men",       "boys",    "gentlemen",
                          "brothers",    "sons",     "captain", "squire", "widower",   "bishop",  "priest",
                          "herr",        "signor",   "m."};
const Words kFeminine = {"mrs.",      "mrs",   "miss",        "lady",        "queen",     "madam",
                         "madame",    "aunt",  "mother",      "sister",      "daughter",  "woman",
                         "girl",      "wife",  "princess",    "duchess",     "countess",  "widow",
                         "maid",      "mamma", "mama",        "grandmother", "niece",     "lass",
                         "women",     "girls", "ladies",      "sisters",     "daughters", "mademoiselle",
                         "governess", "nurse", "housekeeper", "signora"};
const Words kPlural = {"men",   "women", "people", "children", "gentlemen", "ladies", "folk",
                       "folks", "these", "those",  "many",     "several",   "two",    "three",
                       "four",  "five",  "six",    "both",     "few"};
const Words kBe = {"is", "was", "are", "were", "be", "been", "being", "am", "became", "'s"};
const Words kQuotes = {"\"", "“", "”", "``", "''", "“‘", "’”"};

bool capital(std::string_view text) { return !text.empty() && text[0] >= 'A' && text[0] <= 'Z'; }
bool in(const Words& words, std::string_view word) { return words.contains(word); }
std::string_view find(const Table& table, std::string_view word) {
  const auto found = table.find(word);
  return found == table.end() ? std::string_view{} : found->second;
}

// The words of a text and what can be known of it before its mentions.
class Text {
 public:
  explicit Text(const MentionText& text) : text_(text) {
    std::size_t quotes = 0;
    bool inside = false;
    for (const auto& [word, sentence] : text.words) {
      lower_.push_back(ascii_lower(word));
      if (!capital(word)) small_.insert(lower_.back());
      const bool opens = word == "“" || word == "``" || word == "“‘" || (word == "\"" && !inside);
      if (opens) ++quotes;
      if (in(kQuotes, word)) inside = opens;
      quote_.push_back(inside ? quotes : 0);
    }
  }

  void describe(std::size_t item, bool begins, ItemTable& out) const {
    const auto [first, last] = text_.mentions[item];
    const std::size_t head = head_of(first, last), length = last - first + 1;
    const std::string_view pronoun = length == 1 ? find(kPronouns, lower_[first]) : std::string_view{};
    const std::string kind = pronoun.empty() ? noun_kind(first, head) : std::string(pronoun);
    const auto set = [&](const char* field, std::string value) {
      if (!value.empty()) out.set(item, field, Cell::of(std::move(value)));
    };
    set("text", join(first, last));
    if (pronoun.empty()) set("core", core(first, last));
    if (pronoun.empty()) set("head", lower_[head]);
    set("kind", kind);
    set("type", type_of(kind, pronoun));
    set("gender", gender(first, head, pronoun));
    set("number", number(first, head, pronoun));
    out.set(item, "sentence", Cell::of(static_cast<double>(text_.words[first].sentence)));
    out.set(item, "span", Cell::of(static_cast<double>(first), static_cast<double>(last)));
    set("speech", quote_[first] > 0 ? "yes" : "no");
    if (quote_[first] > 0) out.set(item, "quote", Cell::of(static_cast<double>(quote_[first])));
    set("before", before(first));
    set("length", length > 3 ? "4+" : std::to_string(length));
    set("capital", capital(text_.words[head].text) ? "yes" : "no");
    set("begins", begins ? "yes" : "no");
  }

 private:
  std::string join(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t t = first; t <= last; ++t) text.append(t > first ? " " : "").append(text_.words[t].text);
    return text;
  }
  std::string core(std::size_t first, std::size_t last) const {
    if (first < last && !find(kDeterminers, lower_[first]).empty()) ++first;
    if (first < last && possessive(last)) --last;
    return join(first, last);
  }
  bool possessive(std::size_t t) const { return lower_[t] == "'s" || lower_[t] == "’s" || lower_[t] == "'"; }

  std::size_t head_of(std::size_t first, std::size_t last) const {
    std::size_t end = first + 1;
    while (end <= last && !in(kHeadEnds, lower_[end])) ++end;
    std::size_t head = end - 1;
    if (head > first && possessive(head)) --head;
    return head;
  }

  bool starts_sentence(std::size_t t) const {
    if (t == 0 || text_.words[t - 1].sentence != text_.words[t].sentence) return true;
    return in(kQuotes, text_.words[t - 1].text) && starts_sentence(t - 1);
  }
  std::string noun_kind(std::size_t first, std::size_t head) const {
    if (first == head && in(kIndefinitePronouns, lower_[first])) return "indefinite";
    // A capital at the start of a sentence says nothing of a word that the text has without.
    const bool named =
        capital(text_.words[head].text) && (!starts_sentence(head) || !small_.contains(lower_[head]));
    if (named) return "name";
    const std::string_view determiner = find(kDeterminers, lower_[first]);
    if (!determiner.empty()) return std::string(determiner);
    if (first < head && possessive(first + 1)) return "possessive";
    return "bare";
  }
  static std::string type_of(const std::string& kind, std::string_view pronoun) {
    if (pronoun == "i" || pronoun == "we" || pronoun == "you") return "speaker";
    if (!pronoun.empty()) return "pronoun";
    return kind == "name" ? "name" : "nominal";
  }

  std::string gender(std::size_t first, std::size_t head, std::string_view pronoun) const {
    if (pronoun == "he") return "masculine";
    if (pronoun == "she") return "feminine";
    if (pronoun == "it") return "neuter";
    for (std::size_t t = head + 1; t-- > first;) {
      if (t < head && !capital(text_.words[t].text)) continue;  // titles, not "his mother 's house"
      if (in(kMasculine, lower_[t])) return "masculine";
      if (in(kFeminine, lower_[t])) return "feminine";
    }
    return {};
  }

  std::string number(std::size_t first, std::size_t head, std::string_view pronoun) const {
    if (pronoun == "you") return {};
    if (pronoun == "we" || pronoun == "they") return "plural";
    if (!pronoun.empty()) return "singular";
    const std::string& noun = lower_[head];
    const bool joined = std::find(lower_.begin() + static_cast<std::ptrdiff_t>(first),
                                  lower_.begin() + static_cast<std::ptrdiff_t>(head),
                                  "and") != lower_.begin() + static_cast<std::ptrdiff_t>(head);
    const bool ends_in_s =
        noun.size() > 3 && noun.ends_with('s') && !noun.ends_with("ss") && !capital(text_.words[head].text);
    const bool plural = joined || ends_in_s || in(kPlural, noun) || in(kPlural, lower_[first]);
    return plural ? "plural" : "singular";
  }

  std::string before(std::size_t first) const {
    if (first == 0 || text_.words[first - 1].sentence != text_.words[first].sentence) return "start";
    const std::string& word = lower_[first - 1];
    if (word == ",") return "comma";
    if (in(kBe, word)) return "be";
    return in(kQuotes, word) ? "quote" : "word";
  }

  const MentionText& text_;
  std::vector<std::string> lower_;
  std::set<std::string> small_;     // words that the text has without a capital letter
  std::vector<std::size_t> quote_;  // the quotation that each word stands in, from 1 on; 0 outside
};

}  // namespace

ItemTable mention_fields(const MentionText& text) {
  const Text known(text);
  ItemTable items(text.mentions.size());
  std::size_t last_sentence = 0;
  for (std::size_t i = 0; i < text.mentions.size(); ++i) {
    const std::size_t sentence = text.words[text.mentions[i].first].sentence;
    known.describe(i, i == 0 || sentence != last_sentence, items);
    last_sentence = sentence;
  }
  return items;
}

}  // namespace hinge
