#include "hinge/tasks/sequence/conll_reader.h"

#include <optional>
#include <utility>

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/sequence/conllu_file.h"
#include "hinge/tasks/sequence/template_expander.h"

namespace hinge {
namespace {

// The lines of one sentence as they were read, then their observed columns and labels.
class Sentence {
 public:
  bool empty() const { return lines_.empty(); }

  // A comment below its last line so far.
  void comment(std::string_view line) { comments_.append(line).append("\n"); }
  // Those that no line followed.
  std::string take_comments() { return std::exchange(comments_, {}); }

  void add(std::string_view line, std::size_t number, const std::vector<std::string_view>& fields,
           std::size_t observed) {
    const std::size_t above = text_.size();
    text_.append(std::exchange(comments_, {}));
    const std::size_t offset = text_.size();
    text_.append(line);
    const auto place = [&](std::string_view field) {
      return Place{offset + static_cast<std::size_t>(field.data() - line.data()), field.size()};
    };
    for (std::size_t c = 0; c < observed; ++c) cells_.push_back(place(fields[c]));
    labels_.push_back(observed < fields.size() ? place(fields[observed]) : Place{0, 0});
    lines_.push_back({above, offset - above + line.size()});
    numbers_.push_back(number);
  }

  void pour(TemplateExpander& expander, std::size_t observed, CorpusBuilder& builder) {
    views_.clear();
    for (const Place& cell : cells_) views_.push_back(view(cell));
    const bool selected = builder.selected();  // if not, the expander must not remember its attributes
    if (selected) expander.begin_sentence({views_, observed});
    for (std::size_t t = 0; t < lines_.size(); ++t) {
      builder.line(numbers_[t]);
      builder.columns(std::span(views_).subspan(t * observed, observed));
      if (selected) expander.add_attributes(static_cast<std::ptrdiff_t>(t));
      const std::string_view line = view(lines_[t]);
      builder.token(labels_[t].size == 0 ? std::nullopt : builder.said(view(labels_[t])), line,
                    line.find('\t') == std::string_view::npos ? " " : "\t");
    }
    builder.end_sequence();
    text_.clear();
    cells_.clear();
    labels_.clear();
    lines_.clear();
    numbers_.clear();
  }

 private:
  struct Place {
    std::size_t begin, size;
  };
  std::string_view view(const Place& place) const {
    return std::string_view(text_).substr(place.begin, place.size);
  }

  std::string text_, comments_;
  std::vector<Place> cells_, labels_, lines_;
  std::vector<std::size_t> numbers_;  // of the lines
  std::vector<std::string_view> views_;
};

// Fixes the columns and templates of the schema by the first line of data.
void fix_columns(const std::string& templates, std::size_t columns, SequenceSchema& schema) {
  std::string text = built_in_templates(templates, columns - 1);
  if (text.empty()) text = read_file(templates);
  schema.transitions = FeatureTemplates(text, templates, columns - 1).transitions();
  schema.templates = std::move(text);
  schema.columns = columns;
}

void fix_universal(const std::string& templates, const std::string& label, SequenceSchema& schema) {
  if (templates == "crfsuite")
    fail(
        "the templates 'crfsuite' read a word and its part of speech in the columns 0 and 1, where CoNLL-U "
        "has "
        "others: use 'default' or a file.");
  std::string text = built_in_templates(templates, Conllu::kForm + 1, Conllu::kForm);
  if (text.empty()) text = read_file(templates);
  schema.transitions =
      FeatureTemplates(text, templates, Conllu::kColumns, Conllu::column(label)).transitions();
  schema.templates = std::move(text);
  schema.columns = Conllu::kColumns;
  schema.label = label;
}

// Reading one file, line by line.
class ConllFile {
 public:
  ConllFile(const std::string& templates_name, const std::string& file, CorpusBuilder& builder)
      : templates_name_(templates_name), file_(file), builder_(builder) {}

  // Of a part of a file: the first line of data of the whole, which fixes the columns.
  void head(std::string_view line) { begin(trimmed(line), 1); }

  void take(std::string_view line, std::size_t number) {
    line = trimmed(line);
    if (!begun() && (line.empty() || line.front() == '#')) {
      held_.emplace_back(line);
      return;
    }
    if (!begun()) begin(line, number);
    put(line, number);
  }

  void finish() {
    if (!begun())
      for (std::size_t k = 0; k < held_.size() && !begun(); ++k)
        if (!held_[k].empty()) begin(held_[k], k + 1);
    end_sentence();
  }

 private:
  static std::string_view trimmed(std::string_view line) {
    return line.substr(0, line.find_last_not_of(" \t") + 1);
  }
  bool begun() const { return columns_ != 0; }
  std::size_t observed() const { return builder_.schema().columns - 1; }

  // The first line of data fixes the number of columns, and by that what the '#' lines above it are.
  void begin(std::string_view line, std::size_t number) {
    split_fields<' ', '\t'>(line, fields_);
    const std::size_t found = fields_.size();
    if (builder_.growing() != nullptr && builder_.schema().columns == 0) {
      if (found < 2)
        fail_at(file_, number, "has {} column where at least two belong: a word and its label.", found);
      fix_columns(templates_name_, found, *builder_.growing());
    }
    const std::size_t labelled = builder_.schema().columns;
    const bool training = builder_.growing() != nullptr && !builder_.hides_labels();
    if (found != labelled && (training || found + 1 != labelled))
      fail_at(file_, number, "has {} where {} belong, as in the training data{}.", counted(found, "column"),
              labelled, training ? "" : " (or one less, without the label)");
    if (found < labelled && !builder_.hides_labels()) builder_.no_labels(file_, number, found);
    columns_ = found;
    tabs_ = line.find('\t') != std::string_view::npos;
    expander_.emplace(FeatureTemplates(builder_.schema().templates, templates_name_, observed()), builder_);
    for (std::size_t k = 0; k < held_.size(); ++k) put(held_[k], k + 1);
  }

