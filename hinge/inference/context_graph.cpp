#include "hinge/inference/context_graph.h"

#include <algorithm>
#include <map>
#include <set>

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
// those that fall back to it when suffixes are followed.
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

  // Groups in breadth-first order from the parents down.
  std::map<Path, std::vector<Path>> below, members;
  for (const Path& name : names)
    if (!name.empty()) below[longest_suffix_in(names, shorten(name))].push_back(name);
  for (const Path& context : contexts) members[longest_suffix_in(names, context)].push_back(context);
  std::vector<Path> group_name = {{}};
  std::map<Path, Index> group_number = {{{}, 0}};
  group_.resize(names.size());
  for (std::size_t g = 0; g < group_.size(); ++g) {
    group_[g].below = static_cast<Index>(group_name.size());
    for (const Path& name : below[group_name[g]]) {
      group_number[name] = static_cast<Index>(group_name.size());
      group_[group_name.size()].parent = static_cast<Index>(g);
      group_name.push_back(name);
    }
    group_[g].below_end = static_cast<Index>(group_name.size());
  }

  // The members of a group by length, so that suffixes come first.
  std::map<Path, Index> number;
  for (std::size_t g = 0; g < groups(); ++g) {
    auto& list = members[group_name[g]];
    std::ranges::sort(list, shorter_first);
    group_[g].first = static_cast<Index>(size());
    for (const Path& context : list) {
      number[context] = static_cast<Index>(size());
      const Path suffix = longest_suffix_in(contexts, shorten(context));
      suffix_.push_back(suffix.empty() ? kNone : number.at(suffix));
      of_group_.push_back(static_cast<Index>(g));
      label_.push_back(static_cast<Index>(context.back()));
    }
    group_[g].last = static_cast<Index>(size());
  }

  std::vector<std::vector<Step>> children(groups()), patterns(size());
  for (const auto& [context, s] : number)
    children[group_number.at(without_last(context))].push_back({static_cast<Index>(context.back()), s});
  for (std::size_t i = 0; i < ngrams_.size(); ++i)
    patterns[number.at(without_last(ngrams_[i]))].push_back(
        {static_cast<Index>(ngrams_[i].back()), static_cast<Index>(labels_ * labels_ + i)});
  for (std::size_t g = 0; g < groups(); ++g) {
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
  const std::size_t stride = kernels::padded(labels_);
  target_.resize(groups() * labels_);
  open_.assign(groups() * stride, 0.0);
  std::vector<std::vector<Index>> entering(size());
  for (std::size_t g = 0; g < groups(); ++g) {
    Index* row = target_.data() + g * labels_;
    if (g > 0) std::copy_n(target_.data() + group_[g].parent * labels_, labels_, row);
    std::fill_n(open_.data() + g * stride, labels_, 1.0);
    for (const Step& child : children(g)) {
      row[child.label] = child.to;
      open_[g * stride + child.label] = 0;
    }
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
