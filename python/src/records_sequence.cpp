// Sequences from Python's lists, dicts, arrays and tokens, by the builder that reads files.
#include <array>
#include <cmath>

#include "hinge/tasks/sequence/any_sequence.h"
#include "hinge/tasks/sequence/template_expander.h"
#include "records.h"

namespace hinge::python {
namespace {

// What a token is, and its label as text.
class SequencePourer {
 public:
  SequencePourer(CorpusBuilder& builder, const std::string& templates, nb::dict texts)
      : builder_(builder), templates_(templates), texts_(std::move(texts)) {}

  // `place` is that in X, where what has no weight counts too.
  void pour(std::size_t place, nb::handle sequence, nb::handle labels, double weight) {
    number_ = place;
    labels_ = nb::none();
    if (!labels.is_none()) labels_ = tuple_of(labels);
    if (!labels_.is_valid()) {
      wrong("the labels of sequence {} are {}, where a list of labels belongs.", labels);
    }
    position_ = 0;
    if (nb::ndarray_check(sequence))
      pour_table(sequence);
    else if (PyObject_HasAttrString(sequence.ptr(), "tocsr") != 0)
      pour_csr(sequence.attr("tocsr")());  // columns and other orders become rows
    else if (with_templates())
      pour_columns(tokens(sequence));
    else
      pour_tokens(tokens(sequence));
    if (!labels_.is_none() && position_ != label_count())
      fail("sequence {} has {} positions, but {} labels: give one for each.", number(), position_,
           label_count());
    if (position_ == 0) fail("sequence {} is empty: leave it out.", number());
    builder_.end_sequence(weight);
  }

 private:
  std::size_t number() const { return number_; }
  std::size_t label_count() const { return size_of(labels_); }
  bool with_templates() const { return !templates_.empty() || builder_.schema().columns > 0; }

  [[noreturn]] void wrong(std::string_view sentence, nb::handle found) const {
    throw nb::type_error(fmt::format(fmt::runtime(sentence), number(), name_of_type(found)).c_str());
  }

  nb::object tokens(nb::handle sequence) const {
    if (PyUnicode_Check(sequence.ptr()) || PyDict_Check(sequence.ptr()))
      wrong("sequence {} is a {}, where a list of tokens belongs: X is a list of sequences.", sequence);
    nb::object fast = tuple_of(sequence);
    if (fast.is_valid()) return fast;
    wrong("sequence {} is a {}, where a list of tokens belongs.", sequence);
  }

  void end_token() {
    if (labels_.is_none() || position_ >= label_count()) {
      ++position_;
      return builder_.token(std::nullopt);
    }
    const nb::handle label = item_of(labels_, position_++);
    if (label.is_none()) return builder_.token(std::nullopt);
    if (PyUnicode_Check(label.ptr())) {
      require_one_kind(label, true);
      return builder_.token(utf8(label));
    }
    if (is_missing(label)) return builder_.token(std::nullopt);
    if (PyFloat_Check(label.ptr()) && std::isnan(PyFloat_AsDouble(label.ptr())))
      fail("sequence {} has the label nan at position {}: give None where it is not known.", number(),
           position_ - 1);
    if (PyAnySet_Check(label.ptr())) return end_with_one_of(label);
    if (PyDict_Check(label.ptr()) || PyList_Check(label.ptr()))
      wrong("a label of sequence {} is a {}, where one label belongs, a set of them, or None.", label);
    require_one_kind(label, false);
    const nb::str text(label);
    texts_[text] = label;
    builder_.token(utf8(text));
  }
  // Names tell labels apart, and 1 has that of "1".
  void require_one_kind(nb::handle label, bool is_text) {
    if (is_text ? nb::len(texts_) == 0 : !texts_alone_) {
      texts_alone_ = is_text;
      return;
    }
    throw nb::type_error(
        fmt::format("sequence {} has a label that is a {} at position {}, but labels are of several types "
                    "then, which cannot be told apart or ordered: give all of one type.",
                    number(), name_of_type(label), position_ - 1)
            .c_str());
  }
  // Names in their order, which that of a set is not.
  void end_with_one_of(nb::handle labels) {
    std::vector<nb::str> texts;
    for (nb::handle label : nb::borrow<nb::object>(labels)) {
      if (label.is_none()) return builder_.token(std::nullopt);  // any
      const bool is_text = PyUnicode_Check(label.ptr());
      require_one_kind(label, is_text);
      texts.emplace_back(label);
      if (!is_text) texts_[texts.back()] = label;
    }
    if (texts.empty())
      fail("sequence {} has an empty set of labels at position {}: give None where any may be.", number(),
           position_ - 1);
    std::vector<std::string_view> names;
    for (const nb::str& text : texts) names.push_back(utf8(text));
    std::ranges::sort(names);
    builder_.one_of(names);
    builder_.token(std::nullopt);
  }

