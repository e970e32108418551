#include "hinge/tasks/share_files.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <stdexcept>

#include "hinge/core/errors.h"
#include "hinge/core/hash.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/text_file.h"

namespace hinge {
namespace {

using ExampleStart = ExampleCutter::Start;

// Bytes [begin, end) of a file, in which a rank looks for examples.
struct ByteRange {
  std::size_t file, begin, end;
};

// What a rank has found in a range: examples in a run of lines that begins with the first of them, or with the file.
struct FoundExamples {
  std::size_t file = 0, lines = 0;
  std::vector<ExampleStart> starts;  // lines counted from the run's beginning
  bool names_once = false;
};

std::vector<ByteRange> ranges_of(const std::vector<std::string>& files, const MakeCutter& make_cutter,
                                 std::size_t rank, std::size_t ranks) {
  std::vector<std::size_t> sizes;
  std::vector<bool> whole;  // those that one rank looks at
  for (const std::string& file : files) {
    whole.push_back(is_packed(file) || !make_cutter(file)->anywhere());  // throws where there is no such file
    sizes.push_back(std::filesystem::file_size(file));
  }
  const std::size_t total = std::reduce(sizes.begin(), sizes.end());
  const std::size_t first = total * rank / ranks, last = total * (rank + 1) / ranks;
  std::vector<ByteRange> own;
  std::size_t offset = 0;
  for (std::size_t f = 0; f < files.size(); offset += sizes[f++]) {
    const std::size_t begin = std::clamp(first, offset, offset + sizes[f]) - offset,
                      end = std::clamp(last, offset, offset + sizes[f]) - offset;
    const bool takes_all = offset >= first && (offset < last || rank + 1 == ranks);
    if (whole[f] || sizes[f] == 0) {
      if (takes_all) own.push_back({f, 0, static_cast<std::size_t>(-1)});
    } else if (begin < end) {
      own.push_back({f, begin, end == sizes[f] ? static_cast<std::size_t>(-1) : end});
    }
  }
  return own;
}

// A cutter that begins in the middle of a file is right from its second example on: those in front of that are of the
// range before, which therefore ends at the second example of a cutter that begins at its end.
FoundExamples look_for_examples(const std::string& file, const ByteRange& range,
                                const MakeCutter& make_cutter) {
  LineReader lines(
      path_of_part(file, {range.begin == 0 ? 0 : range.begin - 1, static_cast<std::size_t>(-1), 0}));
  std::string_view line;
  if (range.begin > 0) lines.next(line);  // what is left of the line before
  const std::unique_ptr<ExampleCutter> own = make_cutter(file);
  std::unique_ptr<ExampleCutter> after;
  std::size_t after_found = 0;
  FoundExamples found{range.file, 0, {}, own->names_once()};
  bool sure = range.begin == 0;
  std::optional<ExampleStart> end;
  while (!end && lines.next(line)) {
    const ExampleStart here{lines.place(), lines.line() - 1, 0};
    if (const auto start = own->take(line, here)) {
      if (sure) found.starts.push_back(*start);
      sure = true;
    }
    if (here.byte < range.end) continue;
    if (!after) after = make_cutter(file);
    if (const auto start = after->take(line, here); start && ++after_found == 2) end = start;
  }
  if (!end) end = ExampleStart{static_cast<std::size_t>(-1), lines.line(), 0};
  std::erase_if(found.starts, [&](const ExampleStart& start) { return start.byte >= end->byte; });
  if (range.begin > 0 && found.starts.empty()) return found;
  const std::size_t first = range.begin == 0 ? 0 : found.starts.front().line;
  found.lines = end->line - first;
  for (ExampleStart& start : found.starts) start.line -= first;
  if (range.begin == 0 && !found.starts.empty()) found.starts.front() = {0, 0, found.starts.front().name};
  return found;
}

template <class T>
std::string to_bytes(T& value) {
  Snapshot snapshot;
  snapshot(value);
  return snapshot.bytes();
}

template <class T>
T from_bytes(const std::string& bytes) {
  T value;
  Snapshot snapshot(bytes);
  snapshot(value);
  return value;
}

// What all ranks know of a run of lines.
struct RunOfLines {
  std::size_t file = 0, lines = 0, examples = 0;
};

// Where the examples of a rank begin.
struct CutForRank {
  std::size_t rank = 0, file = 0;
  ExampleStart start;
};

void refuse_names_again(const std::vector<std::string>& files, Ranks& ranks,
                        const std::vector<FoundExamples>& own) {
  std::vector<long long> names;
  for (const FoundExamples& found : own)
    if (found.names_once)
      for (const ExampleStart& start : found.starts) names.push_back(start.name);
  const std::vector<std::string> all = ranks.gather([&] { return to_bytes(names); });
  std::vector<long long> every;
  for (const std::string& bytes : all) {
    const auto theirs = from_bytes<std::vector<long long>>(bytes);
    every.insert(every.end(), theirs.begin(), theirs.end());
  }
  std::ranges::sort(every);
  if (const auto twice = std::ranges::adjacent_find(every); twice != every.end())
    fail("{}: qid:{} comes back after other rows: put its rows together, or renumber one of the two.",
         fmt::join(files, ", "), *twice);
}

// Of the lines of the parts, by their file; 0 for others.
std::vector<std::uint64_t> hashes_of(const std::map<std::size_t, std::string>& parts, std::size_t files) {
  std::vector<std::uint64_t> hashes(files);
  for (const auto& [file, part] : parts) {
    LineReader lines(part);
    for (std::string_view line; lines.next(line);) hashes[file] = hash_bytes(line, hashes[file]);
  }
  return hashes;
}

// What a rank is to learn from is read by one other rank too, half of all ranks away and so on another machine, if there
// are several: a different copy is seen.
template <class PartsOf>
void refuse_other_lines(const std::vector<std::string>& files, Ranks& ranks, const PartsOf& parts_of) {
  const std::size_t size = ranks.size();
  if (size == 1) return;
  const auto read_by = [&](std::size_t rank) { return (rank + size / 2) % size; };
  struct Read {
    std::vector<std::uint64_t> own, other;
    void keep(Snapshot& snapshot) { snapshot(own, other); }
  };
  std::vector<Read> all;
  for (const std::string& bytes : ranks.gather([&] {
         Read mine{hashes_of(parts_of(ranks.rank()), files.size()),
                   hashes_of(parts_of(read_by(ranks.rank())), files.size())};
         return to_bytes(mine);
       }))
    all.push_back(from_bytes<Read>(bytes));
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t f = 0; f < files.size(); ++f)
      if (const std::size_t reads = read_by(r); all[r].other[f] != all[reads].own[f])
        fail("{}: ranks {} and {} have different files under this name: give all machines the same data.",
             files[f], std::min(r, reads), std::max(r, reads));
}

}  // namespace

