#include "hinge/tasks/rank/writer.h"

#include <fmt/format.h>

#include <iterator>

namespace hinge {

void append_trec(long long query, const std::vector<std::string>& names, std::span<const int> places,
                 std::span<const double> scores, std::string& text) {
  std::vector<std::size_t> ranked(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) ranked[static_cast<std::size_t>(places[k])] = k;
  for (std::size_t j = 0; j < ranked.size(); ++j) {
    const std::size_t k = ranked[j];
    fmt::format_to(std::back_inserter(text), "{} Q0 {} {} {} hinge\n", query,
                   names[k].empty() ? fmt::to_string(k + 1) : names[k], j + 1, scores[k]);
  }
}

}  // namespace hinge
