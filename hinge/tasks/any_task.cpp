#include "hinge/tasks/any_task.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "hinge/core/errors.h"
#include "hinge/core/spelling.h"
#include "hinge/tasks/align/any_align.h"
#include "hinge/tasks/binary/any_binary.h"
#include "hinge/tasks/cluster/any_cluster.h"
#include "hinge/tasks/fold/any_fold.h"
#include "hinge/tasks/graph/any_graph.h"
#include "hinge/tasks/motif/any_motif.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/multilabel/any_multilabel.h"
#include "hinge/tasks/parse/any_parse.h"
#include "hinge/tasks/rank/any_rank.h"
#include "hinge/tasks/sequence/any_sequence.h"
#include "hinge/tasks/sequence_class/any_sequence_class.h"
#include "hinge/tasks/taxonomy/any_taxonomy.h"

namespace hinge {

std::string decoding_name(const Decoding& decoding) {
  if (decoding.max_marginals) return "max-marginals";
  return decoding.latent_temperature > 0 ? "marginal-map" : "joint";
}

void AnyTask::decode(const Decoding& decoding) {
  const std::vector<std::string> served = decodings();
  if (std::ranges::find(served, decoding_name(decoding)) == served.end())
    fail("this {} model cannot decode by {}: use `decode` {}, or leave it out.", name(),
         decoding_name(decoding), fmt::join(served, " or "));
  decoding_ = decoding;
}

Decoding AnyTask::trained_decoding(double latent_temperature) const {
  if (latent_temperature == 0) return {};
  const std::vector<std::string> served = decodings();
  const auto serves = [&](const Decoding& decoding) {
    return std::ranges::find(served, decoding_name(decoding)) != served.end();
  };
  for (const Decoding& decoding : {Decoding{latent_temperature, false}, Decoding::named("max-marginals")})
    if (serves(decoding)) return decoding;
  return {};
}

namespace {

std::vector<TaskKind>& registry() {
  static std::vector<TaskKind> kinds = {
      {"multiclass", "one of K classes for each sparse row of an svmlight file",
       "hinge train multiclass --data train.svm --model classes.hinge", make_multiclass},
      {"multilabel", "a set of labels for each sparse row of LIBSVM's multilabel files",
       "hinge train multilabel --data train.svm --model labels.hinge", make_multilabel},
      {"taxonomy", "a class in a hierarchy for each sparse row of an svmlight file",
       "hinge train taxonomy --data train.svm --model classes.hinge", make_taxonomy},
      {"binary", "two classes, for a measure of the whole sample: f1, ROC area, precision at k, ...",
       "hinge train binary --data train.svm --measure f1 --model classes.hinge", make_binary},
      {"sequence", "a label for each position of a sequence: tagging, chunking, segmentation",
       "hinge train sequence --data train.conll --model tagger.hinge", make_sequence},
      {"parse", "the tree of a sentence: a weighted grammar, read off trees in brackets",
       "hinge train parse --data train.ptb --model parser.hinge", make_parse},
      {"graph", "a label for each node of a graph: images, superpixels, networks",
       "hinge train graph --data train.jsonl --model labeller.hinge", make_graph},
      {"sequence-class", "one class for a whole sequence of frames, by a chain of hidden states",
       "hinge train sequence-class --data gestures.txt --method hcrf --model gestures.hinge",
       make_sequence_class},
      {"rank", "an order of the documents of each query, best first: precision at k, ndcg, map",
       "hinge train rank --data train.letor --model ranker.hinge", make_rank},
      {"motif", "whether a DNA or protein sequence holds a motif, and where",
       "hinge train motif --positive bound.fa --negative free.fa --method lssvm --model motif.hinge",
       make_motif},
      {"cluster", "clusters of the items of a document, by links between them: coreference",
       "hinge train cluster --data train.conll --model coreference.hinge", make_cluster},
      {"align", "the alignment of two sequences, with learned scores of pairs and gaps",
       "hinge train align --data pairs.fa --method crf --model aligner.hinge", make_align},
      {"fold", "the secondary structure of RNA, without pseudoknots, with learned scores of loops",
       "hinge train fold --data folds.txt --method crf --model folder.hinge", make_fold},
  };
  return kinds;
}

}  // namespace

const std::vector<TaskKind>& task_kinds() { return registry(); }

void register_task(TaskKind kind) {
  const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  if (kind.name.empty() || !std::ranges::all_of(kind.name, in_word))
    fail("'{}' is no name for a task: use letters, digits and '-'.", kind.name);
  if (std::ranges::find(registry(), kind.name, &TaskKind::name) != registry().end())
    fail("there is a task '{}' already: give yours another name.", kind.name);
  registry().push_back(std::move(kind));
}

std::unique_ptr<AnyTask> make_task(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& kind : task_kinds()) {
    if (kind.name == name) return kind.make();
    names.push_back(kind.name);
  }
  fail("there is no task '{}'{}: use one of {}.", name, did_you_mean(name, names), fmt::join(names, ", "));
}

}  // namespace hinge
