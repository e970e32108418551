#include "hinge/tasks/fold/energies.h"

#include <algorithm>
#include <cmath>

#include "hinge/tasks/fold/records.h"

namespace hinge {
namespace {

constexpr std::size_t kPairTypes = FoldTables::kTypes, kPairClasses = FoldTables::kClasses,
                      kLoopWidth = FoldTables::kLengths;
// Where the types AU, UA, CG, GC, GU, UG and the letters A, C, G, U and any other stand in the file.
constexpr std::size_t kFileType[] = {4, 5, 0, 1, 2, 3}, kFileLetter[] = {1, 2, 3, 4, 0};

// The class of a pair around another.
std::size_t class_around(std::size_t outer, std::size_t inner) {
  constexpr std::size_t letters[][2] = {{0, 3}, {3, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2}};
  return outer * 25 + letters[inner][0] * 5 + letters[inner][1];
}

// A pair with the letters beside it, or a class that says so.
struct Beside {
  std::size_t type, first, second;

  Beside(std::size_t t, std::size_t a, std::size_t b) : type(t), first(a), second(b) {}
  explicit Beside(std::size_t c) : Beside(c / 25, c / 5 % 5, c % 5) {}
  std::size_t own_class() const { return type * 25 + first * 5 + second; }
};

// Energies by what they are energies of.
class EnergyTables {
 public:
  explicit EnergyTables(const EnergyFile& file)
      : file_(file), hairpin(file["hairpin"]), bulge(file["bulge"]), interior(file["interior"]) {
    const std::vector<double>&multi = file["ML_params"], &uneven = file["NINIO"], &misc = file["Misc"];
    multi_letter = multi[0];
    multi_close = multi[2];
    multi_branch = multi[4];
    per_uneven = uneven[0];
    most_uneven = uneven[2];
    weak_end = misc[2];
    long_loops = misc[4];
  }

  // Of a helix that ends with A and U or G and U.
  double end(std::size_t type) const { return type == 2 || type == 3 ? 0 : weak_end; }
  // The inner pair read from outside, as the outer one is.
  double stack(std::size_t outer, std::size_t inner) const {
    return file_["stack"][kFileType[outer] * 7 + kFileType[inner ^ 1]];
  }
  double mismatch(const char* section, const Beside& p) const {
    return of(section, (kFileType[p.type] * 5 + kFileLetter[p.first]) * 5 + kFileLetter[p.second]);
  }
  double dangle(const char* section, std::size_t type, std::size_t letter) const {
    return of(section, kFileType[type] * 5 + kFileLetter[letter]);
  }
  // Letters that touch a helix outside never cost anything.
  double touching(const char* section, const Beside& p) const { return std::min(0.0, mismatch(section, p)); }
  double loop(std::size_t a, std::size_t b) const {
    const double uneven = static_cast<double>(std::max(a, b) - std::min(a, b));
    return std::min(a, b) == 0 ? bulge[a + b] : interior[a + b] + std::min(most_uneven, uneven * per_uneven);
  }
  bool has(const char* section) const { return !file_[section].empty(); }
  double one_one(const Beside& outer, std::size_t inner) const {
    return file_["int11"]
                [((kFileType[outer.type] * 7 + kFileType[inner ^ 1]) * 5 + kFileLetter[outer.first]) * 5 +
                 kFileLetter[outer.second]];
  }
  double one_two(const Beside& outer, std::size_t inner, std::size_t letter) const {
    return file_["int21"]
                [(((kFileType[outer.type] * 7 + kFileType[inner ^ 1]) * 5 + kFileLetter[outer.first]) * 5 +
                  kFileLetter[letter]) *
                     5 +
                 kFileLetter[outer.second]];
  }
  // The worst of all letters that one may be which is none of A, C, G, U.
  double two_two(const Beside& outer, const Beside& inner) const {
    double worst = -EnergyFile::kNever;
    const auto any = [](std::size_t letter) { return letter < 4 ? letter : 0; };
    const auto last = [](std::size_t letter) { return letter < 4 ? letter : 3; };
    for (std::size_t a = any(outer.first); a <= last(outer.first); ++a)
      for (std::size_t p = any(inner.first); p <= last(inner.first); ++p)
        for (std::size_t q = any(inner.second); q <= last(inner.second); ++q)
          for (std::size_t b = any(outer.second); b <= last(outer.second); ++b)
            worst = std::max(
                worst,
                file_["int22"]
                     [((((kFileType[outer.type] * 6 + kFileType[inner.type ^ 1]) * 4 + a) * 4 + p) * 4 + q) *
                          4 +
                      b]);
    return worst;
  }

 private:
  double of(const char* section, std::size_t place) const {
    const std::vector<double>& numbers = file_[section];
    return numbers.empty() ? 0 : numbers[place];
  }
  const EnergyFile& file_;

