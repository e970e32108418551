#include "hinge/tasks/sequence/chunks.h"

#include <algorithm>
#include <cassert>
#include <string_view>

namespace hinge {
namespace {

struct LabelParts {
  std::string_view prefix, type;
};

// At the first dash; a label without one is all prefix.
LabelParts split_label(std::string_view label) {
  const std::size_t dash = label.find('-');
  if (dash == std::string_view::npos) return {label, {}};
  return {label.substr(0, dash), label.substr(dash + 1)};
}

}  // namespace

std::string chunk_scheme(std::span<const std::string> label_names) {
  bool any_chunk = false, any_edge = false;
  for (const std::string& name : label_names) {
    if (name == "O") continue;
    const auto [prefix, type] = split_label(name);
    if (prefix != "B" && prefix != "I" && prefix != "E" && prefix != "S") return "";
    if (type.empty() && name.size() > 1) return "";
    any_chunk |= prefix == "B" || prefix == "I" || !type.empty();
    any_edge |= prefix == "E" || prefix == "S";
  }
  return !any_chunk ? "" : any_edge ? "BIOES" : "IOB";
}

ChunkTags::ChunkTags(std::span<const std::string> label_names) : types_{""} {
  for (const std::string& name : label_names) types_.emplace_back(split_label(name).type);
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  for (const std::string& name : label_names) {
    const auto [prefix, type] = split_label(name);
    const auto found = std::lower_bound(types_.begin(), types_.end(), type);
    tags_.push_back({prefix_of(prefix), static_cast<std::size_t>(found - types_.begin())});
  }
}

ChunkTags::Prefix ChunkTags::prefix_of(std::string_view text) {
  if (text == "O") return Prefix::outside;
  if (text == "B") return Prefix::begin;
  if (text == "I") return Prefix::inside;
  if (text == "E") return Prefix::end;
  if (text == "S") return Prefix::single;
  return Prefix::other;
}

bool ChunkTags::starts(Tag before, Tag after) {
  if (after.prefix == Prefix::outside) return false;
  if (after.prefix == Prefix::begin || after.prefix == Prefix::single) return true;
  if (before.type != after.type) return true;
  return after.prefix != Prefix::other && (before.prefix == Prefix::end || before.prefix == Prefix::single ||
                                           before.prefix == Prefix::outside);
}

bool ChunkTags::ends(Tag before, Tag after) {
  if (before.prefix == Prefix::outside) return false;
  if (before.prefix == Prefix::end || before.prefix == Prefix::single) return true;
  if (before.type != after.type) return true;
  return before.prefix != Prefix::other &&
         (after.prefix == Prefix::begin || after.prefix == Prefix::single || after.prefix == Prefix::outside);
}

ChunkCounter::ChunkCounter(std::span<const std::string> label_names)
    : tags_(label_names), counts_(tags_.types().size()) {}

void ChunkCounter::add(std::span<const int> gold, std::span<const int> predicted) {
  assert(gold.size() == predicted.size());
  int last_gold = ChunkTags::kNothing, last_predicted = ChunkTags::kNothing;
  bool both_inside = false;  // chunks that began together and have not ended
  for (std::size_t t = 0; t <= gold.size(); ++t) {
    const int g = t < gold.size() ? gold[t] : ChunkTags::kNothing;
    const int p = t < gold.size() ? predicted[t] : ChunkTags::kNothing;
    if (both_inside) {
      const bool gold_ends = tags_.ends(last_gold, g), predicted_ends = tags_.ends(last_predicted, p);
      if (gold_ends && predicted_ends) ++counts_[tags_.type(last_gold)].right;
      both_inside = !gold_ends && !predicted_ends;
    }
    const bool gold_starts = tags_.starts(last_gold, g), predicted_starts = tags_.starts(last_predicted, p);
    if (gold_starts) ++counts_[tags_.type(g)].gold;
    if (predicted_starts) ++counts_[tags_.type(p)].predicted;
    if (gold_starts && predicted_starts && tags_.type(g) == tags_.type(p)) both_inside = true;
    last_gold = g;
    last_predicted = p;
  }
}

ChunkCounts ChunkCounter::total() const {
  ChunkCounts sum;
  for (const ChunkCounts& counts : counts_) {
    sum.right += counts.right;
    sum.gold += counts.gold;
    sum.predicted += counts.predicted;
  }
  return sum;
}

}  // namespace hinge
