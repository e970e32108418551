#include "hinge/tasks/align/align_task.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/smooth_max.h"

namespace hinge {
namespace {

constexpr const char* kStructureNames[] = {"helix", "strand", "coil"};

// Letters that often replace each other; those of nucleotides stand alone. What is ambiguous is one more group, as it is
// one more letter.
std::vector<std::string> groups_of(const Alphabet& alphabet) {
  if (alphabet.size() > 4) return {"LVIMC", "AG", "ST", "P", "FYW", "EDNQ", "KR", "H"};
  std::vector<std::string> groups;
  for (const char c : alphabet.letters()) groups.emplace_back(1, c);
  return groups;
}

}  // namespace

AlignTask::AlignTask(const Shape& shape) : shape_(shape), groups_(groups_of(*shape.alphabet)) {
  const std::size_t letters = shape.alphabet->size() + 1;
  const auto add_table = [&](Kind kind, std::size_t offset, std::size_t size) {
    tables_.push_back({kind, offset, size, dimension_});
    dimension_ += static_cast<Index>(tables_.back().weights());
  };
  add_table(Kind::letter, 0, letters);
  for (std::size_t o = 1; o <= shape.window; ++o) add_table(Kind::group, o, groups_.size() + 1);
  for (std::size_t o = 0; shape.structure && o <= shape.window; ++o) add_table(Kind::structure, o, 3);
  for (const Table& table : tables_)
    for (const long sign : {1L, -1L}) {
      if (sign < 0 && table.offset == 0) continue;
      stacks_.push_back({&table, sign * static_cast<long>(table.offset), rows_});
      rows_ += table.size;
    }
  for (GapWeights& gap : gaps_) {
    const auto take = [&](std::size_t count) {
      const Index first = dimension_;
      dimension_ += static_cast<Index>(count);
      return first;
    };
    gap.bias = take(1);
    gap.end = take(1);
    gap.letter = take(letters);
    gap.flank = take(&gap == &gaps_[0] ? groups_.size() + 1 : 0);
    gap.structure = take(shape.structure ? 3 : 0);
    gap.structures = take(shape.structure ? 6 : 0);
  }
}

std::string AlignTask::feature_name(Index weight) const {
  const auto letter = [&](std::size_t k) {
    return k < shape_.alphabet->size() ? std::string(1, shape_.alphabet->letters()[k]) : std::string("other");
  };
  const auto group = [&](std::size_t k) { return k < groups_.size() ? groups_[k] : std::string("other"); };
  for (const Table& table : tables_) {
    if (weight >= table.first + table.weights()) continue;
    for (std::size_t a = 0; a < table.size; ++a)
      for (std::size_t b = a; b < table.size; ++b) {
        if (table.at(a, b) != weight) continue;
        const auto name = [&](std::size_t k) {
          return table.kind == Kind::letter  ? letter(k)
                 : table.kind == Kind::group ? group(k)
                                             : std::string(kStructureNames[k]);
        };
        return fmt::format("{} opposite {}{}", name(a), name(b),
                           table.offset == 0 ? std::string() : fmt::format(" {} beside", table.offset));
      }
  }
  for (const GapWeights& gap : gaps_) {
    const char* what = &gap == &gaps_[0] ? "gap opens" : "gap goes on";
    if (&gap == &gaps_[0] && weight >= gaps_[1].bias) continue;
    if (weight == gap.bias) return what;
    if (weight == gap.end) return fmt::format("{} at an end", what);
    if (weight < gap.flank) return fmt::format("{} opposite {}", what, letter(weight - gap.letter));
    if (weight < gap.structure) return fmt::format("{} beside {}", what, group(weight - gap.flank));
    if (weight < gap.structures)
      return fmt::format("{} opposite {}", what, kStructureNames[weight - gap.structure]);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a; b < 3; ++b)
        if (gap.structures + structure_pair(a, b) == weight)
          return fmt::format("{} between {} and {}", what, kStructureNames[a], kStructureNames[b]);
  }
  return {};
}

PairInput AlignTask::input(const AlignRecord& record) const {
  const auto side = [&](const std::string& letters, const std::string& structure) {
    PairInput::Side out;
    for (const char c : letters) {
      const Alphabet::Symbol s = shape_.alphabet->symbol(c);
      const bool known = s < shape_.alphabet->size();
      out.letters.push_back(known ? s : static_cast<std::uint8_t>(shape_.alphabet->size()));
      std::size_t g = 0;
      while (g < groups_.size() &&
             (!known || groups_[g].find(shape_.alphabet->letters()[s]) == std::string::npos))
        ++g;
      out.groups.push_back(static_cast<std::uint8_t>(g));
    }
    for (std::size_t i = 0; shape_.structure && i < letters.size(); ++i) {
      const char c = structure.empty() ? '?' : structure[i];
      out.structures.push_back(c == 'H' ? 0 : c == 'E' ? 1 : c == '?' ? PairInput::kNoClass : 2);
    }
    return out;
  };
  return {side(record.letters1, record.structure1), side(record.letters2, record.structure2)};
}

