// hinge plot: draws numbers of JSON Lines (a run log, a table of results) as an SVG picture.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/files.h"
#include "hinge/core/json_text.h"
#include "hinge/core/output_file.h"
#include "hinge/core/text_file.h"
#include "hinge/report/line_plot.h"

namespace hinge {
namespace {

struct PlotOptions {
  std::vector<std::string> data;
  std::string output = "-";
  std::string x = "passes";
  std::vector<std::string> y = {"primal", "dual"};
  std::string series, error, title;
  bool log_x = false, log_y = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files of JSON Lines: run logs of `hinge train --log`, or tables");
    visit("output", self.output, range::any, "file to write the picture to");
    visit("x", self.x, range::any, "field to the right: passes, seconds, oracle_calls, iteration, ...");
    visit("y", self.y, range::any, "fields upwards, a line each: primal, dual, relative_gap, ...");
    visit("series", self.series, range::any,
          "field whose values are lines of their own, such as C or method");
    visit("error", self.error, range::any, "field with half the length of the error bars");
    visit("title", self.title, range::any, "above the picture");
    visit("log_x", self.log_x, range::any, "logarithmic to the right");
    visit("log_y", self.log_y, range::any, "logarithmic upwards");
  }
};

// A number of the object; NaN where it is null or missing.
double number(const nlohmann::json& object, const std::string& field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

class Lines {
 public:
  explicit Lines(const PlotOptions& options) : options_(options) {}

  void read(const std::string& path) {
    LineReader reader(path);
    std::string_view text;
    while (reader.next(text)) {
      if (text.empty()) continue;
      nlohmann::json object;
      if (const std::string wrong = parse_json(text, object); !wrong.empty())
        fail_at(reader.file(), reader.line(), "{}", wrong);
      if (!object.is_object())
        fail_at(reader.file(), reader.line(), "is {}, where an object {{...}} belongs.",
                short_json_text(object));
      seen_x_ = seen_x_ || object.contains(options_.x);
      for (const std::string& field : options_.y) add(path, object, field);
    }
  }

  std::vector<PlotLine> take() {
    if (!seen_x_) fail("no line has the field '{}': choose another with --x.", options_.x);
    for (const std::string& field : options_.y)
      if (!seen_y_[field]) fail("no line has a number in the field '{}': choose others with --y.", field);
    return std::move(lines_);
  }

 private:
  void add(const std::string& path, const nlohmann::json& object, const std::string& field) {
    const PlotPoint point{number(object, options_.x), number(object, field),
                          options_.error.empty() ? 0 : number(object, options_.error)};
    seen_y_[field] = seen_y_[field] || std::isfinite(point.y);
    line(name(path, object, field)).points.push_back(point);
  }

  std::string name(const std::string& path, const nlohmann::json& object, const std::string& field) const {
    std::vector<std::string> words;
    if (options_.data.size() > 1) words.push_back(std::filesystem::path(path).stem().string());
    if (!options_.series.empty()) {
      const nlohmann::json value = object.value(options_.series, nlohmann::json());
      words.push_back(value.is_string()   ? value.get<std::string>()
                      : value.is_number() ? fmt::format("{} {:g}", options_.series, value.get<double>())
                                          : short_json_text(value));
    }
    if (options_.y.size() > 1 || words.empty()) words.push_back(field);
    return fmt::format("{}", fmt::join(words, " "));
  }

  PlotLine& line(const std::string& name) {
    const auto [place, added] = places_.try_emplace(name, lines_.size());
    if (added) lines_.push_back({name, {}});
    return lines_[place->second];
  }

  const PlotOptions& options_;
  std::vector<PlotLine> lines_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, bool> seen_y_;
  bool seen_x_ = false;
};

}  // namespace

int plot(Arguments arguments) {
  PlotOptions own;
  Flags flags(std::move(arguments));
  flags.take("plot", list_options(own));
  if (flags.help()) {
    print_result(help_text("plot", flags));
    return 0;
  }
  take_files("plot", flags, own.data);
  refuse_rest("plot", flags, "", "");
  if (own.data.empty()) fail("`hinge plot` needs --data F: a file of JSON Lines.");
  FilePlan files;
  files.reads("--data", own.data);
  files.writes_picture("--output", own.output);
  files.check();

  Lines lines(own);
  for (const std::string& path : own.data) lines.read(path);
  PlotFrame frame{own.title, own.x, own.y.size() == 1 ? own.y[0] : "", own.log_x, own.log_y};
  OutputFile out(own.output);
  out.write(line_plot(lines.take(), frame));
  out.commit();
  return 0;
}

}  // namespace hinge
