#include "hinge/tasks/string_map.h"

#include <numeric>

#include "hinge/core/string_table.h"

namespace hinge {
namespace {

template <class Made, class Make>
Made visit_kernel(const StringKernel& kernel, const Make& make) {
  return std::visit([&](const auto& own) -> Made { return make(own); }, kernel);
}

}  // namespace

StringKernel string_kernel(const InputKernel& options) {
  const auto length = static_cast<std::size_t>(options.length);
  if (options.kernel == "spectrum") return SpectrumKernel{length};
  return SubsequenceKernel{length, options.decay};
}

void save_string_kernel(const StringKernel& kernel, double rest, Archive& archive) {
  std::visit(
      [&](const auto& own) {
        double decay = 0;
        if constexpr (requires { own.decay; }) decay = own.decay;
        archive.arrays["kernel_strings"] = std::vector<double>{static_cast<double>(kernel.index()),
                                                               static_cast<double>(own.length), decay, rest};
      },
      kernel);
}

StringKernel load_string_kernel(const Archive& archive) {
  const auto& numbers = archive.get<double>("kernel_strings");
  if (numbers.size() != 4 || !(numbers[0] == 0 || numbers[0] == 1) ||
      !(numbers[1] >= 1 && numbers[1] <= InputKernel::kLongest))
    refuse_saved_strings();
  const auto length = static_cast<std::size_t>(numbers[1]);
  if (numbers[0] == 0) return SpectrumKernel{length};
  return SubsequenceKernel{length, numbers[2]};
}

void require_strings_to_compare(const std::vector<std::string>& strings, const InputKernel& options) {
  if (strings.empty())
    fail("`kernel` {} compares strings, and examples are rows: use another.", options.kernel);
}

void refuse_short_strings(const InputKernel& options) {
  fail("no string has {} letters to compare: lower `kernel_length`, or give longer ones.", options.length);
}

SparseRow letters_of(const std::string& string) {
  SparseRow row;
  for (const char letter : string)
    row.value.push_back(static_cast<float>(static_cast<unsigned char>(letter)));
  row.index.resize(row.value.size());
  std::iota(row.index.begin(), row.index.end(), Index{0});
  return row;
}

std::string string_of(const SparseRow& letters) {
  std::string string;
  for (const float letter : letters.value)
    string.push_back(static_cast<char>(static_cast<unsigned char>(static_cast<int>(letter))));
  return string;
}

void refuse_saved_strings() { fail("the model's strings do not fit together: train the model again."); }

StringMap::StringMap(const std::vector<std::string>& strings, const InputKernel& options)
    : features_(visit_kernel<decltype(features_)>(string_kernel(options), [&](const auto& kernel) {
        return KernelFeatures(strings, kernel, static_cast<std::size_t>(options.size));
      })) {
  require_strings_to_compare(strings, options);
  if (size() == 0) refuse_short_strings(options);
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
        save_string_kernel(features.kernel(), features.rest(), archive);
        StringTable landmarks;  // each once: another like it would have told nothing new
        for (const std::string& string : features.landmarks()) landmarks.intern(string);
        landmarks.save(archive, "kernel_landmarks");
        archive.arrays["kernel_triangle"] = features.factor().triangle;
      },
      features_);
}

StringMap::StringMap(const Archive& archive)
    : features_(visit_kernel<decltype(features_)>(load_string_kernel(archive), [&](const auto& kernel) {
        StringTable table;
        table.load(archive, "kernel_landmarks");
        std::vector<std::string> landmarks;
        for (Index a = 0; a < table.size(); ++a) landmarks.emplace_back(table.text(a));
        Landmarks factor{
            {}, archive.get<double>("kernel_triangle"), archive.get<double>("kernel_strings")[3]};
        const std::size_t r = landmarks.size();
        if (r == 0 || factor.triangle.size() != r * (r + 1) / 2) refuse_saved_strings();
        return KernelFeatures(kernel, std::move(landmarks), std::move(factor));
      })) {}

}  // namespace hinge
