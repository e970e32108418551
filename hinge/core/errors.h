// Trouble with what a user gave us. The message is one sentence that names where, what was found, and the
// fix; the command line prints it and ends with exit code 2.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace hinge {

class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message);  // control characters become \xNN, but for line ends
};

// "file:line: message"; line 0 means the file as a whole.
template <class... Args>
[[noreturn]] void fail_at(const std::string& file, std::size_t line, fmt::format_string<Args...> format,
                          Args&&... args) {
  const std::string what = fmt::format(format, std::forward<Args>(args)...);
  throw InputError(line == 0 ? fmt::format("{}: {}", file, what)
                             : fmt::format("{}:{}: {}", file, line, what));
}

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace hinge
