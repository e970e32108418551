// Writes the ranking of a query as a TREC run: a document a line, by its place.
//
//     QUERY Q0 DOCUMENT PLACE SCORE hinge
#pragma once

#include <span>
#include <string>
#include <vector>

namespace hinge {

// Of each document, in the order of the data: its name (empty: its number, from 1), its place from 0, its score.
void append_trec(long long query, const std::vector<std::string>& names, std::span<const int> places,
                 std::span<const double> scores, std::string& text);

}  // namespace hinge