PairLabel AlignTask::label(const AlignRecord& record) const {
  PairLabel y{record.partners, record.gaps2, 0};
  if (y.partners.empty()) y.partners.assign(record.letters1.size(), kUnknownPartner);
  y.known = y.partners.size() - static_cast<std::size_t>(std::ranges::count(y.partners, kUnknownPartner));
  return y;
}

double AlignTask::loss(const Label& y, const Partners& s) const {
  double sum = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (y.partners[i] != kUnknownPartner && !right(y.partners[i], s[i])) ++sum;
  return sum;
}

void AlignTask::score(const PairInput& x, Weights w, AlignmentScores& scores) const {
  const std::size_t m = x.x.size(), n = x.z.size();
  scores.shape(m, n, stacks_.size(), rows_, shape_.local);
  for (std::size_t k = 0; k < stacks_.size(); ++k) {
    const Stack& stack = stacks_[k];
    for (std::size_t i = 0; i < m; ++i)
      if (const std::uint8_t a = class_at(stack, x.x, i); a != PairInput::kNoClass)
        scores.rows_of(i)[k] = static_cast<Index>(stack.first_row + a);
    const auto& others = classes(stack.table->kind, x.z);
    const std::size_t begin = stack.offset < 0 ? static_cast<std::size_t>(-stack.offset) : 0;
    const std::size_t end = stack.offset > 0 ? n - std::min(n, static_cast<std::size_t>(stack.offset)) : n;
    for (std::size_t a = 0; a < stack.table->size; ++a) {
      double table[32];
      for (std::size_t b = 0; b < stack.table->size; ++b) table[b] = w[stack.table->at(a, b)];
      double* row = scores.row(stack.first_row + a);
      for (std::size_t j = begin; j < end; ++j) {
        const std::uint8_t b = others[static_cast<std::size_t>(static_cast<long>(j) + stack.offset)];
        row[j] = b == PairInput::kNoClass ? 0 : table[b];
      }
    }
  }
  const auto fill = [&](const PairInput::Side& own, const PairInput::Side& other, GapParts& gaps) {
    for (const bool opens : {true, false}) {
      Vector &letters = opens ? gaps.open : gaps.extend, &places = opens ? gaps.open_at : gaps.extend_at;
      for (std::size_t k = 0; k < own.size(); ++k)
        for_each_letter_weight(own, k, opens, [&](Index j) { letters[k] += w[j]; });
      for (std::size_t k = 0; k <= other.size(); ++k)
        for_each_place_weight(other, k, opens, [&](Index j) { places[k] += w[j]; });
    }
  };
  fill(x.x, x.z, scores.gaps(AlignedSide::x));
  fill(x.z, x.x, scores.gaps(AlignedSide::z));
}

Vector AlignTask::count_pairs(std::span<const Example<AlignTask>> examples,
                              std::span<const std::size_t> chosen) const {
  const Table& table = tables_.front();
  Vector counts(table.weights() + table.size + 1);
  const std::span together = std::span(counts).first(table.weights()),
                  alone = std::span(counts).subspan(table.weights(), table.size);
  for (const std::size_t e : chosen) {
    const auto& [x, y, weight] = examples[e];
    for (std::size_t i = 0; i < y.partners.size(); ++i) {
      if (y.partners[i] < 0) continue;
      const std::uint8_t a = x.x.letters[i], b = x.z.letters[static_cast<std::size_t>(y.partners[i])];
      together[table.at(a, b) - table.first] += 1;
      alone[a] += 0.5;
      alone[b] += 0.5;
      ++counts.back();
    }
  }
  return counts;
}

Vector AlignTask::start(const Vector& counts, std::size_t attempt) const {
  constexpr double kPrior = 5, kOpen = -4, kExtend = -0.5, kNoise = 0.1;
  const Table& table = tables_.front();
  const std::size_t size = table.size;
  const std::span together = std::span(counts).first(table.weights()),
                  alone = std::span(counts).subspan(table.weights(), size);
  const double pairs = counts.back();
  Vector w(dimension_, 0.0);
  for (std::size_t a = 0; a < size && pairs > 0; ++a)
    for (std::size_t b = a; b < size; ++b) {
      const double expected = (a == b ? 1 : 2) * alone[a] * alone[b] / pairs;
      w[table.at(a, b)] = std::log((together[table.at(a, b) - table.first] + kPrior) / (expected + kPrior));
    }
  w[gaps_[0].bias] = kOpen;
  w[gaps_[1].bias] = kExtend;
  Random random(attempt);
  for (double& v : w) v += attempt > 0 ? kNoise * random.normal() : 0;
  return w;
}