  void add(std::string_view name, double value) {
    if (!std::isfinite(static_cast<float>(value)))
      fail("sequence {} has the value {} of '{}' at position {}: give finite numbers.", number(), value, name,
           position_);
    names_.push_back(name);
    values_.push_back(static_cast<float>(value));
  }
  // "key:text", kept until the token ends.
  void add_joined(std::string_view key, std::string_view text, double value) {
    joined_.push_back({names_.size(), joined_text_.size(), key.size() + 1 + text.size()});
    joined_text_.append(key).push_back(':');
    joined_text_.append(text);
    add({}, value);
  }

  // Numbers that any code of Python's need not be asked for.
  static bool is_plain(nb::handle value) {
    return PyFloat_Check(value.ptr()) || PyLong_CheckExact(value.ptr()) || PyBool_Check(value.ptr());
  }
  static bool number_of(nb::handle value, double& number) {
    if (PyNumber_Check(value.ptr()) == 0) return false;
    number = PyFloat_AsDouble(value.ptr());
    if (number != -1 || PyErr_Occurred() == nullptr) return true;
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    return PyErr_Clear(), false;
  }
  PyObject* copied(nb::handle dict) {
    kept_.push_back(nb::steal<nb::object>(PyDict_Copy(dict.ptr())));
    if (!kept_.back().is_valid()) throw nb::python_error();
    return kept_.back().ptr();
  }

  // Numbers of others are asked of a copy, `ours`: their code could change the token.
  void add_dict(nb::handle token, bool ours = false) {
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t at = 0;
    double number = 0;
    while (PyDict_Next(token.ptr(), &at, &key, &value) != 0) {
      if (!PyUnicode_Check(key)) wrong("a token of sequence {} has the key {}, where a str belongs.", key);
      if (PyUnicode_Check(value)) {
        add_joined(utf8(key), utf8(value), 1);
      } else if (is_plain(value) && number_of(value, number)) {
        add(utf8(key), number);
      } else if (PyDict_Check(value)) {
        if (ours) value = copied(value);
        PyObject *inner = nullptr, *amount = nullptr;
        Py_ssize_t place = 0;
        while (PyDict_Next(value, &place, &inner, &amount) != 0) {
          if (!ours && !is_plain(amount)) return add_copy(token);
          if (!PyUnicode_Check(inner) || !number_of(amount, number))
            wrong("a token of sequence {} has a {} inside a dict, where names with numbers belong.", amount);
          add_joined(utf8(key), utf8(inner), number);
        }
      } else if (PyList_Check(value) || PyTuple_Check(value) || PyAnySet_Check(value)) {
        for (nb::handle each : nb::borrow<nb::object>(value)) {
          if (!PyUnicode_Check(each.ptr()))
            wrong("a token of sequence {} has a {} inside a list, where a str belongs.", each);
          kept_.push_back(nb::borrow<nb::object>(each));
          add_joined(utf8(key), utf8(each), 1);
        }
      } else if (!ours) {
        return add_copy(token);
      } else if (number_of(value, number)) {
        add(utf8(key), number);
      } else {
        wrong("a token of sequence {} has a value that is a {}: give str, numbers, lists of str or dicts.",
              value);
      }
    }
  }
  void add_copy(nb::handle token) {
    begin_token();
    add_dict(copied(token), true);
  }
  void begin_token() {
    names_.clear(), values_.clear(), joined_.clear(), joined_text_.clear(), kept_.clear();
  }

