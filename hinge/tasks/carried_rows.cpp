#include "hinge/tasks/carried_rows.h"

#include <algorithm>
#include <map>
#include <span>

namespace hinge {
namespace {

using Row = std::vector<
    std::pair<Index, float>>;  // features and values; of a string its letters, of a program's its number

constexpr const char* kOfRows[] = {"kernel_start", "kernel_landmark", "kernel_value", "kernel_norm"};
constexpr const char* kOfStrings[] = {"kernel_letters", "kernel_letters_begin", "features"};
constexpr const char* kOfGiven[] = {"kernel_inputs", "features"};

// Names of the arrays that say what the rows are; none of another model.
std::span<const char* const> arrays_of_rows(const Archive& archive) {
  if (archive.arrays.contains("kernel_letters")) return kOfStrings;
  if (archive.arrays.contains("kernel_inputs_added")) return kOfGiven;
  if (archive.arrays.contains("kernel_added")) return kOfRows;
  return {};
}

std::vector<Row> strings_of(const Archive& archive) {
  const auto& letters = archive.get<std::uint8_t>("kernel_letters");
  const auto& begin = archive.get<Index>("kernel_letters_begin");
  std::vector<Row> rows(begin.size() - 1);
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (Index at = begin[a]; at < begin[a + 1]; ++at) rows[a].emplace_back(at - begin[a], letters[at]);
  return rows;
}

// A program's inputs are what their numbers say.
std::vector<Row> inputs_of(const Archive& archive) {
  std::vector<Row> rows;
  for (const Index number : archive.get<Index>("kernel_inputs")) rows.push_back({{number, 1.0f}});
  return rows;
}

std::vector<Row> rows_of(const Archive& archive) {
  if (archive.arrays.contains("kernel_letters")) return strings_of(archive);
  if (archive.arrays.contains("kernel_inputs_added")) return inputs_of(archive);
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
  const std::span<const char* const> names = arrays_of_rows(model);
  if (names.empty() || names.data() != arrays_of_rows(data).data()) return std::nullopt;
  auto rest = model.arrays, others = data.arrays;
  for (const char* const name : names) rest.erase(name), others.erase(name);
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
