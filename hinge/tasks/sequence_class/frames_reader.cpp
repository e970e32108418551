#include "hinge/tasks/sequence_class/frames_reader.h"

#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/labels.h"

namespace hinge {
namespace {

struct Header {
  std::string split, name;
  long long frames = 0;
};

class FramesReader {
 public:
  FramesReader(const std::string& file, std::size_t& channels) : lines_(file), channels_(channels) {}

  const std::string& file() const { return lines_.file(); }

  bool next(Header& header) {
    do {
      if (!lines_.next(line_)) return false;
      split_fields<' ', '\t'>(line_, fields_);
    } while (fields_.empty() || fields_[0].front() == '#');
    if (fields_.size() != 2 && fields_.size() != 3)
      trouble("has {} where a sequence begins with CLASS FRAMES or SPLIT CLASS FRAMES.",
              counted(fields_.size(), "field"));
    header.split = fields_.size() == 3 ? std::string(fields_[0]) : std::string();
    header.name = fields_[fields_.size() - 2];
    if (!parse_integer(fields_.back(), header.frames) || header.frames < 1)
      trouble("the number of frames '{}' is not a whole number of 1 or more.", fields_.back());
    begin_ = lines_.line();
    return true;
  }

  void skip(const Header& header) {
    for (long long k = 0; k < header.frames; ++k) frame(header, k);
  }

  Frames read(const Header& header) {
    Frames frames;
    for (long long k = 0; k < header.frames; ++k) {
      frame(header, k);
      split_fields<' ', '\t'>(line_, fields_);
      if (channels_ == 0) channels_ = fields_.size();
      if (fields_.size() != channels_ || channels_ == 0)
        trouble("has {} where a frame of {} belongs.", counted(fields_.size(), "number"), channels_);
      for (std::size_t d = 0; d < channels_; ++d) {
        double value = 0;
        if (!parse_number(fields_[d], value) || !std::isfinite(static_cast<float>(value)))
          trouble("'{}' (column {}) is not a number that fits a frame.", fields_[d], d + 1);
        frames.values.push_back(static_cast<float>(value));
      }
    }
    frames.channels = channels_;
    return frames;
  }

  template <class... Args>
  [[noreturn]] void trouble(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(lines_.file(), lines_.line(), format, std::forward<Args>(args)...);
  }

 private:
  void frame(const Header& header, long long k) {
    if (!lines_.next(line_))
      trouble("the file ends after {} of the {} frames that line {} announces.", k, header.frames, begin_);
  }

  LineReader lines_;
  std::size_t& channels_;
  std::string_view line_;
  std::vector<std::string_view> fields_;
  std::size_t begin_ = 0;
};

// Whether a sequence of the split begins with a line, of all lines of a file.
class FramesBegin {
 public:
  explicit FramesBegin(std::string split) : split_(std::move(split)) {}
  bool operator()(std::string_view line) {
    if (frames_left_ > 0) return --frames_left_ < 0;
    split_fields<' ', '\t'>(line, fields_);
    if (fields_.empty() || fields_[0].front() == '#') return false;
    parse_integer(fields_.back(), frames_left_);
    return split_.empty() || (fields_.size() == 3 && fields_[0] == split_);
  }

 private:
  std::string split_;
  long long frames_left_ = 0;
  std::vector<std::string_view> fields_;
};

}  // namespace

MakeCutter cut_frames(const std::string& split) {
  return cut_from_top([split](const std::string&) { return FramesBegin(split); });
}

FramesRecords read_frames(const std::vector<std::string>& files, const std::string& split,
                          std::size_t channels, const Selection& selection) {
  FramesRecords records;
  std::size_t read = 0;
  for (const std::string& file : files) {
    FramesReader reader(file, channels);
    Header header;
    const std::size_t before = read;
    while (reader.next(header)) {
      if (!split.empty() && header.split.empty())
        reader.trouble("names no split to choose by: write SPLIT CLASS FRAMES, or leave out `split`.");
      if ((!split.empty() && header.split != split) || !selection(read++)) {
        reader.skip(header);
        continue;
      }
      records.add(reader.read(header), label_in_text(header.name));
    }
    if (read == before && split.empty())
      fail_at(reader.file(), 0, "holds no sequence: give a file with data.");
    if (read == before)
      fail_at(reader.file(), 0, "holds no sequence of `split` {}: check its spelling.", split);
  }
  return records;
}

}  // namespace hinge
