// A task with its weights, as the estimators hold one.
#include "hinge/model/model.h"

#include <nlohmann/json.hpp>

#include "hinge/core/options_json.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/report/meme_motif.h"
#include "hinge/report/sequence_logo.h"
#include "hinge/rules/apply_rules.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "hinge/training/carry_over.h"
#include "hinge/training/fit.h"
#include "hinge/training/fit_guided.h"
#include "json.h"
#include "records.h"
#include "watch.h"

namespace hinge::python {
namespace {

std::unique_ptr<Executor> executor_of(int threads) {
  return make_executor(static_cast<std::size_t>(threads));
}

// Data that was read, with the task it belongs to.
struct Examples {
  std::unique_ptr<Data> data;
};

// What `ask` answers while other threads of Python may run.
template <class Ask>
auto unlocked(int threads, const Ask& ask) {
  const nb::gil_scoped_release released;
  const auto executor = executor_of(threads);
  return ask(*executor);
}

class PyModel {
 public:
  // Options as JSON.
  PyModel(const std::string& task, const std::string& options) {
    model_.task = make_task(task);
    options_from_json(json_of(options), model_.task->options());
    model_.task->keep_text(false);
  }
  PyModel(Model model) : model_(std::move(model)) {}

  static PyModel load(const std::string& path) { return PyModel(load_model(path)); }
  static PyModel parse(const nb::bytes& bytes) {
    return PyModel(parse_model({bytes.c_str(), bytes.size()}, "the model"));
  }
  nb::bytes bytes() const {
    const std::string all = model_bytes(model_);
    return nb::bytes(all.data(), all.size());
  }
  void save(const std::string& path) const { save_model(path, model_); }

  // Learns from the records along `values` of C, each a weight of the sum; none: the usual one. Returns the summary of
  // the last, as JSON, and keeps the weights of all of them.
  std::string fit(Records& records, const std::string& training,
                  const std::map<std::string, double>& settings, const std::vector<double>& values,
                  const PyModel* from, nb::object callback, int presses) {
    TrainingOptions options;
    options_from_json(json_of(training), list_options(options));
    options.settings = settings;
    std::unique_ptr<Data> data = records.train(*model_.task);
    if (data->size() == 0) fail("there is no example to learn from: X is empty.");
    runs_.clear();
    FitPath path{.values = values, .told = [&](Vector weights, JsonValue summary) {
                   runs_.push_back({std::move(weights), std::move(summary)});
                 }};
    for (double& value : path.values) value *= static_cast<double>(data->size());
    if (values.empty()) path.values = path_of_C(options, data->size());
    if (from != nullptr) path.init = carry_over(from->model_, *model_.task, model_.task->dimension());
    PythonWatch watch(std::move(callback), options.time_limit, presses);
    {
      const nb::gil_scoped_release unlocked;
      const auto executor = executor_of(options.threads);
      model_ = hinge::fit(std::move(model_.task), *data, options, *executor, path, watch);
      data.reset();
    }
    PythonWatch::raise_noted();
    return model_.summary->dump();
  }

