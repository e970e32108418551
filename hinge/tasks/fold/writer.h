// Writes folds in one of three notations.
//
//     dots   >name, the letters, and a line of ( . ) below them
//     bpseq  a letter a line: its number, itself, the number of its partner or 0
//     ct     a line "length name", then a letter a line with its neighbours besides
#pragma once

#include <string>

#include "hinge/tasks/fold/records.h"

namespace hinge {

void append_fold(const FoldRecord& record, const FoldPairs& s, const std::string& notation,
                 std::string& text);

}  // namespace hinge
