// What tasks of rows do alike beyond a SharingAdapter: a row is a line, and the schema is made of records and options.
#pragma once

#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {

template <class Told, class Records, class OwnData, class Schema, class Options>
class RowAdapter : public SharingAdapter<Told, Adapter<Records, OwnData, Schema, Options>>, public Answering {
 protected:
  MakeCutter cutter() const override { return cut_rows(); }
  void fix(const Records& all, const Records&, Ranks*) final {
    this->schema_ = std::make_shared<const Schema>(all, this->options_);
  }
};

}  // namespace hinge
