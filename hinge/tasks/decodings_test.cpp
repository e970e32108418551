// Every flag that adds to predictions, crossed with every decoding, for every task and its kinds of models:
// what was there without the flag stays as it is, or the crossing is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "tests/support/any_task.h"

namespace hinge {
namespace {

using Texts = std::vector<std::string>;

Texts lines_of(const std::string& text) {
  Texts lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The first `count` fields of a line.
std::string head(const std::string& line, char separator, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t k = 0; k < count && end != std::string::npos; ++k)
    end = line.find(separator, end + (k > 0));
  return line.substr(0, end);
}

// What predictions say without any flag, taken from predictions with some.
Texts classes(const std::string& output) {
  Texts found;
  for (const std::string& line : lines_of(output)) found.push_back(head(line, ' ', 1));
  return found;
}
Texts sites(const std::string& output) {
  Texts found;
  for (const std::string& line : lines_of(output)) found.push_back(head(line, '\t', 6));
  return found;
}
// The words with their label and the predicted one, of several labellings the first: those behind it begin
// with
// "# 1", "# 2", ...
Texts tokens(const std::string& output) {
  Texts found;
  bool first = true;
  for (const std::string& line : lines_of(output)) {
    if (line.starts_with("# ")) first = line.starts_with("# 0 ");
    if (first && !line.starts_with("# ")) found.push_back(head(line, ' ', 4));
  }
  return found;
}
// The trees, of several of a sentence the first: a blank line ends one where there is more than trees.
Texts lines_of_trees(const std::string& output) {
  Texts found;
  const Texts lines = lines_of(output);
  const bool groups = std::ranges::find(lines, "") != lines.end();
  bool first = true;
  for (const std::string& line : lines) {
    if (line.starts_with("(") && first) found.push_back(line);
    first = !groups || line.empty() || (first && line.starts_with("#"));
  }
  return found;
}
Texts nodes(const std::string& output) {
  Texts found;
  for (const std::string& line : lines_of(output)) {
    const nlohmann::json graph = nlohmann::json::parse(line);
    for (const auto& label : graph.at("labels")) found.push_back(label.dump());
  }
  return found;
}

// What stands between comments; of several answers with scores the first of each name.
Texts uncommented(const std::string& output) {
  Texts found, answer;
  std::string name;
  for (const std::string& line : lines_of(output)) {
    if (line.starts_with("; score ")) {
      if (answer.front() != name) found.insert(found.end(), answer.begin(), answer.end());
      name = answer.front();
      answer.clear();
    } else if (!line.starts_with("; ")) {
      answer.push_back(line);
    }
  }
  found.insert(found.end(), answer.begin(), answer.end());
  return found;
}

struct Case {
  std::string task, data;
  std::function<void(AnyTask&)> options;
  std::function<Texts(const std::string&)> core;
  // Whether a prediction agrees with the data; none where it has nothing to agree with. Empty for tasks whose
  // accuracy is not that of single labels.
  std::function<std::optional<bool>(const std::string& predicted)> right;
};

// Sentences of three columns: "a p X".
std::string random_tokens() {
  Random random(8);
  const auto one_of = [&](std::string_view letters) { return letters[random.below(letters.size())]; };
  std::string text;
  for (int sentence = 0; sentence < 25; ++sentence) {
    for (std::size_t left = 1 + random.below(8); left > 0; --left)
      text += fmt::format("{} {} {}\n", one_of("abcdef"), one_of("pq"), one_of("XYZ"));
    text += '\n';
  }
  return text;
}
const std::string kFrames =
    "wave 3\n1 0\n0.5 1\n-1 2\n\nstop 2\n0 1\n-0.5 -1\n\nturn 4\n1 1\n2 0\n0 -1\n1 0.5\n\nwave 1\n0.5 0.5\n";
const std::string kMotifs = "a:1:1:ACGTTACA\nb:-1:1:CCCGT\nc:1:1:TTACNG\nd:-1:0:GGGGTA\ne:1:1:TACA\n";
const std::string kGraph =
    R"({"features": [[1, 0], [0, 1], [1, 1], [0.5, 0], [0, 0]], "labels": ["a", "b", "c", "a", null],)"
    R"( "hidden": [false, false, false, false, true], "edges": [[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [2, 4]]})"
    "\n"
    R"({"features": [[0, 2], [1, 0], [0, 0]], "labels": ["b", "c", null], "hidden": [false, false, true],)"
    R"( "edges": [[0, 2], [1, 2]]})"
    "\n";
const std::string kItems =
    R"({"items": ["Ann", "Bob", "ann", "bob", "Ann"], "clusters": [[0, 2, 4], [1, 3]]})"
    "\n"
    R"({"items": ["Eve", "Eve", "Joe"], "clusters": [[0, 1]]})"
    "\n";
const std::string kDocuments =
    "2 qid:1 1:1 2:0.5\n0 qid:1 1:0.2\n1 qid:1 2:1\n1 qid:2 1:0.4\n0 qid:2 2:0.3\n";

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"align", ">a\nAC-DE\n>b\nACWD-\n>c\nGG\n>d\nGK\n", {}, uncommented, {}});
  all.push_back({"fold", ">a\nGGGAAACCC\n(((...)))\n>b\nGGAAAUCCA\n((?...?))\n", {}, uncommented, {}});
  all.push_back({"multiclass", "a 1:1 2:0.5\nb 2:1\nc 1:0.3 3:1\na 3:2\nb 1:1 3:1\n", {}, classes, {}});
  for (const char* pairs : {"none", "tree", "all"})
    all.push_back({"multilabel",
                   "a,b 1:1 2:0.5\nb 2:1\n1:0.3 3:1\na,c 3:2\nb,?c 1:1 3:1\n",
                   [=](AnyTask& task) { set(task.options(), "pairs", std::string(pairs)); },
                   classes,
                   {}});
  for (const char* features : {"all", "observed"})
    all.push_back({"taxonomy",
                   "a.x 1:1 2:0.5\na.y 2:1\nb 1:0.3 3:1\na 3:2\n? 1:1 3:1\n",
                   [=](AnyTask& task) { set(task.options(), "features", std::string(features)); },
                   classes,
                   {}});
  for (const char* tags : {"given", "found"})
    all.push_back({"parse",
                   "(S (A x) (NP (B y) (B y)))\n(S (A x) (B y) (B z))\n(S (NP (A x)) (B y))\n(? x y z)\n",
                   [=](AnyTask& task) { set(task.options(), "tags", std::string(tags)); },
                   lines_of_trees,
                   {}});
  for (const char* measure : {"f1", "roc-area", "average-precision"})
    all.push_back({"binary",
                   "1 1:1 2:0.5\n-1 2:1\n-1 1:0.3 3:1\n1 3:2\n? 1:1 3:1\n",
                   [=](AnyTask& task) { set(task.options(), "measure", std::string(measure)); },
                   classes,
                   {}});
  const auto token_right = [](const std::string& line) -> std::optional<bool> {
    if (line.empty()) return {};
    return line.substr(4, 1) == line.substr(6, 1);  // "a p X Y"
  };
  for (int order : {1, 2, 3})
    for (int beam : {0, 2})
      for (int states : {1, 3})
        if ((order > 1 || beam == 0) && (order == 1 || states == 1))
          all.push_back({"sequence", random_tokens(),
                         [=](AnyTask& task) {
                           set(task.options(), "order", order);
                           set(task.options(), "beam", beam);
                           set(task.options(), "states", states);
                         },
                         tokens, token_right});
  for (const char* features : {"shared", "class"})
    all.push_back({"sequence-class",
                   kFrames,
                   [=](AnyTask& task) { set(task.options(), "state_features", std::string(features)); },
                   classes,
                   {}});
  for (const char* strands : {"forward", "both"})
    all.push_back({"motif",
                   kMotifs,
                   [=](AnyTask& task) {
                     set(task.options(), "length", std::vector<double>{3});
                     set(task.options(), "strands", std::string(strands));
                   },
                   sites,
                   {}});
  for (std::uint64_t cells : {std::uint64_t{1} << 21, std::uint64_t{0}})
    all.push_back(
        {"graph", kGraph, [=](AnyTask& task) { set(task.options(), "max_cells", cells); }, nodes, {}});
  for (const char* structure : {"forest", "antecedents", "correlation", "pairwise"})
    all.push_back({"cluster",
                   kItems,
                   [=](AnyTask& task) {
                     set(task.options(), "structure", std::string(structure));
                     set(task.options(), "comparators", Texts{"equal:text"});
                   },
                   lines_of,
                   {}});
  all.push_back({"rank", kDocuments, {}, lines_of, {}});
  return all;
}

