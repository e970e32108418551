#include "hinge/tasks/motif/word_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace hinge {
namespace {

using Symbol = Alphabet::Symbol;

constexpr double kLeastScore = 3;   // z of a word that is worth a start
constexpr double kPseudocount = 2;  // sequences' worth of background in each column
constexpr int kRefinements = 4;

struct Site {
  const MotifSequence* x;
  long position;  // where the matrix begins; its columns may reach beyond the ends
  bool reverse;
  double weight;
};

class WordStart {
 public:
  WordStart(const MotifTask& task, std::span<const Example<MotifTask>> examples,
            std::span<const std::size_t> chosen)
      : task_(task), A_(task.alphabet().size()), l_(task.shape().length) {
    for (const std::size_t i : chosen)
      if (examples[i].label.value != MotifLabel::kHidden) examples_.push_back(&examples[i]);
    letters_ = std::min<std::size_t>(A_ == 4 ? 6 : 3, l_);
    words_ = 1;
    for (std::size_t k = 0; k < letters_; ++k) words_ *= A_;
    count_letters();
  }

  Vector weights(std::size_t attempt) {
    const std::optional<std::size_t> word = enriched(attempt);
    if (!word) return {};
    std::vector<Site> sites = occurrences(*word);
    Vector w;
    for (int round = 0; round < kRefinements; ++round) {
      slide(sites, round == 0 ? l_ - letters_ : 2, round == 0 ? letters_ : l_);
      w = matrix(sites);
      sites = separated(w);
    }
    return w;
  }

 private:
  void count_letters() {
    background_.assign(A_, 1.0);
    for (const auto* example : examples_)
      for (const Symbol s : example->input.symbols)
        if (!task_.alphabet().ambiguous(s)) background_[s] += 1;
    const double sum = std::accumulate(background_.begin(), background_.end(), 0.0);
    for (double& share : background_) share /= sum;
  }

  // f(number, position) for every word without ambiguous letters.
  template <class F>
  void for_each_word(const MotifSequence& x, F&& f) const {
    std::size_t number = 0, known = 0;
    for (std::size_t i = 0; i < x.symbols.size(); ++i) {
      if (task_.alphabet().ambiguous(x.symbols[i])) {
        known = number = 0;
        continue;
      }
      number = (number * A_ + x.symbols[i]) % words_;
      if (++known >= letters_) f(number, i + 1 - letters_);
    }
  }

  // The reverse complement.
  std::size_t opposite(std::size_t word) const {
    std::size_t result = 0;
    for (std::size_t k = 0; k < letters_; ++k, word /= A_)
      result = result * A_ + task_.alphabet().complement(static_cast<Symbol>(word % A_));
    return result;
  }

  Vector scores() const {
    Vector held[2] = {Vector(words_), Vector(words_)}, z(words_);
    std::vector<std::size_t> seen(words_, 0);
    std::vector<std::size_t> opposites;
    if (task_.shape().both_strands)
      for (std::size_t k = 0; k < words_; ++k) opposites.push_back(opposite(k));
    double total[2] = {};
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      const auto& [x, y, weight] = *examples_[i];
      const auto side = static_cast<std::size_t>(y.value);
      total[side] += weight;
      const auto note = [&](std::size_t k) {
        if (std::exchange(seen[k], i + 1) != i + 1) held[side][k] += weight;
      };
      for_each_word(x, [&](std::size_t k, std::size_t) {
        note(k);
        if (!opposites.empty()) note(opposites[k]);
      });
    }
    if (total[0] == 0 || total[1] == 0) return z;
    for (std::size_t k = 0; k < words_; ++k) {
      const double share = (held[0][k] + held[1][k] + 0.5) / (total[0] + total[1] + 1);
      z[k] = (held[1][k] / total[1] - held[0][k] / total[0]) /
             std::sqrt(share * (1 - share) * (1 / total[0] + 1 / total[1]));
    }
    return z;
  }

  // Whether two words agree but for one letter, or overlap in all but two.
  bool variants(std::size_t a, std::size_t b) const {
    std::size_t differ = 0;
    for (std::size_t k = 0, left = a, right = b; k < letters_; ++k, left /= A_, right /= A_)
      differ += left % A_ != right % A_;
    if (differ <= 1) return true;
    const auto follows = [&](std::size_t first, std::size_t second, std::size_t shifted) {
      return first % (words_ / shifted) == second / shifted;
    };
    for (std::size_t shift = 1, shifted = A_; shift <= 2 && shift < letters_; ++shift, shifted *= A_)
      if (follows(a, b, shifted) || follows(b, a, shifted)) return true;
    return false;
  }

