#include "hinge/tasks/multiclass/reader.h"

#include <algorithm>

#include "hinge/core/errors.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/label_sets.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/string_lines.h"

namespace hinge {
namespace {

// "2,3": how LIBSVM writes an example of several classes.
bool lists_numbers(std::string_view label) {
  std::vector<std::string_view> numbers;
  split_fields<','>(label, numbers);
  return numbers.size() > 1 && std::ranges::all_of(numbers, [](std::string_view text) {
           double number;
           return parse_number(text, number);
         });
}

// Its label: a class, one of several, or none.
int read_label(std::string_view text, const std::string& file, std::size_t line, MulticlassRecords& records) {
  std::vector<std::string_view> names;
  if (!labels_in_text(text, names)) return class_number(label_in_text(text), records.classes);
  require_labels(names, file, line);
  return records.set_number(names);
}

}  // namespace

MulticlassRecords read_strings(const std::vector<std::string>& files, const Selection& selection) {
  MulticlassRecords records;
  std::size_t read = 0;
  for (const auto& file : files) {
    StringReader reader(file);
    StringLine line;
    const std::size_t before = read;
    while (reader.next(line)) {
      if (!selection(read++)) continue;
      const int label = read_label(line.label, reader.file(), reader.line(), records);
      records.rows.push_back({{}, label, 1});
      records.strings.emplace_back(line.string);
    }
    if (read == before) fail_at(reader.file(), 0, "has no example: give a file with at least one.");
  }
  return records;
}

MulticlassRecords read_classes(const std::vector<std::string>& files, const Selection& selection) {
  MulticlassRecords records;
  std::size_t read = 0;
  for (const auto& file : files) {
    SvmlightReader reader(file);
    SvmlightExample example;
    const std::size_t before = read;
    while (reader.next(example)) {
      if (!selection(read++)) continue;
      if (records.note.empty() && lists_numbers(example.label))
        records.note = fmt::format(
            "{}:{} has the label '{}', which is taken for the name of one class: several labels an example "
            "are for the task multilabel",
            reader.file(), reader.line(), example.label);
      const int label = read_label(example.label, reader.file(), reader.line(), records);
      records.rows.push_back({example.row, label, example.weight});
    }
    if (read == before) fail_at(reader.file(), 0, "has no example: give a file with at least one.");
  }
  return records;
}

}  // namespace hinge