  void pour_tokens(const nb::object& sequence) {
    const std::size_t length = size_of(sequence);
    for (std::size_t t = 0; t < length; ++t) {
      const nb::handle token = item_of(sequence, t);
      begin_token();
      if (PyDict_Check(token.ptr())) {
        add_dict(token);
        for (const auto& [k, begin, size] : joined_)
          names_[k] = std::string_view(joined_text_).substr(begin, size);
      } else if (PyList_Check(token.ptr()) || PyTuple_Check(token.ptr()) || PyAnySet_Check(token.ptr())) {
        if (PyAnySet_Check(token.ptr())) {
          for (nb::handle each : nb::borrow<nb::object>(token)) add_name(each);
        } else {
          const std::size_t count = size_of(token);
          for (std::size_t k = 0; k < count; ++k) add_name(item_of(token, k));
        }
      } else if (PyUnicode_Check(token.ptr())) {
        wrong(
            "a token of sequence {} is a {}: give a dict or a list of attributes for each, or `templates` "
            "that "
            "make some of words.",
            token);
      } else {
        wrong("a token of sequence {} is a {}, where a dict or a list of str belongs.", token);
      }
      numbers_.resize(names_.size());
      builder_.attribute_indices(names_, numbers_);
      for (std::size_t k = 0; k < names_.size(); ++k) builder_.attribute(numbers_[k], values_[k]);
      end_token();
    }
  }
  void add_name(nb::handle name) {
    if (!PyUnicode_Check(name.ptr()))
      wrong("a token of sequence {} has a {} among its attributes, where a str belongs.", name);
    add(utf8(name), 1);
  }

  // Tokens with templates: each a str or several, the columns.
  void pour_columns(const nb::object& sequence) {
    const std::size_t length = size_of(sequence);
    names_.clear();
    kept_.clear();
    std::size_t columns = builder_.schema().columns == 0 ? 0 : builder_.schema().columns - 1;
    for (std::size_t t = 0; t < length; ++t) {
      const nb::handle token = item_of(sequence, t);
      const std::size_t before = names_.size();
      if (PyUnicode_Check(token.ptr())) {
        names_.push_back(utf8(token));
      } else {
        nb::object fast = tuple_of(token);
        if (!fast.is_valid()) {
          wrong("a token of sequence {} is a {}, where a str or a tuple of them belongs.", token);
        }
        for (std::size_t c = 0; c < size_of(fast); ++c) {
          const nb::handle cell = item_of(fast, c);
          if (!PyUnicode_Check(cell.ptr()))
            wrong("a token of sequence {} has a {} among its columns, where a str belongs.", cell);
          names_.push_back(utf8(cell));
        }
        kept_.push_back(std::move(fast));
      }
      const std::size_t found = names_.size() - before;
      if (columns == 0) columns = found;
      if (found != columns || found == 0)
        fail("token {} of sequence {} has {} columns where {} belong.", t, number(), found, columns);
    }
    if (!expander_) fix_templates(columns);
    expander_->begin_sentence({names_, columns});
    for (std::size_t t = 0; t < length; ++t) {
      builder_.columns(std::span(names_).subspan(t * columns, columns));
      expander_->add_attributes(static_cast<std::ptrdiff_t>(t));
      end_token();
    }
  }
  void fix_templates(std::size_t columns) {
    if (SequenceSchema* const schema = builder_.growing()) {
      std::string text = built_in_templates(templates_, columns);
      if (text.empty()) text = templates_;
      schema->transitions = FeatureTemplates(text, "templates", columns).transitions();
      schema->templates = std::move(text);
      schema->columns = columns + 1;
    }
    expander_.emplace(FeatureTemplates(builder_.schema().templates, "templates", columns), builder_);
  }

  Index column(std::size_t j) {
    while (columns_.size() <= j) {
      const std::string name = fmt::to_string(columns_.size() + 1);
      columns_.push_back(builder_.attribute_index(name));
    }
    return columns_[j];
  }
  void add_cell(std::size_t j, double value) {
    if (!std::isfinite(static_cast<float>(value)))
      fail("sequence {} has the value {} in column {} of row {}: give finite numbers.", number(), value, j,
           position_);
    if (value != 0) builder_.attribute(column(j), static_cast<float>(value));
  }

