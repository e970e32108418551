#include "hinge/core/snapshot.h"

#include "hinge/core/errors.h"

namespace hinge {
namespace {

[[noreturn]] void end_too_soon() {
  fail("the kept state ends too soon: it was written by another version or damaged.");
}

}  // namespace

void Snapshot::raw(void* data, std::size_t size) {
  if (size == 0) return;
  if (!reading_) {
    bytes_.append(static_cast<const char*>(data), size);
    return;
  }
  if (size > bytes_.size() - at_) end_too_soon();
  std::memcpy(data, bytes_.data() + at_, size);
  at_ += size;
}

std::size_t Snapshot::count(std::size_t own, std::size_t each) {
  std::uint64_t number = own;
  raw(&number, sizeof number);
  if (reading_ && number > (bytes_.size() - at_) / each) end_too_soon();
  return number;
}

void Snapshot::one(Plane& plane) { (*this)(plane.offset, plane.slope); }

void Snapshot::one(SparseVector& vector) {
  std::vector<Index> indices(vector.indices().begin(), vector.indices().end());
  Vector values(vector.values().begin(), vector.values().end());
  (*this)(indices, values);
  if (!reading_) return;
  if (indices.size() != values.size()) end_too_soon();
  vector.clear();
  for (std::size_t k = 0; k < indices.size(); ++k) vector.add(indices[k], values[k]);
}

}  // namespace hinge