  // Learns from the first `labelled` records, the others, whose labels are not looked at, and rules about these.
  // Returns lines about rules and rounds.
  std::vector<std::string> fit_guided(Records& records, std::size_t labelled, const std::string& rules,
                                      const std::string& training,
                                      const std::map<std::string, double>& settings,
                                      const std::string& transduction, double C, nb::object callback,
                                      int presses) {
    TrainingOptions options;
    options_from_json(json_of(training), list_options(options));
    options.settings = settings;
    TransductionOptions guiding;
    options_from_json(json_of(transduction), list_options(guiding));
    if (guiding.C1 == 0 && C > 0) guiding.C1 = C * static_cast<double>(labelled);
    options.check_consistency();
    AnyTask& task = *model_.task;
    guidable_of(task);
    const Rules parsed = rules.empty() ? Rules{} : parse_rules(rules, "rules", ".");
    if (!rules.empty()) tokens_of(task).keep_tokens(true), add_labels(declared_labels(parsed));
    const std::unique_ptr<Data> data = records.train(task);
    if (labelled == 0 || labelled >= data->size())
      fail("there are {} labelled examples of {}: give some with labels, and some in X_unlabelled.", labelled,
           data->size());
    runs_.clear();
    std::vector<std::string> notes;
    PythonWatch watch(std::move(callback), options.time_limit, presses);
    const nb::gil_scoped_release unlocked;
    const auto executor = executor_of(options.threads);
    SolverChoice choice = transduction_choice(options);
    const std::unique_ptr<Solver> solver = options.method == "transductive"
                                               ? make_solver(choice, options.seed, settings)
                                               : solver_for(options, data->oracle(), choice);
    GuidedFitted fitted =
        hinge::fit_guided({task, *data, labelled, parsed, options, guiding, *solver, *executor}, watch,
                          [&](const std::string& line) { notes.push_back(line); });
    PythonWatch::raise_noted();
    model_.options = nlohmann::json{{"learning", options_to_json(list_options(options))},
                                    {"task", options_to_json(task.options())},
                                    {"solver", options_to_json(solver->options())}};
    model_.summary = std::move(fitted.summary);
    model_.weights = std::move(fitted.weights);
    model_.decode_as_trained();
    return notes;
  }

  // Labels that there are even if training data has none of them.
  void add_labels(const std::vector<std::string>& names) {
    if (names.empty()) return;
    auto* const tokens = power<HasTokens>(*model_.task);
    if (tokens == nullptr) fail("the task {} takes its labels from data alone.", model_.task->name());
    added_.insert(added_.end(), names.begin(), names.end());
    tokens->add_labels(added_);
  }

  // The weights and the summary of run k of the last fit.
  void choose_run(std::size_t k) {
    if (k >= runs_.size()) fail("there is no run {}, but {}.", k, runs_.size());
    model_.weights = runs_[k].weights;
    model_.summary = runs_[k].summary;
  }
  std::size_t runs() const { return runs_.size(); }

  // Reads as for training: dictionaries are made anew.
  std::unique_ptr<Examples> train_examples(Records& records) {
    return std::make_unique<Examples>(Examples{records.train(*model_.task)});
  }
  std::unique_ptr<Examples> examples(Records& records) const {
    return std::make_unique<Examples>(Examples{records.examples(*model_.task)});
  }

  // (first item of each example, label of each item, values or None)
  nb::tuple predict(const Examples& examples, const std::string& what, bool given, int threads) const {
    const Asked asked{what == "marginals" ? Asked::marginals
                      : what == "scores"  ? Asked::scores
                                          : Asked::labels,
                      given};
    Predictions told = unlocked(threads, [&](Executor& executor) {
      return answering().predictions(*examples.data, model_.weights, asked, executor);
    });
    const std::size_t items = told.label.size(), width = told.width;
    nb::object values = nb::none();
    if (width > 0) values = out_array(std::move(told.value), {items, width});
    const std::vector<std::int64_t> first(told.first.begin(), told.first.end());
    return nb::make_tuple(out_array(first, {first.size()}), out_array(std::move(told.label), {items}),
                          values);
  }

  // For every sequence a list of its labels, each an object of `objects`.
  nb::list tag(const Examples& examples, const nb::list& objects, bool given, int threads) const {
    const Predictions told = unlocked(threads, [&](Executor& executor) {
      return answering().predictions(*examples.data, model_.weights, {Asked::labels, given}, executor);
    });
    nb::list all;
    for (std::size_t i = 0; i + 1 < told.first.size(); ++i) {
      nb::list labels;
      for (std::size_t k = told.first[i]; k < told.first[i + 1]; ++k) {
        if (told.label[k] < 0)
          labels.append(nb::none());
        else
          labels.append(item_of(objects, static_cast<std::size_t>(told.label[k])));
      }
      all.append(labels);
    }
    return all;
  }