  void pour_table(nb::handle array) {
    In<double, 2> table;
    if (!nb::try_cast(array, table) && !nb::try_cast(doubles_of(array), table))
      fail(
          "sequence {} is an array that is no table of numbers: give (positions, features), or lists of "
          "attributes.",
          number());
    const std::size_t width = table.shape(1);
    require_width(width);
    for (std::size_t t = 0; t < table.shape(0); ++t) {
      for (std::size_t j = 0; j < width; ++j) add_cell(j, table.data()[t * width + j]);
      end_token();
    }
  }
  // Of arrays of objects and of other orders of bytes, which only NumPy reads; nothing where these are no numbers.
  static nb::object doubles_of(nb::handle array) {
    const nb::object kind = nb::getattr(nb::getattr(array, "dtype", nb::none()), "kind", nb::none());
    if (!PyUnicode_Check(kind.ptr()) || std::string_view("Ofiub").find(utf8(kind)) == std::string_view::npos)
      return nb::none();
    try {
      return nb::module_::import_("numpy").attr("ascontiguousarray")(array, "f8");
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
      return nb::none();
    }
  }
  void pour_csr(nb::handle matrix) {
    const nb::object shape = matrix.attr("shape");
    const auto width = nb::cast<std::size_t>(shape[1]);
    require_width(width);
    const auto start = nb::cast<In<std::int64_t, 1>>(matrix.attr("indptr"));
    const auto index = nb::cast<In<std::int64_t, 1>>(matrix.attr("indices"));
    const auto value = nb::cast<In<double, 1>>(matrix.attr("data"));
    for (std::size_t t = 0; t + 1 < start.size(); ++t) {
      for (auto k = static_cast<std::size_t>(start.data()[t]);
           k < static_cast<std::size_t>(start.data()[t + 1]); ++k) {
        if (k >= index.size() || k >= value.size() || index.data()[k] < 0 ||
            static_cast<std::size_t>(index.data()[k]) >= width)
          fail("sequence {} is a sparse matrix whose parts do not fit together.", number());
        add_cell(static_cast<std::size_t>(index.data()[k]), value.data()[k]);
      }
      end_token();
    }
  }
  void require_width(std::size_t width) {
    if (width_ == 0) width_ = width;
    if (width != width_)
      fail("sequence {} has {} columns where those before have {}.", number(), width, width_);
  }

  CorpusBuilder& builder_;
  const std::string& templates_;
  nb::dict texts_;
  nb::object labels_;
  std::size_t number_ = 0, position_ = 0, width_ = 0;
  bool texts_alone_ = false;  // some label was a str
  std::vector<std::string_view> names_;
  std::vector<float> values_;
  std::vector<Index> numbers_;
  std::vector<std::array<std::size_t, 3>> joined_;
  std::string joined_text_;
  std::vector<nb::object> kept_;
  std::vector<Index> columns_;
  std::optional<TemplateExpander> expander_;
};

// X, y and weights are anything that can be iterated over, X once; weights also one number. y: None where nothing is
// known.
std::unique_ptr<Records> sequence_records(nb::object X, nb::object y, nb::object weights,
                                          const std::string& templates, nb::dict texts) {
  return made(SequenceRecords{[=](CorpusBuilder& builder) {
    builder.keep_text(false);
    SequencePourer pourer(builder, templates, texts);
    nb::iterator label, weight;
    if (!y.is_none()) label = nb::iter(y);
    const bool one_weight = PyFloat_Check(weights.ptr()), weighted = !weights.is_none() && !one_weight;
    if (weighted) weight = nb::iter(weights);
    std::size_t i = 0;
    for (nb::handle sequence : X) {
      nb::object of = nb::none();
      double factor = one_weight ? nb::cast<double>(weights) : 1;
      if (!y.is_none()) {
        if (label == nb::iterator::sentinel())
          fail("there are more sequences than lists of labels, of which there are {}.", i);
        of = nb::borrow<nb::object>(*label);
        ++label;
      }
      if (weighted) {
        if (weight == nb::iterator::sentinel())
          fail("there are more sequences than sample weights, of which there are {}: give one for each.", i);
        factor = nb::cast<double>(*weight);
        ++weight;
      }
      if (factor != 0) pourer.pour(i, sequence, of, factor);
      ++i;
    }
    if (!y.is_none() && label != nb::iterator::sentinel())
      fail("there are {} sequences, but more lists of labels.", i);
    if (weighted && weight != nb::iterator::sentinel())
      fail("there are {} sequences, but more sample weights: give one for each.", i);
  }});
}

}  // namespace

void bind_sequence_records(nb::module_& m) {
  m.def("sequence_records", &sequence_records, "X"_a, "y"_a.none(), "weights"_a.none(), "templates"_a,
        "texts"_a);
}

}  // namespace hinge::python
