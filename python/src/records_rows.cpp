// Records of tasks whose inputs are rows of features.
#include "hinge/tasks/binary/records.h"
#include "hinge/tasks/multiclass/records.h"
#include "hinge/tasks/multilabel/records.h"
#include "hinge/tasks/rank/records.h"
#include "hinge/tasks/taxonomy/records.h"
#include "records.h"

namespace hinge::python {
namespace {

using Codes = In<std::int64_t, 1>;
using Names = std::vector<std::string>;
using MaybeWeights = std::optional<In<double, 1>>;

void require_column(std::int64_t column) {
  constexpr std::int64_t kLargest = 2147483646;
  if (column < 0 || column > kLargest)
    fail("a row has the column {}: columns are numbered from 0 to {}.", column, kLargest);
}

// `declared` are names of classes that no row need have.
template <class R>
std::unique_ptr<Records> class_records(Rows& rows, const Codes& labels, const Names& names,
                                       const MaybeWeights& weights, const Names& declared) {
  require_length("labels", labels.size(), rows.size());
  R records;
  records.compared = rows.compared();
  for (const std::string& name : declared) records.classes.intern(name);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const double weight = weight_of(weights, i); weight != 0)
      records.add(rows.take(i), name_of(names, labels.data()[i]), weight);
  return made(std::move(records));
}

// As class_records; the code −2 − s means one of the classes of set s.
std::unique_ptr<Records> multiclass_records(Rows& rows, const Codes& labels, const Names& names,
                                            const MaybeWeights& weights, const Names& declared,
                                            const std::vector<std::vector<std::int64_t>>& sets) {
  require_length("labels", labels.size(), rows.size());
  MulticlassRecords records;
  records.compared = rows.compared();
  for (const std::string& name : declared) records.classes.intern(name);
  std::vector<std::string_view> one_of;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t code = labels.data()[i];
    if (weight_of(weights, i) == 0) continue;
    if (code > -2) {
      records.add(rows.take(i), name_of(names, code), weight_of(weights, i));
      continue;
    }
    one_of.clear();
    for (const std::int64_t c : sets.at(static_cast<std::size_t>(-2 - code)))
      one_of.push_back(*name_of(names, c));
    records.add(rows.take(i), std::span<const std::string_view>(one_of), weight_of(weights, i));
  }
  return made(std::move(records));
}

// State of each label: 1 there, 0 not, -1 nobody knows.
std::unique_ptr<Records> set_records(Rows& rows, const In<std::int8_t, 2>& states, const Names& names,
                                     const MaybeWeights& weights) {
  require_length("rows of labels", states.shape(0), rows.size());
  MultilabelRecords records;
  for (const std::string& name : names) records.labels.intern(name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (weight_of(weights, i) == 0) continue;
    std::vector<std::string_view> present, unknown;
    for (std::size_t l = 0; l < names.size(); ++l) {
      const std::int8_t state = states.data()[i * names.size() + l];
      if (state != 0) (state > 0 ? present : unknown).push_back(names[l]);
    }
    records.add(rows.take(i), present, unknown, false, weight_of(weights, i));
  }
  return made(std::move(records));
}

// Rows of one sample stand together; `sizes` are theirs, one sample where there are none.
std::unique_ptr<Records> sample_records(Rows& rows, const Codes& labels, const Names& names,
                                        const std::vector<std::size_t>& sizes, const MaybeWeights& weights) {
  require_length("labels", labels.size(), rows.size());
  BinaryRecords records;
  records.compared = rows.compared();
  records.grouped = !sizes.empty();
  const std::vector<std::size_t> each = sizes.empty() ? std::vector{rows.size()} : sizes;
  std::size_t i = 0;
  for (std::size_t s = 0; s < each.size(); ++s) {
    if (weight_of(weights, s) == 0) {
      i += each[s];
      continue;
    }
    records.samples.emplace_back();
    records.samples.back().weight = weight_of(weights, s);
    for (const std::size_t end = i + each[s]; i < end; ++i)
      records.add(rows.take(i), name_of(names, labels.data()[i]));
  }
  return made(std::move(records));
}

// Documents of one query stand together; a grade that is no number is not known.
std::unique_ptr<Records> query_records(Rows& rows, const In<double, 1>& grades,
                                       const std::vector<std::size_t>& sizes, const MaybeWeights& weights) {
  require_length("grades", grades.size(), rows.size());
  RankRecords records;
  std::size_t i = 0;
  for (std::size_t q = 0; q < sizes.size(); ++q) {
    QueryRecord query{static_cast<long long>(q), {}, weight_of(weights, q)};
    for (const std::size_t end = i + sizes[q]; i < end; ++i) {
      const double grade = grades.data()[i];
      query.documents.push_back({rows.take(i), std::isnan(grade) ? std::nullopt : std::optional(grade)});
    }
    if (query.weight != 0) records.add(std::move(query));
  }
  return made(std::move(records));
}

}  // namespace

