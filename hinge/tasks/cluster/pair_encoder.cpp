#include "hinge/tasks/cluster/pair_encoder.h"

#include <algorithm>

#include "hinge/inference/pair_scores.h"

namespace hinge {

std::size_t TupleTable::locate(const Index* tuple) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (std::size_t k = 0; k < width_; ++k) hash = (hash ^ tuple[k]) * 0xff51afd7ed558ccdu;
  for (std::size_t slot = hash ^ hash >> 32;; ++slot) {
    slot &= slots_.size() - 1;
    if (slots_[slot] == kFree || std::equal(tuple, tuple + width_, this->tuple(slots_[slot]))) return slot;
  }
}

Index TupleTable::intern(const Index* tuple) {
  const std::size_t slot = locate(tuple);
  if (slots_[slot] != kFree) return slots_[slot];
  tuples_.insert(tuples_.end(), tuple, tuple + width_);
  const auto number = static_cast<Index>(count_++);
  slots_[slot] = number;
  if (2 * count_ > slots_.size()) {
    slots_.assign(2 * slots_.size(), kFree);
    for (Index k = 0; k < count_; ++k) slots_[locate(this->tuple(k))] = k;
  }
  return number;
}

PairEncoder::PairEncoder(const std::vector<Comparator>& comparators, const StringTable& given,
                         StringTable& features, bool grows)
    : features_(features), grows_(grows) {
  for (const Comparator& comparator : comparators) {
    std::vector<std::size_t> places;
    for (const Term& term : comparator) {
      auto place = std::ranges::find(terms_, term);
      if (place == terms_.end()) place = terms_.insert(place, term);
      places.push_back(static_cast<std::size_t>(place - terms_.begin()));
    }
    const std::size_t width = places.size();
    crossings_.push_back({std::move(places), TupleTable(width), {}});
  }
  number("link");
  for (Index k = 0; k < given.size(); ++k) given_.push_back(number(given.text(k)));
}

Index PairEncoder::number(std::string_view name) {
  return grows_ ? features_.intern(name) : features_.find(name);
}

Index PairEncoder::feature(Crossing& crossing, const Index* outcomes) {
  crossed_.clear();
  for (const std::size_t term : crossing.terms) {
    if (outcomes[term] == 0) return StringTable::kNone;
    crossed_.push_back(outcomes[term]);
  }
  const Index tuple = crossing.outcomes.intern(crossed_.data());
  if (tuple == crossing.feature.size()) {
    std::string name;
    for (std::size_t k = 0; k < crossed_.size(); ++k)
      name += (k > 0 ? " & " : "") + TermOutcomes::name(terms_[crossing.terms[k]], crossed_[k], values_);
    crossing.feature.push_back(number(name));
  }
  unseen_ += crossing.feature[tuple] == StringTable::kNone;
  return crossing.feature[tuple];
}

void PairEncoder::add_row(const Index* outcomes, FeatureRows& rows) {
  row_.clear();
  if (const Index link = number("link"); link != StringTable::kNone) row_.push_back(link);
  for (Crossing& crossing : crossings_)
    if (const Index k = feature(crossing, outcomes); k != StringTable::kNone) row_.push_back(k);
  std::ranges::sort(row_);
  rows.attribute.insert(rows.attribute.end(), row_.begin(), row_.end());
  rows.start.push_back(static_cast<Index>(rows.attribute.size()));
}

Document PairEncoder::operator()(const ItemDocument& document) {
  const std::size_t items = document.items.items(), width = terms_.size();
  std::vector<TermOutcomes> outcomes;
  for (const Term& term : terms_) outcomes.emplace_back(term, document.items, values_);
  Document x;
  x.items = items;
  x.row_of.resize(first_pair(items));
  TupleTable kinds(width);
  std::vector<Index> by_term(width * items), tuple(width + 1);
  for (std::size_t j = 1; j < items; ++j) {
    for (std::size_t t = 0; t < width; ++t) outcomes[t].row(j, by_term.data() + t * items);
    Index* row_of = x.row_of.data() + first_pair(j);
    for (std::size_t i = 0; i < j; ++i) {
      for (std::size_t t = 0; t < width; ++t) tuple[t] = by_term[t * items + i];
      row_of[i] = kinds.intern(tuple.data());
      if (row_of[i] == x.rows.length()) add_row(tuple.data(), x.rows);
    }
  }
  if (document.pairs.pair.empty()) return x;

  // A pair with features of its own has a row of its own: these, and those that it has by comparison.
  x.rows.value.assign(x.rows.attribute.size(), 1.0f);
  std::vector<std::pair<Index, float>> row;
  for (std::size_t k = 0; k < document.pairs.pair.size(); ++k) {
    Index& row_of = x.row_of[document.pairs.pair[k]];
    row.clear();
    for (const Index f : x.rows.attributes(row_of)) row.emplace_back(f, 1.0f);
    const FeatureRows& own = document.pairs.rows;
    for (std::size_t f = own.start[k]; f < own.start[k + 1]; ++f) {
      if (const Index number = given_[own.attribute[f]]; number != StringTable::kNone)
        row.emplace_back(number, own.value[f]);
      else
        ++unseen_;
    }
    std::ranges::sort(row);
    for (const auto& [feature, value] : row) {
      x.rows.attribute.push_back(feature);
      x.rows.value.push_back(value);
    }
    row_of = static_cast<Index>(x.rows.length());
    x.rows.start.push_back(static_cast<Index>(x.rows.attribute.size()));
  }
  return x;
}

}  // namespace hinge
