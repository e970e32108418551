#include "hinge/tasks/motif/sites.h"

#include "hinge/core/errors.h"
#include "hinge/core/smooth_max.h"
#include "hinge/core/workspace.h"
#include "hinge/oracle/factored.h"

namespace hinge {
namespace {

Factored<MotifTask>& own_engine() {
  Factored<MotifTask>& factored = scratch<Factored<MotifTask>, struct SitesFactored>();
  return factored;
}

}  // namespace

FoundMotif find_motif(const MotifTask& task, const MotifSequence& x, Weights w, const Decoding& decoding,
                      bool marginals) {
  Factored<MotifTask>& factored = own_engine();
  const int value = MotifTask::answer(factored.predict(task, x, w, decoding));
  const auto values = factored.counts().group_values(0);
  const auto best = static_cast<Index>(1 + arg_max(factored.scores().values(0).subspan(1)));
  FoundMotif found{
      value, values[MotifLabel::kPositive] - values[MotifLabel::kNegative], task.place(x, best), {}};
  if (!marginals) return found;
  factored.engine().solve(factored.scores(), 1, 1, factored.counts());
  std::ranges::copy(factored.counts().group_amounts(0).first(2), found.probability);
  return found;
}

std::string chosen_site(const MotifTask& task, const MotifSequence& x, Weights w, const Decoding& decoding) {
  const Choices s = own_engine().predict(task, x, w, decoding);
  return s[0] == 0 ? std::string() : task.site(x, task.place(x, s[0]));
}

Profile profile_of(const std::vector<std::string>& sites, std::span<const Example<MotifTask>> examples,
                   const MotifTask& task) {
  const std::string& letters = task.alphabet().letters();
  Profile profile{letters, task.shape().both_strands, Vector(letters.size()),
                  std::vector<Vector>(task.shape().length, Vector(letters.size())), 0};
  double known = 0;
  for (const auto& example : examples)
    for (const Alphabet::Symbol s : example.input.symbols)
      if (!task.alphabet().ambiguous(s)) profile.background[s] += 1, known += 1;
  for (double& share : profile.background) share /= std::max(known, 1.0);
  for (const std::string& site : sites) {
    profile.sites += !site.empty();
    for (std::size_t j = 0; j < site.size(); ++j)
      if (site[j] != '?') profile.counts[j][letters.find(site[j])] += 1;
  }
  if (profile.sites == 0)
    fail("no sequence is predicted to hold the motif, so that there is no site to show.");
  return profile;
}

std::string matrix_text(const MotifTask& task, Weights w) {
  const std::string& letters = task.alphabet().letters();
  std::string text = "position";
  for (const char c : letters) text += fmt::format(" {:>8}", c);
  text += "  best\n";
  for (std::size_t j = 0; j < task.shape().length; ++j) {
    const auto row = w.subspan(j * letters.size(), letters.size());
    text += fmt::format("{:>8}", j + 1);
    for (double weight : row) text += fmt::format(" {:>8.4f}", weight);
    text += fmt::format("  {}\n", letters[arg_max(row)]);
  }
  return text;
}

}  // namespace hinge
