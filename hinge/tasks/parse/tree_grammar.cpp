#include "hinge/tasks/parse/tree_grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace hinge {

using Child = TreeChildren::Child;

// Names the symbols of a tree's brackets.
class TreeGrammar::Namer {
 public:
  Namer(const SentenceTree& of, const Markovisation& markovisation)
      : tree(of), children(of), markovisation_(markovisation) {}

  bool open(std::size_t b) const { return tree.brackets[b].label == SentenceTree::kOpen; }
  // Empty where the label of a bracket above it is needed, and open.
  std::string bracket(std::size_t b) const {
    std::string name = tree.brackets[b].label;
    for (int v = 1; v < markovisation_.vertical && b != 0; ++v) {
      b = children.parent(b);
      if (open(b)) return {};
      name.append("^").append(tree.brackets[b].label);
    }
    return name;
  }
  // What stands for children `from` … of the bracket.
  std::string intermediate(std::size_t b, std::size_t from) const {
    std::string name = "@" + bracket(b) + "|";
    const auto h = static_cast<std::size_t>(markovisation_.horizontal);
    for (std::size_t c = from > h ? from - h : 0; c < from; ++c) {
      if (name.back() != '|') name.push_back(',');
      const Child child = children[b][c];
      if (child < 0)
        name.append("/").append(tree.tags[static_cast<std::size_t>(~child)]);
      else
        name.append(tree.brackets[static_cast<std::size_t>(child)].label);
    }
    return name;
  }
  Index begin(Child child) const {
    return child < 0 ? static_cast<Index>(~child) : tree.brackets[static_cast<std::size_t>(child)].begin;
  }
  // Whether it stands alone below a bracket that is known, and so in its chain.
  bool continues(std::size_t b) const {
    if (b == 0) return false;
    const std::size_t parent = children.parent(b);
    return children[parent].size() == 1 && !open(parent);
  }

  const SentenceTree& tree;
  const TreeChildren children;

 private:
  Markovisation markovisation_;
};

// Takes symbols, rules and chains from trees. Tags must be known before, so that symbols are numbered behind
// them.
class TreeGrammar::Collector {
 public:
  explicit Collector(TreeGrammar& grammar) : grammar_(grammar) {}

  void add(const SentenceTree& tree) {
    const Namer namer(tree, grammar_.markovisation_);
    for (std::size_t b = 0; b < tree.brackets.size(); ++b)
      if (!namer.open(b) && !namer.continues(b)) add_chain(namer, b);
  }
  std::vector<ChartGrammar::Rule> rules() const { return {rules_.begin(), rules_.end()}; }
  std::vector<std::vector<Index>> chains() const { return {chains_.begin(), chains_.end()}; }

 private:
  struct Less {
    bool operator()(const ChartGrammar::Rule& a, const ChartGrammar::Rule& b) const {
      return std::tie(a.parent, a.left, a.right) < std::tie(b.parent, b.left, b.right);
    }
  };

  Index symbol(const std::string& name, std::string_view label, bool bare) {
    const std::size_t before = grammar_.inner_.size();
    const Index number = grammar_.inner_.intern(name);
    if (grammar_.inner_.size() > before) {
      grammar_.label_of_.push_back(grammar_.labels_.intern(label));
      grammar_.bare_.push_back(bare);
    }
    return static_cast<Index>(grammar_.tags_.size() + number);
  }
  Index bracket(const Namer& namer, std::size_t b) {
    const std::string name = namer.bracket(b);
    return name.empty() ? kNone : symbol(name, namer.tree.brackets[b].label, false);
  }
  // kNone where it is not known.
  Index child(const Namer& namer, Child c) {
    if (c >= 0) {
      const auto b = static_cast<std::size_t>(c);
      return namer.open(b) ? kNone : bracket(namer, b);
    }
    const std::string& tag = namer.tree.tags[static_cast<std::size_t>(~c)];
    return tag.empty() ? kNone : grammar_.tags_.find(tag);
  }

