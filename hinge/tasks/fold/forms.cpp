#include "hinge/tasks/fold/forms.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/fold/records.h"

namespace hinge {
namespace {

bool is_letters(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return rna_letter(c) == kNoLetter; });
}

// Its ID may be a number, with which .ct and .bpseq begin: where columns are few, the structure must be one through and through.
bool is_table_row(std::string_view line, std::vector<std::string_view>& fields) {
  split_fields<'\t'>(line, fields);
  if (fields.size() < 2) return false;
  const std::string_view letters = fields[fields.size() - 2], structure = fields.back();
  if (!is_letters(letters) || !is_structure(structure)) return false;
  return fields.size() >= 5 || (structure.size() == letters.size() &&
                                structure.find_first_not_of("()[]{}<>?.-:,_") == structure.npos);
}

// Whether a sequence begins with a line, of all lines of a file.
class FoldBegins {
 public:
  bool operator()(std::string_view line) {
    if (!has_text(line)) return false;
    if ((!form_ || *form_ == FoldForm::bpseq) && heads_bpseq(line)) return false;
    if (!form_) form_ = form_of(line, fields_);
    if (*form_ == FoldForm::table) return true;
    if (*form_ == FoldForm::dots) {
      const bool named = line.starts_with('>'), structure = is_structure(line);
      const bool begins = named || (!structure && !below_name_);
      below_name_ = named || (below_name_ && !structure);
      return begins;
    }
    split_fields<' ', '\t'>(line, fields_);
    if (*form_ == FoldForm::bpseq) return fields_[0] == "1";
    if (rows_left_ > 0) return --rows_left_ < 0;
    parse_integer(fields_[0], rows_left_);
    return true;
  }

 private:
  std::optional<FoldForm> form_;
  bool below_name_ = false;  // where letters go on
  long long rows_left_ = 0;  // of a .ct sequence
  std::vector<std::string_view> fields_;
};

}  // namespace

bool has_text(std::string_view& line) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!line.empty() && space(line.back())) line.remove_suffix(1);
  while (!line.empty() && space(line.front())) line.remove_prefix(1);
  return !line.empty() && line[0] != '#' && line[0] != ';';
}

bool is_structure(std::string_view text) {
  return std::string_view("(.?[{<)]}-:,_").find(text[0]) != std::string_view::npos;
}

bool heads_bpseq(std::string_view line) {
  return std::isalpha(static_cast<unsigned char>(line[0])) != 0 && line.find(':') != line.npos &&
         line.find('\t') == line.npos;
}

FoldForm form_of(std::string_view line, std::vector<std::string_view>& fields) {
  if (line.starts_with('>')) return FoldForm::dots;  // with a tab in it too
  if (is_table_row(line, fields)) return FoldForm::table;
  long long number;
  split_fields<' ', '\t'>(line, fields);
  const bool numbered = parse_integer(fields[0], number);
  if (numbered && fields.size() == 3 && fields[1].size() == 1 && rna_letter(fields[1][0]) != kNoLetter)
    return FoldForm::bpseq;
  if (numbered) return FoldForm::ct;
  // What is wrong with a row is found where it is read.
  return line.find('\t') != line.npos ? FoldForm::table : FoldForm::dots;
}

MakeCutter cut_folds() {
  return cut_from_top([](const std::string&) { return FoldBegins(); });
}

}  // namespace hinge
