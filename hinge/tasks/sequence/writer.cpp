#include "hinge/tasks/sequence/writer.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

// label:probability, separator:label:probability, ...
void append_pairs(const SequenceSchema& schema, std::span<const double> marginals, char separator,
                  std::string& out) {
  for (std::size_t l = 0; l < marginals.size(); ++l) {
    if (l > 0) out.push_back(separator);
    fmt::format_to(std::back_inserter(out), "{}:{:.6f}", schema.labels.text(static_cast<Index>(l)),
                   marginals[l]);
  }
}

void append_columns(const SequenceSchema& schema, std::span<const double> marginals, char separator,
                    std::string& out) {
  out.push_back(separator);
  append_pairs(schema, marginals, separator, out);
}

// Into MISC, the last column of the line that `behind` ends; other lines may follow in it.
void append_misc(const SequenceSchema& schema, std::span<const double> marginals, std::string_view behind,
                 std::string& out) {
  const std::size_t end = std::min(behind.find('\n'), behind.size());
  const bool empty = behind.substr(0, end).ends_with("\t_");
  out.append(behind.substr(0, empty ? end - 1 : end)).append(empty ? "marginals=" : "|marginals=");
  append_pairs(schema, marginals, ',', out);
  out.append(behind.substr(end));
}

}  // namespace

void refuse_output(const SequenceOutput& output, const SequenceSchema& schema, int states,
                   const Decoding& decoding, bool guided) {
  if (output.nbest > 1 && states > 1)
    fail("`nbest` {} would list one labelling with several paths of its {} states a label: leave it out.",
         output.nbest, states);
  if (guided && (output.nbest > 1 || output.marginals))
    fail("rules guide the best labelling only: leave out `nbest` and `marginals`, or the rules.");
  if (decoding.max_marginals && output.nbest > 1)
    fail(
        "`nbest` is about whole labellings, `decode` max-marginals about one position at a time: leave out "
        "one of them.");
  if (!output.marginals || schema.label.empty()) return;
  for (Index k = 0; k < schema.labels.size(); ++k)  // they go into MISC, whose entries stand between '|'
    if (schema.label == "misc" || schema.labels.text(k).find('|') != std::string_view::npos)
      fail("`marginals` has no place in CoNLL-U for labels such as '{}' ({}): leave it out.",
           schema.labels.text(k), schema.label);
}

void add_others(std::vector<Tagging> top, std::vector<Tagging>& best) {
  for (Tagging& tagging : top)
    if (best.size() < top.size() && tagging.labels != best[0].labels) best.push_back(std::move(tagging));
}

void append_prediction(const SequenceCorpus& corpus, const SequenceSchema& schema, std::size_t sequence,
                       std::span<const Tagging> best, std::span<const double> marginals, bool scores,
                       std::string& out) {
  const std::size_t length = corpus.labels[sequence].size(), labels = schema.labels.size();
  assert(marginals.empty() || marginals.size() == length * labels);
  const auto row = [&](std::size_t t) { return marginals.subspan(t * labels, labels); };
  out.append(corpus.above(sequence));
  for (std::size_t k = 0; k < best.size(); ++k) {
    assert(best[k].labels.size() == length);
    if (scores || best.size() > 1) fmt::format_to(std::back_inserter(out), "# {} {:.6f}\n", k, best[k].score);
    for (std::size_t t = 0; t < length; ++t) {
      const std::string_view text = corpus.text(sequence, t);
      const std::string_view behind = corpus.behind(sequence, t);
      out.append(text).append(corpus.label_name(schema, best[k].labels[t]));
      if (marginals.empty())
        out.append(behind);
      else if (schema.label.empty())
        append_columns(schema, row(t), text.empty() ? '\t' : text.back(), out);
      else
        append_misc(schema, row(t), behind, out);
      out.push_back('\n');
    }
    out.push_back('\n');
  }
}

}  // namespace hinge
