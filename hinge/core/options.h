// Options that describe themselves once.
//
// A plain struct with a member template
//
//     template <class Self, class Visitor> static void describe(Self& self, Visitor&& visit) {
//       visit("gap", self.gap, range::positive, "stop when (primal − dual) / primal is at most this");
//     }
//
// Command-line flags, Python keywords, JSON, validation and the table in the docs all come from that
// description. A field is a bool, an int, a uint64, a double, a string, or a vector of strings or doubles.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hinge/core/errors.h"

namespace hinge {

// What values an option takes: an interval for numbers, a list for words (empty: anything), a file to read.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;  // low itself is excluded
  std::vector<std::string> words = {};
  bool file = false;  // the path of one, or one of the words

  bool contains(double v) const { return (open_low ? v > low : v >= low) && v <= high; }  // false for NaN
  std::string text() const;
};

namespace range {

inline const Range any{};
inline const Range positive{.low = 0, .high = std::numeric_limits<double>::max(), .open_low = true};
inline const Range not_negative{.low = 0, .high = std::numeric_limits<double>::max()};
inline const Range at_least_one{.low = 1, .high = std::numeric_limits<double>::max()};
inline Range between(double low, double high) { return {.low = low, .high = high}; }
inline Range one_of(std::vector<std::string> words) { return {.words = std::move(words)}; }
inline const Range file{.file = true};
inline Range file_or(std::vector<std::string> words) { return {.words = std::move(words), .file = true}; }

}  // namespace range

// The flag of an option's name: --max-passes of max_passes.
std::string flag_of(std::string_view name);

// Throws InputError that names the option between backquotes, the value and what it takes.
void check_option(std::string_view name, double value, const Range& range);
void check_option(std::string_view name, const std::string& value, const Range& range);

template <class Options>
void validate(const Options& options) {
  Options::describe(options,
                    [](std::string_view name, const auto& value, const Range& range, std::string_view) {
                      using T = std::decay_t<decltype(value)>;
                      if constexpr (std::same_as<T, bool>) {
                      } else if constexpr (std::is_arithmetic_v<T>) {
                        check_option(name, static_cast<double>(value), range);
                      } else if constexpr (std::same_as<T, std::vector<double>>) {
                        for (double v : value) check_option(name, v, range);
                      } else if constexpr (std::same_as<T, std::vector<std::string>>) {
                        for (const auto& v : value) check_option(name, v, range);
                      } else {
                        check_option(name, value, range);
                      }
                    });
}

// A class that describes its options.
template <class T>
concept Described = requires(T& options) {
  T::describe(options, [](std::string_view, auto&, const Range&, std::string_view) {});
};

// One option of some struct, without its type: what a command line or a binding iterates over.
struct OptionRef {
  using Field = std::variant<bool*, int*, std::uint64_t*, double*, std::string*, std::vector<std::string>*,
                             std::vector<double>*>;
  std::string name;
  Field field;
  Range range;
  std::string help;
};

// The files that an option now has the names of; none where it is not about files.
std::vector<std::string> files_of(const OptionRef& option);

template <class Options>
std::vector<OptionRef> list_options(Options& options) {
  std::vector<OptionRef> list;
  Options::describe(options,
                    [&](std::string_view name, auto& field, const Range& range, std::string_view help) {
                      list.push_back({std::string(name), &field, range, std::string(help)});
                    });
  return list;
}

}  // namespace hinge