void FileShare::require(std::size_t examples) const {
  if (examples != size)
    throw std::logic_error(fmt::format("{} examples were found where {} had been counted", examples, size));
}

FileShare share_files(const std::vector<std::string>& files, const MakeCutter& make_cutter, Ranks& ranks,
                      std::size_t shards, const std::function<void(const std::string& file)>& read) {
  std::vector<FoundExamples> own;
  const std::vector<std::string> told = ranks.gather([&] {
    std::vector<RunOfLines> runs;
    for (const ByteRange& range : ranges_of(files, make_cutter, ranks.rank(), ranks.size())) {
      own.push_back(look_for_examples(files[range.file], range, make_cutter));
      runs.push_back({own.back().file, own.back().lines, own.back().starts.size()});
    }
    return to_bytes(runs);
  });

  // Examples and lines in front of this rank's runs.
  std::size_t examples = 0, before = 0;
  std::vector<std::size_t> of_file(files.size()), lines(files.size());
  std::map<std::size_t, std::size_t> lines_before;  // in front of this rank's run of a file
  for (std::size_t r = 0; r < told.size(); ++r) {
    if (r == ranks.rank()) before = examples;
    for (const RunOfLines& run : from_bytes<std::vector<RunOfLines>>(told[r])) {
      if (r == ranks.rank()) lines_before[run.file] = lines[run.file];
      lines[run.file] += run.lines;
      of_file[run.file] += run.examples;
      examples += run.examples;
    }
  }
  for (std::size_t f = 0; f < files.size(); ++f)
    if (of_file[f] == 0)
      ranks.together([&] {
        if (ranks.rank() == 0) read(files[f]);
      });
  refuse_many_ranks(examples, ranks.size());
  refuse_names_again(files, ranks, own);

  FileShare share{{}, {examples, shards, ranks.size(), 0}, 0};
  if (shards == 0)
    share.place.pieces =
        std::clamp<std::size_t>(examples / 1024, std::clamp<std::size_t>(examples, 2, 16), 64);
  const auto first_of = [&](std::size_t rank) {
    return share.place.pieces * rank / ranks.size() * examples / share.place.pieces;
  };
  share.place.first = first_of(ranks.rank());
  share.size = first_of(ranks.rank() + 1) - share.place.first;

  // Where the examples of each rank begin, by who has found them.
  std::vector<CutForRank> cuts;
  for (const std::string& bytes : ranks.gather([&] {
         std::vector<CutForRank> mine;
         for (std::size_t r = 0; r < ranks.size(); ++r) {
           std::size_t number = before;
           for (const FoundExamples& found : own) {
             const std::size_t at = first_of(r) - number;
             if (first_of(r) >= number && at < found.starts.size()) {
               CutForRank cut{r, found.file, found.starts[at]};
               cut.start.line += lines_before[found.file];
               mine.push_back(cut);
             }
             number += found.starts.size();
           }
         }
         return to_bytes(mine);
       }))
    for (const CutForRank& cut : from_bytes<std::vector<CutForRank>>(bytes)) cuts.push_back(cut);
  const auto cut_of = [&](std::size_t rank) {
    const auto found = std::ranges::find(cuts, rank, &CutForRank::rank);
    return found == cuts.end() ? CutForRank{rank, files.size(), {}} : *found;  // behind all files
  };
  const auto parts_of = [&](std::size_t rank) {
    std::map<std::size_t, std::string> parts;  // by file
    if (first_of(rank) == first_of(rank + 1)) return parts;
    const CutForRank begin = cut_of(rank), end = cut_of(rank + 1);
    for (std::size_t f = begin.file; f < files.size() && f <= end.file; ++f) {
      FilePart part;
      if (f == begin.file) part = {begin.start.byte, part.end, begin.start.line};
      if (f == end.file) part.end = end.start.byte;
      if (part.begin < part.end) parts[f] = path_of_part(files[f], part);
    }
    return parts;
  };
  refuse_other_lines(files, ranks, parts_of);
  for (const auto& [file, part] : parts_of(ranks.rank())) share.files.push_back(part);
  return share;
}

}  // namespace hinge
