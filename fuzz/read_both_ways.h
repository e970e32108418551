// What any task must stand: read the bytes as training data, ask for planes, predict, save, and read the
// same bytes again with what was learnt. Bad bytes end with InputError; everything else is a bug.
#pragma once

#include <algorithm>
#include <cmath>

#include "fuzz/memory_file.h"
#include "fuzz/require.h"
#include "hinge/core/errors.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

// Planes of an example, of every side and softened, where the oracle answers such queries.
inline void ask(const Oracle& oracle, std::size_t example, Weights w) {
  for (const Query& query :
       {Query{.side = Side::free}, Query{.side = Side::clamped}, Query{.side = Side::excess},
        Query{.side = Side::excess, .rescaling = Rescaling::slack},
        Query{.side = Side::free, .output_temperature = 1, .latent_temperature = 1}}) {
    if (query.side == Side::excess && !oracle.determined(example)) continue;
    if (!oracle.refusal(query).empty()) continue;
    Plane plane;
    oracle.support(example, w, query, plane);
    for (const Index j : plane.slope.indices()) require(j < oracle.dimension());
    if (query.hard()) require(std::isfinite(plane.offset));
  }
}

inline void read_both_ways(AnyTask& task, std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    const auto data = task.read_training({file.path()});
    const Oracle& oracle = data->oracle();
    require(data->size() > 0);
    if (oracle.dimension() > 1'000'000) return;  // an index near 2^31 is fine, but a vector of them slow
    Vector w(oracle.dimension());
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = static_cast<double>(j * 5 % 7) / 4 - 0.75;
    for (std::size_t k = 0; k < std::min<std::size_t>(data->size(), 3); ++k) ask(oracle, k, w);

    Archive archive;
    task.save(archive);
    const auto copy = make_task(task.name());
    copy->load(archive);
    const auto again = copy->read({file.path()});
    require(again->size() >= data->size());  // training leaves out trees that its own grammar lacks (parse)
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
