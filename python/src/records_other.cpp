// Records of frames, motifs, clusters, trees, alignments and folds.
#include "hinge/tasks/align/records.h"
#include "hinge/tasks/cluster/records.h"
#include "hinge/tasks/fold/records.h"
#include "hinge/tasks/motif/records.h"
#include "hinge/tasks/parse/reader.h"
#include "hinge/tasks/sequence_class/records.h"
#include "records.h"

namespace hinge::python {
namespace {

using MaybeWeights = std::optional<In<double, 1>>;

std::unique_ptr<Records> frames_records(const std::vector<In<float, 2>>& X, const In<std::int64_t, 1>& labels,
                                        const std::vector<std::string>& names, const MaybeWeights& weights,
                                        const std::vector<std::string>& declared) {
  require_length("labels", labels.size(), X.size());
  FramesRecords records;
  for (const std::string& name : declared) records.classes.intern(name);
  for (std::size_t i = 0; i < X.size(); ++i) {
    if (weight_of(weights, i) == 0) continue;
    const In<float, 2>& x = X[i];
    records.add({x.shape(1), {x.data(), x.data() + x.size()}}, name_of(names, labels.data()[i]));
    if (weights) records.weights.push_back(weight_of(weights, i));
  }
  return made(std::move(records));
}

// 1 where the motif is, 0 where it is not, -1 where nobody knows.
std::unique_ptr<Records> motif_records(const std::vector<std::string>& X, const In<std::int64_t, 1>& labels,
                                       const MaybeWeights& weights) {
  require_length("labels", labels.size(), X.size());
  MotifRecords records;
  for (std::size_t i = 0; i < X.size(); ++i) {
    if (weight_of(weights, i) == 0) continue;
    MotifRecord& record = records.emplace_back();
    record.name = fmt::format("sequence {}", i);
    record.letters = X[i];
    if (labels.data()[i] >= 0) record.has_motif = labels.data()[i] > 0;
    record.weight = weight_of(weights, i);
  }
  return made(std::move(records));
}

Cell cell_of(nb::handle value, std::size_t document) {
  if (value.is_none()) return {};
  if (PyUnicode_Check(value.ptr())) return Cell::of(std::string(utf8(value)));
  double number = 0, last = 0;
  if (nb::try_cast(value, number)) return Cell::of(number);
  if (const nb::object pair = tuple_of(value); pair.is_valid() && size_of(pair) == 2)
    if (nb::try_cast(item_of(pair, 0), number) && nb::try_cast(item_of(pair, 1), last))
      return Cell::of(number, last);
  fail("a field of document {} is neither text nor number nor a pair of numbers.", document);
}

// Each document is (items: their number or a list of dicts, pairs or None: features of (0, 1), (0, 2), (1, 2), ...);
// clusters: an array of each, or None.
std::unique_ptr<Records> cluster_records(const nb::list& documents, const nb::list& clusters,
                                         const MaybeWeights& weights) {
  ClusterRecords records;
  for (std::size_t d = 0; d < nb::len(documents); ++d) {
    const nb::object pair = documents[d], items = pair[0], rows = pair[1], truth = clusters[d];
    ItemDocument document;
    if (PyLong_Check(items.ptr())) {
      document.items = ItemTable(nb::cast<std::size_t>(items));
    } else {
      document.items = ItemTable(nb::len(items));
      std::size_t i = 0;
      for (nb::handle item : items) {
        for (const auto& [field, value] : nb::cast<nb::dict>(item))
          document.items.set(i, utf8(field), cell_of(value, d));
        ++i;
      }
    }
    if (!rows.is_none()) {
      const auto table = nb::cast<In<double, 2>>(rows);
      const std::size_t n = document.items.items(), width = table.shape(1);
      if (table.shape(0) != n * (n - 1) / 2)
        fail(
            "document {} has {} rows of pairs for {} items: give n (n - 1) / 2, for (0, 1), (0, 2), (1, 2), "
            "...",
            d, table.shape(0), n);
      for (std::size_t j = 0; j < width; ++j) records.pair_features.intern(fmt::to_string(j));
      for (std::size_t k = 0; k < table.shape(0); ++k) {
        document.pairs.pair.push_back(k);
        for (std::size_t j = 0; j < width; ++j)
          if (const double value = table.data()[k * width + j]; value != 0) {
            if (!std::isfinite(static_cast<float>(value)))
              fail("document {} has the value {} in row {} of its pairs: give finite numbers.", d, value, k);
            document.pairs.rows.attribute.push_back(static_cast<Index>(j));
            document.pairs.rows.value.push_back(static_cast<float>(value));
          }
        document.pairs.rows.start.push_back(static_cast<Index>(document.pairs.rows.attribute.size()));
      }
    }
    if (!truth.is_none()) {
      const auto known = nb::cast<In<std::int64_t, 1>>(truth);
      document.clusters.emplace();
      for (std::size_t i = 0; i < known.size(); ++i)
        document.clusters->push_back(static_cast<Index>(known.data()[i]));
    }
    document.weight = weight_of(weights, d);
    if (document.weight != 0) records.add(std::move(document));
  }
  return made(std::move(records));
}

// Words and tags of each sentence, and trees in brackets, or None; tags are empty where they are not known.
std::unique_ptr<Records> tree_records(const std::vector<std::vector<std::string>>& words,
                                      const std::vector<std::vector<std::string>>& tags,
                                      const std::vector<std::optional<std::string>>& trees,
                                      const MaybeWeights& weights) {
  ParseRecords records;
  for (std::size_t i = 0; i < words.size(); ++i) {
    SentenceTree tree = SentenceTree::of_words(words[i]);
    if (trees[i]) {
      tree = tree_of_text(*trees[i], fmt::format("tree {}", i));
      if (tree.words != words[i])
        fail("tree {} has other words than sentence {}: give the same, in the same order.", i, i);
    }
    for (std::size_t k = 0; k < tags[i].size(); ++k)
      if (tree.tags[k].empty()) tree.tags[k] = tags[i][k];
    if (const double weight = weight_of(weights, i); weight != 0) records.add(std::move(tree), weight);
  }
  return made(std::move(records));
}

using MaybePartners = std::vector<std::optional<In<std::int64_t, 1>>>;

std::vector<int> partners_of(const std::optional<In<std::int64_t, 1>>& known) {
  std::vector<int> partners;
  if (known)
    for (std::size_t i = 0; i < known->size(); ++i) partners.push_back(static_cast<int>(known->data()[i]));
  return partners;
}

// Pairs of sequences, their structures (empty: not known), and for each letter of the first the one of the second
// opposite, -1 for a gap, -2 where nothing is known; None where nothing is. Families keep folds apart; empty: none.
std::unique_ptr<Records> align_records(
    const std::vector<std::string>& first, const std::vector<std::string>& second,
    const std::vector<std::string>& structure1, const std::vector<std::string>& structure2,
    const MaybePartners& partners, const std::vector<std::string>& families, const MaybeWeights& weights) {
  AlignRecords records;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (weight_of(weights, i) == 0) continue;
    AlignRecord& record = records.emplace_back();
    record.family = families.empty() ? fmt::format("pair {}", i) : families[i];
    record.name1 = fmt::format("sequence 1 of pair {}", i),
    record.name2 = fmt::format("sequence 2 of pair {}", i);
    record.letters1 = first[i], record.letters2 = second[i];
    record.structure1 = structure1[i], record.structure2 = structure2[i];
    record.partners = partners_of(partners[i]);
    record.weight = weight_of(weights, i);
  }
  return made(std::move(records));
}

// Sequences and for each letter its partner, -1 for none, -2 where nothing is known; None where nothing is.
std::unique_ptr<Records> fold_records(const std::vector<std::string>& X, const MaybePartners& partners,
                                      const MaybeWeights& weights) {
  FoldRecords records;
  for (std::size_t i = 0; i < X.size(); ++i)
    if (const double weight = weight_of(weights, i); weight != 0)
      records.push_back({fmt::format("sequence {}", i), X[i], partners_of(partners[i]), weight});
  return made(std::move(records));
}

}  // namespace

void bind_other_records(nb::module_& m) {
  m.def("frames_records", &frames_records, "X"_a, "labels"_a, "names"_a, "weights"_a = nb::none(),
        "declared"_a = std::vector<std::string>());
  m.def("motif_records", &motif_records, "X"_a, "labels"_a, "weights"_a = nb::none());
  m.def("tree_records", &tree_records, "words"_a, "tags"_a, "trees"_a, "weights"_a = nb::none());
  m.def("align_records", &align_records, "first"_a, "second"_a, "structure1"_a, "structure2"_a, "partners"_a,
        "families"_a, "weights"_a = nb::none());
  m.def("fold_records", &fold_records, "X"_a, "partners"_a, "weights"_a = nb::none());
  m.def("cluster_records", &cluster_records, "documents"_a, "clusters"_a, "weights"_a = nb::none());
}

void bind_records(nb::module_& m) {
  nb::class_<Records>(m, "Records", "Records of one task, handed to it once.");
  bind_row_records(m);
  bind_sequence_records(m);
  bind_graph_records(m);
  bind_other_records(m);
}

}  // namespace hinge::python
