#include "hinge/tasks/motif/alphabet.h"

#include <cctype>

namespace hinge {

Alphabet::Alphabet(std::string name, std::string letters, std::vector<Code> codes)
    : name_(std::move(name)), letters_(std::move(letters)) {
  symbol_.fill(kNone);
  const auto place = [&](char c, Symbol s) {
    symbol_[static_cast<unsigned char>(c)] = s;
    symbol_[static_cast<unsigned char>(std::tolower(c))] = s;
  };
  for (const char c : letters_) {
    place(c, static_cast<Symbol>(meanings_.size()));
    meanings_.push_back({static_cast<Symbol>(meanings_.size())});
  }
  for (const auto& [c, meant] : codes) {
    if (meant.size() == 1) {
      place(c, symbol(meant.front()));
      continue;
    }
    place(c, static_cast<Symbol>(meanings_.size()));
    std::vector<Symbol>& list = meanings_.emplace_back();
    for (const char letter : meant) list.push_back(symbol(letter));
  }
}

const Alphabet& Alphabet::dna() {
  static const Alphabet alphabet("dna", "ACGT",
                                 {{'U', "T"},
                                  {'R', "AG"},
                                  {'Y', "CT"},
                                  {'S', "CG"},
                                  {'W', "AT"},
                                  {'K', "GT"},
                                  {'M', "AC"},
                                  {'B', "CGT"},
                                  {'D', "AGT"},
                                  {'H', "ACT"},
                                  {'V', "ACG"},
                                  {'N', "ACGT"}});
  return alphabet;
}

const Alphabet& Alphabet::protein() {
  static constexpr std::string_view all = "ACDEFGHIKLMNPQRSTVWY";
  // Selenocysteine (U) and pyrrolysine (O) are too rare for columns of their own.
  static const Alphabet alphabet("protein", std::string(all),
                                 {{'B', "DN"}, {'Z', "EQ"}, {'J', "IL"}, {'X', all}, {'U', all}, {'O', all}});
  return alphabet;
}

const Alphabet& Alphabet::named(const std::string& name) { return name == "protein" ? protein() : dna(); }

}  // namespace hinge
