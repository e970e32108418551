#include "hinge/tasks/svmlight.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the next token off the line; empty at its end.
std::string_view take_token(std::string_view& line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at != end && is_space(*at)) ++at;
  const char* const begin = at;
  while (at != end && !is_space(*at)) ++at;
  line = {at, static_cast<std::size_t>(end - at)};
  return {begin, static_cast<std::size_t>(at - begin)};
}

// Whole numbers of a few digits are most of what files contain.
bool parse_value(std::string_view text, float& value) {
  long long whole = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && digits < 15 && is_digit(text[digits]); ++digits)
    whole = 10 * whole + (text[digits] - '0');
  double number = static_cast<double>(whole);
  if ((digits == 0 || digits < text.size()) && !parse_number(text, number)) return false;
  value = static_cast<float>(number);
  return std::isfinite(value);
}

bool looks_like_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  long long number;
  return colon != token.npos &&
         (token.substr(0, colon) == "qid" || parse_integer(token.substr(0, colon), number));
}

}  // namespace

void check_row(const SparseRow& row, double weight, std::size_t number) {
  if (row.index.size() != row.value.size())
    fail("row {} has {} indices, but {} values: give one for each.", number, row.index.size(),
         row.value.size());
  if (!std::ranges::is_sorted(row.index, std::ranges::less_equal()))
    fail("the indices of row {} do not ascend, each once: sort them.", number);
  if (!row.index.empty() && row.index.back() > kMaxDimension)
    fail("row {} has the index {}, above {}: renumber the features.", number, row.index.back(),
         kMaxDimension);
  if (!std::ranges::all_of(row.value, [](float value) { return std::isfinite(value); }))
    fail("row {} has a value that is not a finite number: correct it or leave the feature out.", number);
  if (!(weight > 0 && std::isfinite(weight)))
    fail("row {} has the weight {}, which is not a positive number.", number, weight);
}

bool is_svmlight_row(std::string_view line) {
  const std::string_view first = take_token(line);
  return !first.empty() && !first.starts_with('#');
}

bool SvmlightReader::next(SvmlightExample& example) {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (!is_svmlight_row(line));
  const std::string_view whole = line;
  example.label = take_token(line);
  if (label_ == Label::may_be_missing && example.label.find(':') != std::string_view::npos) {
    line = whole;
    example.label = {};
  } else if (looks_like_pair(example.label))
    fail_at(file(), this->line(),
            "the line starts with '{}', but a label belongs there: write ? when it is unknown.",
            example.label);
  const std::size_t end = std::min(line.find('#'), line.size());
  example.comment = line.substr(std::min(end + 1, line.size()));
  line = line.substr(0, end);

  example.query.reset();
  example.weight = 1;
  example.row.index.clear();
  example.row.value.clear();
  for (auto token = take_token(line); !token.empty(); token = take_token(line)) parse_pair(token, example);
  order(example.row);
  return true;
}

void SvmlightReader::parse_pair(std::string_view token, SvmlightExample& example) const {
  long long index = 0;
  std::size_t colon = 0;
  for (; colon < token.size() && colon < 10 && is_digit(token[colon]); ++colon)
    index = 10 * index + (token[colon] - '0');
  if (colon == 0 || colon == token.size() || token[colon] != ':') {  // not the common form
    colon = token.find(':');
    if (colon == token.npos)
      fail_at(file(), line(), "found '{}' where index:value belongs: add what is missing.", token);
    const auto name = token.substr(0, colon), text = token.substr(colon + 1);
    if (name == "qid") {
      if (!parse_integer(text, example.query.emplace()))
        fail_at(file(), line(), "found '{}', but a query is a whole number: write qid:N.", token);
      return;
    }
    if (name == "cost") {
      if (!parse_number(text, example.weight) || example.weight <= 0)
        fail_at(file(), line(), "found '{}', but an example's cost is a positive number: write cost:W.",
                token);
      return;
    }
    if (!parse_integer(name, index))
      fail_at(file(), line(), "the index of '{}' is not a whole number from 1 to {}: write index:value.",
              token, kMaxDimension);
  }
  if (index < 1 || index > kMaxDimension)
    fail_at(file(), line(), "the index of '{}' is outside 1 to {}: renumber the features from 1.", token,
            kMaxDimension);
  float value;
  if (!parse_value(token.substr(colon + 1), value))
    fail_at(file(), line(),
            "the value of '{}' is not a finite number within a float's range: correct it or leave the "
            "feature out.",
            token);
  example.row.index.push_back(static_cast<Index>(index));
  example.row.value.push_back(value);
}

void SvmlightReader::order(SparseRow& row) const {
  if (!std::ranges::is_sorted(row.index)) {
    std::vector<std::size_t> place(row.index.size());
    std::iota(place.begin(), place.end(), std::size_t{0});
    std::ranges::stable_sort(place, {}, [&](std::size_t k) { return row.index[k]; });
    SparseRow sorted;
    for (std::size_t k : place) {
      sorted.index.push_back(row.index[k]);
      sorted.value.push_back(row.value[k]);
    }
    row = std::move(sorted);
  }
  const auto twice = std::ranges::adjacent_find(row.index);
  if (twice == row.index.end()) return;
  const auto k = static_cast<std::size_t>(twice - row.index.begin());
  fail_at(file(), line(),
          "index {} is there twice, with the values {:g} and {:g}: keep one of them, or their sum.", *twice,
          row.value[k], row.value[k + 1]);
}

}  // namespace hinge
