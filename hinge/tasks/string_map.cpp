#include "hinge/tasks/string_map.h"

#include "hinge/core/string_table.h"

namespace hinge {
namespace {

using Kernel = std::variant<SpectrumKernel, SubsequenceKernel>;

Kernel kernel_of(const InputKernel& options) {
  const auto length = static_cast<std::size_t>(options.length);
  if (options.kernel == "spectrum") return SpectrumKernel{length};
  return SubsequenceKernel{length, options.decay};
}

template <class Made, class Make>
Made visit_kernel(const Kernel& kernel, const Make& make) {
  return std::visit([&](const auto& own) -> Made { return make(own); }, kernel);
}

[[noreturn]] void damaged() { fail("the model's strings do not fit together: train the model again."); }

}  // namespace

StringMap::StringMap(const std::vector<std::string>& strings, const InputKernel& options)
    : features_(visit_kernel<decltype(features_)>(kernel_of(options), [&](const auto& kernel) {
        return KernelFeatures(strings, kernel, static_cast<std::size_t>(options.size));
      })) {
  if (strings.empty())
    fail("`kernel` {} compares strings, and examples are rows: use another.", options.kernel);
  if (size() == 0)
    fail("no string has {} letters to compare: lower `kernel_length`, or give longer ones.", options.length);
}

std::size_t StringMap::size() const {
  return std::visit([](const auto& features) { return features.size(); }, features_);
}

double StringMap::rest() const {
  return std::visit([](const auto& features) { return features.rest(); }, features_);
}

SparseRow StringMap::operator()(const std::string& string) const {
  return std::visit([&](const auto& features) { return features(string); }, features_);
}

void StringMap::save(Archive& archive) const {
  std::visit(
      [&](const auto& features) {
        double decay = 0;
        if constexpr (requires { features.kernel().decay; }) decay = features.kernel().decay;
        archive.arrays["kernel_strings"] =
            std::vector<double>{static_cast<double>(features_.index()),
                                static_cast<double>(features.kernel().length), decay, features.rest()};
        StringTable landmarks;  // each once: another like it would have told nothing new
        for (const std::string& string : features.landmarks()) landmarks.intern(string);
        landmarks.save(archive, "kernel_landmarks");
        archive.arrays["kernel_triangle"] = features.factor().triangle;
      },
      features_);
}

StringMap::StringMap(const Archive& archive)
    : features_([&]() -> decltype(features_) {
        const auto& numbers = archive.get<double>("kernel_strings");
        if (numbers.size() != 4 || !(numbers[0] == 0 || numbers[0] == 1) ||
            !(numbers[1] >= 1 && numbers[1] <= InputKernel::kLongest))
          damaged();
        StringTable table;
        table.load(archive, "kernel_landmarks");
        std::vector<std::string> landmarks;
        for (Index a = 0; a < table.size(); ++a) landmarks.emplace_back(table.text(a));
        Landmarks factor{{}, archive.get<double>("kernel_triangle"), numbers[3]};
        const std::size_t r = landmarks.size();
        if (r == 0 || factor.triangle.size() != r * (r + 1) / 2) damaged();
        const auto length = static_cast<std::size_t>(numbers[1]);
        if (numbers[0] == 0)
          return Features<SpectrumKernel>(SpectrumKernel{length}, std::move(landmarks), std::move(factor));
        return Features<SubsequenceKernel>(SubsequenceKernel{length, numbers[2]}, std::move(landmarks),
                                           std::move(factor));
      }()) {}

}  // namespace hinge
