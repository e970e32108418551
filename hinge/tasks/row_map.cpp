#include "hinge/tasks/row_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "hinge/core/kernels.h"
#include "hinge/core/random.h"
#include "hinge/core/workspace.h"
#include "hinge/tasks/feature_set.h"
#include "hinge/tasks/mapped_rows.h"

namespace hinge {
namespace {

constexpr double kTolerance = 1e-6;  // of the kernel's largest value: mapped rows are floats
constexpr const char kNoFeature[] = "no row has a feature that the kernel could compare: add some.";
constexpr std::size_t kMostCells = std::size_t{1} << 30;  // of rows x features, and features x waves

// 1 / (features · variance of all values, zeros too); 1 where they do not vary.
double usual_gamma(std::span<const RowMap::View> rows, std::size_t features) {
  double sum = 0, squares = 0;
  for (const RowMap::View& x : rows)
    for (const float v : x.row->value) {
      sum += static_cast<double>(v);
      squares += static_cast<double>(v) * static_cast<double>(v);
    }
  const double count = static_cast<double>(rows.size()) * static_cast<double>(features), mean = sum / count;
  const double variance = squares / count - mean * mean;
  return variance > 0 ? 1 / (static_cast<double>(features) * variance) : 1;
}

}  // namespace

bool KernelOptions::any() const {
  const KernelOptions usual;
  if (kernel == "none" && *this != usual)
    fail("options of a kernel were given, but no `kernel`: give one too, or leave them out.");
  if (kernel == "linear" && gamma != usual.gamma)
    fail("`kernel_gamma` belongs to polynomial and rbf kernels, and `kernel` is linear: leave it out.");
  for (const auto& [name, given] :
       {std::pair("kernel_degree", degree != usual.degree), {"kernel_offset", offset != usual.offset}})
    if (given && kernel != "polynomial")
      fail("`{}` belongs to the polynomial kernel, and `kernel` is {}: leave it out.", name, kernel);
  if (map == "greedy" && seed != usual.seed)
    fail(
        "`kernel_seed` belongs to what is drawn, and `kernel_map` greedy draws nothing: use nystroem or "
        "fourier, or leave it out.");
  if (map == "none" && (size != usual.size || seed != usual.seed))
    fail("`kernel_size` and `kernel_seed` belong to maps, and `kernel_map` is none: leave them out.");
  if (map != "none" && memory != usual.memory)
    fail("`kernel_memory` belongs to `kernel_map` none, and that is {}: leave it out.", map);
  return kernel != "none";
}

void KernelOptions::require_map() const {
  if (map == "none")
    fail(
        "`kernel_map` none serves margins of multiclass, taxonomy and binary: use greedy, whose optimum is "
        "the same.");
}

RowMap::RowMap(std::span<const View> rows, std::size_t features, const KernelOptions& options, double bias)
    : kernel_(options.kernel == "rbf"          ? Kernel::rbf
              : options.kernel == "polynomial" ? Kernel::polynomial
                                               : Kernel::linear),
      gamma_(options.gamma > 0 ? options.gamma : usual_gamma(rows, features)),
      degree_(options.degree),
      offset_(options.offset) {
  const auto size = static_cast<std::size_t>(options.size);
  if (options.map == "none") {
    none_ = true;
    added_ = bias * bias;
    for (const View& x : rows) require_finite(product_with_itself(x));
    sort_landmarks(rows, features);
    return;
  }
  if (options.map != "fourier") {
    choose(rows, features, options);
    return;
  }
  if (kernel_ != Kernel::rbf)
    fail("`kernel_map` fourier makes waves of the rbf kernel, and `kernel` is {}: use greedy or nystroem.",
         options.kernel);
  if (features == 0) fail(kNoFeature);
  if (features > kMostCells / size)
    fail("{} features x {} waves are more than {}: lower `kernel_size`, or use landmarks.", features, size,
         kMostCells);
  draw_waves(features, size, options.seed);
}

double RowMap::value(double product, double norm, double other) const {
  if (kernel_ == Kernel::linear) return product;
  if (kernel_ == Kernel::polynomial) {
    const double base = gamma_ * product + offset_;
    double power = base;
    for (int k = 1; k < static_cast<int>(degree_); ++k) power *= base;
    return power;
  }
  return std::exp(-gamma_ * std::max(0.0, norm + other - 2 * product));
}

void RowMap::require_finite(double own) const {
  if (!std::isfinite(own))
    fail(
        "the kernel of a row with itself is {}, beyond what numbers hold: scale the features, or lower "
        "`kernel_gamma` or `kernel_degree`.",
        own);
}

void RowMap::choose(std::span<const View> rows, std::size_t features, const KernelOptions& options) {
  std::vector<View> candidates(rows.begin(), rows.end());
  std::size_t size = std::min(static_cast<std::size_t>(options.size), rows.size());
  if (options.map == "nystroem") {
    Random(options.seed).shuffle(candidates);
    candidates.resize(size);
  }
  if (candidates.size() > kMostCells / size)
    fail(
        "{} rows x {} landmarks are more than {}: lower `kernel_size`, or draw them (`kernel_map` nystroem).",
        candidates.size(), size, kMostCells);
  Vector diagonal, dense(features);
  for (const View& x : candidates) diagonal.push_back(value(x.squared_norm, x.squared_norm, x.squared_norm));
  for (const double own : diagonal) require_finite(own);
  const double largest = diagonal.empty() ? 0 : *std::ranges::max_element(diagonal);
  factor_ = choose_landmarks(
      diagonal,
      [&](std::size_t i, std::span<double> out) {
        const SparseRow& pivot = *candidates[i].row;
        for (std::size_t k = 0; k < pivot.index.size(); ++k)
          dense[pivot.index[k]] = static_cast<double>(pivot.value[k]);
        for (std::size_t j = 0; j < out.size(); ++j) {
          const SparseRow& other = *candidates[j].row;
          out[j] = value(
              kernels::sparse_dot(other.index.data(), other.value.data(), other.index.size(), dense.data()),
              candidates[i].squared_norm, candidates[j].squared_norm);
        }
        for (const Index k : pivot.index) dense[k] = 0;
      },
      size, kTolerance * largest);
  if (factor_.size() == 0) fail(kNoFeature);
  std::vector<View> landmarks;
  for (const std::size_t pivot : factor_.pivots) landmarks.push_back(candidates[pivot]);
  sort_landmarks(landmarks, features);
  rest_ = factor_.rest / largest;
  if (options.map == "nystroem")  // what is drawn says nothing of the others
    for (const View& x : rows) {
      const SparseRow mapped = (*this)(x);
      const double left = std::transform_reduce(
          mapped.value.begin(), mapped.value.end(), value(x.squared_norm, x.squared_norm, x.squared_norm),
          std::minus<>(), [](float v) { return static_cast<double>(v) * static_cast<double>(v); });
      rest_ = std::max(rest_, left / largest);
    }
}

void RowMap::sort_landmarks(std::span<const View> landmarks, std::size_t features) {
  start_.assign(features + 1, 0);
  for (const View& z : landmarks) {
    squared_norm_.push_back(z.squared_norm);
    for (const Index j : z.row->index) ++start_[j + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  landmark_.resize(start_.back());
  value_.resize(start_.back());
  std::vector<Index> place(start_.begin(), start_.end() - 1);
  for (std::size_t a = 0; a < landmarks.size(); ++a)
    for (std::size_t k = 0; k < landmarks[a].row->index.size(); ++k) {
      const Index at = place[landmarks[a].row->index[k]]++;
      landmark_[at] = static_cast<Index>(a);
      value_[at] = landmarks[a].row->value[k];
    }
  fill_dense();
}

// Sums over rows that are mostly full are faster with their zeros.
void RowMap::fill_dense() {
  constexpr std::size_t kMostDense = std::size_t{1} << 26;
  const std::size_t features = start_.size() - 1, r = squared_norm_.size();
  if (features == 0 || features > kMostDense / r || landmark_.size() < features * r / 8) return;
  dense_.resize(features * r);
  for (std::size_t j = 0; j < features; ++j)
    for (Index at = start_[j]; at < start_[j + 1]; ++at)
      dense_[j * r + landmark_[at]] = static_cast<double>(value_[at]);
}

void RowMap::products(const View& x, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  const std::size_t features = start_.size() - 1, r = out.size();
  std::size_t known = x.row->index.size();  // a feature beyond is one that training never saw
  while (known > 0 && x.row->index[known - 1] >= features) --known;
  if (!dense_.empty())
    kernels::add_rows(out.data(), r, x.row->index.data(), x.row->value.data(), known, dense_.data());
  else
    for (std::size_t k = 0; k < known; ++k) {
      const auto v = static_cast<double>(x.row->value[k]);
      for (Index at = start_[x.row->index[k]]; at < start_[x.row->index[k] + 1]; ++at)
        out[landmark_[at]] += v * static_cast<double>(value_[at]);
    }
  if (kernel_ == Kernel::rbf) {
    for (std::size_t a = 0; a < r; ++a)
      out[a] = std::max(0.0, x.squared_norm + squared_norm_[a] - 2 * out[a]);
    const std::size_t whole = r / kernels::kLane * kernels::kLane;
    kernels::exponential(out.data(), out.data(), whole, 0, -gamma_);
    for (std::size_t a = whole; a < r; ++a) out[a] = std::exp(-gamma_ * out[a]);
  } else {
    for (double& v : out) v = value(v, 0, 0);
  }
  for (double& v : out) v += added_;
}

void RowMap::products(const SparseRow& x, std::span<double> out) const {
  products(View{&x, squared_norm(x)}, out);
}

double RowMap::product_with_itself(const SparseRow& x) const {
  return product_with_itself(View{&x, squared_norm(x)});
}

void RowMap::draw_waves(std::size_t features, std::size_t size, std::uint64_t seed) {
  Random random(seed_ = seed);
  const double width = std::sqrt(2 * gamma_);
  waves_.resize(features * size);
  for (double& w : waves_) w = width * random.normal();
  phase_.resize(size);
  for (double& b : phase_) b = 2 * std::numbers::pi * random.uniform();
}

SparseRow RowMap::operator()(const View& x) const {
  Vector& out = scratch<Vector, struct RowMapValues>();
  if (!waves_.empty()) {
    out = phase_;
    kernels::add_rows(out.data(), size(), x.row->index.data(), x.row->value.data(), x.row->index.size(),
                      waves_.data());
    const double scale = std::sqrt(2 / static_cast<double>(size()));
    for (double& v : out) v = scale * std::cos(v);
  } else {
    out.resize(size());
    products(x, out);
    if (!none_) factor_.solve(out);
  }
  SparseRow mapped;
  mapped.index.resize(out.size());
  std::iota(mapped.index.begin(), mapped.index.end(), Index{0});
  mapped.value.assign(out.begin(), out.end());
  return mapped;
}

void RowMap::save(Archive& archive) const {
  archive.arrays["kernel"] = std::vector<double>{static_cast<double>(kernel_),
                                                 gamma_,
                                                 degree_,
                                                 offset_,
                                                 rest_,
                                                 static_cast<double>(waves_.empty() ? 0 : size())};
  if (none_) archive.arrays["kernel_added"] = std::vector<double>{added_};
  archive.arrays["kernel_seed"] = std::vector<std::int64_t>{static_cast<std::int64_t>(seed_)};
  if (!waves_.empty()) return;
  archive.arrays["kernel_start"] = start_;
  archive.arrays["kernel_landmark"] = landmark_;
  archive.arrays["kernel_value"] = value_;
  archive.arrays["kernel_norm"] = std::vector<double>(squared_norm_.begin(), squared_norm_.end());
  archive.arrays["kernel_triangle"] = factor_.triangle;
}

RowMap::RowMap(const Archive& archive, std::size_t features) {
  const auto damaged = [] { fail("the model's kernel does not fit together: train the model again."); };
  const auto& numbers = archive.get<double>("kernel");
  const auto& seed = archive.get<std::int64_t>("kernel_seed");
  if (numbers.size() != 6 || seed.size() != 1 || !(numbers[0] >= 0 && numbers[0] <= 2)) damaged();
  kernel_ = static_cast<Kernel>(static_cast<int>(numbers[0]));
  gamma_ = numbers[1], degree_ = numbers[2], offset_ = numbers[3], rest_ = numbers[4];
  if (!(numbers[5] >= 0 && numbers[5] <= 1e9)) damaged();
  if (const auto size = static_cast<std::size_t>(numbers[5]); size > 0) {
    if (features == 0 || features > kMostCells / size) damaged();
    draw_waves(features, size, static_cast<std::uint64_t>(seed[0]));
    return;
  }
  start_ = archive.get<Index>("kernel_start");
  landmark_ = archive.get<Index>("kernel_landmark");
  value_ = archive.get<float>("kernel_value");
  const auto& norms = archive.get<double>("kernel_norm");
  squared_norm_.assign(norms.begin(), norms.end());
  factor_.triangle = archive.get<double>("kernel_triangle");
  const std::size_t r = norms.size();
  if (archive.arrays.contains("kernel_added")) {
    const auto& added = archive.get<double>("kernel_added");
    if (added.size() != 1 || !factor_.triangle.empty()) damaged();
    none_ = true;
    added_ = added[0];
  }
  if (r == 0 || start_.size() != features + 1 || start_[0] != 0 || !std::ranges::is_sorted(start_) ||
      start_.back() != landmark_.size() || landmark_.size() != value_.size() ||
      (!none_ && factor_.triangle.size() != r * (r + 1) / 2) ||
      std::ranges::any_of(landmark_, [&](Index a) { return a >= r; }))
    damaged();
  fill_dense();
}

void RowMap::leave_out(std::size_t states, Archive& archive, Vector& weights) const {
  const std::vector<bool> kept = keep_weighed(states, weights);
  std::vector<Index> place(kept.size(), FeatureSet::kNone);
  std::vector<double> norms;
  for (std::size_t a = 0; a < kept.size(); ++a) {
    if (!kept[a]) continue;
    place[a] = static_cast<Index>(norms.size());
    norms.push_back(archive.get<double>("kernel_norm")[a]);
  }
  const std::vector<Index> start = archive.get<Index>("kernel_start"),
                           landmark = archive.get<Index>("kernel_landmark");
  const std::vector<float> value = archive.get<float>("kernel_value");
  std::vector<Index> new_start{0}, new_landmark;
  std::vector<float> new_value;
  for (std::size_t j = 0; j + 1 < start.size(); ++j) {
    for (Index at = start[j]; at < start[j + 1]; ++at)
      if (place[landmark[at]] != FeatureSet::kNone) {
        new_landmark.push_back(place[landmark[at]]);
        new_value.push_back(value[at]);
      }
    new_start.push_back(static_cast<Index>(new_landmark.size()));
  }
  archive.arrays["kernel_start"] = std::move(new_start);
  archive.arrays["kernel_landmark"] = std::move(new_landmark);
  archive.arrays["kernel_value"] = std::move(new_value);
  archive.arrays["kernel_norm"] = std::move(norms);
}

}  // namespace hinge
