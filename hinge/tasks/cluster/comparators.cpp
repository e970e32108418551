#include "hinge/tasks/cluster/comparators.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/tasks/cluster/ascii_lower.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

constexpr std::array kTerms = {"equal", "head",  "similarity", "words", "distance",
                               "span",  "first", "second",     "values"};
constexpr std::array kSame = {"same", "different"};
constexpr std::array kSimilarity = {"0", "<.25", "<.5", "<.75", "<1", "1"};
constexpr std::array kWords = {"none", "some", "within", "same"};
constexpr std::array kDistance = {"0", "1", "2", "3", "4", "5-7", "8-15", "16-31", "32-63", "64+"};
constexpr std::array kSpan = {"same", "within", "overlap", "adjacent", "one between", "apart"};
constexpr Index kValueBits = 16;

std::string as_text(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::missing:
      return {};
    case Cell::Kind::text:
      return ascii_lower(cell.text);
    case Cell::Kind::number:
      return fmt::format("{:g}", cell.first);
    case Cell::Kind::span:
      return fmt::format("{:g}-{:g}", cell.first, cell.last);
  }
  return {};
}

std::vector<Index> ordered(std::vector<Index> set) {
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

std::vector<Index> words_of(const std::string& text, StringTable& names) {
  std::vector<std::string_view> words;
  split_fields<' ', '\t'>(text, words);
  std::vector<Index> set;
  for (const std::string_view word : words) set.push_back(names.intern(word));
  return ordered(std::move(set));
}

// With a blank before and behind, so that one letter has bigrams too.
std::vector<Index> bigrams_of(const std::string& text) {
  const std::string padded = " " + text + " ";
  std::vector<Index> set;
  for (std::size_t k = 0; k + 1 < padded.size(); ++k)
    set.push_back(static_cast<Index>(static_cast<unsigned char>(padded[k])) << 8 |
                  static_cast<unsigned char>(padded[k + 1]));
  return ordered(std::move(set));
}

std::size_t common(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::size_t count = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    count += *x == *y;
    const bool step_x = *x <= *y, step_y = *y <= *x;
    x += step_x;
    y += step_y;
  }
  return count;
}

Index similarity(const std::vector<Index>& a, const std::vector<Index>& b) {
  const std::size_t both = common(a, b), all = a.size() + b.size();
  if (both == 0) return 1;
  if (2 * both == all) return 6;
  return 2 + static_cast<Index>(8 * both / all);
}

Index words(const std::vector<Index>& a, const std::vector<Index>& b) {
  const std::size_t both = common(a, b);
  if (both == 0) return 1;
  if (both == a.size() && both == b.size()) return 4;
  return both == std::min(a.size(), b.size()) ? 3 : 2;
}

Index distance(double difference) {
  const double apart = std::floor(std::abs(difference));
  if (apart < 5) return 1 + static_cast<Index>(apart);
  return apart < 8 ? 6 : apart < 16 ? 7 : apart < 32 ? 8 : apart < 64 ? 9 : 10;
}

Index span(const std::pair<double, double>& a, const std::pair<double, double>& b) {
  const auto& [first, second] = std::minmax(a, b);
  if (a == b) return 1;
  if (second.second <= first.second || first.first == second.first) return 2;
  if (second.first <= first.second) return 3;
  const double gap = second.first - first.second;
  return gap <= 1 ? 4 : gap <= 2 ? 5 : 6;
}

}  // namespace

Term Term::parse(const std::string& text, const std::string& comparator) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const auto found = std::ranges::find(kTerms, name);
  if (found == kTerms.end())
    fail(
        "the comparator '{}' has '{}', but there is no such term: use {}, each with a field, as in "
        "equal:text.",
        comparator, name, fmt::join(kTerms, ", "));
  if (colon == std::string::npos || colon + 1 == text.size())
    fail("the comparator '{}' names no field behind '{}': write {}:FIELD.", comparator, name, name);
  return {static_cast<Kind>(found - kTerms.begin()), text.substr(colon + 1)};
}

std::string Term::text() const { return fmt::format("{}:{}", kTerms[static_cast<std::size_t>(kind)], field); }

Comparator parse_comparator(const std::string& text) {
  constexpr std::size_t most = 4;
  Comparator terms;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    terms.push_back(Term::parse(text.substr(begin, end - begin), text));
    begin = end + 1;
  }
  if (terms.size() > most)
    fail("the comparator '{}' joins {} terms, but at most {} can be.", text, terms.size(), most);
  return terms;
}

std::vector<Comparator> parse_comparators(const std::vector<std::string>& texts) {
  std::vector<Comparator> comparators;
  for (const std::string& text : texts) comparators.push_back(parse_comparator(text));
  return comparators;
}

