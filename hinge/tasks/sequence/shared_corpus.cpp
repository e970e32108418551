#include "hinge/tasks/sequence/shared_corpus.h"

#include <algorithm>
#include <set>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/snapshot.h"
#include "hinge/tasks/share_files.h"

namespace hinge {
namespace {

constexpr std::ptrdiff_t kRun = 4;  // labels that a weight looks at together, at most: order 3

// What a rank tells of its share.
struct Told {
  std::vector<std::string> attributes, labels;  // names, in the order of their numbers
  std::size_t columns = 0, tokens = 0, unlabelled_tokens = 0;
  std::string label, templates;
  bool transitions = true;
  std::vector<std::vector<int>> labelled;  // every run of neighbours, once
  std::vector<std::vector<Index>> seen;    // of each label: its attributes, ascending
  void keep(Snapshot& snapshot) {
    snapshot(attributes, labels, columns, tokens, unlabelled_tokens, label, templates, transitions, labelled,
             seen);
  }
};

std::vector<std::string> names(const StringTable& table) {
  std::vector<std::string> all;
  for (Index k = 0; k < table.size(); ++k) all.emplace_back(table.text(k));
  return all;
}

Told told(const SequenceSchema& schema, const SequenceCorpus& corpus) {
  std::vector<std::set<Index>> seen(schema.labels.size());
  for (std::size_t i = 0; i < corpus.inputs.size(); ++i) {
    const auto see = [&](std::size_t t, int label) {
      const auto attributes = corpus.inputs[i].attributes(t);
      seen[static_cast<std::size_t>(label)].insert(attributes.begin(), attributes.end());
    };
    for (std::size_t t = 0; t < corpus.inputs[i].length(); ++t)
      if (const int label = corpus.labels[i][t]; label >= 0) see(t, label);
    for (const OneOf& some : corpus.labels[i].one_of)
      for (const int label : some.labels) see(some.position, label);
  }
  std::set<std::vector<int>> runs;
  for (const Labels& y : corpus.labels)
    for (auto from = y.begin(); from == y.begin() || y.end() - from >= kRun; ++from)
      runs.emplace(from, from + std::min(kRun, y.end() - from));
  Told all{names(schema.attributes),
           names(schema.labels),
           schema.columns,
           corpus.tokens,
           corpus.unlabelled_tokens,
           schema.label,
           schema.templates,
           schema.transitions,
           {runs.begin(), runs.end()},
           {}};
  for (const auto& attributes : seen) all.seen.emplace_back(attributes.begin(), attributes.end());
  return all;
}

// Positions keep their attributes in ascending order.
void renumber(Sequence& x, const std::vector<Index>& number) {
  std::vector<std::pair<Index, float>> row;
  for (std::size_t t = 0; t < x.length(); ++t) {
    row.clear();
    for (std::size_t k = x.start[t]; k < x.start[t + 1]; ++k)
      row.emplace_back(number[x.attribute[k]], x.value_of(k));
    std::ranges::sort(row, {}, &std::pair<Index, float>::first);
    for (std::size_t k = 0; k < row.size(); ++k) {
      x.attribute[x.start[t] + k] = row[k].first;
      if (!x.value.empty()) x.value[x.start[t] + k] = row[k].second;
    }
  }
}

void renumber(Labels& labels, const std::vector<Index>& number) {
  for (int& label : labels)
    if (label >= 0) label = static_cast<int>(number[static_cast<std::size_t>(label)]);
  for (OneOf& set : labels.one_of)
    for (int& label : set.labels) label = static_cast<int>(number[static_cast<std::size_t>(label)]);
}

std::vector<Index> numbers(const std::vector<std::string>& names, StringTable& table) {
  std::vector<Index> all;
  for (const std::string& name : names) all.push_back(table.intern(name));
  return all;
}

}  // namespace

SequenceCorpus merge_corpora(Ranks& ranks, SequenceSchema& schema, SequenceCorpus& corpus) {
  const std::vector<std::string> all = ranks.gather([&] {
    Told mine = told(schema, corpus);
    Snapshot snapshot;
    snapshot(mine);
    return snapshot.bytes();
  });
  schema = {};
  SequenceCorpus seen;
  std::vector<Labels> labelled;
  for (std::size_t r = 0; r < all.size(); ++r) {
    Told theirs;
    Snapshot snapshot(all[r]);
    snapshot(theirs);
    const std::vector<Index> attributes = numbers(theirs.attributes, schema.attributes),
                             labels = numbers(theirs.labels, schema.labels);
    if (theirs.tokens == 0) {
      // a rank without examples knows nothing of the files
    } else if (schema.columns == 0) {
      schema.columns = theirs.columns;
      schema.label = theirs.label;
      schema.templates = theirs.templates;
      schema.transitions = theirs.transitions;
    } else if (theirs.columns != schema.columns || theirs.label != schema.label) {
      fail("the data has lines of {} and of {} columns: give files of one kind.", schema.columns,
           theirs.columns);
    }
    seen.tokens += theirs.tokens;
    seen.unlabelled_tokens += theirs.unlabelled_tokens;
    for (std::size_t k = 0; k < theirs.seen.size(); ++k) {
      Sequence& x = seen.inputs.emplace_back();
      for (const Index attribute : theirs.seen[k]) x.attribute.push_back(attributes[attribute]);
      std::ranges::sort(x.attribute);
      x.start.push_back(static_cast<Index>(x.attribute.size()));
      seen.labels.push_back({static_cast<int>(labels[k])});
    }
    for (std::vector<int>& given : theirs.labelled) {
      Labels y(std::move(given));
      renumber(y, labels);
      labelled.push_back(std::move(y));
    }
    if (r != ranks.rank()) continue;
    for (Sequence& x : corpus.inputs) renumber(x, attributes);
    for (Labels& y : corpus.labels) renumber(y, labels);
  }
  if (schema.labels.empty()) fail("no position has a label: give some a label.");
  std::ranges::move(labelled, std::back_inserter(seen.labels));
  return seen;
}

SharedCorpus read_shared_corpus(const SequenceReader& reader, const std::vector<std::string>& files,
                                Ranks& ranks, std::size_t shards) {
  const FileShare share = share_files(
      files, [&](const std::string& file) { return reader.cutter(file); }, ranks, shards,
      [&](const std::string& file) {
        SequenceSchema ignored;
        CorpusBuilder builder(ignored, Selection(std::vector<bool>()));
        reader.fill_share({file}, builder);
      });
  SharedCorpus shared{{}, {}, {}, share.place};
  ranks.together([&] {
    CorpusBuilder builder(shared.schema);
    builder.keep_text(false);
    reader.fill_share(share.files, builder);
    share.require(builder.sequences());
    shared.own = std::move(builder).finish();
  });
  shared.seen = merge_corpora(ranks, shared.schema, shared.own);
  return shared;
}

}  // namespace hinge
