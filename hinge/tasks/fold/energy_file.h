// Reads published energies of RNA loops: a parameter file of ViennaRNA, version 2.0 (".par"). A section is a line "# NAME" and
// numbers behind it, in units of 0.01 kcal/mol; INF is a loop that cannot be, DEF is −50, NST 0. /* … */ is a comment.
//
//     stack 7 · 7                           pairs upon pairs: CG GC GU UG AU UA and any other, the inner one read from within
//     hairpin, bulge, interior 31           by letters, 0 … 30
//     ML_params 6, NINIO 3, Misc 4 or 6     multiloops; uneven loops; ends of helices and hairpins of more than 30 letters
//
// These there must be. The following may be left out, and are 0 then: loops score by their lengths alone.
//
//     mismatch_hairpin, _interior, _interior_1n, _interior_23, _multi, _exterior 7 · 5 · 5     by pair and two letters
//     dangle5, dangle3 7 · 5                by pair and the letter before or behind it; letters are any other, A, C, G, U
//     int11 7 · 7 · 5², int21 7 · 7 · 5³, int22 6 · 6 · 4⁴                                     small loops, by all letters
//     Triloops, Tetraloops, Hexaloops       lines LETTERS ENERGY: all of that hairpin, its pair included
//
// Behind most numbers stands an enthalpy, or a section NAME_enthalpies does: energies here are those at 37 °C, and enthalpies are not used.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hinge/core/archive.h"

namespace hinge {

class EnergyFile {
 public:
  EnergyFile() = default;
  static EnergyFile read(const std::string& path);
  explicit EnergyFile(const Archive& archive);
  void save(Archive& archive) const;

  // The numbers of a section, by its name above; empty where it was left out.
  const std::vector<double>& operator[](const std::string& section) const;
  const std::map<std::string, double>& hairpins() const { return hairpins_; }

  static constexpr double kNever = 5000;  // INF: far more than any loop, yet a number

 private:
  friend class EnergyReader;
  std::map<std::string, std::vector<double>> sections_;
  std::map<std::string, double> hairpins_;  // by their letters
};

}  // namespace hinge
