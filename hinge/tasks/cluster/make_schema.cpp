#include "hinge/tasks/cluster/make_schema.h"

#include "hinge/core/errors.h"
#include "hinge/tasks/cluster/pair_encoder.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

void require_clusters(const std::vector<ItemDocument>& documents) {
  for (std::size_t i = 0; i < documents.size(); ++i)
    if (const ItemDocument& document = documents[i]; !document.clusters)
      fail_at(document.file.empty() ? fmt::format("document {}", i) : document.file, document.line,
              "the document has no \"clusters\": add them, or leave it out of training.");
}

}  // namespace

std::shared_ptr<const ClusterSchema> make_schema(const ClusterRecords& all, const ClusterRecords& own,
                                                 const ClusterModel& options, Ranks* ranks,
                                                 std::vector<Document>& pairs) {
  together(ranks, [&] { require_clusters(own.documents); });
  ChosenComparators chosen = choose_comparators(options.comparators, all);
  StringTable features;
  const std::vector<Comparator> comparators = parse_comparators(chosen.kept);
  PairEncoder(comparators, all.pair_features, features, true);  // what the data gives has the first numbers
  PairEncoder encoder(comparators, own.pair_features, features, true);
  pairs.clear();
  for (const ItemDocument& document : own.documents) pairs.push_back(encoder(document));
  if (ranks != nullptr) {
    const std::vector<Index> numbers = merge_names(*ranks, features);
    for (Document& document : pairs) renumber(document.rows, numbers);
  }
  return std::make_shared<const ClusterSchema>(std::move(chosen), std::move(features), options);
}

}  // namespace hinge
