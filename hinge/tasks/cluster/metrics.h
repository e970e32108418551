// How well predicted clusters fit those of the data, as the reference scorer of the CoNLL shared tasks counts
// (Pradhan et al. 2014). With clusters K of the key and R of the response:
//
//     pair loss  wrong pairs / all pairs
//     MUC        recall = Σ_K (|K| − parts of K in the response) / Σ_K (|K| − 1)     (Vilain et al. 1995)
//     B-cubed    recall = Σ_i |K_i ∩ R_i| / |K_i| / items                            (Bagga & Baldwin 1998)
//     CEAF-e     recall = max over one-to-one a of Σ_K 2 |K ∩ a(K)| / (|K| + |a(K)|) / number of K
//                                                                                    (Luo 2005)
//
// Precision is the same with key and response exchanged; numerators and denominators are summed over
// documents. The MITRE loss is 1 − F1 of MUC, a document, as Finley & Joachims (2005) average it. The CoNLL
// average is the mean F1 of MUC, B-cubed and CEAF-e. Of recall and precision 0 / 0 is 1: where nothing is to
// be found all of it is, where nothing is said nothing is wrong.
#pragma once

#include <string>
#include <vector>

#include "hinge/core/json_value.h"
#include "hinge/inference/partition.h"

namespace hinge {

struct Share {
  double part = 0, whole = 0;
  double value(double of_nothing = 1) const { return whole == 0 ? of_nothing : part / whole; }
  Share& operator+=(const Share& other) {
    part += other.part;
    whole += other.whole;
    return *this;
  }
};

struct RecallPrecision {
  Share recall, precision;
  double f1() const;
  RecallPrecision& operator+=(const RecallPrecision& other) {
    recall += other.recall;
    precision += other.precision;
    return *this;
  }
};

// Of one document, or summed.
struct ClusterScores {
  Share wrong_pairs;
  RecallPrecision muc, b_cubed, ceaf_e;

  static ClusterScores of(const Partition& key, const Partition& response);
  double conll_f1() const { return (muc.f1() + b_cubed.f1() + ceaf_e.f1()) / 3; }
  ClusterScores& operator+=(const ClusterScores& other);
};

class ClusterMetrics {
 public:
  void add(const std::string& document, const Partition& key, const Partition& response, double loss,
           bool exact);
  void add_unlabelled() { ++unlabelled_; }
  nlohmann::json json() const;

 private:
  ClusterScores sum_;
  double loss_ = 0, pair_loss_ = 0, mitre_loss_ = 0;
  std::size_t items_ = 0, clusters_ = 0, predicted_ = 0, unlabelled_ = 0, approximate_ = 0;
  std::vector<JsonValue> documents_;
};

// For people.
std::string cluster_report(const nlohmann::json& metrics);

}  // namespace hinge
