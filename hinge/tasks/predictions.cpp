#include "hinge/tasks/predictions.h"

namespace hinge {

std::vector<std::string> texts_of(const StringTable& names) {
  std::vector<std::string> texts;
  for (Index k = 0; k < names.size(); ++k) texts.emplace_back(names.text(k));
  return texts;
}

std::vector<Labels> labels_of(const Predictions& predictions) {
  std::vector<Labels> labels;
  const auto begin = predictions.label.begin();
  for (std::size_t i = 0; i + 1 < predictions.first.size(); ++i)
    labels.emplace_back(std::vector<int>(begin + static_cast<std::ptrdiff_t>(predictions.first[i]),
                                         begin + static_cast<std::ptrdiff_t>(predictions.first[i + 1])));
  return labels;
}

}  // namespace hinge
