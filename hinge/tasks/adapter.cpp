#include "hinge/tasks/adapter.h"

namespace hinge {

void check_options(const std::vector<OptionRef>& options) {
  for (const OptionRef& option : options) check_option(option, option.name);
}

namespace {

// What earlier versions called otherwise.
std::string present_name(const std::string& name) { return name == "unlabelled" ? "unlabelled_nodes" : name; }

}  // namespace

void load_options(const nlohmann::json& header, const std::vector<OptionRef>& options) {
  for (const auto& [name, value] : header.items())
    if (value.is_object())
      load_options(value, options);
    else if (const auto option = only({present_name(name)}, options); !option.empty())
      options_from_json({{present_name(name), value}}, option);
}

}  // namespace hinge
