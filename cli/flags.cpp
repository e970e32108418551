#include "cli/flags.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "cli/files.h"
#include "hinge/core/options_json.h"
#include "hinge/core/text_file.h"

namespace hinge {
namespace {

// The value that an option's text means; false when it means none.
bool parse(const std::string& text, int& value) {
  long long wide = 0;
  if (!parse_integer(text, wide) || wide < std::numeric_limits<int>::min() ||
      wide > std::numeric_limits<int>::max())
    return false;
  value = static_cast<int>(wide);
  return true;
}
bool parse(const std::string& text, std::uint64_t& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size();
}
bool parse(const std::string& text, double& value) { return parse_number(text, value); }
bool parse(const std::string& text, std::string& value) {
  value = text;
  return true;
}

template <class T>
constexpr const char* kind_of() {
  if constexpr (std::same_as<T, int>) return "a whole number";
  if constexpr (std::same_as<T, std::uint64_t>) return "a whole number from 0";
  if constexpr (std::same_as<T, double>) return "a number";
  return "text";
}

template <class T>
T parse_value(const std::string& flag, const std::string& text) {
  T value{};
  if (!parse(text, value)) fail("{} is '{}', but must be {}.", flag, text, kind_of<T>());
  return value;
}

void set(const std::string& flag, const OptionRef& option, const Arguments& texts) {
  for (const std::string& text : texts)
    if (text.starts_with("--")) fail("{} needs a value, but '{}' follows.", flag, text);
  std::visit(
      [&](auto* field) {
        using T = std::remove_pointer_t<decltype(field)>;
        if constexpr (std::same_as<T, bool>) {
          *field = texts.back() == "true";
        } else if constexpr (std::same_as<T, std::vector<double>>) {
          field->clear();
          for (const std::string& list : texts)
            for (const std::string& text : CLI::detail::split(list, ','))
              field->push_back(parse_value<double>(flag, text));
        } else if constexpr (std::same_as<T, std::vector<std::string>>) {
          *field = texts;
        } else {
          if (texts.size() > 1) fail("{} was given {} times: give it once.", flag, texts.size());
          *field = parse_value<T>(flag, texts.front());
        }
      },
      option.field);
  check_option(option, flag.substr(flag.find_first_not_of('-')));
}

// The present value: "0.001", "count", "off"; empty for an empty text or list.
std::string show(const OptionRef& option) {
  return std::visit(
      [](const auto* field) -> std::string {
        using T = std::remove_cvref_t<decltype(*field)>;
        if constexpr (std::same_as<T, bool>)
          return *field ? "on" : "off";
        else if constexpr (std::same_as<T, std::vector<std::string>>)
          return fmt::format("{}", fmt::join(*field, " "));
        else if constexpr (std::same_as<T, std::vector<double>>)
          return fmt::format("{}", fmt::join(*field, ","));
        else
          return fmt::format("{}", *field);
      },
      option.field);
}

std::string value_hint(const OptionRef& option) {
  if (!option.range.words.empty() && !option.range.file)
    return fmt::format("{}", fmt::join(option.range.words, "|"));
  return std::visit(
      [](const auto* field) -> std::string {
        using T = std::remove_cvref_t<decltype(*field)>;
        if constexpr (std::same_as<T, bool>) return "";
        if constexpr (std::same_as<T, std::string>) return "TEXT";
        if constexpr (std::same_as<T, std::vector<std::string>>) return "TEXT...";
        if constexpr (std::same_as<T, std::vector<double>>) return "X,X,...";
        return std::same_as<T, double> ? "X" : "N";
      },
      option.field);
}

// Lines of at most `width` characters, all but the first behind `indent`.
std::string wrap(const std::string& text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    if (column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace

void Flags::take(const std::string& group, const std::vector<OptionRef>& options) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_flag("-h,--help", help_);
  std::vector<std::pair<CLI::Option*, const OptionRef*>> added;
  groups_.push_back({group, {}});
  for (const OptionRef& option : options) {
    const bool taken = !names_.insert(option.name).second;
    const std::string flag = flag_of(taken ? group + "_" + option.name : option.name);
    const std::string names = option.name.size() == 1 ? "-" + option.name + "," + flag : flag;
    if (std::holds_alternative<bool*>(option.field)) {
      added.emplace_back(app.add_flag(names + ",!--no-" + flag.substr(2)), &option);
    } else {
      const bool many = std::holds_alternative<std::vector<std::string>*>(option.field);
      added.emplace_back(app.add_option(names), &option);
      added.back().first->expected(1, many ? CLI::detail::expected_max_vector_size : 1);
      added.back().first->allow_extra_args(many);
    }
    added.back().first->take_all();
    groups_.back().lines.push_back({names + " " + value_hint(option), show(option), as_flags(option.help)});
  }
  std::ranges::reverse(rest_);  // the order that CLI11 takes
  try {
    app.parse(rest_);
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string what = mismatch.what();
    fail("{} needs a value.", what.substr(0, what.find(':')));
  } catch (const CLI::ParseError& error) {
    fail("{}: see --help.", error.what());
  }
  rest_ = app.remaining();
  for (const auto& [made, option] : added) {
    const std::string flag = "--" + made->get_lnames().front();
    if (made->count() > 0) {
      given_.insert(option->name);
      set(flag, *option, made->results());
    }
    values_[flag] = show(*option);
  }
}

Arguments Flags::take_files() {
  if (std::ranges::any_of(rest_, is_flag)) return {};
  return std::exchange(rest_, {});
}

std::vector<std::string> Flags::known() const {
  std::vector<std::string> flags = {"--help"};
  for (const Group& group : groups_)
    for (const Line& line : group.lines)  // "-C,--C TEXT"
      for (const std::string& flag : CLI::detail::split(line.flag.substr(0, line.flag.find(' ')), ','))
        flags.push_back(flag);
  return flags;
}

std::string Flags::text() const {
  constexpr std::size_t kColumn = 30, kWidth = 100;
  std::string text;
  for (const Group& group : groups_) {
    if (group.lines.empty()) continue;
    text += fmt::format("\n{}:\n", group.name);
    for (const Line& line : group.lines) {
      std::string left = "  " + line.flag;
      left += left.size() + 2 > kColumn ? "\n" + std::string(kColumn, ' ')
                                        : std::string(kColumn - left.size(), ' ');
      const std::string help = line.value.empty() ? line.help : line.help + " [" + line.value + "]";
      text += left + wrap(help, kColumn, kWidth) + "\n";
    }
  }
  return text;
}

}  // namespace hinge
