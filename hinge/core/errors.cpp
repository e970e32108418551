#include "hinge/core/errors.h"

#include <string_view>

namespace hinge {
namespace {

// How many bytes the letter of UTF-8 takes with which a text begins; 0 where it begins with none.
std::size_t letter_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0; };
  const int first = byte(0), second = byte(1);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  const bool longer_than_needed = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_letter = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return longer_than_needed || no_letter ? 0 : length;
}

// What files hold may be quoted: a NUL would end the message, an escape sequence steer the terminal, and Python takes no text
// that is not UTF-8, such as one byte of a letter.
std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    std::size_t length = letter_length(text);
    if (length == 0 || (byte != '\n' && byte < 0x20) || byte == 0x7f) {
      fmt::format_to(std::back_inserter(shown), "\\x{:02x}", byte);
      length = 1;
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return shown;
}

}  // namespace

InputError::InputError(const std::string& message) : std::runtime_error(printable(message)) {}

}  // namespace hinge