  void put(std::string_view line, std::size_t number) {
    split_fields<' ', '\t'>(line, fields_);
    const bool comment = tabs_ && line.starts_with('#') && line.find('\t') == std::string_view::npos;
    if (comment && !sentence_.empty())
      sentence_.comment(line);
    else if (fields_.size() == columns_ && !comment)
      sentence_.add(line, number, fields_, observed());
    else if (line.empty() && !sentence_.empty())
      end_sentence();
    else if (line.empty() || (line.front() == '#' && sentence_.empty()))
      builder_.above(line);
    else
      fail_at(file_, number, "has {} where {} belong, as in the lines above: {}.",
              counted(fields_.size(), "column"), columns_,
              fields_.size() < columns_ ? "add what is missing" : "take out what is too much");
  }

  void end_sentence() {
    if (sentence_.empty()) return;
    const std::string below = sentence_.take_comments();
    sentence_.pour(*expander_, observed(), builder_);
    if (!below.empty()) builder_.above(std::string_view(below).substr(0, below.size() - 1));
  }

  const std::string& templates_name_;
  const std::string& file_;
  CorpusBuilder& builder_;
  std::size_t columns_ = 0;        // of this file's lines; 0 until the first line of data
  bool tabs_ = false;              // whether that line has any
  std::vector<std::string> held_;  // blank and '#' lines above that
  std::optional<TemplateExpander> expander_;
  Sentence sentence_;
  std::vector<std::string_view> fields_;
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

// The first line of data of a whole file; where all of them begin with '#', the first that is not blank.
std::string head_of(const std::string& file) {
  FilePart part;
  LineReader lines(split_path(file, part));
  std::string_view line;
  std::string first;
  while (lines.next(line))
    if (!is_blank(line)) {
      if (first.empty() || line.front() != '#') first = line;
      if (line.front() != '#') break;
    }
  return first;
}

}  // namespace

std::unique_ptr<ExampleCutter> ConllReader::cutter(const std::string& file) const {
  const std::string head = head_of(file);
  if (form_ == Form::universal || (form_ == Form::found && Conllu::begins(head)))
    return cut_blocks([](std::string_view line) { return line.front() != '#'; });
  std::vector<std::string_view> fields;
  split_fields<' ', '\t'>(head, fields);
  const bool tabs = head.find('\t') != std::string::npos;
  return cut_blocks([=, columns = fields.size()](std::string_view line) {
    if (line.front() != '#') return true;
    std::vector<std::string_view> own;
    split_fields<' ', '\t'>(line, own);
    return own.size() == columns && (!tabs || line.find('\t') != std::string_view::npos);
  });
}

void ConllReader::read_file(const std::string& file, CorpusBuilder& builder) const {
  FilePart part;
  split_path(file, part);
  if (part.begin > 0) return read_part(file, builder);
  LineReader lines(file);
  std::vector<std::string> head;  // what stands above the first line of data
  std::string_view line;
  bool data = false;
  while (!data && lines.next(line)) {
    data = !is_blank(line) && line.front() != '#';
    if (!data) head.emplace_back(line);
  }
  const auto feed = [&](auto&& state) {
    for (std::size_t k = 0; k < head.size(); ++k) state.take(head[k], k + 1);
    if (data) state.take(line, lines.line());
    while (lines.next(line)) state.take(line, lines.line());
    state.finish();
  };
  fix_form(data ? line : std::string_view(), lines.file(), lines.line(), builder);
  if (builder.schema().label.empty())
    feed(ConllFile(templates_, lines.file(), builder));
  else
    feed(ConlluFile(templates_, lines.file(), builder));
}

// By the first line of data, where there is one.
void ConllReader::fix_form(std::string_view line, const std::string& file, std::size_t number,
                           CorpusBuilder& builder) const {
  SequenceSchema* const growing = builder.growing();
  if (growing == nullptr || growing->columns != 0) return;
  if (form_ == Form::universal || (form_ == Form::found && !line.empty() && Conllu::begins(line)))
    fix_universal(templates_, label_, *growing);
  else if (label_ != "upos")
    fail_at(file, number, "`label` {} names a column of CoNLL-U, which this is not: leave it out.", label_);
}

// What the first line of data decides is decided by that of the whole file.
void ConllReader::read_part(const std::string& file, CorpusBuilder& builder) const {
  const std::string head = head_of(file);
  LineReader lines(file);
  std::string_view line;
  const auto feed = [&](auto&& state) {
    while (lines.next(line)) state.take(line, lines.line());
    state.finish();
  };
  fix_form(head, lines.file(), 1, builder);
  if (!builder.schema().label.empty()) return feed(ConlluFile(templates_, lines.file(), builder));
  ConllFile columns(templates_, lines.file(), builder);
  columns.head(head);
  feed(columns);
}

}  // namespace hinge