// A known letter costs `weight` opposite a gap and everywhere outside its place; one that belongs opposite a gap, with
// every letter.
void AlignTask::add_loss(const Label& y, double weight, AlignmentScores& scores) const {
  GapParts& gaps = scores.gaps(AlignedSide::x);
  const int tolerance = shape_.tolerance, n = static_cast<int>(scores.n());
  for (std::size_t i = 0; i < y.partners.size(); ++i) {
    const int j = y.partners[i];
    if (j == kUnknownPartner) continue;
    scores.bar(i) = {weight, 0, 0};
    if (j == kGap) continue;
    scores.bar(i).low = static_cast<std::size_t>(std::max(0, j - tolerance));
    scores.bar(i).high = static_cast<std::size_t>(std::min(n, j + tolerance + 1));
    gaps.open[i] += weight;
    gaps.extend[i] += weight;
    scores.skip()[i] += weight;
  }
}

void AlignTask::forbid(const Label& y, AlignmentScores& scores) const {
  GapParts& gaps = scores.gaps(AlignedSide::x);
  for (std::size_t i = 0; i < y.partners.size(); ++i) {
    const int j = y.partners[i];
    if (j == kUnknownPartner) continue;
    scores.bar(i) = {kForbidden, 0, 0};
    if (j == kGap) continue;
    scores.bar(i) = {kForbidden, static_cast<std::size_t>(j), static_cast<std::size_t>(j) + 1};
    gaps.open[i] = gaps.extend[i] = scores.skip()[i] = kForbidden;
  }
  for (const std::size_t j : y.gaps2) scores.close(j);
}

void AlignTask::hide(const Label& y, AlignmentScores& scores) const {
  if (determined(y)) return;
  for (std::size_t j = 0; j < scores.n(); ++j) scores.hide(AlignedSide::z, j);
  for (const std::size_t j : y.gaps2) scores.show(AlignedSide::z, j);
  for (std::size_t i = 0; i < y.partners.size(); ++i)
    if (y.partners[i] == kUnknownPartner)
      scores.hide(AlignedSide::x, i);
    else if (y.partners[i] >= 0)
      scores.show(AlignedSide::z, static_cast<std::size_t>(y.partners[i]));
}

std::string AlignTask::refusal(const Query& query) const {
  if (query.side == Side::free && query.output_temperature > 0 &&
      query.output_temperature != query.latent_temperature)
    return "columns that are not known need one temperature for what is known and what is hidden, or 0 for "
           "what "
           "is known: use mssvm, lssvm, hcrf, softmax-margin or epsilon.";
  return {};
}

void AlignTask::sum_uses(const PairInput& x, const AlignmentCounts& counts, Vector& sums) const {
  const std::size_t n = x.z.size();
  sums.assign(dimension_, 0.0);
  for (const Stack& stack : stacks_) {
    const auto& others = classes(stack.table->kind, x.z);
    const std::size_t begin = stack.offset < 0 ? static_cast<std::size_t>(-stack.offset) : 0;
    const std::size_t end = stack.offset > 0 ? n - std::min(n, static_cast<std::size_t>(stack.offset)) : n;
    for (std::size_t a = 0; a < stack.table->size; ++a) {
      double table[32] = {};
      const double* row = counts.row(stack.first_row + a);
      for (std::size_t j = begin; j < end; ++j) {
        const std::uint8_t b = others[static_cast<std::size_t>(static_cast<long>(j) + stack.offset)];
        if (b != PairInput::kNoClass) table[b] += row[j];
      }
      for (std::size_t b = 0; b < stack.table->size; ++b) sums[stack.table->at(a, b)] += table[b];
    }
  }
  const auto pour = [&](const PairInput::Side& own, const PairInput::Side& other, const GapParts& gaps) {
    for (const bool opens : {true, false}) {
      const Vector &letters = opens ? gaps.open : gaps.extend,
                   &places = opens ? gaps.open_at : gaps.extend_at;
      for (std::size_t k = 0; k < own.size(); ++k)
        for_each_letter_weight(own, k, opens, [&](Index j) { sums[j] += letters[k]; });
      for (std::size_t k = 0; k <= other.size(); ++k)
        for_each_place_weight(other, k, opens, [&](Index j) { sums[j] += places[k]; });
    }
  };
  pour(x.x, x.z, counts.gaps(AlignedSide::x));
  pour(x.z, x.x, counts.gaps(AlignedSide::z));
}

}  // namespace hinge
