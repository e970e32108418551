#include "hinge/tasks/sequence/emissions.h"

#include <algorithm>

#include "hinge/core/errors.h"

namespace hinge {

Emissions Emissions::all(std::size_t attributes, std::size_t labels) {
  if (attributes * labels > kMaxDimension)
    fail("{} attributes times {} labels are more weights than 2^31: use --features observed.", attributes,
         labels);
  Emissions e;
  e.attributes_ = attributes;
  e.labels_ = labels;
  return e;
}

Emissions Emissions::observed(std::size_t attributes, std::size_t labels, std::span<const Sequence> inputs,
                              std::span<const Labels> labelled, std::size_t states) {
  Emissions e;
  e.attributes_ = attributes;
  e.labels_ = labels;
  // Seen pairs as bits: attribute-major.
  std::vector<bool> seen(attributes * labels);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t t = 0; t < inputs[i].length(); ++t) {
      const int label = labelled[i][t];
      if (label < 0) continue;
      for (std::size_t a = inputs[i].start[t]; a < inputs[i].start[t + 1]; ++a)
        for (std::size_t j = 0; j < states; ++j)
          seen[inputs[i].attribute[a] * labels + static_cast<std::size_t>(label) * states + j] = true;
    }
  e.first_.reserve(attributes + 1);
  e.first_.push_back(0);
  for (std::size_t a = 0; a < attributes; ++a) {
    for (std::size_t k = 0; k < labels; ++k)
      if (seen[a * labels + k]) e.label_.push_back(static_cast<Index>(k));
    e.first_.push_back(static_cast<Index>(e.label_.size()));
  }
  return e;
}

std::pair<Index, Index> Emissions::pair(Index weight) const {
  if (dense()) return {static_cast<Index>(weight / labels_), static_cast<Index>(weight % labels_)};
  const auto after = std::ranges::upper_bound(first_, weight);
  return {static_cast<Index>(after - first_.begin() - 1), label_[weight]};
}

void Emissions::save(Archive& archive) const {
  archive.header["emissions"] = {{"attributes", attributes_}, {"labels", labels_}, {"observed", !dense()}};
  if (dense()) return;
  archive.arrays["emissions.first"] = first_;
  archive.arrays["emissions.label"] = label_;
}

Emissions Emissions::load(const Archive& archive, std::size_t attributes, std::size_t labels) {
  const auto& header = archive.header.at("emissions");
  Emissions e = all(attributes, labels);
  if (whole_number<std::size_t>(header, "attributes") != attributes ||
      whole_number<std::size_t>(header, "labels") != labels)
    fail("the model's features are not those of its dictionaries: train it again.");
  if (!header.at("observed").get<bool>()) return e;
  e.first_ = archive.get<std::uint32_t>("emissions.first");
  e.label_ = archive.get<std::uint32_t>("emissions.label");
  const bool sound = e.first_.size() == e.attributes_ + 1 && std::ranges::is_sorted(e.first_) &&
                     e.first_.front() == 0 && e.first_.back() == e.label_.size() &&
                     std::ranges::all_of(e.label_, [&](Index k) { return k < e.labels_; });
  if (!sound) fail("the model's table of observed features is damaged: train it again.");
  return e;
}

}  // namespace hinge
