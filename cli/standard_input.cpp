#include "cli/standard_input.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

[[noreturn]] void trouble(const char* what) {
  fail("standard input is needed several times, but {} ({}): give a file in its place.", what,
       std::strerror(errno));
}

}  // namespace

void keep_standard_input() {
  std::FILE* const copy = std::tmpfile();  // its descriptor lives on as standard input
  if (copy == nullptr) trouble("there is no temporary file for it");
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) trouble("it cannot be read");
    if (got == 0) break;
    if (std::fwrite(buffer.data(), 1, static_cast<std::size_t>(got), copy) != static_cast<std::size_t>(got))
      trouble("its temporary file cannot be written");
  }
  if (std::fflush(copy) != 0) trouble("its temporary file cannot be written");
  if (dup2(fileno(copy), STDIN_FILENO) < 0) trouble("its temporary file cannot take its place");
  std::fclose(copy);
  rewind_standard_input();
}

void rewind_standard_input() {
  if (lseek(STDIN_FILENO, 0, SEEK_SET) != 0) trouble("it cannot be read again");
}

}  // namespace hinge
