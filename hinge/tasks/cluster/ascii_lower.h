// Letters without regard to case.
#pragma once

#include <string>
#include <string_view>

namespace hinge {

// Capital letters of ASCII become small ones; other bytes stay.
inline std::string ascii_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace hinge
