#include "hinge/watch/notes.h"

#include <cstdio>

namespace hinge {

void print_note(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace hinge
