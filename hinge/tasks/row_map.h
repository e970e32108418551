// Rows mapped to other rows before a task weighs them, so that a model which is linear in the new ones is a
// kernel machine over the old:
//
//     greedy, nystroem   φ(x) = R⁻¹ (k(z_1, x), …, k(z_r, x)),     R Rᵀ = (k(z_a, z_b)),    z training rows
//     fourier            φ(x) = √(2/r) (cos(<ω_1, x> + b_1), …),   mean of <φ(x), φ(x')> = exp(−γ |x − x'|²)
//     none               (k(z_1, x), …, k(z_n, x)) + bias²,        z all training rows, or those that a model needs
//
//     linear  <x, x'>        polynomial  (γ <x, x'> + offset)^degree        rbf  exp(−γ |x − x'|²)
//
// Landmarks are chosen greedily (core/landmarks.h) or drawn. While greedy has room, products of mapped
// training rows are the kernel itself, and the optimum, which lies in their span, is that of the dual with
// the joint kernel k(x, x') [c = c'] of classes c, whatever the method. Without a map the solver is told that
// these are products (oracle/gram_oracle.h), and weighs the training rows themselves.
#pragma once

#include <optional>

#include "hinge/core/archive.h"
#include "hinge/core/landmarks.h"
#include "hinge/core/options.h"
#include "hinge/core/vector.h"
#include "hinge/tasks/row_products.h"

namespace hinge {

struct KernelOptions {
  std::string kernel = "none";
  double gamma = 0;
  int degree = 3;
  double offset = 1;
  std::string map = "greedy";
  int size = 2000;
  std::uint64_t seed = 1;
  double memory = 500;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("kernel", self.kernel, range::one_of({"none", "linear", "polynomial", "rbf"}),
          "compare rows by this kernel instead of weighing their features");
    visit("kernel_gamma", self.gamma, range::not_negative,
          "gamma of polynomial and rbf kernels; 0: 1 / (features x variance of their values)");
    visit("kernel_degree", self.degree, range::between(1, 20), "degree of the polynomial kernel");
    visit("kernel_offset", self.offset, range::not_negative,
          "what the polynomial kernel adds to the product");
    visit("kernel_map", self.map, range::one_of({"greedy", "nystroem", "fourier", "none"}),
          "how the kernel becomes features: by landmarks that are chosen, as many as it takes, by landmarks "
          "that are drawn, or by random waves (rbf only); none: training rows are weighed themselves "
          "(multiclass, taxonomy, binary)");
    visit("kernel_size", self.size, range::between(1, 100000), "features that the kernel may become");
    visit("kernel_seed", self.seed, range::any, "of the drawn landmarks and waves");
    visit("kernel_memory", self.memory, range::positive,
          "megabytes of products that `kernel_map` none keeps");
  }
  friend bool operator==(const KernelOptions&, const KernelOptions&) = default;
  // Whether there is a kernel. Throws InputError where something is said of another than there is.
  bool any() const;
  // Throws InputError where the map is none, which a task may not serve.
  void require_map() const;
};

class RowMap final : public RowProducts {
 public:
  // A row whose features are numbered from 0; |x|² has those too that were not.
  struct View {
    const SparseRow* row;
    double squared_norm;
  };

  // Of training rows with that many features; `bias` is of `kernel_map` none alone. Throws InputError where options do
  // not go together or the map is too large.
  RowMap(std::span<const View> rows, std::size_t features, const KernelOptions& options, double bias = 0);
  RowMap(const Archive& archive, std::size_t features);
  void save(Archive& archive) const override;
  void leave_out(std::size_t states, Archive& archive, Vector& weights) const override;

  std::size_t size() const override { return waves_.empty() ? squared_norm_.size() : phase_.size(); }
  // Whether its features are products with training rows, which are made where they are weighed.
  bool is_none() const { return none_; }
  // How far products of mapped training rows may be from the kernel, as a share of its largest value; nothing
  // for random waves, of which no bound is known.
  std::optional<double> rest() const { return waves_.empty() ? std::optional(rest_) : std::nullopt; }
  // φ(x), whose features are numbered from 0.
  SparseRow operator()(const View& x) const;
  // The products of x with the rows it was made of, where that is not drawn: k(z_a, x) for all a, and k(x, x).
  void products(const View& x, std::span<double> out) const;
  double product_with_itself(const View& x) const {
    return value(x.squared_norm, x.squared_norm, x.squared_norm) + added_;
  }
  void products(const SparseRow& x, std::span<double> out) const override;
  double product_with_itself(const SparseRow& x) const override;

 private:
  enum class Kernel { linear, polynomial, rbf };
  void require_finite(double own) const;
  double value(double product, double norm, double other) const;
  void choose(std::span<const View> rows, std::size_t features, const KernelOptions& options);
  void draw_waves(std::size_t features, std::size_t size, std::uint64_t seed);
  void sort_landmarks(std::span<const View> landmarks, std::size_t features);
  void fill_dense();

  Kernel kernel_;
  double gamma_, degree_, offset_;
  double rest_ = 0;
  bool none_ = false;
  double added_ = 0;  // to every product
  // Of landmarks: by feature, which of them have it and its value; all of their values, where few are 0; their squared
  // norms; R.
  std::vector<Index> start_, landmark_;
  std::vector<float> value_;
  Vector dense_;
  Vector squared_norm_;
  Landmarks factor_;
  // Of waves: ω by feature, b.
  std::uint64_t seed_ = 0;
  Vector waves_, phase_;
};

}  // namespace hinge
