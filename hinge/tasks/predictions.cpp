#include "hinge/tasks/predictions.h"

namespace hinge {

std::vector<std::string> texts_of(const StringTable& names) {
  std::vector<std::string> texts;
  for (Index k = 0; k < names.size(); ++k) texts.emplace_back(names.text(k));
  return texts;
}

}  // namespace hinge
