#include "hinge/tasks/cluster/conll_document.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "hinge/core/errors.h"
#include "hinge/tasks/cluster/json_document.h"
#include "hinge/tasks/cluster/mention_fields.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

constexpr std::string_view kBegin = "#begin document", kEnd = "#end document";
constexpr std::size_t kWord = 3, kFewest = 5;

// The mark of one mention in the last column of a word.
struct Mark {
  std::size_t word;
  std::size_t mention;  // by appearance
  bool opens, closes;
};

// A document's words, sentences and marks.
class ConllText {
 public:
  ConllText(const std::string& text, const std::string& file, std::size_t first_line)
      : text_(text), file_(file), line_(first_line) {
    for (std::size_t begin = 0; begin < text.size(); ++line_) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      add(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
    for (const auto& [entity, open] : open_)
      if (!open.empty())
        fail_at(file_, open.back().line, "the mention of entity {} that begins here never ends: add '{})'.",
                entity, entity);
    order_.resize(mentions.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
      return mentions[a].first != mentions[b].first ? mentions[a].first < mentions[b].first
                                                    : mentions[a].last > mentions[b].last;
    });
  }

  // Mentions, by appearance, in the order of the items.
  const std::vector<std::size_t>& order() const { return order_; }

  std::vector<MentionText::Word> words;
  std::vector<MentionText::Mention> mentions;  // by appearance
  std::vector<std::string> entities;           // of each mention
  std::vector<Mark> marks;                     // by word
  std::vector<std::size_t> cell;               // where the last column of each word begins in the text

 private:
  struct Opened {
    std::size_t mention, line;
  };