// One setting of the flags that add something, by name; the others are choices of format or of what is kept.
struct Addition {
  std::string name;
  std::function<void(AnyTask&)> set;
};
std::vector<std::vector<Addition>> additions(AnyTask& task) {
  std::vector<std::vector<Addition>> sets(1);
  const auto cross = [&](const Addition& addition) {
    const std::size_t count = sets.size();
    for (std::size_t k = 0; k < count; ++k) {
      sets.push_back(sets[k]);
      sets.back().push_back(addition);
    }
  };
  for (const OptionRef& option : task.predict_options()) {
    const std::string& name = option.name;
    if (std::holds_alternative<bool*>(option.field) && name != "fill")
      cross({name, [name](AnyTask& other) { set(other.predict_options(), name, true); }});
    if (std::holds_alternative<int*>(option.field))
      cross({name, [name](AnyTask& other) { set(other.predict_options(), name, 4); }});
  }
  return sets;
}

class Decodings : public ::testing::Test {
 protected:
  // Small weights, so that decodings differ; few whole ones, so that some scores tie; none, so that all do.
  enum class Weigh { small, whole, none };
  std::unique_ptr<AnyTask> make(const Case& of, Weigh weigh) {
    auto task = make_task(of.task);
    if (of.options) of.options(*task);
    data_ = task->read_training({folder_.write("data", of.data)});
    Random random(5);
    w_.clear();
    for (Index j = 0; j < task->dimension(); ++j)
      w_.push_back(weigh == Weigh::small   ? 0.1 * random.normal()
                   : weigh == Weigh::whole ? std::round(0.5 * random.normal())
                                           : 0.0);
    return task;
  }
  std::string predict(const AnyTask& task) {
    OutputFile out(folder_.path("out"));
    task.predict(*data_, w_, executor_, out);
    out.commit();
    return folder_.read("out");
  }

