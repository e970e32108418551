#include "hinge/tasks/hamming.h"

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"

namespace hinge {

Hamming Hamming::make(bool normalised, const std::vector<std::string>& label_costs,
                      const StringTable& labels) {
  Hamming hamming{normalised};
  for (const std::string& item : label_costs) {
    const std::size_t colon = item.rfind(':');
    double cost = 0;
    if (colon == std::string::npos || !parse_number(std::string_view(item).substr(colon + 1), cost) ||
        cost < 0)
      fail("`label_costs` has '{}', but each item is LABEL:COST with a cost of 0 or more.", item);
    const Index label = labels.find(std::string_view(item).substr(0, colon));
    if (label == StringTable::kNone)
      fail("`label_costs` names the label '{}', which the training data lacks.", item.substr(0, colon));
    hamming.label_cost.resize(labels.size(), 1.0);
    hamming.label_cost[label] = cost;
  }
  return hamming;
}

}  // namespace hinge
