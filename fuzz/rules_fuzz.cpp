// Any bytes as rules, about data with columns and data with attributes, plain labels and chunks: they are refused with a sentence, or
// every rule can be judged in any labelling, and guides a prediction that breaks no hard one.
#include <string>

#include "fuzz/require.h"
#include "hinge/core/errors.h"
#include "hinge/core/executor.h"
#include "hinge/rules/apply_rules.h"
#include "hinge/rules/check_rules.h"
#include "hinge/tasks/sequence/any_sequence.h"

namespace hinge {
namespace {

void serve(const std::string& text, const SequenceRecords& records) {
  const auto task = make_sequence();
  HasTokens& tokens = tokens_of(*task);
  tokens.keep_tokens(true);
  try {
    const Rules rules = parse_rules(text, "rules");
    require(!rules.rules.empty());
    tokens.add_labels(declared_labels(rules));
    const auto data = task->train_on(records);
    const Applied applied = apply_rules(rules, tokens, *data);
    const Vector w(task->dimension());
    SerialExecutor executor;
    const RuleCheck check = check_rules(*task, *data, w, applied.knowledge, 1, 2, executor);
    for (std::size_t k = 0; k < rules.rules.size(); ++k)
      require(!rules.rules[k].hard || check.guided->rules[k].holds == check.guided->rules[k].applies);
  } catch (const InputError& error) {
    require(std::string(error.what()).ends_with('.'));
  }
}

}  // namespace
}  // namespace hinge

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace hinge;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const auto token = [](CorpusBuilder& builder, std::vector<std::string_view> columns, const char* label) {
    builder.columns(columns);
    builder.attribute(columns[0]);
    builder.token(label);
  };
  serve(text, {[&](CorpusBuilder& builder) {
          token(builder, {"Ann", "N"}, "B-X");
          token(builder, {"pp", "N"}, "I-X");
          token(builder, {",", "P"}, "O");
          builder.end_sequence();
          token(builder, {"12", "C"}, "B-Y");
        }});
  serve(text, {[](CorpusBuilder& builder) {
          builder.attribute("w=a");
          builder.token("X");
          builder.attribute("w=b");
          builder.token("Y");
        }});
  return 0;
}
