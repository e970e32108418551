#include "hinge/tasks/binary/examples.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/binary/sample_planes.h"

namespace hinge {
namespace {

template <class E>
std::unique_ptr<BinaryData> make_samples(const BinarySchema& schema, BinaryRecords records) {
  std::vector<Example<BinaryTask<E>>> examples;
  SampleNames names{{}, 0, records.grouped};
  std::size_t positives = 0, unlabelled = 0, nothing = 0, unseen_labels = 0, unseen_features = 0;
  for (SampleRecord& record : records.samples) {
    SampleRecord whole = std::exchange(record, {});
    std::vector<SparseRow> rows;
    std::vector<Index> level, &place = names.place.emplace_back();
    for (const bool labelled : {true, false})
      for (std::size_t k = 0; k < whole.rows.size(); ++k) {
        const int own = schema.level(whole.labels[k], records.classes);
        if ((own >= 0) != labelled) continue;
        rows.push_back(std::move(whole.rows[k]));
        unseen_features += schema.features().renumber(rows.back());
        place.push_back(static_cast<Index>(k));
        if (!labelled) continue;
        level.push_back(static_cast<Index>(own));
        unseen_labels += !schema.known(records.classes.text(static_cast<Index>(whole.labels[k])));
      }
    const auto here = static_cast<std::size_t>(std::ranges::count(level, Index{1}));
    positives += here;
    unlabelled += rows.size() - level.size();
    names.rows += rows.size();
    nothing += !schema.goal().teaches(here, level.size() - here);
    std::vector<SparseRow> read;
    if (schema.features().products()) {
      read = std::move(rows);
      rows.assign(read.size(), SparseRow());
    }
    examples.push_back(
        make_sample<E>(rows, std::move(level), read.empty() ? schema.dimension() : 0, whole.weight));
    examples.back().input.read = std::move(read);
    // Of nothing there is no recall.
    if (schema.goal().measure == Measure::recall && here == 0) examples.back().weight = 0;
  }
  nlohmann::json facts = {{"samples", examples.size()},     {"rows", names.rows},
                          {"positives", positives},         {"features", schema.dimension()},
                          {"unlabelled", unlabelled},       {"samples_that_teach_nothing", nothing},
                          {"unseen_labels", unseen_labels}, {"unseen_features", unseen_features}};
  tell_features(schema.features(), facts);
  return std::make_unique<BinaryData>(std::make_unique<const BinaryData::Records>(
      std::make_shared<const BinaryTask<E>>(schema.dimension(), schema.goal(), schema.features().products()),
      std::move(examples), std::move(facts), std::move(names)));
}

}  // namespace

template <>
void BinaryData::learn_by_products(double megabytes) {
  records().visit([&](const auto& of) {
    if (of.task().products() == nullptr) return;
    using T = std::remove_cvref_t<decltype(of.task())>;
    auto planes = std::make_unique<SamplePlanes<typename T::Engine>>(of, records().text().place);
    std::vector<const SparseRow*> rows(planes->rows());
    for (std::size_t i = 0; i < of.examples().size(); ++i)
      for (std::size_t k = 0; k < of.examples()[i].input.read.size(); ++k)
        rows[planes->number(i, k)] = &of.examples()[i].input.read[k];
    learn_by_products(*of.task().products(), std::move(rows), std::move(planes), megabytes);
  });
}

void require_lessons(const BinarySchema& schema, const Data& data) {
  if (data.facts()["samples_that_teach_nothing"] != data.size()) return;
  const std::string& measure = measure_names()[static_cast<std::size_t>(schema.goal().measure)];
  fail("no sample teaches `measure` {} anything: it needs rows that are positive and rows that are not{}.",
       measure, measure.ends_with('k') ? fmt::format(", and more than {} of them", schema.goal().at) : "");
}

Vector scores_of(const BinaryData& data, std::size_t sample, Weights w, ScoredRows which) {
  const Documents& rows = rows_of(data, sample);
  Vector scores(which == ScoredRows::all ? rows.size() : rows.judged());
  data.records().visit([&](const auto& of) { of.task().score_rows(of.examples()[sample].input, w, scores); });
  return scores;
}

std::unique_ptr<BinaryData> make_examples(const BinarySchema& schema, BinaryRecords records) {
  std::vector<SparseRow*> rows = all_rows(records);
  schema.features().make_rows(records, rows, row_at);
  if (schema.goal().pairs()) return make_samples<CountedComparisons>(schema, std::move(records));
  if (schema.goal().rankings()) return make_samples<RankedInterleaving>(schema, std::move(records));
  return make_samples<Contingency>(schema, std::move(records));
}

}  // namespace hinge
