#include "hinge/tasks/sequence/metrics.h"

#include <fmt/format.h>

#include <cassert>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

std::vector<std::string> all_names(const SequenceCorpus& corpus, const SequenceSchema& schema) {
  std::vector<std::string> names;
  for (const StringTable* table : {&schema.labels, &corpus.unseen_labels})
    for (std::size_t i = 0; i < table->size(); ++i) names.emplace_back(table->text(static_cast<Index>(i)));
  return names;
}

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::json chunk_json(const ChunkCounts& counts) {
  return {{"precision", counts.precision()}, {"recall", counts.recall()},     {"f1", counts.f1()},
          {"right", counts.right},           {"predicted", counts.predicted}, {"gold", counts.gold}};
}

}  // namespace

SequenceMetrics::SequenceMetrics(const SequenceCorpus& corpus, const SequenceSchema& schema)
    : corpus_(corpus),
      known_labels_(schema.labels.size()),
      names_(all_names(corpus, schema)),
      scheme_(chunk_scheme(names_)),
      chunks_(names_) {
  if (const auto& [file, line, columns] = corpus.unlabelled_file; line > 0)
    fail_at(file, line,
            "has {} where the training data had {}, so that there is no label to compare with: add the "
            "label as the last column.",
            counted(columns, "column"), schema.columns);
}

int SequenceMetrics::number(int label) const {
  return label >= 0 ? label : static_cast<int>(known_labels_) + kUnseen - label;
}

void SequenceMetrics::add(std::size_t sequence, const Labels& predicted, double loss) {
  const Labels& gold = corpus_.labels[sequence];
  assert(predicted.size() == gold.size());
  gold_.clear();
  predicted_.clear();
  bool right = true;
  for (std::size_t t = 0; t < gold.size(); ++t) {
    if (gold[t] == kUnknown) continue;
    gold_.push_back(number(gold[t]));
    predicted_.push_back(number(predicted[t]));
    confusion_.add(static_cast<Index>(gold_.back()), static_cast<Index>(predicted_.back()));
    const bool error = gold[t] != predicted[t];
    errors_ += error;
    unseen_ += gold[t] <= kUnseen;
    right &= !error;
  }
  ++sequences_;
  loss_ += loss;
  tokens_ += gold_.size();
  unlabelled_ += gold.size() - gold_.size();
  if (gold_.size() < gold.size()) return;
  ++complete_;
  right_ += right;
  if (!scheme_.empty()) chunks_.add(gold_, predicted_);
}

nlohmann::json SequenceMetrics::json() const {
  if (tokens_ == 0) fail("no token has a label, so that there is nothing to compare predictions with.");
  nlohmann::json metrics = {{"loss", loss_ / static_cast<double>(sequences_)},
                            {"accuracy", ratio(tokens_ - errors_, tokens_)},
                            {"sentence_accuracy", ratio(right_, complete_)},
                            {"sequences", sequences_},
                            {"tokens", tokens_},
                            {"errors", errors_},
                            {"unlabelled_tokens", unlabelled_},
                            {"unseen_label_tokens", unseen_}};
  if (!scheme_.empty()) {
    metrics["chunk_scheme"] = scheme_;
    const ChunkCounts total = chunks_.total();
    metrics["precision"] = total.precision();
    metrics["recall"] = total.recall();
    metrics["f1"] = total.f1();
    auto& types = metrics["chunks"] = nlohmann::json::array();
    for (std::size_t k = 0; k < chunks_.types().size(); ++k) {
      const ChunkCounts& counts = chunks_.by_type()[k];
      if (counts.gold + counts.predicted == 0) continue;
      types.push_back(chunk_json(counts));
      types.back()["type"] = chunks_.types()[k];
    }
  }
  confusion_.write(names_, metrics);
  return metrics;
}

std::string sequence_report(const nlohmann::json& metrics) {
  const auto percent = [](const nlohmann::json& object, const char* key) {
    return 100 * object.at(key).get<double>();
  };
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} sequences, {} tokens\n", metrics.at("sequences").get<std::size_t>(),
                 metrics.at("tokens").get<std::size_t>());
  if (const auto count = metrics.at("unlabelled_tokens").get<std::size_t>(); count > 0)
    fmt::format_to(out, "{} tokens without a label were not counted\n", count);
  if (const auto count = metrics.at("unseen_label_tokens").get<std::size_t>(); count > 0)
    fmt::format_to(out, "{} tokens have a label that training has not seen; they count as errors\n", count);
  fmt::format_to(
      out, "\ntoken accuracy     {:6.2f} %\nsentence accuracy  {:6.2f} %\nmean loss          {:.6g}\n",
      percent(metrics, "accuracy"), percent(metrics, "sentence_accuracy"), metrics.at("loss").get<double>());
  if (metrics.contains("chunks")) {
    std::size_t width = std::string_view("all chunks").size();
    for (const auto& row : metrics.at("chunks"))
      width = std::max(width, row.at("type").get_ref<const std::string&>().size());
    fmt::format_to(out, "\n{:<{}}  precision  recall      f1    gold  predicted   right\n", "chunk", width);
    const auto line = [&](const std::string& name, const nlohmann::json& row, std::size_t gold,
                          std::size_t predicted, std::size_t right) {
      fmt::format_to(out, "{:<{}}  {:9.2f}  {:6.2f}  {:6.2f}  {:6}  {:9}  {:6}\n", name, width,
                     percent(row, "precision"), percent(row, "recall"), percent(row, "f1"), gold, predicted,
                     right);
    };
    std::size_t gold = 0, predicted = 0, right = 0;
    for (const auto& row : metrics.at("chunks")) {
      const auto count = [&](const char* key) { return row.at(key).get<std::size_t>(); };
      line(row.at("type").get<std::string>(), row, count("gold"), count("predicted"), count("right"));
      gold += count("gold");
      predicted += count("predicted");
      right += count("right");
    }
    line("all chunks", metrics, gold, predicted, right);
  }
  return text + "\n" + confusion_report(metrics);
}

}  // namespace hinge
