#include "hinge/tasks/bare_tokens.h"

#include "hinge/core/errors.h"

namespace hinge {

void BareTokens::add_labels(std::vector<std::string> names) {
  if (!names.empty())
    fail("rules declare labels, but this task has those of its labelled examples: leave out `labels are`.");
}

const TokenTexts& BareTokens::tokens(const Data& data) const {
  texts_ = {};
  texts_.ordered = false;
  for (const Labels& y : position_labels(data)) {
    texts_.begin_example("");
    for (std::size_t t = 0; t < y.size(); ++t) texts_.begin_token(0);
  }
  return texts_;
}

const std::vector<Labels>& BareTokens::labels(const Data& data) const {
  labels_ = position_labels(data);
  return labels_;
}

void BareTokens::guide(std::shared_ptr<const Knowledge> knowledge, std::vector<double>) {
  if (knowledge) fail("rules guide predictions of the task sequence alone: leave out the rules.");
}

}  // namespace hinge
