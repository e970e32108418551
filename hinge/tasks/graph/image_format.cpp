#include "hinge/tasks/graph/image_format.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "hinge/core/text_file.h"
#include "hinge/tasks/graph/netpbm.h"

namespace hinge {
namespace {

// A path without .gz and without the extension before it.
std::string stem(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return std::filesystem::path(path).replace_extension().string();
}

void add_values(const Picture& picture, PixelGrid& grid) {
  grid.names = picture.channels == 3 ? std::vector<std::string>{"red", "green", "blue"}
                                     : std::vector<std::string>{"grey"};
  for (std::size_t p = 0; p < grid.width * grid.height; ++p) {
    auto& entries = grid.pixels.emplace_back();
    for (std::size_t c = 0; c < picture.channels; ++c)
      entries.push_back({static_cast<Index>(c),
                         static_cast<double>(picture.samples[p * picture.channels + c]) / picture.largest});
  }
}

void add_colours(const Picture& picture, PixelGrid& grid) {
  std::unordered_map<std::string, Index> numbers;
  for (std::size_t p = 0; p < grid.width * grid.height; ++p) {
    const auto [place, fresh] = numbers.try_emplace(picture.colour(p), static_cast<Index>(numbers.size()));
    if (fresh) grid.names.push_back(place->first);
    grid.pixels.push_back({{place->second, 1}});
  }
}

}  // namespace

ImageFormat::ImageFormat(const GraphFormatOptions& options)
    : colours_(options.pixels == "colours"),
      grid_{options.neighbours, options.connect, options.edge_features},
      suffix_(options.label_suffix),
      unlabelled_(options.unlabelled_colour) {
  std::vector<std::uint16_t> samples;
  if (suffix_.empty()) fail("`label_suffix` must not be empty: label pictures need names of their own.");
  if (!unlabelled_.empty() && !parse_colour(unlabelled_, samples))
    fail("`unlabelled_colour` is '{}', but a colour is R,G,B or a grey value.", unlabelled_);
}

bool ImageFormat::skips(const std::string& file) const { return stem(file).ends_with(suffix_); }

std::string ImageFormat::label_file(const std::string& file) const {
  if (file == "-") return {};
  for (const char* extension : {".ppm", ".pgm", ".ppm.gz", ".pgm.gz"})
    if (auto path = fmt::format("{}{}{}", stem(file), suffix_, extension); std::filesystem::exists(path))
      return path;
  return {};
}

// A file is one graph, whatever its bytes.
std::unique_ptr<ExampleCutter> ImageFormat::cutter(const std::string& file) const {
  return cut_from_top([](const std::string&) -> BeginsExample {
    return [first = true](std::string_view) mutable { return std::exchange(first, false); };
  })(file);
}

void ImageFormat::read_file(const std::string& path_or_part, GraphBuilder& builder) const {
  FilePart whole;  // a picture is never cut
  const std::string file = split_path(path_or_part, whole);
  const Picture picture = read_picture(file);
  builder.at(file, 0);
  PixelGrid grid{picture.width, picture.height, {}, {}, {}};
  if (colours_)
    add_colours(picture, grid);
  else
    add_values(picture, grid);
  if (const std::string path = label_file(file); !path.empty()) {
    const Picture labels = read_picture(path);
    if (labels.width != picture.width || labels.height != picture.height)
      fail_at(path, 0, "has {} x {} pixels where its picture has {} x {}.", labels.width, labels.height,
              picture.width, picture.height);
    for (std::size_t p = 0; p < grid.width * grid.height; ++p) {
      std::string colour = labels.colour(p);
      grid.labels.push_back(colour == unlabelled_ ? std::string(1, '?') : std::move(colour));
    }
  }
  add_grid(grid, grid_, builder);
  builder.end_graph(fmt::format("{} {}", picture.width, picture.height));
}

void ImageFormat::append(const std::string& source, const GraphAnswer& answer, std::string& out) const {
  const std::size_t blank = source.find(' ');
  Picture picture{std::stoul(source.substr(0, blank)), std::stoul(source.substr(blank + 1)), 1, 255, {}};
  std::vector<std::uint16_t> samples;
  for (const std::string_view label : answer.labels) {
    if (!parse_colour(label, samples))
      fail("the label '{}' is no colour, so that it has no place in a picture: use `output_format` jsonl.",
           label);
    picture.channels = samples.size();
    picture.samples.insert(picture.samples.end(), samples.begin(), samples.end());
  }
  if (picture.samples.size() != answer.labels.size() * picture.channels)
    fail("some labels are grey values and some are colours: use `output_format` jsonl.");
  if (std::ranges::any_of(picture.samples, [](auto sample) { return sample > 255; })) picture.largest = 65535;
  append_picture(picture, out);
}

}  // namespace hinge