  // The k best labellings of each example: a list of (labels, score); labels are numbers where there are no
  // objects.
  nb::list best(const Examples& examples, const nb::list& objects, std::size_t k, bool given,
                int threads) const {
    const auto& lists = own_power<ListsBest>("does not list several answers");
    nb::list all;
    for (const auto& each : unlocked(threads, [&](Executor& executor) {
           return lists.best_labels(*examples.data, model_.weights, k, given, executor);
         })) {
      nb::list answers;
      for (const auto& [labels, score] : each) {
        nb::list names;
        for (const int label : labels)
          if (objects.size() == 0)
            names.append(label);
          else
            names.append(item_of(objects, static_cast<std::size_t>(label)));
        answers.append(nb::make_tuple(names, score));
      }
      all.append(answers);
    }
    return all;
  }

  // Of each example its pairs of letters: (i, j, probability) in rows.
  nb::list pairs(const Examples& examples, bool given, int threads) const {
    const auto& lists = own_power<PairsLetters>("pairs no letters");
    nb::list all;
    for (const auto& each : unlocked(threads, [&](Executor& executor) {
           return lists.pair_probabilities(*examples.data, model_.weights, given, executor);
         })) {
      std::vector<std::int64_t> ends;
      std::vector<double> probability;
      for (const auto& [i, j, p] : each) {
        ends.push_back(static_cast<std::int64_t>(i)), ends.push_back(static_cast<std::int64_t>(j));
        probability.push_back(p);
      }
      const std::size_t count = each.size();
      all.append(
          nb::make_tuple(out_array(std::move(ends), {count, 2}), out_array(std::move(probability), {count})));
    }
    return all;
  }

  // The k best trees of each sentence: a list of (text, score).
  nb::list trees(const Examples& examples, std::size_t k, bool given, int threads) const {
    const auto& lists = own_power<ListsTrees>("finds no trees");
    nb::list all;
    for (const auto& each : unlocked(threads, [&](Executor& executor) {
           return lists.best_trees(*examples.data, model_.weights, k, given, executor);
         })) {
      nb::list ranked;
      for (const RankedTree& tree : each) ranked.append(nb::make_tuple(tree.text, tree.score));
      all.append(ranked);
    }
    return all;
  }

  std::string evaluate(const Examples& examples, int threads) const {
    return unlocked(threads, [&](Executor& executor) {
      return model_.task->evaluate(*examples.data, model_.weights, {}, executor)->dump();
    });
  }

  // Names of the labels, in the order of their numbers.
  std::vector<std::string> names() const { return answering().answer_names(); }

  std::string task() const { return model_.task->name(); }
  std::string summary() const { return model_.summary->dump(); }
  std::string options() const { return model_.options->dump(); }
  void set_options(const std::string& json) { model_.options = json_of(json); }
  std::string task_options() const { return options_to_json(model_.task->options()).dump(); }
  void decode(const std::string& name) { model_.decode(name); }

  nb::object weights() const {
    return out_array(std::vector<double>(model_.weights), {model_.weights.size()});
  }
  void set_weights(const In<double, 1>& weights) {
    if (weights.size() != model_.weights.size())
      fail("there are {} weights, not {}.", model_.weights.size(), weights.size());
    model_.weights.assign(weights.data(), weights.data() + weights.size());
  }
  std::vector<std::string> feature_names(const std::vector<std::size_t>& weights) const {
    std::vector<std::string> names;
    for (const std::size_t w : weights) {
      if (w >= model_.weights.size()) fail("there is no weight {}: there are {}.", w, model_.weights.size());
      names.push_back(model_.task->feature_name(static_cast<Index>(w)));
    }
    return names;
  }
  // An array that the task keeps in its model file.
  nb::object array(const std::string& name) const {
    Archive archive;
    model_.task->save(archive);
    const auto found = archive.arrays.find(name);
    if (found == archive.arrays.end()) fail("the model has no array '{}'.", name);
    return std::visit([](const auto& values) { return out_array(values, {values.size()}); }, found->second);
  }
  // The sites of the motif in the examples: (letters, counts, background, number of sites, MEME text, logo as SVG).
  nb::tuple profile(const Examples& examples, const std::string& name, int threads) const {
    const auto* const finder = power<SiteFinder>(std::as_const(*model_.task));
    if (finder == nullptr) fail("the task {} finds no sites.", model_.task->name());
    const auto executor = executor_of(threads);
    const Profile found = finder->profile(*examples.data, model_.weights, *executor);
    std::vector<double> counts;
    for (const Vector& row : found.counts) counts.insert(counts.end(), row.begin(), row.end());
    return nb::make_tuple(found.letters,
                          out_array(std::move(counts), {found.counts.size(), found.letters.size()}),
                          out_array(std::vector<double>(found.background), {found.background.size()}),
                          found.sites, meme_motif(found, name), sequence_logo(found, name));
  }

