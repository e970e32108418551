#include "hinge/core/row_multiples.h"

#include "hinge/core/clones.h"

namespace hinge {
namespace {

constexpr std::size_t kWide = 16;  // columns that are summed in registers

}  // namespace

HINGE_CLONES void add_multiples(std::span<double> out, std::span<const RowMultiple> rows) {
  using Lane __attribute__((vector_size(4 * sizeof(double)), aligned(alignof(double)), may_alias)) = double;
  std::size_t b = 0;
  for (; b + kWide <= out.size(); b += kWide) {
    Lane* const place = reinterpret_cast<Lane*>(out.data() + b);
    Lane sum[4] = {place[0], place[1], place[2], place[3]};
    for (const auto& [row, amount] : rows) {
      const Lane* const from = reinterpret_cast<const Lane*>(row + b);
      for (std::size_t l = 0; l < 4; ++l) sum[l] += amount * from[l];
    }
    for (std::size_t l = 0; l < 4; ++l) place[l] = sum[l];
  }
  for (; b < out.size(); ++b)
    for (const auto& [row, amount] : rows) out[b] += amount * row[b];
}

}  // namespace hinge
