// What tasks of rows do alike: numbers are their answers, ranks can share the rows, and a row is a line.
#pragma once

#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {

template <class Told, class Records, class OwnData, class Schema, class Options>
class RowAdapter : public SharingAdapter<Told, AnsweringAdapter<Records, OwnData, Schema, Options>> {
 protected:
  MakeCutter cutter() const override { return cut_rows(); }
};

}  // namespace hinge