 private:
  template <class Power>
  const Power& own_power(const char* lacking) const {
    const auto* const found = power<Power>(std::as_const(*model_.task));
    if (found == nullptr) fail("the task {} {}.", model_.task->name(), lacking);
    return *found;
  }
  const Answering& answering() const {
    return own_power<Answering>("does not tell its predictions as numbers");
  }

  Model model_;
  struct Run {
    Vector weights;
    JsonValue summary;
  };
  std::vector<Run> runs_;           // of a path of C
  std::vector<std::string> added_;  // labels
};

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Examples>(m, "Examples", "Data as a task has read it.")
      .def("__len__", [](const Examples& examples) { return examples.data->size(); })
      .def("facts", [](const Examples& examples) { return examples.data->facts()->dump(); });
  nb::class_<PyModel>(m, "Model", "A task with its weights.")
      .def(nb::init<const std::string&, const std::string&>(), "task"_a, "options"_a)
      .def_static("load", &PyModel::load, "path"_a)
      .def_static("parse", &PyModel::parse, "bytes"_a)
      .def("bytes", &PyModel::bytes)
      .def("save", &PyModel::save, "path"_a)
      .def("fit", &PyModel::fit, "records"_a, "training"_a, "settings"_a, "values"_a, "start"_a.none(),
           "callback"_a.none(), "presses"_a)
      .def("fit_guided", &PyModel::fit_guided, "records"_a, "labelled"_a, "rules"_a, "training"_a,
           "settings"_a, "transduction"_a, "C"_a, "callback"_a.none(), "presses"_a)
      .def("pairs", &PyModel::pairs, "examples"_a, "given"_a, "threads"_a)
      .def("trees", &PyModel::trees, "examples"_a, "k"_a, "given"_a, "threads"_a)
      .def("add_labels", &PyModel::add_labels, "names"_a)
      .def("choose_run", &PyModel::choose_run, "k"_a)
      .def("runs", &PyModel::runs)
      .def("train_examples", &PyModel::train_examples, "records"_a)
      .def("examples", &PyModel::examples, "records"_a)
      .def("predict", &PyModel::predict, "examples"_a, "what"_a, "given"_a, "threads"_a)
      .def("tag", &PyModel::tag, "examples"_a, "objects"_a, "given"_a, "threads"_a)
      .def("best", &PyModel::best, "examples"_a, "objects"_a, "k"_a, "given"_a, "threads"_a)
      .def("evaluate", &PyModel::evaluate, "examples"_a, "threads"_a)
      .def("names", &PyModel::names)
      .def("task", &PyModel::task)
      .def("summary", &PyModel::summary)
      .def("options", &PyModel::options)
      .def("set_options", &PyModel::set_options, "json"_a)
      .def("task_options", &PyModel::task_options)
      .def("decode", &PyModel::decode, "name"_a)
      .def("weights", &PyModel::weights)
      .def("set_weights", &PyModel::set_weights, "weights"_a)
      .def("feature_names", &PyModel::feature_names, "weights"_a)
      .def("array", &PyModel::array, "name"_a)
      .def("profile", &PyModel::profile, "examples"_a, "name"_a, "threads"_a);
}

}  // namespace hinge::python
