#include "hinge/tasks/sequence/examples.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/fields.h"
#include "hinge/tasks/sequence/excluded_pairs.h"
#include "hinge/tasks/shares_data.h"

namespace hinge {
namespace {

nlohmann::json count(const SequenceWeights& weights, const SequenceCorpus& corpus) {
  const SequenceSchema& schema = weights.schema();
  nlohmann::json facts = {{"sequences", corpus.inputs.size()},
                          {"tokens", corpus.tokens},
                          {"labels", schema.labels.size()},
                          {"attributes", schema.attributes.size()}};
  const auto mention = [&](const char* what, std::size_t count) {
    if (count > 0) facts[what] = count;
  };
  if (!schema.label.empty()) facts["format"] = fmt::format("conllu with label {}", schema.label);
  if (const auto& [file, line, columns] = corpus.unlabelled_file; line > 0)
    facts["note"] =
        fmt::format("{}:{} has {}, one less than the training data, and is taken to have no label", file,
                    line, counted(columns, "column"));
  if (weights.map()) mention("kernel_features", weights.map()->size());
  mention("tokens_without_a_label", corpus.unlabelled_tokens);
  mention("tokens with a label unseen in training", corpus.unseen_label_tokens);
  mention("attributes unseen in training", corpus.unseen_attributes);
  return facts;
}

}  // namespace

std::unique_ptr<Data> make_examples(const SequenceWeights& weights, SequenceCorpus corpus) {
  nlohmann::json facts = count(weights, corpus);
  return std::visit(
      [&]<class T>(const std::shared_ptr<const T>& task) -> std::unique_ptr<Data> {
        std::vector<Example<T>> made(corpus.inputs.size());
        for (std::size_t i = 0; i < made.size(); ++i)
          made[i] = {std::move(corpus.inputs[i]), corpus.labels[i], corpus.weight(i)};
        corpus.inputs.clear();
        return std::make_unique<SequenceData>(task, std::move(made), std::move(facts), std::move(corpus));
      },
      weights.task());
}

std::unique_ptr<Data> make_shared_examples(const SequenceWeights& weights, SharedCorpus shared,
                                           const SequenceModel& options, Ranks& ranks) {
  ranks.together([&] {
    const StringTable& labels = weights.schema().labels;
    refuse_excluded(excluded_pairs(options.forbidden, options.required, labels), shared.own, labels,
                    shared.place.first);
  });
  std::unique_ptr<Data> own = make_examples(weights, std::move(shared.own));
  nlohmann::json facts = own->facts();
  facts["sequences"] = shared.place.examples;
  facts["tokens"] = shared.seen.tokens;
  if (shared.seen.unlabelled_tokens > 0) facts["tokens_without_a_label"] = shared.seen.unlabelled_tokens;
  return std::make_unique<SharedData>(std::move(own), shared.place, ranks, std::move(facts));
}

}  // namespace hinge
