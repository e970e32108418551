// LIBLINEAR's multiclass SVM of Crammer and Singer (-s 4) on an svmlight file, as one line of JSON.
//
//     minimise 1/2 |w|^2 + C sum_i max over y of [ (y != y_i) + <w_y - w_{y_i}, x_i> ]
//
// Its C multiplies the plain sum of the losses: Hinge's is n times as large.
//
//     liblinear_multiclass TRAIN TEST C EPSILON
//
// Seconds and memory are those of train() alone; the objective is computed here from the weights, and "dual"
// is the one it prints.
#include <linear.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Examples {
  std::vector<double> labels;
  std::deque<std::vector<feature_node>> rows;
  int dimension = 0;
};

Examples read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Examples examples;
  for (std::string line; std::getline(file, line);) {
    char* at = line.data();
    examples.labels.push_back(std::strtod(at, &at));
    std::vector<feature_node>& row = examples.rows.emplace_back();
    while (true) {
      char* colon;
      const long index = std::strtol(at, &colon, 10);
      if (colon == at || *colon != ':') break;
      row.push_back({static_cast<int>(index), std::strtod(colon + 1, &at)});
      examples.dimension = std::max<int>(examples.dimension, index);
    }
    row.push_back({-1, 0});
  }
  return examples;
}

double dual_printed = 0;

void hear(const char* text) { std::sscanf(text, "Objective value = %lf", &dual_printed); }

rusage used() {
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use;
}

double cpu_seconds() {
  const rusage use = used();
  return use.ru_utime.tv_sec + use.ru_stime.tv_sec + 1e-6 * (use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

double objective(const model& found, const Examples& examples, double C) {
  const int classes = found.nr_class;
  double half_norm = 0, losses = 0;
  for (long k = 0; k < static_cast<long>(found.nr_feature) * classes; ++k)
    half_norm += found.w[k] * found.w[k] / 2;
  std::vector<double> scores(classes);
  for (std::size_t i = 0; i < examples.rows.size(); ++i) {
    std::fill(scores.begin(), scores.end(), 0.0);
    for (const feature_node& node : examples.rows[i]) {
      for (int y = 0; node.index > 0 && y < classes; ++y) {
        scores[y] += node.value * found.w[static_cast<long>(node.index - 1) * classes + y];
      }
    }
    double truth = 0, worst = -1e300;
    for (int y = 0; y < classes; ++y) {
      const bool right = found.label[y] == static_cast<int>(examples.labels[i]);
      if (right) truth = scores[y];
      worst = std::max(worst, scores[y] + (right ? 0 : 1));
    }
    losses += worst - truth;
  }
  return half_norm + C * losses;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5) throw std::runtime_error("usage: liblinear_multiclass TRAIN TEST C EPSILON");
  Examples examples = read(argv[1]);
  std::vector<feature_node*> rows;
  for (std::vector<feature_node>& row : examples.rows) rows.push_back(row.data());
  problem data{};
  data.l = static_cast<int>(rows.size());
  data.n = examples.dimension;
  data.y = examples.labels.data();
  data.x = rows.data();
  data.bias = -1;
  parameter settings{};
  settings.solver_type = MCSVM_CS;
  settings.C = std::atof(argv[3]);
  settings.eps = std::atof(argv[4]);
  settings.regularize_bias = 1;
  set_print_string_function(hear);
  const double start = cpu_seconds();
  const model* found = train(&data, &settings);
  const double seconds = cpu_seconds() - start, megabytes = used().ru_maxrss / 1024.0;

  Examples test = read(argv[2]);
  int right = 0;
  for (std::size_t i = 0; i < test.rows.size(); ++i)
    right += predict(found, test.rows[i].data()) == test.labels[i];
  std::printf(
      "{\"peer\": \"LIBLINEAR\", \"n\": %d, \"C\": %g, \"tolerance\": %g, \"primal\": %.9g, \"dual\": %.9g, "
      "\"cpu_seconds\": %.4f, "
      "\"peak_mb\": %.1f, \"accuracy\": %.6f}\n",
      data.l, settings.C, settings.eps, objective(*found, examples, settings.C), -dual_printed, seconds,
      megabytes, static_cast<double>(right) / static_cast<double>(test.rows.size()));
} catch (const std::exception& error) {
  std::cerr << "liblinear_multiclass: " << error.what() << "\n";
  return 1;
}
