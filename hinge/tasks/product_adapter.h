// What tasks of rows do alike whose kernel may have no map (row_map.h): training learns from products of rows, and a model
// file holds the rows that it needs. Data is a RowData, which make_examples(schema, records) makes.
#pragma once

#include "hinge/tasks/leaves_out.h"
#include "hinge/tasks/row_adapter.h"

namespace hinge {

template <class Told, class Records, class OwnData, class Schema, class Options>
class ProductAdapter : public RowAdapter<Told, Records, OwnData, Schema, Options>, public LeavesOut {
 public:
  void leave_out(Archive& archive, Vector& weights) const final {
    if (const auto products = this->schema_->features().products())
      products->leave_out(this->schema_->dimension() / this->schema_->features().size(), archive, weights);
  }

 protected:
  // Whether examples are strings (input_features.h): to a model those are that it was learned from.
  bool of_strings() const {
    return this->schema_ ? this->schema_->features().of_strings() : this->options_.kernel.of_strings();
  }
  std::unique_ptr<Data> training_examples(Records records) const final {
    std::unique_ptr<OwnData> data = make_examples(*this->schema_, std::move(records));
    data->learn_by_products(this->options_.kernel.memory);
    return data;
  }
};

}  // namespace hinge
