#include "hinge/core/errors.h"

namespace hinge {
namespace {

// What files hold may be quoted: a NUL would end the message, an escape sequence steer the terminal.
std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c != '\n' && (byte < 0x20 || byte == 0x7f))
      fmt::format_to(std::back_inserter(shown), "\\x{:02x}", byte);
    else
      shown.push_back(c);
  }
  return shown;
}

}  // namespace

InputError::InputError(const std::string& message) : std::runtime_error(printable(message)) {}

}  // namespace hinge