  void add_chain(const Namer& namer, std::size_t b) {
    std::vector<Index> chain{bracket(namer, b)};
    while (namer.children[b].size() == 1) {
      const Child below = namer.children[b][0];
      chain.push_back(child(namer, below));
      if (below < 0 || namer.open(static_cast<std::size_t>(below))) break;
      b = static_cast<std::size_t>(below);
    }
    if (std::ranges::find(chain, kNone) == chain.end()) chains_.insert(chain);
    if (namer.children[b].size() > 1) add_rules(namer, b);
  }
  void add_rules(const Namer& namer, std::size_t b) {
    std::vector<Index> symbols;
    for (const Child c : namer.children[b]) symbols.push_back(child(namer, c));
    Index parent = bracket(namer, b);
    if (parent == kNone || std::ranges::find(symbols, kNone) != symbols.end()) return;
    const Index group = grammar_.label_of_[parent];
    chains_.insert({parent});
    for (std::size_t c = 0; c + 1 < symbols.size(); ++c) {
      const bool last = c + 2 == symbols.size();
      const Index right =
          last ? symbols.back() : symbol(namer.intermediate(b, c + 1), namer.tree.brackets[b].label, true);
      rules_.insert({parent, symbols[c], right, group});
      parent = right;
    }
  }

  TreeGrammar& grammar_;
  std::set<ChartGrammar::Rule, Less> rules_;
  std::set<std::vector<Index>> chains_;
};

TreeGrammar::TreeGrammar(const std::vector<SentenceTree>& trees, const Markovisation& markovisation,
                         const RecordPlace& first)
    : markovisation_(markovisation) {
  labels_.intern(SentenceTree::kRoot);
  for (const SentenceTree& tree : trees)
    for (const std::string& tag : tree.tags)
      if (!tag.empty()) tags_.intern(tag);
  label_of_.assign(tags_.size(), kNone);
  bare_.assign(tags_.size(), 1);
  Collector collector(*this);
  for (const SentenceTree& tree : trees) collector.add(tree);
  // Known brackets whose children are not have labels too.
  for (const SentenceTree& tree : trees)
    for (const TreeBracket& b : tree.brackets)
      if (b.label != SentenceTree::kOpen) labels_.intern(b.label);
  for (std::vector<Index>& symbols : collector.chains()) chains_.push_back({std::move(symbols), {}, {}});
  finish(collector.rules(), first);
}

// Numbers what chains are made of, and makes the chart's grammar.
void TreeGrammar::finish(std::vector<ChartGrammar::Rule> rules, const RecordPlace& first) {
  const auto tags = static_cast<Index>(tags_.size());
  Index root = kNone;
  for (Index s = tags; s < label_of_.size() && root == kNone; ++s)
    if (label_of_[s] == kRoot && !bare_[s]) root = s;
  if (std::ranges::none_of(chains_, [&](const Chain& chain) { return chain.symbols[0] == root; }))
    fail_at(
        first,
        "no tree is complete from its root down, so that there is no grammar to read off: give some whole "
        "trees.");
  std::ranges::stable_partition(chains_, [&](const Chain& chain) { return chain.symbols[0] != root; });
  std::map<std::pair<Index, Index>, Index> numbers;
  std::vector<ChartGrammar::Chain> ends;
  for (Index c = 0; c < chains_.size(); ++c) {
    Chain& chain = chains_[c];
    chain_numbers_[chain.symbols] = c;
    ends.push_back({chain.symbols.front(), chain.symbols.back()});
    for (std::size_t k = 0; k < chain.symbols.size(); ++k) {
      const Index label = label_of_[chain.symbols[k]];
      if (label != kNone && label != kRoot) chain.labels.push_back(label);
      if (k == 0) continue;
      const std::pair step(chain.symbols[k - 1], chain.symbols[k]);
      const auto [place, added] = numbers.try_emplace(step, static_cast<Index>(steps_.size()));
      if (added) steps_.push_back(step);
      chain.steps.push_back(place->second);
    }
  }
  chart_ = std::make_shared<const ChartGrammar>(tags, bare_, root, std::move(rules), std::move(ends));
}

