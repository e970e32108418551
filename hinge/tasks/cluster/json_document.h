// A document as a line of JSON:
//
//     {"name": "letter 7",
//      "items": [{"text": "Ann", "sentence": 1, "span": [0, 0]}, {"text": "she", "sentence": 2, "span": [5,
//      5]}, ...], "pairs": [[0, 1], [1, 2]], "pair_features": [{"same_line": 1}, {"same_line": 0.5}],
//      "clusters": [[0, 1], [2]], "weight": 1}
//
// An item is an object of fields (text, number, truth, or [first, last]), or a text, which is its field
// "text"; or "items" is their number. Features of pairs are objects, lists of names, or lists of numbers of
// one length; without "pairs" there is one row for each pair: (0, 1), (0, 2), (1, 2), (0, 3), ... An item
// that is in no cluster is one of its own; without "clusters" nothing is known.
#pragma once

#include <string>
#include <string_view>

#include "hinge/core/string_table.h"
#include "hinge/tasks/cluster/items.h"

namespace hinge {

inline constexpr std::size_t kMaxItems = 20'000;  // of a document: 200 million pairs

// Throws InputError about what is wrong in the line.
ItemDocument read_json_document(std::string_view text, const std::string& file, std::size_t line,
                                StringTable& pair_features);

// The items with their fields and clusters, as a line of JSON; given pair features are left out.
std::string json_of(const ItemDocument& document);
// A line of JSON with other clusters; of an empty one, the clusters alone.
std::string json_with_clusters(const std::string& source, const Partition& clusters);

}  // namespace hinge
