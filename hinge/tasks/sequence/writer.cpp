#include "hinge/tasks/sequence/writer.h"

#include <cassert>
#include <iterator>

namespace hinge {

void append_prediction(const SequenceCorpus& corpus, const SequenceSchema& schema, std::size_t sequence,
                       std::span<const Tagging> best, std::span<const double> marginals, bool scores,
                       std::string& out) {
  const std::size_t length = corpus.labels[sequence].size(), labels = schema.labels.size();
  assert(marginals.empty() || marginals.size() == length * labels);
  out.append(corpus.above(sequence));
  for (std::size_t k = 0; k < best.size(); ++k) {
    assert(best[k].labels.size() == length);
    if (scores || best.size() > 1) fmt::format_to(std::back_inserter(out), "# {} {:.6f}\n", k, best[k].score);
    for (std::size_t t = 0; t < length; ++t) {
      const std::string_view text = corpus.text(sequence, t);
      out.append(text).append(corpus.label_name(schema, best[k].labels[t]));
      const char separator = text.empty() ? '\t' : text.back();
      for (std::size_t l = 0; !marginals.empty() && l < labels; ++l)
        fmt::format_to(std::back_inserter(out), "{}{}:{:.6f}", separator,
                       schema.labels.text(static_cast<Index>(l)), marginals[t * labels + l]);
      out.push_back('\n');
    }
    out.push_back('\n');
  }
}

}  // namespace hinge
