#include "hinge/training/init.h"

#include "hinge/core/text_file.h"
#include "hinge/solvers/exploration.h"

namespace hinge {

Init Init::parse(const std::string& text) {
  if (text.empty()) return {};
  if (text == "zero") return {Kind::zero, 0, {}};
  if (text == "supervised") return {Kind::supervised, 0, {}};
  if (text == "drawn") return {Kind::drawn, 0, {}};
  if (text == "random") return {Kind::random, Exploration{}.spread, {}};
  if (text.starts_with("random:")) {
    double spread = 0;
    if (!parse_number(text.substr(7), spread) || !(spread > 0))
      fail("`init` is '{}', but the standard deviation behind 'random:' must be a positive number.", text);
    return {Kind::random, spread, {}};
  }
  return {Kind::model, 0, text};
}

}  // namespace hinge
