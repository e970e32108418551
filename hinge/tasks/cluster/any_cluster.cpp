#include "hinge/tasks/cluster/any_cluster.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <set>

#include "hinge/tasks/cluster/clusterer.h"
#include "hinge/tasks/cluster/conll_document.h"
#include "hinge/tasks/cluster/json_document.h"
#include "hinge/tasks/cluster/metrics.h"
#include "hinge/tasks/cluster/pair_encoder.h"
#include "hinge/tasks/cluster/reader.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/powers.h"

namespace hinge {
namespace {

struct ModelOptions {
  std::string structure = "forest";
  double link_penalty = 1;
  std::vector<std::string> comparators;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("structure", self.structure, one_of(cluster_structures()),
          "what makes clusters: a spanning forest of links that is hidden, one antecedent for each item, all "
          "pairs of a cluster (correlation clustering), or each pair by itself and what they connect");
    visit("link_penalty", self.link_penalty, not_negative,
          "r, what a link between two clusters costs where a missing one costs 1");
    visit("comparators", self.comparators, any,
          "features of pairs from fields of items, such as equal:text or distance:order+values:kind; "
          "'mentions' are those for coreference (mentions, as far as the data has their fields)");
  }
};

struct PredictOptions {
  std::string output_format = "data";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("output_format", self.output_format, one_of({"data", "jsonl"}),
          "write predictions into the data's own format, or as JSON Lines of items and clusters");
  }
};

// Whether some item has a value of such a kind in the field.
bool has_value(const std::vector<ItemDocument>& documents, const std::string& field,
               const std::function<bool(Cell::Kind)>& of_kind) {
  return std::ranges::any_of(documents, [&](const ItemDocument& document) {
    const ItemTable::Column* column = document.items.find(field);
    if (column == nullptr)
      return field == "order" && document.items.items() > 0 && of_kind(Cell::Kind::number);
    return std::ranges::any_of(column->cells, of_kind, &Cell::kind);
  });
}
bool has_field(const std::vector<ItemDocument>& documents, const Term& term) {
  return has_value(documents, term.field, [](Cell::Kind kind) { return kind != Cell::Kind::missing; });
}
bool has_comparable(const std::vector<ItemDocument>& documents, const Term& term) {
  return has_value(documents, term.field, [&](Cell::Kind kind) { return term.compares(kind); });
}

std::vector<Comparator> parsed(const std::vector<std::string>& texts) {
  std::vector<Comparator> comparators;
  for (const std::string& text : texts) comparators.push_back(parse_comparator(text));
  return comparators;
}