 public:
  const std::vector<double>&hairpin, &bulge, &interior;
  double multi_letter, multi_close, multi_branch, per_uneven, most_uneven, weak_end, long_loops;
};

double energy_score(double energy) { return -energy / 100 / FoldEnergies::kT; }

// Scores of a class, by what is inside (first and second behind and before the pair's letters) and by what is outside.
void add_class(const EnergyTables& e, std::size_t c, FoldTables& t) {
  const Beside p(c), from_within(FoldSpecials::flipped(c));
  t.hairpin[c] = energy_score(e.mismatch("mismatch_hairpin", p));
  const auto both = [&](std::size_t kind, const auto& energy) {
    t.outer[kind * kPairClasses + c] = energy_score(energy(p));
    t.inner[kind * kPairClasses + c] = energy_score(energy(from_within));
  };
  both(FoldTables::kWide, [&](const Beside& own) { return e.mismatch("mismatch_interior", own); });
  both(FoldTables::kThin, [&](const Beside& own) { return e.mismatch("mismatch_interior_1n", own); });
  both(FoldTables::kBulge, [&](const Beside& own) { return e.end(own.type); });
  t.close[c] = energy_score(e.multi_close + e.multi_branch + e.touching("mismatch_multi", from_within) +
                            e.end(p.type));
  t.branch[c] = energy_score(e.multi_branch + e.touching("mismatch_multi", p) + e.end(p.type));
  // Where a sequence ends, one letter touches alone.
  const bool before = p.first < 4, behind = p.second < 4;
  const double touching = before && behind ? e.touching("mismatch_exterior", p)
                          : before         ? std::min(0.0, e.dangle("dangle5", p.type, p.first))
                          : behind         ? std::min(0.0, e.dangle("dangle3", p.type, p.second))
                                           : 0;
  t.exterior[c] = energy_score(touching + e.end(p.type));
}

// Amounts beyond the sum of parts.
void add_specials(const EnergyTables& e, const FoldTables& t, FoldSpecials& special) {
  const auto beyond = [&](double energy, std::size_t kind, std::size_t in, std::size_t out, std::size_t a,
                          std::size_t b) {
    return energy_score(energy) - t.outer[kind * kPairClasses + in] - t.inner[kind * kPairClasses + out] -
           t.loop[a * kLoopWidth + b];
  };
  for (std::size_t c = 0; c < kPairClasses; ++c) {
    const Beside p(c), from_within(FoldSpecials::flipped(c));
    special.three[c] = energy_score(e.end(p.type)) - t.hairpin[c];
    if (e.has("mismatch_interior_23")) {
      special.two_three_outer[c] = energy_score(e.mismatch("mismatch_interior_23", p)) - t.outer[c];
      special.two_three_inner[c] = energy_score(e.mismatch("mismatch_interior_23", from_within)) - t.inner[c];
    }
    for (std::size_t inner = 0; inner < kPairTypes; ++inner) {
      if (e.has("int11"))
        special.one_one[c * kPairTypes + inner] = beyond(e.one_one(p, inner), FoldTables::kThin, c,
                                                         Beside(inner, p.first, p.second).own_class(), 1, 1);
      for (std::size_t letter = 0; letter < 5 && e.has("int21"); ++letter)
        special.one_two[(c * kPairTypes + inner) * 5 + letter] =
            beyond(e.one_two(p, inner, letter), FoldTables::kThin, c,
                   Beside(inner, p.first, letter).own_class(), 1, 2);
    }
    for (std::size_t out = 0; out < kPairClasses && e.has("int22"); ++out)
      special.two_two[c * kPairClasses + out] =
          beyond(e.two_two(p, Beside(out)), FoldTables::kWide, c, out, 2, 2);
  }
}

}  // namespace

FoldEnergies::FoldEnergies(EnergyFile from) : file(std::move(from)) {
  const EnergyTables e(file);
  tables.special = 1;
  FoldScores shapes;  // whose classes are looked up
  for (std::size_t c = 0; c < kPairClasses; ++c) add_class(e, c, tables);
  for (std::size_t outer = 0; outer < kPairTypes; ++outer)
    for (std::size_t inner = 0; inner < kPairTypes; ++inner) {
      const double stack = e.stack(outer, inner);
      tables.stack[class_around(outer, inner)] = energy_score(stack);
      tables.bulge_stack[outer * kPairTypes + inner] = energy_score(stack - e.end(outer) - e.end(inner));
    }
  for (std::size_t letters = FoldScores::kShortest; letters < kLoopWidth; ++letters)
    tables.hairpin_length[letters] = energy_score(e.hairpin[letters]);
  for (std::size_t a = 0; a < kLoopWidth; ++a)
    for (std::size_t b = 0; a + b < kLoopWidth; ++b)
      if (a + b > 0) tables.loop[a * kLoopWidth + b] = energy_score(e.loop(a, b));
  tables.multi_letter = energy_score(e.multi_letter);
  add_specials(e, tables, specials);
  specials.long_hairpin = energy_score(e.long_loops);
  for (const auto& [letters, energy] : file.hairpins()) {
    std::vector<std::uint8_t> own;
    for (const char letter : letters) own.push_back(rna_letter(letter));
    shapes.shape(own, 0);
    const std::size_t last = own.size() - 1;
    if (shapes.in(0, last) == FoldScores::kNoPair) continue;  // never asked for
    specials.hairpins.emplace_back(
        FoldSpecials::code(own),
        energy_score(energy) - tables.hairpin[shapes.in(0, last)] - tables.hairpin_length[own.size() - 2]);
  }
  std::ranges::sort(specials.hairpins);
  specials.measure();
}

}  // namespace hinge
