// dlib's structural_sequence_labeling_trainer on Hinge's sequence problem, as one line of JSON, after one
// that says when training began.
//
//     minimise 1/2 |w|^2 + (C/n) sum_i max over y of [ hamming(y_i, y) + <w, phi(x_i, y) - phi(x_i, y_i)> ]
//
// dlib minimises 0.5 dot(w, w) + C R(w), where R is the mean of the samples' risks: its C is ours. It stops
// when R is within epsilon of the optimum, so its objective is then within C * epsilon.
//
//     dlib_sequence letter     letter.data TRAIN_FOLDS C EPSILON      (folds as in 0 or 1-9; the others test)
//     dlib_sequence attributes TRAIN_FILE TEST_FILE   C EPSILON       (label TAB attribute TAB attribute ...)
//
// The primal value is computed by a Viterbi recursion of our own, not taken from dlib.
#include <dlib/svm_threaded.h>
#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Position = std::vector<unsigned>;  // attributes with value 1
using Sequence = std::vector<Position>;
using Labels = std::vector<unsigned long>;

struct Corpus {
  std::vector<Sequence> x;
  std::vector<Labels> y;
};

struct Problem {
  Corpus train, test;
  unsigned long attributes = 0, labels = 0;
};

// Weights: attribute a with label y at a * labels + y, then the transition from p to y at p * labels + y.
class Chain {
 public:
  typedef Sequence sequence_type;
  Chain() = default;
  Chain(unsigned long attributes, unsigned long labels) : attributes_(attributes), labels_(labels) {}
  unsigned long num_features() const { return attributes_ * labels_ + labels_ * labels_; }
  unsigned long order() const { return 1; }
  unsigned long num_labels() const { return labels_; }
  unsigned long transition(unsigned long from, unsigned long to) const {
    return (attributes_ + from) * labels_ + to;
  }
  template <typename Setter, typename EXP>
  void get_features(Setter& set, const Sequence& x, const dlib::matrix_exp<EXP>& y, unsigned long t) const {
    for (unsigned a : x[t]) set(a * labels_ + y(0));
    if (y.size() > 1) set(transition(y(1), y(0)));
  }

 private:
  unsigned long attributes_ = 0, labels_ = 1;
};

// The labelling of highest score plus hamming distance to `truth` (when given), and that value.
double viterbi(const Chain& chain, const dlib::matrix<double, 0, 1>& w, const Sequence& x,
               const Labels* truth, Labels& best) {
  const unsigned long L = chain.num_labels(), T = x.size();
  std::vector<double> value(L), next(L);
  std::vector<unsigned> from(T * L);
  for (unsigned long t = 0; t < T; ++t) {
    for (unsigned long y = 0; y < L; ++y) {
      double emission = truth && (*truth)[t] != y ? 1 : 0;
      for (unsigned a : x[t]) emission += w(a * L + y);
      next[y] = emission;
      if (t == 0) continue;
      double top = -std::numeric_limits<double>::infinity();
      for (unsigned long p = 0; p < L; ++p) {
        const double v = value[p] + w(chain.transition(p, y));
        if (v > top) top = v, from[t * L + y] = p;
      }
      next[y] += top;
    }
    value.swap(next);
  }
  best.resize(T);
  unsigned long y = std::max_element(value.begin(), value.end()) - value.begin();
  const double result = value[y];
  for (unsigned long t = T; t-- > 0; y = from[t * L + y]) best[t] = y;
  return result;
}

double score(const Chain& chain, const dlib::matrix<double, 0, 1>& w, const Sequence& x, const Labels& y) {
  double s = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    for (unsigned a : x[t]) s += w(a * chain.num_labels() + y[t]);
    if (t > 0) s += w(chain.transition(y[t - 1], y[t]));
  }
  return s;
}

double primal(const Chain& chain, const dlib::matrix<double, 0, 1>& w, const Corpus& data, double C) {
  double excess = 0;
  Labels y;
  for (std::size_t i = 0; i < data.x.size(); ++i)
    excess += viterbi(chain, w, data.x[i], &data.y[i], y) - score(chain, w, data.x[i], data.y[i]);
  return 0.5 * dlib::dot(w, w) + C / static_cast<double>(data.x.size()) * excess;
}

