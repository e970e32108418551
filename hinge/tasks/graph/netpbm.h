// Pictures in the Netpbm formats PGM (P2, P5) and PPM (P3, P6), with one or two bytes a sample.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

struct Picture {
  std::size_t width = 0, height = 0, channels = 1;
  unsigned largest = 255;              // value of a sample
  std::vector<std::uint16_t> samples;  // row by row, pixel by pixel

  // "r,g,b" or "grey".
  std::string colour(std::size_t pixel) const;
};

// Throws InputError: not such a picture, cut off, too large. Reads one picture.
Picture read_picture(const std::string& path);

// Binary (P5 or P6): such pictures may stand one after the other in one file.
void append_picture(const Picture& picture, std::string& out);

// A colour as text, back to samples; false when it is none.
bool parse_colour(std::string_view text, std::vector<std::uint16_t>& samples);

}  // namespace hinge
