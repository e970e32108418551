#include "hinge/tasks/graph/snakes_format.h"

#include <algorithm>

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

class SnakesFile {
 public:
  SnakesFile(const std::string& file, GraphBuilder& builder) : lines_(file), builder_(builder) {}

  // Reads the next picture; false at the end of the file.
  bool next(PixelGrid& grid, std::string& split, std::string& source) {
    if (!line()) return false;
    long long height = 0, width = 0;
    if (fields_.size() != 6 || !parse_integer(fields_[1], height) || !parse_integer(fields_[2], width) ||
        height < 1 || width < 1 || fields_[4] != fields_[1] || fields_[5] != fields_[2])
      fail_at(lines_.file(), lines_.line(),
              "a picture begins with 'split H W channels H W', where H and W are its height and width.");
    split = fields_[0];
    source = fmt::format("{}\n", fmt::join(fields_, " "));
    grid = {static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}, {}, {}};
    for (std::size_t y = 0; y < grid.height; ++y) {
      row(grid.width, "pixels");
      source += fmt::format("{}\n", fmt::join(fields_, " "));
      for (const std::string_view colour : fields_) {
        auto found = std::ranges::find(grid.names, colour);
        if (found == grid.names.end()) found = grid.names.insert(found, std::string(colour));
        grid.pixels.push_back({{static_cast<Index>(found - grid.names.begin()), 1}});
      }
    }
    for (std::size_t y = 0; y < grid.height; ++y) {
      row(grid.width, "labels");
      for (const std::string_view label : fields_) grid.labels.emplace_back(label);
    }
    return true;
  }

 private:
  bool line() {
    std::string_view text;
    while (lines_.next(text)) {
      split_fields<' ', '\t'>(text, fields_);
      if (fields_.empty() || fields_[0].starts_with('#')) continue;
      builder_.at(lines_.file(), lines_.line());
      return true;
    }
    return false;
  }
  void row(std::size_t width, const char* what) {
    if (!line())
      fail_at(lines_.file(), lines_.line(), "the file ends where a row of {} belongs: it is cut off.", what);
    if (fields_.size() != width)
      fail_at(lines_.file(), lines_.line(), "has {} {} where {} belong.", fields_.size(), what, width);
  }

  LineReader lines_;
  GraphBuilder& builder_;
  std::vector<std::string_view> fields_;
};

}  // namespace

// The line of a picture says how many rows of pixels, and of labels, follow.
std::unique_ptr<ExampleCutter> SnakesFormat::cutter(const std::string& file) const {
  return cut_from_top([this](const std::string&) -> BeginsExample {
    return [split = split_, left = 0LL](std::string_view line) mutable {
      std::vector<std::string_view> fields;
      split_fields<' ', '\t'>(line, fields);
      if (fields.empty() || fields[0].starts_with('#')) return false;
      if (left > 0) return --left < 0;
      long long height = 0;
      if (fields.size() > 1) parse_integer(fields[1], height);
      left = 2 * height;
      return split == "all" || fields[0] == split;
    };
  })(file);
}

void SnakesFormat::read_file(const std::string& file, GraphBuilder& builder) const {
  SnakesFile pictures(file, builder);
  PixelGrid grid;
  std::string split, source;
  while (pictures.next(grid, split, source)) {
    if (split_ != "all" && split != split_) continue;
    add_grid(grid, grid_, builder);
    builder.end_graph(source);
  }
}

void SnakesFormat::append(const std::string& source, const GraphAnswer& answer, std::string& out) const {
  out += source;
  const auto width = static_cast<std::size_t>(
                         std::ranges::count(source.substr(source.rfind('\n', source.size() - 2) + 1), ' ')) +
                     1;
  for (std::size_t i = 0; i < answer.labels.size(); ++i)
    out.append(answer.labels[i]).push_back((i + 1) % width == 0 ? '\n' : ' ');
}

}  // namespace hinge
