#include "hinge/tasks/sequence/corpus.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <nlohmann/json.hpp>

#include "hinge/core/short_sort.h"
#include "hinge/tasks/label_sets.h"
#include "hinge/tasks/sequence/conllu.h"

namespace hinge {
namespace {

// A number that is the larger, the larger the attribute is, and then the value.
std::uint64_t rank_of(Index attribute, float value) {
  constexpr std::uint32_t kSign = 1u << 31;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::uint64_t{attribute} << 32 | (bits & kSign ? ~bits : bits | kSign);
}

}  // namespace

void SequenceSchema::save(Archive& archive) const {
  attributes.save(archive, "attributes");
  labels.save(archive, "labels");
  archive.header["sequence_schema"] = {
      {"columns", columns}, {"label", label}, {"templates", templates}, {"transitions", transitions}};
}

void SequenceSchema::load(const Archive& archive) {
  attributes.load(archive, "attributes");
  labels.load(archive, "labels");
  const auto& header = archive.header;
  if (!header.contains("sequence_schema"))
    fail("the model has no 'sequence_schema': it was written by another version or damaged.");
  try {
    const auto& own = header.at("sequence_schema");
    columns = whole_number<std::size_t>(own, "columns");
    label = own.value("label", "");
    templates = own.at("templates").get<std::string>();
    transitions = own.at("transitions").get<bool>();
    const auto& names = Conllu::labels();
    if (!label.empty() && (std::ranges::find(names, label) == names.end() || columns != Conllu::kColumns))
      fail("the model has {} columns and the label '{}', which CoNLL-U does not have: it is damaged.",
           columns, label);
  } catch (const nlohmann::json::exception& error) {
    fail("the model's 'sequence_schema' cannot be read ({}): it is damaged.", error.what());
  }
}

std::string_view SequenceCorpus::text(std::size_t sequence, std::size_t position) const {
  assert(!lines.first.empty());
  const std::size_t token = lines.first[sequence] + position;
  const std::size_t begin = token == 0 ? 0 : lines.end[token - 1];
  return std::string_view(lines.bytes).substr(begin, lines.label[token] - begin);
}

std::string_view SequenceCorpus::behind(std::size_t sequence, std::size_t position) const {
  const std::size_t token = lines.first[sequence] + position;
  return std::string_view(lines.bytes).substr(lines.label[token], lines.end[token] - lines.label[token]);
}

std::string_view SequenceCorpus::above(std::size_t sequence) const {
  const auto found = lines.above.find(sequence);
  return found == lines.above.end() ? std::string_view{} : std::string_view(found->second);
}

std::string_view SequenceCorpus::label_name(const SequenceSchema& schema, int label) const {
  if (label == kUnknown) return "?";
  return label >= 0 ? schema.labels.text(static_cast<Index>(label))
                    : unseen_labels.text(static_cast<Index>(kUnseen - label));
}

Index CorpusBuilder::attribute_index(std::string_view name) {
  if (!selected()) return StringTable::kNone;
  if (keeps_attributes()) keep_names({&name, 1});
  return growing_ != nullptr ? growing_->attributes.intern(name) : schema_.attributes.find(name);
}

void CorpusBuilder::attribute_indices(std::span<const std::string_view> names, std::span<Index> out) {
  if (selected() && keeps_attributes()) keep_names(names);
  if (!selected())
    std::ranges::fill(out, StringTable::kNone);
  else if (growing_ != nullptr)
    growing_->attributes.intern(names, out);
  else
    schema_.attributes.find(names, out);
}

void CorpusBuilder::keep_token() {
  if (in_token_) return;
  if (labels_.empty()) corpus_.texts.begin_example(file_);
  corpus_.texts.begin_token(line_);
  in_token_ = true;
}

void CorpusBuilder::keep_names(std::span<const std::string_view> names) {
  corpus_.texts.kind = TokenTexts::Kind::attributes;
  keep_token();
  for (const std::string_view name : names) corpus_.texts.add_text(name);
}

void CorpusBuilder::columns(std::span<const std::string_view> texts) {
  if (!keeps_tokens_ || !selected()) return;
  corpus_.texts.kind = TokenTexts::Kind::columns;
  keep_token();
  for (const std::string_view text : texts) corpus_.texts.add_text(text);
}

void CorpusBuilder::name_columns(std::span<const std::string_view> names, std::size_t word,
                                 std::size_t label) {
  corpus_.texts.names.assign(names.begin(), names.end());
  corpus_.texts.word_column = word;
  corpus_.texts.label_column = label;
}

void CorpusBuilder::one_of(std::span<const std::string_view> names) {
  one_of_.assign(names.begin(), names.end());
}

std::optional<std::string_view> CorpusBuilder::said(std::string_view text) {
  if (!labels_in_text(text, names_)) return label_in_text(text);
  require_labels(names_, file_, line_);
  one_of(names_);
  return std::nullopt;
}

// Names that a fixed schema lacks are no candidates; where it lacks them all, the first is the label.
int CorpusBuilder::one_of_index() {
  OneOf some{labels_.size(), {}};
  for (const std::string& name : one_of_) {
    const Index label = growing_ != nullptr ? growing_->labels.intern(name) : schema_.labels.find(name);
    if (label != StringTable::kNone && !some.admits(static_cast<int>(label)))
      some.labels.push_back(static_cast<int>(label));
  }
  if (some.labels.empty()) return label_index(one_of_[0]);
  if (some.labels.size() == 1 && one_of_.size() == 1) return some.labels[0];
  labels_.one_of.push_back(std::move(some));
  return label_index(std::nullopt);
}

int CorpusBuilder::label_index(std::optional<std::string_view> label) {
  if (!label || hides_labels_) {
    ++corpus_.unlabelled_tokens;
    return kUnknown;
  }
  if (growing_ != nullptr) return static_cast<int>(growing_->labels.intern(*label));
  if (const auto found = schema_.labels.find(*label); found != StringTable::kNone)
    return static_cast<int>(found);
  ++corpus_.unseen_label_tokens;
  return kUnseen - static_cast<int>(corpus_.unseen_labels.intern(*label));
}

void CorpusBuilder::token(std::optional<std::string_view> label, std::string_view text,
                          std::string_view separator, std::string_view behind) {
  // By value too, so that sums of values do not depend on the numbers that attributes have meanwhile.
  short_sort(token_, [](const Entry& entry) { return rank_of(entry.attribute, entry.value); });
  const std::size_t begin = sequence_.attribute.size();
  for (const Entry& entry : token_) {
    if (sequence_.attribute.size() > begin && sequence_.attribute.back() == entry.attribute) {
      sequence_.value.back() += entry.value;
    } else {
      sequence_.attribute.push_back(entry.attribute);
      sequence_.value.push_back(entry.value);
    }
  }
  token_.clear();
  sequence_.start.push_back(static_cast<Index>(sequence_.attribute.size()));
  if (!selected()) return one_of_.clear();
  if (keeps_tokens_) keep_token();
  in_token_ = false;
  labels_.push_back(one_of_.empty() || hides_labels_ ? label_index(label) : one_of_index());
  one_of_.clear();
  if (!keeps_text_) return;
  corpus_.lines.bytes.append(text).append(separator);
  corpus_.lines.label.push_back(corpus_.lines.bytes.size());
  corpus_.lines.bytes.append(behind);
  corpus_.lines.end.push_back(corpus_.lines.bytes.size());
}

void CorpusBuilder::end_sequence(double weight) {
  if (!open()) return;
  if (selected()) keep_sequence(weight);
  ++sequences_;
  sequence_.start.assign(1, 0);
  sequence_.attribute.clear();
  sequence_.value.clear();
  labels_.clear();
  labels_.one_of.clear();
}

void CorpusBuilder::keep_sequence(double weight) {
  Sequence& made = corpus_.inputs.emplace_back();
  made.start.assign(sequence_.start.begin(), sequence_.start.end());
  made.attribute.assign(sequence_.attribute.begin(), sequence_.attribute.end());
  if (std::any_of(sequence_.value.begin(), sequence_.value.end(), [](float v) { return v != 1; }))
    made.value.assign(sequence_.value.begin(), sequence_.value.end());
  corpus_.labels.push_back(labels_);
  if (weight != 1 && corpus_.weights.empty()) corpus_.weights.assign(corpus_.inputs.size() - 1, 1);
  if (weight != 1 || !corpus_.weights.empty()) corpus_.weights.push_back(weight);
  if (keeps_text_) corpus_.lines.first.push_back(corpus_.tokens);
  corpus_.tokens += labels_.size();
}

void CorpusBuilder::above(std::string_view line) {
  if (keeps_text_ && selected()) corpus_.lines.above[corpus_.inputs.size()].append(line).append("\n");
}

void CorpusBuilder::no_labels(const std::string& file, std::size_t line, std::size_t columns) {
  if (corpus_.unlabelled_file.line == 0) corpus_.unlabelled_file = {file, line, columns};
}

SequenceCorpus CorpusBuilder::finish() && {
  end_sequence();
  return std::move(corpus_);
}

}  // namespace hinge
