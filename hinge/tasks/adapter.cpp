#include "hinge/tasks/adapter.h"

namespace hinge {

void check_options(const std::vector<OptionRef>& options) {
  for (const OptionRef& option : options) check_option(option, option.name);
}

void load_options(const nlohmann::json& header, const std::vector<OptionRef>& options) {
  for (const auto& [name, value] : header.items())
    if (value.is_object())
      load_options(value, options);
    else if (const auto option = only({name}, options); !option.empty())
      options_from_json({{name, value}}, option);
}

}  // namespace hinge