namespace {

float single_of(double value, std::size_t row, std::int64_t column) {
  const float number = static_cast<float>(value);
  if (!std::isfinite(number))
    fail("X has {} in column {} of row {}: give numbers that single precision has, scale the column.", value,
         column, row);
  return number;
}

}  // namespace

template <class T>
void Rows::fill(const T& table) {
  const std::size_t count = table.shape(0), columns = table.shape(1);
  if (columns > 0) require_column(static_cast<std::int64_t>(columns) - 1);
  rows_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const row = table.data() + i * columns;
    for (std::size_t j = 0; j < columns; ++j)
      if (row[j] != 0) {
        rows_[i].index.push_back(static_cast<Index>(j + 1));
        rows_[i].value.push_back(single_of(static_cast<double>(row[j]), i, static_cast<std::int64_t>(j)));
      }
  }
}
Rows::Rows(In<double, 2> table) { fill(table); }
Rows::Rows(In<float, 2> table) { fill(table); }

std::unique_ptr<Rows> Rows::of_products(const In<double, 2>& products) {
  const std::size_t n = products.shape(0);
  if (products.shape(1) != n)
    fail(
        "X has {} rows and {} columns, where training with a precomputed kernel has a row and a column for "
        "each example.",
        n, products.shape(1));
  auto made = std::make_unique<Rows>();
  made->compared_ =
      std::make_shared<const ProductTable>(std::vector<double>(products.data(), products.data() + n * n), n);
  for (std::size_t i = 0; i < n; ++i) made->rows_.push_back(ProductTable::row(i));
  return made;
}

Rows::Rows(In<std::int64_t, 1> start, In<std::int64_t, 1> column, In<double, 1> value) {
  rows_.resize(start.size() == 0 ? 0 : start.size() - 1);
  std::vector<std::pair<Index, float>> order;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::int64_t begin = start.data()[i], end = start.data()[i + 1];
    if (begin < 0 || end < begin || static_cast<std::size_t>(end) > column.size() ||
        column.size() != value.size())
      fail("row {} of the sparse matrix begins at {} and ends at {}, of {} entries.", i, begin, end,
           column.size());
    order.clear();
    for (std::int64_t k = begin; k < end; ++k) {
      require_column(column.data()[k]);
      if (value.data()[k] != 0)
        order.emplace_back(static_cast<Index>(column.data()[k] + 1),
                           single_of(value.data()[k], i, column.data()[k]));
    }
    std::ranges::sort(order, {}, &std::pair<Index, float>::first);
    for (const auto& [index, number] : order) {
      if (!rows_[i].index.empty() && rows_[i].index.back() == index)
        rows_[i].value.back() += number;  // entries that stand twice are summed, as in SciPy
      else
        rows_[i].index.push_back(index), rows_[i].value.push_back(number);
    }
  }
}

void bind_row_records(nb::module_& m) {
  nb::class_<Rows>(m, "Rows", "Rows of features, a table or CSR.")
      .def(nb::init<In<double, 2>>(), "table"_a.noconvert())
      .def(nb::init<In<float, 2>>(), "table"_a.noconvert())
      .def(nb::init<In<std::int64_t, 1>, In<std::int64_t, 1>, In<double, 1>>(), "start"_a, "column"_a,
           "value"_a)
      .def_static("of_products", &Rows::of_products, "products"_a.noconvert(),
                  "Of training inputs, each with all others by a kernel.")
      .def("__len__", &Rows::size);
  m.def("multiclass_records", &multiclass_records, "rows"_a, "labels"_a, "names"_a, "weights"_a = nb::none(),
        "declared"_a = Names(), "sets"_a = std::vector<std::vector<std::int64_t>>());
  m.def("taxonomy_records", &class_records<TaxonomyRecords>, "rows"_a, "labels"_a, "names"_a,
        "weights"_a = nb::none(), "declared"_a = Names());
  m.def("multilabel_records", &set_records, "rows"_a, "states"_a, "names"_a, "weights"_a = nb::none());
  m.def("binary_records", &sample_records, "rows"_a, "labels"_a, "names"_a, "sizes"_a,
        "weights"_a = nb::none());
  m.def("rank_records", &query_records, "rows"_a, "grades"_a, "sizes"_a, "weights"_a = nb::none());
}

}  // namespace hinge::python
