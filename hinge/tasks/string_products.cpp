#include "hinge/tasks/string_products.h"

#include <algorithm>
#include <cmath>

namespace hinge {
namespace {

double in_common(const StringKernel& kernel, std::string_view s, std::string_view t) {
  return std::visit([&](const auto& own) { return own.common(s, t); }, kernel);
}

void save_strings(const std::vector<std::string>& strings, Archive& archive) {
  std::vector<std::uint8_t> letters;
  std::vector<Index> begin = {0};
  for (const std::string& string : strings) {
    letters.insert(letters.end(), string.begin(), string.end());
    begin.push_back(static_cast<Index>(letters.size()));
  }
  archive.arrays["kernel_letters"] = std::move(letters);
  archive.arrays["kernel_letters_begin"] = std::move(begin);
}

std::vector<std::string> load_strings(const Archive& archive) {
  const auto& letters = archive.get<std::uint8_t>("kernel_letters");
  const auto& begin = archive.get<Index>("kernel_letters_begin");
  if (begin.size() < 2 || begin.front() != 0 || begin.back() != letters.size() ||
      !std::ranges::is_sorted(begin))
    refuse_saved_strings();
  std::vector<std::string> strings;
  for (std::size_t a = 0; a + 1 < begin.size(); ++a)
    strings.emplace_back(letters.begin() + begin[a], letters.begin() + begin[a + 1]);
  return strings;
}

}  // namespace

StringProducts::StringProducts(std::vector<std::string> strings, const InputKernel& options, double bias)
    : kernel_(string_kernel(options)), strings_(std::move(strings)), added_(bias * bias) {
  require_strings_to_compare(strings_, options);
  measure();
  if (std::ranges::all_of(own_, [](double own) { return own == 0; })) refuse_short_strings(options);
}

void StringProducts::measure() {
  for (const std::string& string : strings_) own_.push_back(in_common(kernel_, string, string));
}

void StringProducts::products(const SparseRow& x, std::span<double> out) const {
  const std::string string = string_of(x);
  const double own = in_common(kernel_, string, string);
  for (std::size_t a = 0; a < out.size(); ++a)
    out[a] = share_in_common(in_common(kernel_, strings_[a], string), own_[a], own) + added_;
}

double StringProducts::product_with_itself(const SparseRow& x) const {
  const std::string string = string_of(x);
  const double own = in_common(kernel_, string, string);
  return share_in_common(own, own, own) + added_;
}

void StringProducts::save(Archive& archive) const {
  save_string_kernel(kernel_, 0, archive);
  save_strings(strings_, archive);
  archive.arrays["kernel_letters_added"] = std::vector<double>{added_};
}

StringProducts::StringProducts(const Archive& archive)
    : kernel_(load_string_kernel(archive)), strings_(load_strings(archive)), added_(0) {
  const auto& added = archive.get<double>("kernel_letters_added");
  if (added.size() != 1 || !std::isfinite(added[0])) refuse_saved_strings();
  added_ = added[0];
  measure();
}

void StringProducts::leave_out(std::size_t states, Archive& archive, Vector& weights) const {
  const std::vector<std::string> needed = kept(keep_weighed(states, weights), strings_);
  save_strings(needed, archive);
  number_features(archive, needed.size());
}

}  // namespace hinge