std::string TreeGrammar::symbol_name(Index symbol) const {
  const std::size_t tags = tags_.size();
  return std::string(symbol < tags ? tags_.text(symbol) : inner_.text(static_cast<Index>(symbol - tags)));
}

// Goes down a tree and looks up what it meets.
class TreeGrammar::Encoder {
 public:
  Encoder(const TreeGrammar& grammar, const SentenceTree& tree)
      : grammar_(grammar), namer_(tree, grammar.markovisation_) {}

  bool run(ChartTree& out) {
    open_ = {{0, 0, false}};
    while (!open_.empty()) {
      const Item item = open_.back();
      open_.pop_back();
      if (!(item.rest ? add_rule(item.at, item.from, ChartGrammar::kBare, rest(item), out)
                      : add_top(item.at, out)))
        return false;
    }
    return true;
  }

 private:
  struct Item {
    Child at;  // a bracket or word; where `rest`, the bracket whose children `from` … are meant
    std::size_t from;
    bool rest;
  };

  Index symbol(const std::string& name) const {
    const Index number = grammar_.inner_.find(name);
    return number == StringTable::kNone ? kNone : static_cast<Index>(grammar_.tags_.size() + number);
  }
  Index symbol(Child c) const {
    if (c >= 0) return symbol(namer_.bracket(static_cast<std::size_t>(c)));
    return grammar_.tags_.find(namer_.tree.tags[static_cast<std::size_t>(~c)]);
  }
  Index rest(const Item& item) const {
    return symbol(namer_.intermediate(static_cast<std::size_t>(item.at), item.from));
  }

  bool add_top(Child top, ChartTree& out) {
    std::vector<Index> chain{symbol(top)};
    Child at = top;
    while (at >= 0 && namer_.children[static_cast<std::size_t>(at)].size() == 1) {
      at = namer_.children[static_cast<std::size_t>(at)][0];
      chain.push_back(symbol(at));
    }
    Index unary = ChartGrammar::kBare;
    if (top >= 0) {
      const auto known = grammar_.chain_numbers_.find(chain);
      if (known == grammar_.chain_numbers_.end()) return false;
      unary = known->second + 1;
    }
    if (at >= 0) return add_rule(at, 0, unary, chain.back(), out);
    const auto word = static_cast<Index>(~at);
    out.push_back({word, word + 1, unary, chain.back(), 0});
    return chain.back() != kNone;
  }
  bool add_rule(Child bracket, std::size_t from, Index unary, Index parent, ChartTree& out) {
    const auto b = static_cast<std::size_t>(bracket);
    const std::vector<Child>& children = namer_.children[b];
    const bool last = from + 2 == children.size();
    const Item right = last ? Item{children.back(), 0, false} : Item{bracket, from + 1, true};
    const Index left_symbol = symbol(children[from]),
                right_symbol = last ? symbol(children.back()) : rest(right);
    if (parent == kNone || left_symbol == kNone || right_symbol == kNone) return false;
    const Index rule = grammar_.chart_->find({parent, left_symbol, right_symbol, grammar_.label_of_[parent]});
    if (rule == kNone) return false;
    out.push_back({namer_.begin(children[from]), namer_.tree.brackets[b].end, unary, rule,
                   namer_.begin(children[from + 1])});
    open_.push_back(right);
    open_.push_back({children[from], 0, false});
    return true;
  }

  const TreeGrammar& grammar_;
  const Namer namer_;
  std::vector<Item> open_;
};

std::optional<ChartTree> TreeGrammar::encode(const SentenceTree& tree) const {
  ChartTree derivation;
  if (!tree.complete() || !Encoder(*this, tree).run(derivation)) return std::nullopt;
  return derivation;
}

