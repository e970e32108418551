#include "hinge/core/options.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "hinge/core/spelling.h"

namespace hinge {

std::string Range::text() const {
  if (file) return words.empty() ? "a file" : fmt::format("a file or {}", fmt::join(words, " or "));
  if (!words.empty()) return fmt::format("one of {}", fmt::join(words, ", "));
  const bool bounded_low = low > std::numeric_limits<double>::lowest();
  const bool bounded_high = high < std::numeric_limits<double>::max();
  const std::string from =
      bounded_low ? fmt::format("{} {:g}", open_low ? "more than" : "at least", low) : "";
  const std::string to = bounded_high ? fmt::format("at most {:g}", high) : "";
  if (from.empty() && to.empty()) return "any value";
  return from.empty() ? to : to.empty() ? from : from + " and " + to;
}

std::string flag_of(std::string_view name) {
  std::string flag = fmt::format("--{}", name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::vector<std::string> files_of(const OptionRef& option) {
  std::vector<std::string> files;
  if (!option.range.file) return files;
  if (const auto* one = std::get_if<std::string*>(&option.field)) files = {**one};
  if (const auto* many = std::get_if<std::vector<std::string>*>(&option.field)) files = **many;
  std::erase_if(files, [&](const std::string& file) {
    return file.empty() || std::ranges::find(option.range.words, file) != option.range.words.end();
  });
  return files;
}

void check_option(std::string_view name, double value, const Range& range) {
  if (!range.contains(value)) fail("`{}` is {}, but must be {}.", name, value, range.text());
}

void check_option(std::string_view name, const std::string& value, const Range& range) {
  if (!range.file && !range.words.empty() && std::ranges::find(range.words, value) == range.words.end())
    fail("`{}` is '{}'{}, but must be {}.", name, value, did_you_mean(value, range.words), range.text());
}

}  // namespace hinge