const std::vector<std::string>& mention_comparators() {
  static const std::vector<std::string> all = {
      "values:kind",
      "distance:sentence+values:type",
      "distance:order+values:type",
      "distance:order+second:kind",
      "equal:text+values:type",
      "equal:core+values:type",
      "equal:head+values:type",
      "equal:head+second:kind",
      "equal:head+similarity:core",
      "equal:head+distance:order",
      "words:core+values:type",
      "similarity:core+values:type",
      "equal:gender+values:type",
      "equal:number+values:type",
      "equal:gender+equal:number+values:kind",
      "equal:speech+values:kind",
      "equal:quote+values:kind",
      "span:span+values:type",
      "span:span+second:before",
      "values:capital+equal:head",
      "values:length",
      "values:begins+values:type",
      "equal:gender+equal:number+distance:order",
      "equal:gender+distance:sentence+second:kind",
  };
  return all;
}

TermOutcomes::TermOutcomes(const Term& term, const ItemTable& items, StringTable& values)
    : kind_(term.kind), present_(items.items(), 0) {
  const ItemTable::Column* column = items.find(term.field);
  const bool counted = column == nullptr && term.field == "order";
  StringTable names;
  for (std::size_t i = 0; i < items.items(); ++i) {
    const Cell order = Cell::of(static_cast<double>(i)), none;
    const Cell& cell = counted ? order : column != nullptr ? column->cells[i] : none;
    const std::string text = as_text(cell);
    const bool present = cell.kind != Cell::Kind::missing;
    switch (kind_) {
      case Term::Kind::equal:
        code_.push_back(present ? 1 + names.intern(text) : 0);
        break;
      case Term::Kind::head:
        code_.push_back(text.empty() ? 0 : 1 + names.intern(text.substr(text.find_last_of(' ') + 1)));
        break;
      case Term::Kind::first:
      case Term::Kind::second:
      case Term::Kind::values:
        code_.push_back(present ? 1 + values.intern(text) : 0);
        break;
      case Term::Kind::similarity:
        present_[i] = !text.empty();
        sets_.push_back(bigrams_of(text));
        break;
      case Term::Kind::words:
        sets_.push_back(words_of(text, names));
        present_[i] = !sets_.back().empty();
        break;
      case Term::Kind::distance:
      case Term::Kind::span:
        present_[i] = term.compares(cell.kind);
        numbers_.emplace_back(cell.first, cell.last);
        break;
    }
  }
  if (values.size() >= Index{1} << kValueBits)
    fail("the fields of first, second and values have more than {} different values: name fields with fewer.",
         (Index{1} << kValueBits) - 1);
}

inline Index TermOutcomes::compare(std::size_t i, std::size_t j) const {
  switch (kind_) {
    case Term::Kind::similarity:
      return similarity(sets_[i], sets_[j]);
    case Term::Kind::words:
      return words(sets_[i], sets_[j]);
    case Term::Kind::distance:
      return distance(numbers_[j].first - numbers_[i].first);
    default:
      return span(numbers_[i], numbers_[j]);
  }
}

void TermOutcomes::row(std::size_t j, Index* out) const {
  switch (kind_) {
    case Term::Kind::equal:
    case Term::Kind::head:
      for (std::size_t i = 0; i < j; ++i)
        out[i] = code_[i] == 0 || code_[j] == 0 ? 0 : code_[i] == code_[j] ? 1 : 2;
      return;
    case Term::Kind::first:
      std::copy_n(code_.begin(), j, out);
      return;
    case Term::Kind::second:
      std::fill_n(out, j, code_[j]);
      return;
    case Term::Kind::values:
      for (std::size_t i = 0; i < j; ++i)
        out[i] = code_[i] == 0 || code_[j] == 0 ? 0 : code_[i] << kValueBits | code_[j];
      return;
    default:
      for (std::size_t i = 0; i < j; ++i) out[i] = present_[i] && present_[j] ? compare(i, j) : 0;
  }
}

std::string TermOutcomes::name(const Term& term, Index outcome, const StringTable& values) {
  const auto value = [&](Index code) { return std::string(values.text(code - 1)); };
  const auto named = [&]() -> std::string {
    switch (term.kind) {
      case Term::Kind::equal:
      case Term::Kind::head:
        return kSame[outcome - 1];
      case Term::Kind::similarity:
        return kSimilarity[outcome - 1];
      case Term::Kind::words:
        return kWords[outcome - 1];
      case Term::Kind::distance:
        return kDistance[outcome - 1];
      case Term::Kind::span:
        return kSpan[outcome - 1];
      case Term::Kind::first:
      case Term::Kind::second:
        return value(outcome);
      case Term::Kind::values:
        return value(outcome >> kValueBits) + ", " + value(outcome & ((Index{1} << kValueBits) - 1));
    }
    return {};
  };
  return fmt::format("{} {}", term.text(), named());
}

}  // namespace hinge