void TreeGrammar::decode(const ChartTree& derivation, SentenceTree& out) const {
  for (const ChartStep& step : derivation) {
    if (step.unary != ChartGrammar::kBare)
      for (const Index symbol : chain_of(step.unary).symbols)
        if (label_of_[symbol] != kNone)
          out.brackets.push_back({std::string(labels_.text(label_of_[symbol])), step.begin, step.end});
    if (step.end - step.begin == 1) out.tags[step.begin] = tags_.text(step.rule);
  }
}

void TreeGrammar::save(Archive& archive) const {
  archive.header["markovisation"] = {markovisation_.horizontal, markovisation_.vertical};
  labels_.save(archive, "labels");
  tags_.save(archive, "tags");
  inner_.save(archive, "symbols");
  archive.arrays["symbol_labels"] = label_of_;
  archive.arrays["bare"] = std::vector<std::uint8_t>(bare_.begin(), bare_.end());
  std::vector<Index> rules, chains, sizes;
  for (const ChartGrammar::Rule& rule : chart_->rules())
    rules.insert(rules.end(), {rule.parent, rule.left, rule.right});
  for (const Chain& chain : chains_) {
    chains.insert(chains.end(), chain.symbols.begin(), chain.symbols.end());
    sizes.push_back(static_cast<Index>(chain.symbols.size()));
  }
  archive.arrays["rules"] = std::move(rules);
  archive.arrays["chains"] = std::move(chains);
  archive.arrays["chain_sizes"] = std::move(sizes);
}

TreeGrammar::TreeGrammar(const Archive& archive) {
  const auto damaged = [](bool is) {
    if (is) fail("the model's grammar does not fit together: train it again.");
  };
  const nlohmann::json& values = archive.header.at("markovisation");
  damaged(!values.is_array() || values.size() != 2 || !values[0].is_number_integer() ||
          !values[1].is_number_integer());
  const auto number = [&](std::size_t k, long long high) {
    const auto v = values[k].get<long long>();
    damaged(v < 0 || v > high);
    return static_cast<int>(v);
  };
  markovisation_ = {number(0, 1'000'000), number(1, 1'000)};
  labels_.load(archive, "labels");
  tags_.load(archive, "tags");
  inner_.load(archive, "symbols");
  label_of_ = archive.get<Index>("symbol_labels");
  const auto& bare = archive.get<std::uint8_t>("bare");
  bare_.assign(bare.begin(), bare.end());
  const std::size_t symbols = tags_.size() + inner_.size(), tags = tags_.size();
  damaged(label_of_.size() != symbols || bare_.size() != symbols || tags_.empty() || labels_.empty() ||
          labels_.text(0) != SentenceTree::kRoot);
  for (std::size_t s = 0; s < symbols; ++s)
    damaged(s < tags ? label_of_[s] != kNone || bare_[s] != 1
                     : label_of_[s] >= labels_.size() || bare_[s] > 1);
  const auto& rules = archive.get<Index>("rules");
  const auto& chains = archive.get<Index>("chains");
  const auto& sizes = archive.get<Index>("chain_sizes");
  damaged(rules.size() % 3 != 0);
  for (const auto* list : {&rules, &chains})
    for (const Index s : *list) damaged(s >= symbols);
  std::vector<ChartGrammar::Rule> made;
  for (std::size_t r = 0; r < rules.size(); r += 3) {
    damaged(rules[r] < tags);
    made.push_back({rules[r], rules[r + 1], rules[r + 2], label_of_[rules[r]]});
  }
  std::size_t at = 0;
  for (const Index size : sizes) {
    damaged(size == 0 || size > chains.size() - at);
    Chain chain{{chains.begin() + static_cast<std::ptrdiff_t>(at),
                 chains.begin() + static_cast<std::ptrdiff_t>(at + size)},
                {},
                {}};
    for (std::size_t k = 0; k < size; ++k)
      damaged(bare_[chain.symbols[k]] != 0 && (k == 0 || k + 1 < size || chain.symbols[k] >= tags));
    chains_.push_back(std::move(chain));
    at += size;
  }
  damaged(at != chains.size());
  finish(std::move(made), {});
}

}  // namespace hinge