  std::optional<std::size_t> enriched(std::size_t attempt) const {
    const Vector z = scores();
    std::vector<std::size_t> order(words_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return z[k]; });
    std::vector<std::size_t> chosen;
    for (const std::size_t k : order) {
      if (z[k] < kLeastScore) break;
      const bool known = std::ranges::any_of(chosen, [&](std::size_t earlier) {
        return variants(k, earlier) || (task_.shape().both_strands && variants(opposite(k), earlier));
      });
      if (known) continue;
      if (chosen.size() == attempt) return k;
      chosen.push_back(k);
    }
    return {};
  }

  std::vector<Site> occurrences(std::size_t forward) const {
    const std::size_t backward = task_.shape().both_strands ? opposite(forward) : forward;
    std::vector<Site> sites;
    for (const auto* example : examples_)
      if (example->label.value == MotifLabel::kPositive)
        for_each_word(example->input, [&](std::size_t k, std::size_t at) {
          if (k != forward && k != backward) return;
          sites.push_back({&example->input, static_cast<long>(at), k != forward, example->weight});
        });
    return sites;
  }

  // The symbol `column` letters behind a site's begin, as the matrix reads it; for a site whose own columns
  // are `width`. False beyond the ends and where it is ambiguous.
  bool letter(const Site& site, long column, std::size_t width, Symbol& out) const {
    const long at = site.position + (site.reverse ? static_cast<long>(width) - 1 - column : column);
    if (at < 0 || at >= static_cast<long>(site.x->symbols.size())) return false;
    out = site.x->symbols[static_cast<std::size_t>(at)];
    if (task_.alphabet().ambiguous(out)) return false;
    if (site.reverse) out = task_.alphabet().complement(out);
    return true;
  }

  Vector shares(const std::vector<Site>& sites, long column, std::size_t width) const {
    Vector share(A_);
    for (std::size_t a = 0; a < A_; ++a) share[a] = kPseudocount * background_[a];
    for (const Site& site : sites)
      if (Symbol s; letter(site, column, width, s)) share[s] += site.weight;
    const double sum = std::accumulate(share.begin(), share.end(), 0.0);
    for (double& v : share) v /= sum;
    return share;
  }

  // Moves sites of `width` columns to the l columns, from `reach` before them to `reach` behind, that tell
  // most.
  void slide(std::vector<Site>& sites, std::size_t reach, std::size_t width) const {
    const long left = static_cast<long>(reach), columns = 2 * left + static_cast<long>(width);
    Vector told;
    for (long column = 0; column < columns; ++column) {
      const Vector share = shares(sites, column - left, width);
      double sum = 0;
      for (std::size_t a = 0; a < A_; ++a) sum += share[a] * std::log(share[a] / background_[a]);
      told.push_back(sum);
    }
    long best = 0;
    double most = -1;
    for (long first = 0; first + static_cast<long>(l_) <= columns; ++first) {
      const double sum =
          std::accumulate(told.begin() + first, told.begin() + first + static_cast<long>(l_), 0.0);
      if (sum > most) most = sum, best = first;
    }
    for (Site& site : sites) {
      const long end = site.position + static_cast<long>(width);
      site.position =
          site.reverse ? end - (best - left) - static_cast<long>(l_) : site.position + best - left;
    }
  }

  Vector matrix(const std::vector<Site>& sites) const {
    Vector w(task_.dimension());
    for (std::size_t j = 0; j < l_; ++j) {
      const Vector share = shares(sites, static_cast<long>(j), l_);
      for (std::size_t a = 0; a < A_; ++a) w[j * A_ + a] = std::log(share[a] / background_[a]);
    }
    return w;
  }

  // Lowers the matrix so that 0 separates best, and gives the best places of sequences with the motif above
  // it.
  std::vector<Site> separated(Vector& w) const {
    struct Best {
      double score;
      Site site;
      bool with;
    };
    std::vector<Best> best;
    GroupedScores scores;
    double wrong = 0;
    for (const auto* example : examples_) {
      const MotifSequence& x = example->input;
      task_.score(x, w, scores);
      const auto values = scores.values(0).subspan(1);
      const std::size_t k = arg_max(values);
      const auto [position, reverse] = task_.place(x, static_cast<Index>(k + 1));
      const bool with = example->label.value == MotifLabel::kPositive;
      best.push_back({values[k], {&x, static_cast<long>(position), reverse, example->weight}, with});
      if (with) wrong += example->weight;
    }
    std::ranges::stable_sort(best, std::greater{}, &Best::score);
    double fewest = wrong, threshold = best.front().score;
    for (std::size_t k = 0; k + 1 < best.size(); ++k) {
      wrong += best[k].with ? -best[k].site.weight : best[k].site.weight;
      if (wrong < fewest && best[k].score > best[k + 1].score)
        fewest = wrong, threshold = (best[k].score + best[k + 1].score) / 2;
    }
    std::vector<Site> sites;
    for (const Best& b : best)
      if (b.with && b.score >= threshold) sites.push_back(b.site);
    for (std::size_t cell = 0; cell < l_ * A_; ++cell) w[cell] -= threshold / static_cast<double>(l_);
    return sites;
  }

  const MotifTask& task_;
  const std::size_t A_, l_;
  std::vector<const Example<MotifTask>*> examples_;  // those whose class is known
  std::size_t letters_ = 0, words_ = 0;              // of a word, and how many there are
  Vector background_;                                // the share of each letter
};

}  // namespace

Vector word_start(const MotifTask& task, std::span<const Example<MotifTask>> examples,
                  std::span<const std::size_t> chosen, std::size_t attempt) {
  return WordStart(task, examples, chosen).weights(attempt);
}

}  // namespace hinge
