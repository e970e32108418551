#include "hinge/tasks/graph/netpbm.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/core/vector.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

class PictureBytes {
 public:
  explicit PictureBytes(const std::string& path)
      : file_(path == "-" ? "standard input" : path), bytes_(read_file(path)) {}

  Picture parse() {
    if (bytes_.size() < 2 || bytes_[0] != 'P' ||
        std::string_view("2356").find(bytes_[1]) == std::string::npos)
      fail_at(file_, 0, "is no PGM or PPM picture: it does not begin with P2, P3, P5 or P6.");
    const bool plain = bytes_[1] < '4';
    Picture picture;
    picture.channels = bytes_[1] == '3' || bytes_[1] == '6' ? 3 : 1;
    at_ = 2;
    picture.width = number(kMaxDimension);
    picture.height = number(kMaxDimension);
    picture.largest = static_cast<unsigned>(number(65535));
    if (picture.width == 0 || picture.height == 0) fail_at(file_, 0, "the picture has no pixel.");
    if (picture.largest == 0)
      fail_at(file_, 0, "the largest value of the picture is 0: it must be 1 or more.");
    const std::size_t pixels = picture.width * picture.height;
    if (pixels > kMaxDimension) fail_at(file_, 0, "the picture has more than 2^31 pixels.");
    const std::size_t samples = pixels * picture.channels, size = picture.largest > 255 ? 2 : 1;
    const std::size_t least = plain ? 2 * samples - 1 : size * samples;  // bytes that must still come
    if (!plain) ++at_;                                                   // the one blank after the header
    if (at_ > bytes_.size() || bytes_.size() - at_ < least)
      fail_at(file_, 0, "the picture is cut off: {} x {} pixels do not fit the file.", picture.width,
              picture.height);
    picture.samples.resize(samples);
    for (auto& sample : picture.samples) sample = plain ? plain_sample(picture.largest) : binary_sample(size);
    for (const auto sample : picture.samples)
      if (sample > picture.largest)
        fail_at(file_, 0, "has the value {} where {} is the largest.", sample, picture.largest);
    return picture;
  }

 private:
  static bool blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
  }

  std::size_t number(std::size_t most) {
    while (at_ < bytes_.size() && (blank(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size() - 1);
      ++at_;
    }
    const std::size_t begin = at_;
    std::size_t value = 0;
    while (at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9' && value <= most)
      value = 10 * value + static_cast<std::size_t>(bytes_[at_++] - '0');
    if (at_ == begin || value > most)
      fail_at(file_,
              1 + static_cast<std::size_t>(
                      std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin), '\n')),
              "a number of at most {} belongs here: the picture is damaged or cut off.", most);
    return value;
  }
  std::uint16_t plain_sample(unsigned largest) { return static_cast<std::uint16_t>(number(largest)); }
  std::uint16_t binary_sample(std::size_t size) {
    const auto byte = [&] { return static_cast<unsigned char>(bytes_[at_++]); };
    const unsigned high = size == 2 ? byte() : 0u;
    return static_cast<std::uint16_t>(high << 8 | byte());
  }

  std::string file_, bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string Picture::colour(std::size_t pixel) const {
  return fmt::format("{}", fmt::join(std::span(samples).subspan(pixel * channels, channels), ","));
}

Picture read_picture(const std::string& path) { return PictureBytes(path).parse(); }

void append_picture(const Picture& picture, std::string& out) {
  out += fmt::format("P{}\n{} {}\n{}\n", picture.channels == 3 ? 6 : 5, picture.width, picture.height,
                     picture.largest);
  for (const auto sample : picture.samples) {
    if (picture.largest > 255) out.push_back(static_cast<char>(sample >> 8));
    out.push_back(static_cast<char>(sample & 255));
  }
}

bool parse_colour(std::string_view text, std::vector<std::uint16_t>& samples) {
  std::vector<std::string_view> fields;
  split_fields<','>(text, fields);
  samples.clear();
  for (const std::string_view field : fields) {
    long long value = 0;
    if (!parse_integer(field, value) || value < 0 || value > 65535) return false;
    samples.push_back(static_cast<std::uint16_t>(value));
  }
  return samples.size() == 1 || samples.size() == 3;
}

}  // namespace hinge
