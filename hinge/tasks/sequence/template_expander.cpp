#include "hinge/tasks/sequence/template_expander.h"

namespace hinge {

TemplateExpander::TemplateExpander(FeatureTemplates templates, CorpusBuilder& builder)
    : templates_(std::move(templates)),
      builder_(builder),
      reads_(templates_.size()),
      by_text_(templates_.size()),
      slots_(1 << 12) {
  for (std::size_t k = 0; k < templates_.size(); ++k)
    for (const FeatureTemplates::Piece& piece : templates_[k])
      if (piece.macro != 0) reads_[k].push_back({piece.row, piece.column});
}

void TemplateExpander::begin_sentence(const TokenGrid& grid) {
  grid_ = grid;
  numbers_.clear();
  for (const std::string_view cell : grid.cells) numbers_.push_back(texts_.intern(cell));
}

void TemplateExpander::add_attributes(std::ptrdiff_t row) {
  for (std::size_t k = 0; k < reads_.size(); ++k) {
    const std::vector<Reads>& reads = reads_[k];
    Index* known = nullptr;
    if (reads.size() <= 1) {
      const Index text = reads.empty() ? 0 : text_at(reads[0], row);
      if (text < kMaxDimension) {
        if (text >= by_text_[k].size())
          by_text_[k].resize(std::max<std::size_t>(text + 1, texts_.size()), kNotYet);
        known = &by_text_[k][text];
      }
    } else if (reads.size() <= kLongestKey) {
      Key key = {static_cast<Index>(k)};
      for (std::size_t r = 0; r < reads.size(); ++r) key[r + 1] = text_at(reads[r], row);
      known = &locate(key).attribute;
    }
    Index attribute = known == nullptr ? kNotYet : *known;
    if (attribute == kNotYet) attribute = expand(k, row);
    if (known != nullptr) *known = attribute;
    if (attribute != kLeftOut) builder_.attribute(attribute);
  }
}

Index TemplateExpander::expand(std::size_t k, std::ptrdiff_t row) {
  return templates_.expand(k, grid_, row, name_) ? builder_.attribute_index(name_) : kLeftOut;
}

// The text's number, or one above all of them that tells how far outside the sentence the position lies.
Index TemplateExpander::text_at(Reads reads, std::ptrdiff_t row) const {
  const std::ptrdiff_t at = row + reads.row, rows = grid_.rows();
  if (at < 0) return kMaxDimension + static_cast<Index>(-2 * at);
  if (at >= rows) return kMaxDimension + static_cast<Index>(2 * (at - rows) + 1);
  return numbers_[static_cast<std::size_t>(at) * grid_.columns + reads.column];
}

TemplateExpander::Slot& TemplateExpander::locate(const Key& key) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  std::uint64_t hash = 0;
  for (const Index part : key) hash = (hash ^ part) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].attribute != kNotYet && slots_[at].key != key) at = (at + 1) & mask;
  if (slots_[at].attribute == kNotYet) {
    slots_[at].key = key;
    ++used_;
  }
  return slots_[at];
}

void TemplateExpander::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  used_ = 0;
  for (const Slot& slot : old)
    if (slot.attribute != kNotYet) locate(slot.key).attribute = slot.attribute;
}

}  // namespace hinge
