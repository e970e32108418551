#include "hinge/tasks/fold/energy_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

struct EnergySection {
  const char* name;
  std::size_t numbers;
  bool needed;
};
constexpr EnergySection kEnergySections[] = {
    {"stack", 49, true},
    {"hairpin", 31, true},
    {"bulge", 31, true},
    {"interior", 31, true},
    {"ML_params", 6, true},
    {"NINIO", 3, true},
    {"Misc", 6, true},
    {"mismatch_hairpin", 175, false},
    {"mismatch_interior", 175, false},
    {"mismatch_interior_1n", 175, false},
    {"mismatch_interior_23", 175, false},
    {"mismatch_multi", 175, false},
    {"mismatch_exterior", 175, false},
    {"dangle5", 35, false},
    {"dangle3", 35, false},
    {"int11", 1225, false},
    {"int21", 6125, false},
    {"int22", 9216, false},
};
constexpr std::size_t kMisc = 4;  // before the factor of long loops was among them
constexpr double kLongLoops = 107.856, kMostEnergy = 1e5;

const EnergySection* section_named(const std::string& name) {
  const auto* found =
      std::ranges::find_if(kEnergySections, [&](const EnergySection& s) { return name == s.name; });
  return found == std::end(kEnergySections) ? nullptr : found;
}

// Letters of a hairpin with its pair, by the name of the section that lists such; 0 where none does.
std::size_t listed_letters(const std::string& section) {
  return section == "Triloops" ? 5 : section == "Tetraloops" ? 6 : section == "Hexaloops" ? 8 : 0;
}

}  // namespace

class EnergyReader {
 public:
  explicit EnergyReader(const std::string& path) : lines_(path) {}

  EnergyFile read() {
    std::string_view line;
    if (!lines_.next(line) || line.find("parameter file v2.0") == std::string_view::npos)
      fail_at(lines_.file(), 1,
              "does not begin with '## RNAfold parameter file v2.0': give energies in that version.");
    while (lines_.next(line)) {
      const std::string text = without_comments(line);
      split_fields<' ', '\t', '\r'>(text, fields_);
      if (fields_.empty()) continue;
      if (fields_[0].starts_with('#'))
        begin_section();
      else if (listed_letters(name_) > 0)
        take_hairpin();
      else if (wanted_ > 0)
        take_numbers();
    }
    end_section();
    for (const EnergySection& section : kEnergySections)
      if (section.needed && !file_.sections_.contains(section.name))
        fail_at(lines_.file(), 0, "has no section '# {}': add it.", section.name);
    return std::move(file_);
  }

 private:
  // A comment may go on over lines.
  std::string without_comments(std::string_view line) {
    std::string text;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t next = line.find(inside_comment_ ? "*/" : "/*", at);
      if (!inside_comment_) text += line.substr(at, next - at);
      if (next == std::string_view::npos) break;
      text += ' ';
      inside_comment_ = !inside_comment_;
      at = next + 2;
    }
    return text;
  }

  void begin_section() {
    end_section();
    name_ = fields_.size() > 1 ? fields_[1] : fields_[0].substr(1);
    if (const std::size_t at = name_.find("internal"); at != std::string::npos)
      name_.replace(at, 8, "interior");
    const EnergySection* section = section_named(name_);
    wanted_ = section == nullptr ? 0 : section->numbers;
    begin_ = lines_.line();
    const bool ignored = name_ == "END" || name_.ends_with("_enthalpies");
    if (wanted_ == 0 && !ignored && listed_letters(name_) == 0)
      fail_at(lines_.file(), begin_,
              "'{}' is no section of energies: check how it is written, or leave it out.", name_);
    if (wanted_ > 0 && !file_.sections_.try_emplace(name_).second)
      fail_at(lines_.file(), begin_, "the section '{}' stands there twice: leave one out.", name_);
  }

  void end_section() {
    if (wanted_ == 0) return;
    std::vector<double>& numbers = file_.sections_.at(name_);
    if (name_ == "Misc" && numbers.size() == kMisc) numbers.insert(numbers.end(), {kLongLoops, 0});
    if (numbers.size() != wanted_)
      fail_at(lines_.file(), begin_, "the section '{}' has {}, where {} belong: add or leave out some.",
              name_, counted(numbers.size(), "number"), wanted_);
  }

  void take_numbers() {
    for (const std::string_view field : fields_) file_.sections_.at(name_).push_back(number(field));
  }

  void take_hairpin() {
    const std::size_t letters = listed_letters(name_);
    if (fields_.size() < 2 || fields_[0].size() != letters ||
        fields_[0].find_first_not_of("ACGU") != std::string_view::npos)
      fail_at(lines_.file(), lines_.line(),
              "is no hairpin of '{}': write its {} letters A, C, G or U, the pair included, and its energy.",
              name_, letters);
    file_.hairpins_[std::string(fields_[0])] = number(fields_[1]);
  }

  double number(std::string_view field) const {
    double value = 0;
    if (field == "INF") return EnergyFile::kNever;
    if (field == "DEF") return -50;
    if (field == "NST") return 0;
    if (field == "*")
      fail_at(lines_.file(), lines_.line(),
              "has '*', which leaves a number as it was, and there was none: write the number.");
    if (!parse_number(field, value) || value < -kMostEnergy || value > kMostEnergy)
      fail_at(lines_.file(), lines_.line(),
              "has '{}' where an energy belongs: write a number of 0.01 kcal/mol, INF, DEF or NST.", field);
    return value;
  }

  LineReader lines_;
  std::vector<std::string_view> fields_;
  EnergyFile file_;
  std::string name_;
  std::size_t wanted_ = 0;  // numbers of the section; 0: it has none, or is not used
  std::size_t begin_ = 0;
  bool inside_comment_ = false;
};

EnergyFile EnergyFile::read(const std::string& path) { return EnergyReader(path).read(); }

EnergyFile::EnergyFile(const Archive& archive) {
  const nlohmann::json& header = archive.header.at("energies");
  for (const auto& [name, numbers] : header.at("sections").items()) {
    const EnergySection* section = section_named(name);
    sections_[name] = numbers.get<std::vector<double>>();
    if (section == nullptr || sections_[name].size() != section->numbers)
      fail("the model's energies are damaged in '{}': train it again.", name);
  }
  hairpins_ = header.at("hairpins").get<std::map<std::string, double>>();
  for (const auto& [letters, energy] : hairpins_)
    if ((letters.size() != 5 && letters.size() != 6 && letters.size() != 8) ||
        letters.find_first_not_of("ACGU") != std::string::npos)
      fail("the model's energies are damaged in the hairpin '{}': train it again.", letters);
  for (const EnergySection& section : kEnergySections)
    if (section.needed && !sections_.contains(section.name))
      fail("the model's energies lack '{}': train it again.", section.name);
}

void EnergyFile::save(Archive& archive) const {
  archive.header["energies"] = {{"sections", sections_}, {"hairpins", hairpins_}};
}

const std::vector<double>& EnergyFile::operator[](const std::string& section) const {
  static const std::vector<double> none;
  const auto found = sections_.find(section);
  return found == sections_.end() ? none : found->second;
}

}  // namespace hinge