double accuracy(const Chain& chain, const dlib::matrix<double, 0, 1>& w, const Corpus& data) {
  std::size_t right = 0, all = 0;
  Labels y;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    viterbi(chain, w, data.x[i], nullptr, y);
    for (std::size_t t = 0; t < y.size(); ++t, ++all) right += y[t] == data.y[i][t];
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

// Columns: id, letter, next id (-1 at a word's end), word, place, fold, 128 pixels.
Problem read_letters(const std::string& file, const std::string& folds) {
  const int first = std::stoi(folds);
  const auto dash = folds.find('-');
  const int last = dash == std::string::npos ? first : std::stoi(folds.substr(dash + 1));
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  Problem problem;
  problem.attributes = 129;
  problem.labels = 26;
  std::string line;
  bool word_begins = true;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string id, letter, next, word, place, bit;
    int fold;
    if (!(fields >> id >> letter >> next >> word >> place >> fold)) continue;
    Corpus& corpus = fold >= first && fold <= last ? problem.train : problem.test;
    if (word_begins) corpus.x.emplace_back(), corpus.y.emplace_back();
    Position& position = corpus.x.back().emplace_back();
    for (unsigned pixel = 0; pixel < 128 && fields >> bit; ++pixel)
      if (bit == "1") position.push_back(pixel);
    position.push_back(128);
    corpus.y.back().push_back(letter[0] - 'a');
    word_begins = next == "-1";
  }
  return problem;
}

// Attributes and labels are numbered by the training file; the test file's others are dropped.
class AttributeReader {
 public:
  Corpus read(const std::string& file, bool training) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    Corpus corpus;
    std::string line, field;
    bool begins = true;
    while (std::getline(in, line)) {
      if (line.empty()) {
        begins = true;
        continue;
      }
      if (begins) corpus.x.emplace_back(), corpus.y.emplace_back();
      begins = false;
      std::istringstream fields(line);
      std::getline(fields, field, '\t');
      corpus.y.back().push_back(number(labels_, field, training));
      Position& position = corpus.x.back().emplace_back();
      while (std::getline(fields, field, '\t'))
        if (const auto a = number(attributes_, field, training); a != kUnseen) position.push_back(a);
    }
    return corpus;
  }
  unsigned long attributes() const { return attributes_.size(); }
  unsigned long labels() const { return labels_.size(); }

 private:
  using Dictionary = std::unordered_map<std::string, unsigned>;
  static constexpr unsigned kUnseen = ~0u;
  static unsigned number(Dictionary& names, const std::string& name, bool grow) {
    const auto found = names.find(name);
    if (found != names.end()) return found->second;
    return grow ? names.emplace(name, names.size()).first->second : kUnseen;
  }
  Dictionary attributes_, labels_;
};

double cpu_seconds() {
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_utime.tv_sec + use.ru_stime.tv_sec + 1e-6 * (use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

double peak_megabytes() {
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss / 1024.0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 6) {
    std::cerr << "usage: dlib_sequence letter DATA FOLDS C EPSILON | attributes TRAIN TEST C EPSILON\n";
    return 2;
  }
  const std::string format = argv[1];
  const double C = std::stod(argv[4]), epsilon = std::stod(argv[5]);
  Problem problem;
  if (format == "letter") {
    problem = read_letters(argv[2], argv[3]);
  } else {
    AttributeReader reader;
    problem.train = reader.read(argv[2], true);
    problem.attributes = reader.attributes();
    problem.labels = reader.labels();
    problem.test = reader.read(argv[3], false);
  }
  const Chain chain(problem.attributes, problem.labels);

  dlib::structural_sequence_labeling_trainer<Chain> trainer(chain);
  trainer.set_c(C);
  trainer.set_epsilon(epsilon);
  trainer.set_num_threads(1);
  const double start = cpu_seconds();
  std::printf("{\"began\": %.4f}\n", start);
  std::fflush(stdout);
  const auto labeler = trainer.train(problem.train.x, problem.train.y);
  const double seconds = cpu_seconds() - start, megabytes = peak_megabytes();

  const auto& w = labeler.get_weights();
  std::printf(
      "{\"peer\": \"dlib\", \"C\": %g, \"epsilon\": %g, \"n\": %zu, \"dimension\": %lu, \"primal\": %.9g, "
      "\"cpu_seconds\": %.4f, \"peak_mb\": %.1f, \"accuracy\": %.6f}\n",
      C, epsilon, problem.train.x.size(), chain.num_features(), primal(chain, w, problem.train, C), seconds,
      megabytes, accuracy(chain, w, problem.test));
} catch (const std::exception& error) {
  std::cerr << "dlib_sequence: " << error.what() << "\n";
  return 1;
}
