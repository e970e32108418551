#include "hinge/tasks/fold/part_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hinge {
namespace {

constexpr std::size_t kLengths = FoldTables::kLengths;
constexpr const char* kTypeNames[] = {"AU", "UA", "CG", "GC", "GU", "UG"};
constexpr char kLetters[] = "ACGU-";

std::size_t reversed(std::size_t type) { return type ^ 1; }

// Names of weights, numbered as they come.
class Names {
 public:
  explicit Names(std::vector<std::string>& names) : names_(names) {}
  Index operator()(const std::string& name) {
    const auto [place, added] = numbers_.try_emplace(name, static_cast<Index>(names_.size()));
    if (added) names_.push_back(name);
    return place->second;
  }

 private:
  std::vector<std::string>& names_;
  std::map<std::string, Index> numbers_;
};

// One pair upon another, read from the end where its name comes first.
std::string two_pairs(const char* what, std::size_t outer, std::size_t inner) {
  const std::string one = fmt::format("{} {} {}", what, kTypeNames[outer], kTypeNames[inner]),
                    other = fmt::format("{} {} {}", what, kTypeNames[reversed(inner)],
                                        kTypeNames[reversed(outer)]);
  return std::min(one, other);
}

// The type of the pair of two letters; −1 where there is none.
int type_of(char a, char b) {
  for (int t = 0; t < 6; ++t)
    if (kTypeNames[t][0] == a && kTypeNames[t][1] == b) return t;
  return -1;
}

}  // namespace

PartWeights::Level PartWeights::level(const std::string& name) {
  return name == "pairs"        ? Level::pairs
         : name == "stacks"     ? Level::stacks
         : name == "loops"      ? Level::loops
         : name == "mismatches" ? Level::mismatches
                                : Level::all;
}

PartWeights::PartWeights(Level level, std::shared_ptr<const FoldEnergies> energies)
    : energies_(std::move(energies)) {
  using List = std::vector<Index>;
  const bool stacks = level >= Level::stacks, loops = level >= Level::loops,
             mismatches = level >= Level::mismatches, dangles = level >= Level::all;
  Names name(names_);
  // Each part's list stands where its number stands in tables of numbers.
  FoldTables numbers;
  double count = 0;
  numbers.for_both(numbers, [&](double& own, double) { own = count++; });
  std::vector<List> lists(static_cast<std::size_t>(count));
  const auto list = [&](double number) -> List& { return lists[static_cast<std::size_t>(number)]; };

  // What a pair of a type closes a loop with, where the letters a and b stand beside it in the loop.
  const auto end = [&](List& out, std::size_t type) {
    if (loops) out.push_back(name(fmt::format("helix ends with {}", kTypeNames[type])));
  };
  const auto mismatch = [&](List& out, const char* what, std::size_t type, std::size_t a, std::size_t b) {
    end(out, type);
    if (mismatches)
      out.push_back(name(fmt::format("{} {} beside {}{}", what, kTypeNames[type], kLetters[a], kLetters[b])));
  };
  const auto dangle = [&](List& out, std::size_t type, std::size_t a, std::size_t b) {
    end(out, type);
    if (!dangles) return;
    out.push_back(name(fmt::format("dangle {} then {}", kTypeNames[type], kLetters[a])));
    out.push_back(name(fmt::format("dangle {} before {}", kLetters[b], kTypeNames[type])));
  };
  const auto at_least = [&](List& out, const char* what, std::size_t from, std::size_t length) {
    if (loops)
      for (std::size_t k = from; k <= length; ++k)
        out.push_back(name(fmt::format("{} at least {}", what, k)));
  };

  for (std::size_t t = 0; t < FoldTables::kTypes; ++t) {
    list(numbers.pair[t]).push_back(name(fmt::format("pair {}", kTypeNames[t & ~std::size_t{1}])));
    for (std::size_t u = 0; mismatches && u < FoldTables::kTypes; ++u)
      list(numbers.bulge_stack[t * FoldTables::kTypes + u])
          .push_back(name(two_pairs("across a letter", t, u)));
    for (std::size_t a = 0; a < 5; ++a)
      for (std::size_t b = 0; b < 5; ++b) {
        const std::size_t c = t * 25 + a * 5 + b;
        // Inside: a is the letter behind the first of the pair, b the one before the second.
        if (const int inner = type_of(kLetters[a], kLetters[b]); inner >= 0 && stacks)
          list(numbers.stack[c]).push_back(name(two_pairs("stack", t, static_cast<std::size_t>(inner))));
        mismatch(list(numbers.hairpin[c]), "hairpin", t, a, b);
        for (std::size_t kind = 0; kind < FoldTables::kKinds; ++kind)
          mismatch(list(numbers.outer[kind * FoldTables::kClasses + c]), "loop", t, a, b);
        if (mismatches)
          list(numbers.one_one[c])
              .push_back(
                  name(fmt::format("loop of {} and {}", kLetters[std::min(a, b)], kLetters[std::max(a, b)])));
        if (loops) {
          list(numbers.close[c]).push_back(name("multiloop"));
          list(numbers.close[c]).push_back(name("multiloop branch"));
        }
        dangle(list(numbers.close[c]), t, a, b);
        // Outside: a stands before the pair, b behind it; seen from there, the pair is read the other way.
        for (std::size_t kind = 0; kind < FoldTables::kKinds; ++kind)
          mismatch(list(numbers.inner[kind * FoldTables::kClasses + c]), "loop", reversed(t), b, a);
        if (loops) list(numbers.branch[c]).push_back(name("multiloop branch"));
        dangle(list(numbers.branch[c]), reversed(t), b, a);
        if (loops) list(numbers.exterior[c]).push_back(name("exterior branch"));
        dangle(list(numbers.exterior[c]), reversed(t), b, a);
      }
  }
  for (std::size_t l = FoldScores::kShortest; l < kLengths; ++l)
    at_least(list(numbers.hairpin_length[l]), "hairpin of", FoldScores::kShortest, l);
  for (std::size_t a = 0; a < kLengths; ++a)
    for (std::size_t b = 0; a + b < kLengths; ++b) {
      List& out = list(numbers.loop[a * kLengths + b]);
      if (a + b == 0 || !loops) continue;
      if (a == 0 || b == 0) {
        at_least(out, "bulge of", 1, a + b);
        continue;
      }
      at_least(out, "loop of", 2, a + b);
      at_least(out, "loop uneven by", 1, std::max(a, b) - std::min(a, b));
      if (a <= 4 && b <= 4)
        out.push_back(name(fmt::format("loop of {} by {}", std::min(a, b), std::max(a, b))));
    }
  if (loops) {
    list(numbers.multi_letter).push_back(name("multiloop letter"));
    list(numbers.exterior_letter).push_back(name("exterior letter"));
  }
  first_.push_back(0);
  for (const List& own : lists) {
    weights_.insert(weights_.end(), own.begin(), own.end());
    first_.push_back(weights_.size());
  }
  if (energies_ != nullptr) name("published energies");
}

void PartWeights::score(Weights w, FoldTables& tables) const {
  std::size_t part = 0;
  tables.for_both(tables, [&](double& own, double) {
    own = 0;
    for (std::size_t k = first_[part]; k < first_[part + 1]; ++k) own += w[weights_[k]];
    ++part;
  });
  if (energies_ == nullptr) return;
  const double scale = w[energy_weight()];
  tables.for_both(energies_->tables, [&](double& own, double energy) { own += scale * energy; });
}

}  // namespace hinge
