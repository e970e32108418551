// The word that somebody meant who wrote another: the nearest by the edits that lead from one to the other,
//
//     letters left out, put in or replaced, and neighbours that changed places;
//
// at most one edit in words below five letters, two in longer ones, and a third of the letters in those from nine on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hinge {

std::size_t edits_between(std::string_view a, std::string_view b);

// The nearest of the words, the first of several; empty where none is near enough. Dashes in front do not count, and
// of a single letter only its case may differ.
std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

// " (did you mean X?)", for a sentence that begins with "there is no ..."; empty where nothing is near enough.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

}  // namespace hinge
