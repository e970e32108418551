// Text as it stands in an SVG file: &, <, > and " are spelled out.
#pragma once

#include <string>
#include <string_view>

namespace hinge {

inline std::string svg_text(std::string_view text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  return safe;
}

}  // namespace hinge
