#include "hinge/register_task.h"

#include <nlohmann/json.hpp>

namespace hinge::own {

JsonValue facts(std::size_t examples, Index weights) {
  return nlohmann::json{{"examples", examples}, {"weights", weights}};
}

JsonValue metrics(std::size_t examples, double sum_of_losses, double without_loss) {
  const auto n = static_cast<double>(std::max<std::size_t>(examples, 1));
  return nlohmann::json{{"examples", examples}, {"loss", sum_of_losses / n}, {"accuracy", without_loss / n}};
}

std::string report(const nlohmann::json& metrics) {
  return fmt::format("examples  {}\nmean loss {:.6g}\nwithout loss {:.2f} %\n",
                     metrics["examples"].get<std::size_t>(), metrics["loss"].get<double>(),
                     100 * metrics["accuracy"].get<double>());
}

}  // namespace hinge::own
