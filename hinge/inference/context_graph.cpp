#include "hinge/inference/context_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hinge {
namespace {

bool shorter_first(const Path& a, const Path& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

Path without_last(const Path& path) { return {path.begin(), path.end() - 1}; }

}  // namespace

ContextGraph::ContextGraph(std::size_t labels, std::vector<Path> ngrams)
    : labels_(labels), ngrams_(std::move(ngrams)) {
  for (const Path& ngram : ngrams_)
    if (ngram.size() < 3 ||
        std::ranges::any_of(ngram, [&](int k) { return k < 0 || k >= static_cast<int>(labels); }))
      fail("an n-gram of labels is too short or has a label beyond the {} known ones.", labels);
  std::ranges::sort(ngrams_, shorter_first);
  ngrams_.erase(std::unique(ngrams_.begin(), ngrams_.end()), ngrams_.end());
  if (!ngrams_.empty()) order_ = ngrams_.back().size() - 1;
  number_contexts();
  connect_groups();
}

// A group is named by its shortest member that has a longer context behind it, or by nothing: the members are
// those that fall back to it when suffixes are followed. Numbers ascend by the length of that name, then of
// the context, so that suffixes and parents come first.
void ContextGraph::number_contexts() {
  std::set<Path> contexts, names = {{}};
  for (std::size_t k = 0; k < labels_; ++k) contexts.insert({static_cast<int>(k)});
  for (const Path& ngram : ngrams_)
    for (Path context = without_last(ngram); context.size() > 1; context.pop_back()) {
      contexts.insert(context);
      names.insert(without_last(context));
    }
  const auto longest_suffix_in = [](const std::set<Path>& set, Path path) {
    while (!path.empty() && !set.contains(path)) path.erase(path.begin());
    return path;
  };
  const auto shorten = [](const Path& path) { return Path(path.begin() + 1, path.end()); };

  struct Named {
    Path name, context;
    bool operator<(const Named& other) const {
      return name != other.name ? shorter_first(name, other.name) : shorter_first(context, other.context);
    }
  };
  std::vector<Named> order;
  for (const Path& context : contexts) order.push_back({longest_suffix_in(names, context), context});
  std::ranges::sort(order, [](const Named& a, const Named& b) { return a < b; });

  std::map<Path, Index> number, group_number;
  std::vector<Path> group_names(names.begin(), names.end());
  std::ranges::sort(group_names, shorter_first);
  for (const Path& name : group_names) group_number.emplace(name, static_cast<Index>(group_number.size()));
  group_.resize(group_names.size(), Group{0, 0, 0, 0, 0});
  for (const auto& [name, context] : order) {
    const Index s = static_cast<Index>(number.size()), g = group_number.at(name);
    number.emplace(context, s);
    label_.push_back(static_cast<Index>(context.back()));
    const Path suffix = longest_suffix_in(contexts, shorten(context));
    suffix_.push_back(suffix.empty() ? kNone : number.at(suffix));
    of_group_.push_back(g);
    if (group_[g].size() == 0) group_[g].first = s;
    group_[g].last = s + 1;
  }

  std::vector<std::vector<Step>> children(groups()), patterns(size());
  for (const auto& [context, s] : number)
    children[group_number.at(without_last(context))].push_back({static_cast<Index>(context.back()), s});
  for (std::size_t i = 0; i < ngrams_.size(); ++i)
    patterns[number.at(without_last(ngrams_[i]))].push_back(
        {static_cast<Index>(ngrams_[i].back()), static_cast<Index>(labels_ * labels_ + i)});
  for (std::size_t g = 0; g < groups(); ++g) {
    if (g > 0) group_[g].parent = group_number.at(longest_suffix_in(names, shorten(group_names[g])));
    group_[g].first_child = static_cast<Index>(child_.size());
    child_.insert(child_.end(), children[g].begin(), children[g].end());
    group_[g].last_child = static_cast<Index>(child_.size());
  }
  first_pattern_ = {0};
  for (const auto& steps : patterns) {
    pattern_.insert(pattern_.end(), steps.begin(), steps.end());
    first_pattern_.push_back(static_cast<Index>(pattern_.size()));
  }
}

void ContextGraph::connect_groups() {
  target_.resize(groups() * labels_);
  std::vector<std::vector<Index>> entering(size());
  for (std::size_t g = 0; g < groups(); ++g) {
    Index* row = target_.data() + g * labels_;
    if (g > 0) std::copy_n(target_.data() + group_[g].parent * labels_, labels_, row);
    for (const Step& child : children(g)) row[child.label] = child.to;
    if (group_[g].size() > 0)
      for (std::size_t k = 0; k < labels_; ++k) entering[row[k]].push_back(static_cast<Index>(g));
  }
  first_entering_ = {0};
  for (const auto& list : entering) {
    entering_.insert(entering_.end(), list.begin(), list.end());
    first_entering_.push_back(static_cast<Index>(entering_.size()));
  }
}

void ContextGraph::save(Archive& archive) const {
  std::vector<std::int32_t> labels;
  std::vector<std::uint32_t> lengths;
  for (const Path& ngram : ngrams_) {
    labels.insert(labels.end(), ngram.begin(), ngram.end());
    lengths.push_back(static_cast<std::uint32_t>(ngram.size()));
  }
  archive.arrays["ngrams.label"] = std::move(labels);
  archive.arrays["ngrams.length"] = std::move(lengths);
}

std::shared_ptr<const ContextGraph> ContextGraph::load(std::size_t labels, const Archive& archive) {
  const auto& label = archive.get<std::int32_t>("ngrams.label");
  std::vector<Path> ngrams;
  std::size_t first = 0;
  for (std::size_t length : archive.get<std::uint32_t>("ngrams.length")) {
    if (length > label.size() - first) fail("the model's list of label n-grams is damaged: train it again.");
    ngrams.emplace_back(label.begin() + static_cast<std::ptrdiff_t>(first),
                        label.begin() + static_cast<std::ptrdiff_t>(first + length));
    first += length;
  }
  if (first != label.size()) fail("the model's list of label n-grams is damaged: train it again.");
  return std::make_shared<const ContextGraph>(labels, std::move(ngrams));
}

std::vector<Path> seen_ngrams(std::span<const Path> sequences, std::size_t order) {
  std::set<Path> seen;
  for (const Path& sequence : sequences)
    for (std::size_t t = 0; t < sequence.size(); ++t)
      for (std::size_t end = t; end < sequence.size() && sequence[end] >= 0 && end - t <= order; ++end)
        if (end - t >= 2)
          seen.emplace(sequence.begin() + static_cast<std::ptrdiff_t>(t),
                       sequence.begin() + static_cast<std::ptrdiff_t>(end + 1));
  return {seen.begin(), seen.end()};
}

}  // namespace hinge