  void add(std::string_view line) {
    if (line.starts_with('#')) return;
    split(line);
    if (columns_.empty()) {
      ++sentence_;
      return;
    }
    if (columns_.size() < kFewest)
      fail_at(file_, line_,
              "has {} columns where at least {} belong: the word is column 4, the mentions are the last.",
              columns_.size(), kFewest);
    words.push_back({columns_[kWord], sentence_});
    const std::string_view last = columns_.back();
    cell.push_back(static_cast<std::size_t>(last.data() - text_.data()));
    if (last.empty() || last == "-" || last == "_" || last == "*") return;
    for (std::size_t begin = 0; begin <= last.size();) {
      const std::size_t end = std::min(last.find('|', begin), last.size());
      add_mark(last.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // By tabs where there are any, so that the last column may be empty; else by blanks.
  void split(std::string_view line) {
    columns_.clear();
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    if (line.find('\t') == std::string_view::npos) return split_fields<' '>(line, columns_);
    for (std::size_t begin = 0;;) {
      const std::size_t tab = line.find('\t', begin);
      columns_.push_back(line.substr(begin, tab == std::string_view::npos ? tab : tab - begin));
      if (tab == std::string_view::npos) return;
      begin = tab + 1;
    }
  }

  void add_mark(std::string_view mark) {
    const bool opens = mark.starts_with('('), closes = mark.ends_with(')');
    const std::string entity(
        mark.substr(opens, mark.size() - std::min<std::size_t>(mark.size(), opens + closes)));
    if ((!opens && !closes) || entity.empty() || entity.find_first_of("()") != std::string::npos)
      fail_at(file_, line_, "'{}' marks no mention: write (7, 7) or (7), joined by '|'.", mark);
    const std::size_t at = words.size() - 1;
    std::size_t mention = mentions.size();
    if (opens) {
      mentions.push_back({at, at});
      entities.push_back(entity);
      if (!closes) open_[entity].push_back({mention, line_});
    } else {
      std::vector<Opened>& open = open_[entity];
      if (open.empty())
        fail_at(file_, line_, "'{}' ends a mention of entity {} that never began: add '({}' before.", mark,
                entity, entity);
      mention = open.back().mention;
      open.pop_back();
      mentions[mention].last = at;
    }
    marks.push_back({at, mention, opens, closes});
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t line_, sentence_ = 0;
  std::map<std::string, std::vector<Opened>> open_;
  std::vector<std::string_view> columns_;
  std::vector<std::size_t> order_;
};

// (name); part 3 → name.3, without the part when it is 0
std::string name_of(std::string_view line) {
  const std::size_t open = line.find('('), close = line.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::string(line);
  std::string name(line.substr(open + 1, close - open - 1));
  const std::size_t part = line.find("part ", close);
  const std::size_t digit = part == std::string_view::npos ? part : line.find_first_not_of('0', part + 5);
  if (digit != std::string_view::npos) name.append(1, '.').append(line.substr(digit));
  return name;
}

ItemDocument document_of(std::string source, const std::string& name, const std::string& file,
                         std::size_t line) {
  const ConllText text(source, file, line);
  if (text.mentions.size() > kMaxItems)
    fail_at(file, line, "has {} mentions, but a document can have {} at most.", text.mentions.size(),
            kMaxItems);
  ItemDocument document;
  document.name = name;
  MentionText mentions{text.words, {}};
  Partition clusters;
  StringTable entities;
  for (const std::size_t m : text.order()) {
    mentions.mentions.push_back(text.mentions[m]);
    clusters.push_back(entities.intern(text.entities[m]));
  }
  document.items = mention_fields(mentions);
  document.clusters = renumbered(std::move(clusters));
  document.source = std::move(source);
  return document;
}

std::vector<std::pair<std::size_t, std::size_t>> spans(const ConllText& text) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (const std::size_t m : text.order()) all.emplace_back(text.mentions[m].first, text.mentions[m].last);
  return all;
}

// Some two of a cluster cross.
void refuse_crossing(const ConllText& text, const std::vector<Index>& cluster, const std::string& name) {
  const auto shown = [&](const MentionText::Mention& mention) {
    std::string words;
    for (std::size_t w = mention.first; w <= mention.last; ++w)
      words.append(w == mention.first ? "" : " ").append(text.words[w].text);
    return fmt::format("'{}' (words {} to {})", words, mention.first, mention.last);
  };
  for (std::size_t a = 0; a < cluster.size(); ++a)
    for (std::size_t b = 0; b < cluster.size(); ++b) {
      const MentionText::Mention &left = text.mentions[a], &right = text.mentions[b];
      if (cluster[a] == cluster[b] && left.first < right.first && right.first <= left.last &&
          left.last < right.last)
        fail_at(name, 0,
                "the mentions {} and {} cross and are predicted to be in one cluster, which columns cannot "
                "tell: write JSON Lines with `output_format` jsonl.",
                shown(left), shown(right));
    }
  assert(false);
}

}  // namespace

void ConllFile::add(std::string_view line, std::size_t number) {
  const bool begins = line.starts_with(kBegin);
  if (begins && announced_)
    fail_at(file_, number, "a document begins within the one of line {}: write '{}' before.", first_line_,
            kEnd);
  if (begins) {
    if (first_line_ != 0 && text_.find_first_not_of(" \t\r\n") != std::string::npos)
      fail_at(file_, first_line_, "words stand before the first '{}': move them into a document.", kBegin);
    text_.clear();
    first_line_ = 0;
    announced_ = true;
    name_ = name_of(line);
  }
  if (first_line_ == 0) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    first_line_ = number;
    if (!announced_) name_ = file_;
  }
  text_ += line;
  text_ += '\n';
  if (line.starts_with(kEnd)) finish();
}

bool ConllBegins::operator()(std::string_view line) {
  const bool announces = line.starts_with(kBegin);
  const bool begins = announces || (!inside_ && line.find_first_not_of(" \t\r") != std::string_view::npos);
  inside_ = (inside_ || begins) && !line.starts_with(kEnd);
  return begins;
}

void ConllFile::finish() {
  take_(document_of(std::move(text_), name_, file_, first_line_), file_, first_line_);
  text_.clear();
  first_line_ = 0;
  announced_ = false;
}

ItemDocument conll_document(std::string text) {
  const std::string name = text.starts_with(kBegin) ? name_of(text.substr(0, text.find('\n'))) : "";
  return document_of(std::move(text), name, name, 1);
}

void ConllFile::end() {
  if (announced_)
    fail_at(file_, first_line_, "the document that begins here never ends: add '{}' after it.", kEnd);
  if (first_line_ != 0) finish();
}

std::string conll_with_clusters(const std::string& source, const std::string& name,
                                const Partition& clusters) {
  const ConllText text(source, name, 1);
  std::vector<Index> number(clusters.size());
  for (std::size_t i = 0; i < clusters.size(); ++i) number[text.order()[i]] = clusters[i];
  std::string out;
  std::size_t copied = 0, mark = 0;
  for (std::size_t word = 0; word < text.words.size(); ++word) {
    if (mark == text.marks.size() || text.marks[mark].word != word) continue;
    out.append(source, copied, text.cell[word] - copied);
    for (bool first = true; mark < text.marks.size() && text.marks[mark].word == word;
         ++mark, first = false) {
      const Mark& m = text.marks[mark];
      out += fmt::format("{}{}{}{}", first ? "" : "|", m.opens ? "(" : "", number[m.mention],
                         m.closes ? ")" : "");
    }
    copied = source.find_first_of("\r\n", text.cell[word]);
    copied = std::min(copied, source.find(' ', text.cell[word]));
  }
  out.append(source, copied, std::string::npos);
  if (spans(ConllText(out, name, 1)) != spans(text)) refuse_crossing(text, number, name);
  return out;
}

}  // namespace hinge
