#include "hinge/tasks/graph/grid.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hinge {
namespace {

struct Offset {
  int dx, dy;
};
constexpr std::array<Offset, 9> kAround = {
    {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};  // itself, 4, 8

struct Direction {
  Offset offset;
  const char* name;
};
constexpr std::array<Direction, 4> kDirections = {
    {{{1, 0}, "right"}, {{0, 1}, "down"}, {{1, 1}, "down-right"}, {{-1, 1}, "down-left"}}};

class GridToGraph {
 public:
  GridToGraph(const PixelGrid& grid, const GridOptions& options, GraphBuilder& builder)
      : grid_(grid),
        options_(options),
        builder_(builder),
        around_(1 + static_cast<std::size_t>(options.neighbours)) {}

  void add() {
    number_features(node_features_, "", [&](const std::string& name) { return builder_.node_feature(name); });
    each([&](std::size_t x, std::size_t y) {
      pour(x, y, node_features_);
      builder_.node({.label = grid_.labels.empty() ? std::nullopt : builder_.said(grid_.labels[at(x, y)])});
    });
    const auto edge_feature = [&](const std::string& name) { return builder_.edge_feature(name); };
    if (options_.edge_features == "ends") {
      number_features(from_features_, "from ", edge_feature);
      number_features(to_features_, "to ", edge_feature);
    }
    if (compares()) {
      for (const std::string& name : grid_.names)
        from_features_.push_back(edge_feature(options_.edge_features + " " + name));
      constant_ = edge_feature("constant");
    }
    each([&](std::size_t x, std::size_t y) {
      for (std::size_t d = 0; d < static_cast<std::size_t>(options_.connect) / 2; ++d) add_edge(x, y, d);
    });
  }

 private:
  template <class F>
  void each(F&& body) {
    for (std::size_t y = 0; y < grid_.height; ++y)
      for (std::size_t x = 0; x < grid_.width; ++x) body(x, y);
  }
  bool compares() const {
    return options_.edge_features == "contrast" || options_.edge_features == "similarity";
  }
  std::size_t at(std::size_t x, std::size_t y) const { return y * grid_.width + x; }
  bool inside(std::size_t x, std::size_t y, Offset offset, std::size_t& pixel) const {
    const std::size_t nx = x + static_cast<std::size_t>(offset.dx),
                      ny = y + static_cast<std::size_t>(offset.dy);
    pixel = at(nx, ny);
    return nx < grid_.width && ny < grid_.height;  // −1 wraps around to the largest number
  }

  // numbers[offset · names + name]
  template <class Number>
  void number_features(std::vector<Index>& numbers, const std::string& prefix, const Number& number) {
    for (std::size_t k = 0; k < around_; ++k)
      for (const std::string& name : grid_.names)
        numbers.push_back(number(
            k == 0 ? prefix + name : fmt::format("{}{}@{},{}", prefix, name, kAround[k].dx, kAround[k].dy)));
  }
  void pour(std::size_t x, std::size_t y, const std::vector<Index>& numbers) {
    for (std::size_t k = 0; k < around_; ++k) {
      std::size_t pixel;
      if (!inside(x, y, kAround[k], pixel)) continue;
      for (const auto& [name, value] : grid_.pixels[pixel])
        builder_.feature(numbers[k * grid_.names.size() + name], value);
    }
  }

  void add_edge(std::size_t x, std::size_t y, std::size_t direction) {
    const auto& [offset, name] = kDirections[direction];
    std::size_t to;
    if (!inside(x, y, offset, to)) return;
    if (options_.edge_features == "ends") {
      pour(x, y, from_features_);
      pour(x + static_cast<std::size_t>(offset.dx), y + static_cast<std::size_t>(offset.dy), to_features_);
    } else if (compares()) {
      builder_.feature(constant_, 1);
      difference_.assign(grid_.names.size(), 0.0);
      for (const auto& [f, value] : grid_.pixels[at(x, y)]) difference_[f] += value;
      for (const auto& [f, value] : grid_.pixels[to]) difference_[f] -= value;
      for (std::size_t f = 0; f < difference_.size(); ++f) {
        const double contrast = std::abs(difference_[f]);
        const double value = options_.edge_features == "contrast" ? contrast : std::max(1 - contrast, 0.0);
        if (value != 0) builder_.feature(from_features_[f], value);
      }
    }
    builder_.edge(static_cast<long long>(at(x, y)), static_cast<long long>(to), name,
                  options_.edge_features != "constant");
  }

  const PixelGrid& grid_;
  const GridOptions& options_;
  GraphBuilder& builder_;
  std::size_t around_;
  std::vector<Index> node_features_, from_features_, to_features_;
  Index constant_ = 0;
  Vector difference_;
};

}  // namespace

void add_grid(const PixelGrid& grid, const GridOptions& options, GraphBuilder& builder) {
  GridToGraph(grid, options, builder).add();
}

}  // namespace hinge
