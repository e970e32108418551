#include "hinge/tasks/parse/reader.h"

#include <functional>
#include <memory>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

constexpr std::string_view kTrace = "-NONE-";

// Where the text stands that is looked at.
struct TreePlace {
  std::string file;
  std::size_t line = 0;
};

// Puts one tree together from its brackets and words.
class TreeBuilder {
 public:
  explicit TreeBuilder(const TreePlace& place) : place_(place) {}

  bool open() const { return !frames_.empty(); }
  std::size_t depth() const { return frames_.size(); }
  std::size_t first_line() const { return first_line_; }

  void begin() {
    if (frames_.empty()) first_line_ = place_.line;
    frames_.push_back({tree_.brackets.size(), static_cast<Index>(tree_.words.size())});
    tree_.brackets.push_back({"", frames_.back().first_word, 0});
  }
  void text(std::string_view token) {
    Frame& frame = frames_.back();
    if (!frame.named && frame.items == 0) {
      frame.named = true;
      tree_.brackets[frame.bracket].label = token;
      return;
    }
    ++frame.items;
    ++frame.words;
    tree_.words.emplace_back(token);
    tree_.tags.emplace_back();
  }
  // Whether the tree is complete.
  bool end() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    TreeBracket& bracket = tree_.brackets[frame.bracket];
    if (frame.items == 0) {
      if (bracket.label.empty()) trouble("a bracket is empty: give it a label and words, or take it out.");
      trouble("the bracket ({}) has no word: write ({} word), or take it out.", bracket.label, bracket.label);
    }
    if (bracket.label.empty() && !frames_.empty())
      trouble("a bracket has no label, which only the one around the whole tree may lack: name it.");
    // A word right below the root has no tag.
    const bool tagged = frame.items == 1 && frame.words == 1 && bracket.label != SentenceTree::kOpen &&
                        !(frames_.empty() && is_root(bracket.label));
    if (!frames_.empty() && bare_label(bracket.label) == SentenceTree::kRoot)
      trouble(
          "the label {} stands below the top, where only the whole tree has it: name the bracket otherwise.",
          SentenceTree::kRoot);
    if (tagged) {
      if (bracket.label == kTrace) {
        tree_.words.pop_back();
        tree_.tags.pop_back();
      } else {
        tree_.tags.back() = bracket.label;
      }
      tree_.brackets.pop_back();
    } else {
      bracket.end = static_cast<Index>(tree_.words.size());
      if (bracket.end == bracket.begin)
        tree_.brackets.pop_back();  // it held traces
      else
        bracket.label = bracket.label == SentenceTree::kOpen ? bracket.label : bare_label(bracket.label);
    }
    if (!frames_.empty()) ++frames_.back().items;
    return frames_.empty();
  }
  SentenceTree take() {
    if (tree_.words.empty())
      fail_at(place_.file, first_line_, "the tree has no word: take it out, or give it one.");
    const auto n = static_cast<Index>(tree_.words.size());
    const bool rooted = !tree_.brackets.empty() && is_root(tree_.brackets[0].label);
    if (rooted)
      tree_.brackets[0].label = SentenceTree::kRoot;
    else
      tree_.brackets.insert(tree_.brackets.begin(), {SentenceTree::kRoot, 0, n});
    return std::exchange(tree_, {});
  }

  template <class... Args>
  [[noreturn]] void trouble(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(place_.file, place_.line, format, std::forward<Args>(args)...);
  }

 private:
  struct Frame {
    std::size_t bracket;
    Index first_word;
    bool named = false;
    std::size_t items = 0, words = 0;  // of them words without a bracket
  };
  static bool is_root(std::string_view label) {
    return label.empty() || label == SentenceTree::kRoot || label == "TOP" || label == "S1";
  }

  const TreePlace& place_;
  SentenceTree tree_;
  std::vector<Frame> frames_;
  std::size_t first_line_ = 0;
};

// Reads line after line.
class TreeReader {
 public:
  // found(tree, line) is told where it begins.
  TreeReader(std::string file, std::function<void(SentenceTree, std::size_t)> found)
      : place_{std::move(file)}, builder_(place_), found_(std::move(found)) {}

  void read(std::string_view line, std::size_t number) {
    place_.line = number;
    read_line(line);
  }
  void end() const {
    if (builder_.open())
      fail_at(place_.file, builder_.first_line(),
              "the file ends inside the tree that begins here, with {} open: close what is open.",
              counted(builder_.depth(), "bracket"));
  }
  // Comments that may be meant as sentences, since there are such of words alone.
  std::size_t doubtful_comments() const { return words_alone_ ? comments_ : 0; }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

