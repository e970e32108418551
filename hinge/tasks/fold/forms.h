// What the lines of a file of folded sequences tell before any is read: which of the four forms it has (reader.h), and where
// sequences begin in it.
#pragma once

#include <string_view>
#include <vector>

#include "hinge/tasks/example_cutter.h"

namespace hinge {

enum class FoldForm { dots, bpseq, ct, table };

// A line without spaces at its ends; false where nothing is on it, or a comment.
bool has_text(std::string_view& line);

// A structure begins with one of its own symbols, where a sequence begins with a letter.
bool is_structure(std::string_view text);

// "Organism: ...", as archives write above .bpseq. No line of letters has a colon in it.
bool heads_bpseq(std::string_view line);

// By the first line of a file that is no heading. `fields` is room to split it in.
FoldForm form_of(std::string_view line, std::vector<std::string_view>& fields);

// Where files of any of these forms may be cut.
MakeCutter cut_folds();

}  // namespace hinge
