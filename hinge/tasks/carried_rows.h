// Going on from a model of `kernel_map` none (row_products.h), whose file holds the rows or strings it needs.
#pragma once

#include <optional>

#include "hinge/core/archive.h"
#include "hinge/core/vector.h"

namespace hinge {

// The weights of such a model for the rows of new data, by what the rows are; nothing where the two do not agree in all else,
// or the data lacks one of the rows. Both archives are what tasks saved.
std::optional<Vector> weights_of_rows(const Archive& model, const Vector& weights, const Archive& data);

}  // namespace hinge
