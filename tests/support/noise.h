// Files of bytes that do not compress to nothing.
#pragma once

#include <string>

#include "hinge/core/output_file.h"
#include "hinge/core/random.h"

namespace hinge {

inline std::string noise(std::size_t length) {
  Random random(7);
  std::string text(length, ' ');
  for (char& c : text) c = static_cast<char>('a' + random.below(26));
  return text;
}

inline void write_file(const std::string& path, const std::string& bytes) {
  OutputFile out(path);
  out.write(bytes);
  out.commit();
}

}  // namespace hinge
