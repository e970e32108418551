#include "hinge/tasks/parse/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

bool left_out(const std::string& tag) {
  return tag == "," || tag == ":" || tag == "``" || tag == "''" || tag == ".";
}

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double harmonic(double a, double b) { return a + b == 0 ? 0 : 2 * a * b / (a + b); }

// Pairs of positions between which the truth is open.
std::set<std::pair<Index, Index>> open_spans(const SentenceTree& tree) {
  std::set<std::pair<Index, Index>> open;
  const TreeChildren children(tree);
  for (std::size_t b = 0; b < tree.brackets.size(); ++b) {
    if (tree.brackets[b].label != SentenceTree::kOpen) continue;
    std::vector<Index> cuts;
    for (const TreeChildren::Child child : children[b])
      cuts.push_back(child < 0 ? static_cast<Index>(~child)
                               : tree.brackets[static_cast<std::size_t>(child)].begin);
    cuts.push_back(tree.brackets[b].end);
    for (std::size_t j = 1; j < cuts.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) open.insert({cuts[i], cuts[j]});
  }
  return open;
}

}  // namespace

void ParseMetrics::add(const SentenceTree& truth, const SentenceTree& found, double loss, bool fell_back,
                       bool approximate) {
  fell_back_ += fell_back;
  approximate_ += approximate;
  const auto known = [](const TreeBracket& b) {
    return b.label != SentenceTree::kOpen && b.label != SentenceTree::kRoot;
  };
  const bool complete = truth.complete();
  if (!complete && std::ranges::none_of(truth.brackets, known)) {
    ++unlabelled_;
    return;
  }
  std::vector<Index> place{0};  // of each position once words are left out
  for (std::size_t i = 0; i < truth.words.size(); ++i) {
    const bool kept = !left_out(truth.tags[i].empty() ? found.tags[i] : truth.tags[i]);
    place.push_back(place.back() + (kept ? 1 : 0));
    if (!kept || truth.tags[i].empty()) continue;
    ++words_;
    right_tags_ += truth.tags[i] == found.tags[i];
  }
  const auto open = open_spans(truth);
  std::multiset<Bracket> left;
  std::vector<std::pair<Index, Index>> spans;
  const auto bracket = [&](const TreeBracket& b) {
    return Bracket(b.label == "PRT" ? "ADVP" : b.label, place[b.begin], place[b.end]);
  };
  Counts own;
  for (const TreeBracket& b : truth.brackets) {
    if (!known(b) || place[b.begin] == place[b.end]) continue;
    left.insert(bracket(b));
    spans.emplace_back(place[b.begin], place[b.end]);
    ++own.truth;
    ++labels_[std::get<0>(bracket(b))].truth;
  }
  std::size_t crossing = 0;
  for (const TreeBracket& b : found.brackets) {
    if (!known(b) || place[b.begin] == place[b.end]) continue;
    const Bracket key = bracket(b);
    const auto match = left.find(key);
    if (match == left.end() && open.contains({b.begin, b.end})) continue;
    const auto [label, i, j] = key;
    Counts& row = labels_[label];
    ++own.found;
    ++row.found;
    if (match != left.end()) {
      left.erase(match);
      ++own.matching;
      ++row.matching;
    }
    crossing += std::ranges::any_of(spans, [&, i = i, j = j](const auto& s) {
      return (i < s.first && s.first < j && j < s.second) || (s.first < i && i < s.second && s.second < j);
    });
  }
  ++sentences_;
  exact_ += own.matching == own.truth && own.matching == own.found;
  crossing_ += crossing;
  without_crossing_ += crossing == 0;
  loss_ += loss;
  all_.truth += own.truth;
  all_.found += own.found;
  all_.matching += own.matching;
}

nlohmann::json ParseMetrics::json() const {
  if (sentences_ == 0)
    fail("nothing is known of any sentence's tree, so that there is nothing to compare predictions with.");
  const auto scores = [](const Counts& counts) {
    const double precision = ratio(counts.matching, counts.found),
                 recall = ratio(counts.matching, counts.truth);
    return nlohmann::json{{"precision", precision}, {"recall", recall}, {"f1", harmonic(precision, recall)}};
  };
  nlohmann::json metrics = scores(all_);
  metrics.update({{"examples", sentences_},
                  {"unlabelled", unlabelled_},
                  {"loss", loss_ / static_cast<double>(sentences_)},
                  {"accuracy", ratio(exact_, sentences_)},
                  {"right", exact_},
                  {"brackets", all_.truth},
                  {"found_brackets", all_.found},
                  {"matching_brackets", all_.matching},
                  {"crossing_loss", ratio(crossing_, sentences_)},
                  {"without_crossing", ratio(without_crossing_, sentences_)},
                  {"tag_accuracy", ratio(right_tags_, words_)},
                  {"fell_back", fell_back_},
                  {"approximate", approximate_}});
  nlohmann::json& rows = metrics["labels"] = nlohmann::json::array();
  for (const auto& [label, counts] : labels_) {
    nlohmann::json row = scores(counts);
    row["label"] = label;
    row["truth"] = counts.truth;
    row["found"] = counts.found;
    rows.push_back(std::move(row));
  }
  return metrics;
}

std::string parse_report(const nlohmann::json& metrics) {
  const auto percent = [&](const nlohmann::json& from, const char* key) {
    return 100 * from.at(key).get<double>();
  };
  std::string text = fmt::format(
      "precision {:.2f} %   recall {:.2f} %   f1 {:.2f} %   ({} brackets, {} found, {} match)\n"
      "whole trees {:.2f} % ({} of {})   crossing {:.2f} a tree, none in {:.2f} %   tags {:.2f} %   mean "
      "loss "
      "{:.4f}\n",
      percent(metrics, "precision"), percent(metrics, "recall"), percent(metrics, "f1"),
      metrics.at("brackets").get<std::size_t>(), metrics.at("found_brackets").get<std::size_t>(),
      metrics.at("matching_brackets").get<std::size_t>(), percent(metrics, "accuracy"),
      metrics.at("right").get<std::size_t>(), metrics.at("examples").get<std::size_t>(),
      metrics.at("crossing_loss").get<double>(), percent(metrics, "without_crossing"),
      percent(metrics, "tag_accuracy"), metrics.at("loss").get<double>());
  if (const auto count = metrics.at("fell_back").get<std::size_t>(); count > 0)
    text +=
        fmt::format("the grammar has no tree for {} of the sentences: pieces stand side by side\n", count);
  if (const auto count = metrics.at("approximate").get<std::size_t>(); count > 0)
    text += fmt::format("{} of the trees are approximate: the beam left something out\n", count);
  text += fmt::format("\n{:<12} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "label", "precision", "recall", "f1",
                      "truth", "found");
  for (const nlohmann::json& row : metrics.at("labels"))
    text += fmt::format("{:<12} {:>9.2f} {:>9.2f} {:>9.2f} {:>9} {:>9}\n", row.at("label").get<std::string>(),
                        percent(row, "precision"), percent(row, "recall"), percent(row, "f1"),
                        row.at("truth").get<std::size_t>(), row.at("found").get<std::size_t>());
  return text;
}

}  // namespace hinge
