// Reads trees in brackets, as the Penn Treebank and GUM write them: one a line, or over several lines.
//
//     (ROOT (S (NP-SBJ (PRP It)) (VP (VBZ works) (ADVP (RB well)))))
//     ( (S (NP-SBJ (-NONE- *)) (VP (VB Go))) (. !))
//     It works .                                                    words alone: nothing is known of their tree
//
// A root without a label, TOP or S1 is ROOT, and one is put above trees that have none. Function tags go
// (NP-SBJ becomes NP), traces (-NONE-) and brackets that hold nothing else too. A line that begins with "# " and
// stands between trees is a comment; with a blank before the '#' it is a sentence. See tree.h for brackets `?`.
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/example_cutter.h"
#include "hinge/tasks/parse/records.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// The selected trees of the files. Throws InputError with file and line: brackets that do not match, a tree
// without a word, a bracket without a label.
ParseRecords read_trees(const std::vector<std::string>& files, const Selection& selection = {});

// Where such files may be cut: trees that begin on a line of their own.
MakeCutter cut_trees();

// The one tree of a text; `name` is what errors call it.
SentenceTree tree_of_text(std::string_view text, const std::string& name);

}  // namespace hinge