  void read_line(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size() && blank(line[at])) ++at;
    if (at == line.size()) return;
    if (!builder_.open() && line[at] != '(') {
      if (line[at] == ')') builder_.trouble("a ')' closes no bracket: take it out, or open one before it.");
      if (line.starts_with("# "))
        ++comments_;
      else
        read_words(line);
      return;
    }
    while (at < line.size()) {
      const char c = line[at];
      if (blank(c)) {
        ++at;
      } else if (c == '(') {
        builder_.begin();
        ++at;
      } else if (c == ')') {
        if (!builder_.open())
          builder_.trouble("a ')' closes no bracket: take it out, or open one before it.");
        if (builder_.end()) found_(builder_.take(), builder_.first_line());
        ++at;
      } else {
        if (!builder_.open())
          builder_.trouble(
              "'{}' stands behind the end of a tree: begin a line with it, or put it into "
              "brackets.",
              line.substr(at));
        const std::size_t begin = at;
        while (at < line.size() && !blank(line[at]) && line[at] != '(' && line[at] != ')') ++at;
        builder_.text(line.substr(begin, at - begin));
      }
    }
  }
  void read_words(std::string_view line) {
    words_alone_ = true;
    split_fields<' ', '\t'>(line, fields_);
    for (const std::string_view field : fields_)
      if (field.find_first_of("()") != std::string_view::npos)
        builder_.trouble("the word '{}' has a bracket in it: write -LRB- and -RRB-.", field);
    found_(SentenceTree::of_words({fields_.begin(), fields_.end()}), place_.line);
  }

  TreePlace place_;
  TreeBuilder builder_;
  std::function<void(SentenceTree, std::size_t)> found_;
  std::vector<std::string_view> fields_;
  std::size_t comments_ = 0;
  bool words_alone_ = false;
};

// Whether a tree begins with a line, of all lines of a file.
class TreeBegins {
 public:
  explicit TreeBegins(std::string file) : file_(std::move(file)) {}
  bool operator()(std::string_view line) {
    ++number_;
    const std::size_t first = line.find_first_not_of(" \t\r\f\v");
    if (first == std::string_view::npos) return false;
    if (depth_ == 0 && line[first] != '(') return !line.starts_with("# ");
    std::size_t begun = 0;
    for (const char c : line) {
      if (c == '(' && depth_++ == 0) ++begun;
      if (c == ')' && depth_ > 0) --depth_;
    }
    if (begun > 1)
      fail_at(file_, number_, "holds {} trees on one line, which `share_data` cannot part: give each a line.",
              begun);
    if (begun == 1 && line[first] == ')')
      fail_at(file_, number_,
              "a tree begins where another ends, which `share_data` cannot part: give each a line.");
    return begun == 1;
  }

 private:
  std::string file_;
  std::size_t number_ = 0, depth_ = 0;
};

}  // namespace

MakeCutter cut_trees() {
  return cut_from_top([](const std::string& file) { return TreeBegins(file); });
}

ParseRecords read_trees(const std::vector<std::string>& files, const Selection& selection) {
  ParseRecords records;
  std::size_t read = 0;
  for (const std::string& file : files) {
    LineReader lines(file);
    const std::size_t before = read;
    const auto name = std::make_shared<const std::string>(lines.file());
    TreeReader reader(lines.file(), [&](SentenceTree tree, std::size_t begin) {
      if (selection(read++)) records.add(std::move(tree), 1, {name, begin});
    });
    std::string_view line;
    while (lines.next(line)) reader.read(line, lines.line());
    reader.end();
    records.comments += reader.doubtful_comments();
    if (read == before) fail_at(lines.file(), 0, "holds no tree: give a file with data.");
  }
  return records;
}

SentenceTree tree_of_text(std::string_view text, const std::string& name) {
  std::vector<SentenceTree> found;
  TreeReader reader(name, [&](SentenceTree tree, std::size_t) { found.push_back(std::move(tree)); });
  std::size_t number = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    reader.read(text.substr(begin, end - begin), ++number);
    begin = end + 1;
  }
  reader.end();
  if (found.size() != 1) fail("{} holds {}, where one belongs.", name, counted(found.size(), "tree"));
  return std::move(found[0]);
}

}  // namespace hinge