  TemporaryFolder folder_;
  SerialExecutor executor_;
  std::unique_ptr<Data> data_;
  Vector w_;
};

TEST_F(Decodings, NoFlagThatAddsChangesAPrediction) {
  std::size_t served = 0, refused = 0;
  for (const Case& of : cases())
    for (const Weigh weigh : {Weigh::small, Weigh::whole, Weigh::none})
      for (const std::string& decoding : Decoding::names()) {
        const auto plain = make(of, weigh);
        const Texts names = plain->decodings();
        if (std::ranges::find(names, decoding) == names.end()) {
          expect_input_error([&] { plain->decode(Decoding::named(decoding)); },
                             "cannot decode by " + decoding);
          continue;
        }
        plain->decode(Decoding::named(decoding));
        const Texts expected = of.core(predict(*plain));
        ASSERT_FALSE(expected.empty()) << of.task << " " << decoding;
        if (of.right) {
          double right = 0, count = 0;
          for (const std::string& text : expected)
            if (const auto is_right = of.right(text)) right += *is_right, count += 1;
          EXPECT_NEAR(plain->evaluate(*data_, w_, {}, executor_)["accuracy"].get<double>(), right / count,
                      1e-12);
        }
        for (const auto& flags : additions(*plain)) {
          const auto task = make(of, weigh);
          task->decode(Decoding::named(decoding));
          std::string what = of.task + " " + decoding;
          for (const Addition& addition : flags) addition.set(*task), what += " --" + addition.name;
          try {
            EXPECT_EQ(of.core(predict(*task)), expected) << what;
            ++served;
          } catch (const InputError& error) {
            EXPECT_GT(flags.size(), 0u) << what << ": " << error.what();
            ++refused;
          }
        }
      }
  EXPECT_GT(served, 200u);
  EXPECT_GT(refused, 20u);
}

TEST_F(Decodings, TrainingIsFollowedByOneThatTheTaskServes) {
  for (const Case& of : cases()) {
    const auto task = make(of, Weigh::small);
    const Texts names = task->decodings();
    EXPECT_EQ(names.front(), "joint") << of.task;
    for (const double temperature : {0.0, 0.3, 1.0}) {
      const Decoding followed = task->trained_decoding(temperature);
      task->decode(followed);
      if (temperature == 0) {
        EXPECT_EQ(decoding_name(followed), "joint");
      } else if (std::ranges::find(names, "marginal-map") != names.end()) {
        EXPECT_EQ(followed, (Decoding{temperature, false}));
      }
    }
  }
}

}  // namespace
}  // namespace hinge
