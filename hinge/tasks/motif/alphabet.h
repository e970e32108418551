// The letters of DNA (ACGT) or protein (the 20 amino acids), and the symbols that stand for several of them:
// IUPAC's codes, such as R for A or G and N for any base. Lower case is the same as upper case, U the same as
// T.
//
// A symbol is a number: letters come first, 0 … size − 1, then what is ambiguous.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

class Alphabet {
 public:
  using Symbol = std::uint8_t;
  static constexpr Symbol kNone = 0xff;

  static const Alphabet& dna();
  static const Alphabet& protein();
  static const Alphabet& named(const std::string& name);  // "dna" or "protein"

  const std::string& name() const { return name_; }
  std::size_t size() const { return letters_.size(); }
  const std::string& letters() const { return letters_; }
  Symbol symbol(char c) const {
    return symbol_[static_cast<unsigned char>(c)];
  }  // kNone: not of the alphabet
  bool ambiguous(Symbol s) const { return s >= letters_.size(); }
  // The letters that a symbol stands for; itself when it is one.
  const std::vector<Symbol>& meanings(Symbol s) const { return meanings_[s]; }
  std::size_t symbols() const { return meanings_.size(); }

  // Only DNA has two strands: A and T, C and G stand opposite each other.
  bool has_strands() const { return letters_.size() == 4; }
  Symbol complement(Symbol letter) const { return static_cast<Symbol>(3 - letter); }

 private:
  struct Code {
    char symbol;
    std::string_view letters;
  };
  Alphabet(std::string name, std::string letters, std::vector<Code> codes);

  std::string name_, letters_;
  std::array<Symbol, 256> symbol_;
  std::vector<std::vector<Symbol>> meanings_;
};

}  // namespace hinge