class AnyCluster final : public AnyTask, public Converter {
 public:
  std::string name() const override { return "cluster"; }
  std::vector<OptionRef> options() override { return list_options(model_); }
  std::vector<OptionRef> predict_options() override { return list_options(predict_); }
  // Only the antecedents of an item can be summed over cluster by cluster.
  std::vector<std::string> decodings() const override {
    if (model_.structure == "antecedents") return {"joint", "marginal-map"};
    return {"joint"};
  }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    validate(model_);
    StringTable given;
    std::vector<ItemDocument> documents;
    read_documents(
        files, given,
        [&](ItemDocument&& document, const std::string& file, std::size_t line) {
          if (!document.clusters)
            fail_at(file, line, "the document has no \"clusters\": add them, or leave it out of training.");
          documents.push_back(std::move(document));
          documents.back().file = file;
        },
        selection);
    std::vector<std::string> left_out;
    comparators_ = choose_comparators(documents, given, left_out);
    features_ = {};
    PairEncoder encoder(parsed(comparators_), given, features_, true);
    std::vector<LabelledDocument> encoded = encode(std::move(documents), encoder);
    make_clusterer();
    return adopt(std::move(encoded), 0, left_out);
  }

  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    StringTable given, features = features_;
    std::vector<ItemDocument> documents;
    read_documents(
        files, given,
        [&](ItemDocument&& document, const std::string& file, std::size_t) {
          documents.push_back(std::move(document));
          documents.back().file = file;
        },
        selection);
    const std::vector<Comparator> comparators = parsed(comparators_);
    std::vector<std::string> missing;
    for (std::size_t k = 0; k < comparators.size(); ++k)
      if (!std::ranges::all_of(comparators[k], [&](const Term& term) { return has_field(documents, term); }))
        missing.push_back(comparators_[k]);
    PairEncoder encoder(comparators, given, features, false);
    std::vector<LabelledDocument> encoded = encode(std::move(documents), encoder);
    return adopt(std::move(encoded), encoder.unseen(), missing);
  }

  nlohmann::json evaluate(const Data& data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    refuse_nothing_to_compare(data);
    const auto examples = chosen(data, subset);
    const auto answers = map_examples(
        examples, executor, [&](std::size_t i) { return clusterer_->answer(data, i, w, decoding_); });
    ClusterMetrics metrics;
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const DocumentFacts& facts = clusterer_->facts(data, examples[k]);
      if (facts.labelled)
        metrics.add(facts.name, clusterer_->label(data, examples[k]), answers[k].clusters, answers[k].loss,
                    answers[k].exact);
      else
        metrics.add_unlabelled();
    }
    return metrics.json();
  }
  std::string report(const nlohmann::json& metrics) const override { return cluster_report(metrics); }

  void predict(const Data& data, Weights w, Executor& executor, OutputFile& out) const override {
    validate(predict_);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const auto& [name, source, file, labelled] = clusterer_->facts(data, i);
      const Partition clusters = clusterer_->answer(data, i, w, decoding_).clusters;
      text += predict_.output_format == "jsonl" ? as_json(source, clusters)
                                                : with_clusters(source, name, clusters);
    });
  }

  void convert(const std::vector<std::string>& files, OutputFile& out) const override {
    StringTable given;
    read_documents(files, given, [&](ItemDocument&& document, const std::string&, std::size_t) {
      out.write(document.source.starts_with('{') ? document.source + "\n" : json_of(document));
    });
  }

  Index dimension() const override { return static_cast<Index>(features_.size()); }
  std::string feature_name(Index feature) const override { return std::string(features_.text(feature)); }
  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return clusterer_->check(data, options);
  }

  void save(Archive& archive) const override {
    features_.save(archive, "pair_features");
    archive.header["cluster"] = {{"structure", model_.structure},
                                 {"link_penalty", model_.link_penalty},
                                 {"comparators", comparators_}};
  }

  void load(const Archive& archive) override {
    AnyCluster loaded;
    loaded.features_.load(archive, "pair_features");
    const auto& header = archive.header.at("cluster");
    header.at("structure").get_to(loaded.model_.structure);
    header.at("link_penalty").get_to(loaded.model_.link_penalty);
    header.at("comparators").get_to(loaded.comparators_);
    loaded.model_.comparators = loaded.comparators_;
    validate(loaded.model_);
    parsed(loaded.comparators_);
    loaded.make_clusterer();
    loaded.predict_ = predict_;
    loaded.decoding_ = decoding_;
    *this = std::move(loaded);
  }

 private:
  static constexpr const char* kMentions = "mentions";

  static std::vector<std::string> without_mentions(std::vector<std::string> texts) {
    std::erase(texts, kMentions);
    return texts;
  }

  // Those that were named, whose fields must be there, and of `mentions` those whose fields are; the others
  // of `mentions` go into `left_out`.
  std::vector<std::string> choose_comparators(const std::vector<ItemDocument>& documents,
                                              const StringTable& given,
                                              std::vector<std::string>& left_out) const {
    std::vector<std::string> kept = without_mentions(model_.comparators);
    for (const Comparator& comparator : parsed(kept))
      for (const Term& term : comparator)
        if (!has_field(documents, term))
          fail("`comparators` has '{}', but no item has a field '{}'.", term.text(), term.field);
        else if (!has_comparable(documents, term))
          fail(
              "`comparators` has '{}', but the field '{}' holds texts, where {} belongs: use equal, words or "
              "similarity for texts.",
              term.text(), term.field, term.kind == Term::Kind::span ? "[first, last]" : "a number");
    const bool mentions = model_.comparators.empty() || kept.size() < model_.comparators.size();
    for (const std::string& text : mentions ? mention_comparators() : std::vector<std::string>{}) {
      const Comparator terms = parse_comparator(text);
      if (std::ranges::all_of(terms, [&](const Term& term) { return has_comparable(documents, term); }))
        kept.push_back(text);
      else
        left_out.push_back(text);
    }
    if (kept.empty() && given.empty())
      fail(
          "no pair has features: the items have no fields for mentions, and the data gives none; name "
          "`comparators`, such as equal:FIELD.");
    return kept;
  }

  void refuse_nothing_to_compare(const Data& data) const {
    std::set<std::string> files;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (clusterer_->facts(data, i).labelled && !clusterer_->label(data, i).empty()) return;
      files.insert(clusterer_->facts(data, i).file);
    }
    fail("{}: no document has items with clusters, so that nothing can be compared: add \"clusters\".",
         fmt::join(files, ", "));
  }

  std::vector<LabelledDocument> encode(std::vector<ItemDocument> documents, PairEncoder& encoder) const {
    std::vector<LabelledDocument> encoded;
    for (ItemDocument& document : documents) {
      LabelledDocument next;
      next.pairs = encoder(document);
      next.weight = document.weight;
      if (!keeps_text_) document.source = {};
      next.facts = {std::move(document.name), std::move(document.source), std::move(document.file),
                    document.clusters.has_value()};
      next.clusters.resize(next.pairs.items);
      std::iota(next.clusters.begin(), next.clusters.end(), Index{0});
      if (document.clusters) next.clusters = *std::move(document.clusters);
      document = ItemDocument();
      encoded.push_back(std::move(next));
    }
    return encoded;
  }

  std::unique_ptr<Data> adopt(std::vector<LabelledDocument> documents, std::size_t unseen,
                              const std::vector<std::string>& missing) const {
    std::size_t items = 0, clusters = 0, pairs = 0, rows = 0, unlabelled = 0;
    for (const LabelledDocument& document : documents) {
      items += document.pairs.items;
      pairs += document.pairs.row_of.size();
      rows += document.pairs.rows.length();
      clusters += document.facts.labelled ? cluster_count(document.clusters) : 0;
      unlabelled += !document.facts.labelled;
    }
    nlohmann::json facts = {{"documents", documents.size()}, {"items", items},
                            {"clusters", clusters},          {"pairs", pairs},
                            {"different_pairs", rows},       {"features", features_.size()}};
    if (unlabelled > 0) facts["documents_without_clusters"] = unlabelled;
    if (unseen > 0) facts["features_of_different_pairs_unseen_in_training"] = unseen;
    if (!missing.empty())
      facts["comparators_whose_fields_no_item_has"] = fmt::format("{}", fmt::join(missing, " "));
    return clusterer_->adopt(std::move(documents), std::move(facts));
  }

  static std::string as_json(const std::string& source, const Partition& clusters) {
    if (source.starts_with('{')) return json_with_clusters(source, clusters);
    ItemDocument document = conll_document(source);
    document.clusters = clusters;
    return json_of(document);
  }

  void make_clusterer() {
    if (features_.size() > kMaxDimension)
      fail("there are {} features, but {} at most can be: use fewer comparators.", features_.size(),
           kMaxDimension);
    clusterer_ = hinge::make_clusterer(model_.structure, dimension(), model_.link_penalty);
  }

  ModelOptions model_;
  PredictOptions predict_;
  std::vector<std::string> comparators_;
  StringTable features_;
  std::shared_ptr<const Clusterer> clusterer_;
};

}  // namespace

std::unique_ptr<AnyTask> make_cluster() { return std::make_unique<AnyCluster>(); }

}  // namespace hinge
