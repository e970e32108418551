#include "hinge/tasks/file_pieces.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "hinge/core/file_view.h"
#include "hinge/core/text_file.h"

namespace hinge {
namespace {

constexpr std::size_t kLeastBytes = 1 << 18;  // of a piece: less is read before a thread is awake

// Where an example begins behind the byte, surely; the end of the file where there is none.
std::size_t next_example(const std::string& file, std::size_t byte, const MakeCutter& make_cutter) {
  LineReader lines(path_of_part(file, {byte - 1, static_cast<std::size_t>(-1), 0}));
  std::string_view line;
  lines.next(line);  // what is left of the line before
  const std::unique_ptr<ExampleCutter> cutter = make_cutter(file);
  for (int found = 0; lines.next(line);)
    if (const auto start = cutter->take(line, {lines.place(), lines.line() - 1, 0}); start && ++found == 2)
      return start->byte;
  return static_cast<std::size_t>(-1);
}

}  // namespace

std::vector<std::string> cut_file(const std::string& file, const MakeCutter& make_cutter,
                                  Executor& executor) {
  std::error_code none;
  FilePart all;
  const std::string path = split_path(file, all);
  if (path != file || !std::filesystem::is_regular_file(file, none) || is_packed(file)) return {file};
  const std::size_t size = std::filesystem::file_size(file);
  const std::size_t pieces = std::min(executor.workers(), size / kLeastBytes);
  if (pieces < 2) return {file};
  if (const auto cutter = make_cutter(file); !cutter->anywhere() || cutter->names_once()) return {file};

  std::vector<std::size_t> begin(pieces + 1, 0), lines(pieces + 1, 0);
  begin[pieces] = size;
  executor.run(pieces - 1, [&](std::size_t p) {
    begin[p + 1] = std::min(size, next_example(file, size * (p + 1) / pieces, make_cutter));
  });
  const FileView view(file);
  executor.run(pieces, [&](std::size_t p) {
    const std::string_view own = view.bytes().substr(begin[p], begin[p + 1] - begin[p]);
    lines[p + 1] = static_cast<std::size_t>(std::ranges::count(own, '\n'));
  });
  std::partial_sum(lines.begin(), lines.end(), lines.begin());
  std::vector<std::string> parts;
  for (std::size_t p = 0; p < pieces; ++p)
    if (begin[p] < begin[p + 1]) parts.push_back(path_of_part(file, {begin[p], begin[p + 1], lines[p]}));
  return parts;
}

}  // namespace hinge
