// What any task must stand: read the bytes as training data, ask for a plane, predict, save, and read the
// same bytes again with what was learnt. Bad bytes end with InputError; everything else is a bug.
#pragma once

#include <cmath>

#include "fuzz/memory_file.h"
#include "fuzz/require.h"
#include "hinge/core/errors.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

inline void read_both_ways(AnyTask& task, std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    const auto data = task.read_training({file.path()});
    const Oracle& oracle = data->oracle();
    require(data->size() > 0);
    if (oracle.dimension() > 1'000'000) return;  // an index near 2^31 is fine, but a vector of them slow
    const Vector w(oracle.dimension(), 0.0);
    Plane plane;
    oracle.support(0, w, {.side = Side::free}, plane);
    require(std::isfinite(plane.offset));
    for (const Index j : plane.slope.indices()) require(j < oracle.dimension());

    Archive archive;
    task.save(archive);
    const auto copy = make_task(task.name());
    copy->load(archive);
    const auto again = copy->read({file.path()});
    require(again->size() == data->size());
    SerialExecutor executor;
    copy->evaluate(*again, w, {}, executor);
    OutputFile nowhere("/dev/null");
    copy->predict(*again, w, executor, nowhere);
    if (!w.empty()) require(!copy->feature_name(oracle.dimension() - 1).empty());
  } catch (const InputError&) {
  }
}

inline void set_option(AnyTask& task, const std::string& name, const std::string& value) {
  for (const OptionRef& option : task.options())
    if (option.name == name) *std::get<std::string*>(option.field) = value;
}

}  // namespace hinge
