#include "hinge/tasks/carried_rows.h"

#include <algorithm>
#include <map>

namespace hinge {
namespace {

using Row = std::vector<std::pair<Index, float>>;  // features and values

constexpr const char* kOfRows[] = {"kernel_start", "kernel_landmark", "kernel_value", "kernel_norm"};

std::vector<Row> rows_of(const Archive& archive) {
  const auto& start = archive.get<Index>("kernel_start");
  const auto& landmark = archive.get<Index>("kernel_landmark");
  const auto& value = archive.get<float>("kernel_value");
  std::vector<Row> rows(archive.get<double>("kernel_norm").size());
  for (std::size_t j = 0; j + 1 < start.size(); ++j)
    for (Index at = start[j]; at < start[j + 1]; ++at)
      rows[landmark[at]].emplace_back(static_cast<Index>(j), value[at]);
  return rows;
}

}  // namespace

std::optional<Vector> weights_of_rows(const Archive& model, const Vector& weights, const Archive& data) {
  if (!model.arrays.contains("kernel_added") || !data.arrays.contains("kernel_added")) return std::nullopt;
  auto rest = model.arrays, others = data.arrays;
  for (const char* const name : kOfRows) rest.erase(name), others.erase(name);
  if (rest != others) return std::nullopt;
  const std::vector<Row> rows = rows_of(model), now = rows_of(data);
  const std::size_t states = weights.size() / rows.size();
  std::multimap<Row, std::size_t> place;
  for (std::size_t a = 0; a < now.size(); ++a) place.emplace(now[a], a);
  Vector found(now.size() * states);
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const auto same = place.find(rows[a]);
    if (same == place.end()) return std::nullopt;
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(a * states), states,
                found.begin() + static_cast<std::ptrdiff_t>(same->second * states));
    place.erase(same);
  }
  return found;
}

}  // namespace hinge
