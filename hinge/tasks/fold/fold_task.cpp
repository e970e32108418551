#include "hinge/tasks/fold/fold_task.h"

#include <algorithm>
#include <functional>

namespace hinge {
namespace {

// The pairs of a fold that close a loop around one other which has more than `longest` letters.
struct LongLoops : FoldVisitor {
  std::size_t longest;
  std::vector<std::size_t> found;

  explicit LongLoops(std::size_t most) : longest(most) {}
  void loop(std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    if (k - i - 1 + j - l - 1 > longest) found.push_back(i);
  }
};

}  // namespace

Vector FoldTask::centre() const {
  if (energies() == nullptr) return {};
  Vector known(dimension());
  known[weights_.energy_weight()] = 1;
  return known;
}

FoldInput FoldTask::input(const FoldRecord& record, double gamma) {
  FoldInput x{{}, gamma};
  for (const char c : record.letters) x.letters.push_back(rna_letter(c));
  return x;
}

FoldLabel FoldTask::label(const FoldRecord& record, std::size_t& lost) const {
  const std::size_t n = record.letters.size();
  lost = 0;
  FoldLabel y{record.partners, 0, 0};
  if (y.partners.empty()) y.partners.assign(n, kUnknownPair);
  FoldScores possible;
  possible.shape(input(record, 1).letters, max_loop_);
  const auto part = [&](std::size_t i) {
    y.partners[static_cast<std::size_t>(y.partners[i])] = kUnpaired;
    y.partners[i] = kUnpaired;
    ++lost;
  };
  for (std::size_t i = 0; i < n; ++i)
    if (y.partners[i] > static_cast<int>(i) &&
        possible.in(i, static_cast<std::size_t>(y.partners[i])) == FoldScores::kNoPair)
      part(i);
  // Of a loop that is too long the outer pair goes, unless letters that are not known may stand in pairs which make it short.
  for (bool again = true; again;) {
    LongLoops loops(max_loop_);
    FoldPairs known = y.partners;
    std::ranges::replace(known, kUnknownPair, kUnpaired);
    walk_fold(known, loops);
    std::ranges::sort(loops.found, std::greater());  // those inside of others first
    const auto bad = std::ranges::find_if(
        loops.found, [&](std::size_t i) { return !admits(record.letters, y.partners, i); });
    again = bad != loops.found.end();
    if (again) part(*bad);
  }
  for (std::size_t i = 0; i < n; ++i) {
    y.known += y.partners[i] != kUnknownPair;
    y.pairs += y.partners[i] > static_cast<int>(i);
  }
  return y;
}

// Whether some fold of the letters from i to its partner has all that is known of them.
bool FoldTask::admits(std::string_view letters, const FoldPairs& partners, std::size_t i) const {
  const auto first = partners.begin() + static_cast<std::ptrdiff_t>(i);
  FoldLabel y{{first, partners.begin() + *first + 1}, 0, 0};
  const std::size_t n = y.partners.size();
  if (std::ranges::find(y.partners, kUnknownPair) == y.partners.end())
    return false;  // a long loop for certain
  for (int& j : y.partners)
    if (j >= 0) j -= static_cast<int>(i);
  FoldScores scores;
  scores.shape(input({"", std::string(letters.substr(i, n)), {}}, 1).letters, max_loop_);
  forbid(y, scores);
  FoldCounts counts;
  return FoldCells().solve(scores, 0, 0, counts) != kForbidden;
}

double FoldTask::loss(const Label& y, const FoldPairs& s) const {
  double wrong = 0, right = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] <= static_cast<int>(i)) continue;
    const auto j = static_cast<std::size_t>(s[i]);
    if (y.partners[i] == s[i])
      ++right;
    else if (y.partners[i] != kUnknownPair || y.partners[j] != kUnknownPair)
      ++wrong;
  }
  return wrong + static_cast<double>(y.pairs) - right;
}

void FoldTask::score(const FoldInput& x, Weights w, FoldScores& scores) const {
  scores.shape(x.letters, max_loop_);
  scores.gamma = x.gamma;
  if (energies() != nullptr) scores.specials = &energies()->specials;
  weights_.score(w, scores.tables);
}

void FoldTask::add_loss(const Label& y, double weight, FoldScores& scores) const {
  FoldScores::Bonus& bonus = scores.bonuses;
  bonus.favoured = y.partners;
  bonus.judged.resize(y.partners.size());
  for (std::size_t i = 0; i < y.partners.size(); ++i) bonus.judged[i] = y.partners[i] != kUnknownPair ? 1 : 0;
  bonus.right = -weight;
  bonus.wrong = weight;
  scores.constant += weight * static_cast<double>(y.pairs);
}

std::string FoldTask::refusal(const Query& query) const {
  if (query.side == Side::free && query.output_temperature != query.latent_temperature)
    return "hidden pairs that are summed may stand around several known ones, whose best choice then does "
           "not "
           "come apart: use a method with one temperature, such as lssvm or hcrf.";
  return {};
}

void FoldTask::forbid(const Label& y, FoldScores& scores) const {
  const std::size_t n = y.partners.size();
  // The known pair that each letter stands in, none: −1; letters of different ones cannot be paired.
  std::vector<int> inside(n, -1), open;
  for (std::size_t i = 0; i < n; ++i) {
    const int j = y.partners[i];
    if (j >= 0 && j < static_cast<int>(i)) open.pop_back();
    inside[i] = open.empty() ? -1 : open.back();
    if (j > static_cast<int>(i)) open.push_back(static_cast<int>(i));
    if (j >= 0) scores.require(i);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const bool known = y.partners[i] != kUnknownPair || y.partners[j] != kUnknownPair;
      if (known ? y.partners[i] != static_cast<int>(j) : inside[i] != inside[j]) scores.forbid(i, j);
    }
}

}  // namespace hinge
