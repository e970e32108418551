// Sets the checksum of a model file right, or nothing behind it would ever be reached.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <string>
#include <string_view>

namespace hinge {

inline constexpr std::string_view kArchiveOpening = R"({"__metadata__":{"checksum":")";

inline void set_checksum(std::string& bytes) {
  constexpr std::size_t kPlace = 8 + kArchiveOpening.size(), kDigits = 8;
  if (bytes.size() < kPlace + kDigits) return;
  bytes.replace(kPlace, kDigits, kDigits, '0');
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  bytes.replace(kPlace, kDigits, fmt::format("{:08x}", sum));
}

}  // namespace hinge
