#include "hinge/tasks/example_cutter.h"

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {
namespace {

class Rows final : public ExampleCutter {
 public:
  std::optional<Start> take(std::string_view line, Start here) override {
    return is_svmlight_row(line) ? std::optional(here) : std::nullopt;
  }
};

class Queries final : public ExampleCutter {
 public:
  explicit Queries(Naming naming) : naming_(naming) {}
  bool names_once() const override { return naming_ == Naming::once; }

  std::optional<Start> take(std::string_view line, Start here) override {
    if (!is_svmlight_row(line)) return std::nullopt;
    constexpr std::string_view kName = "qid:";
    split_fields<' ', '\t'>(line.substr(0, line.find('#')), fields_);
    long long query = 0;
    for (const std::string_view field : fields_)
      if (field.starts_with(kName)) parse_integer(field.substr(kName.size()), query);
    if (query_ == query) return std::nullopt;
    query_ = here.name = query;
    return here;
  }

 private:
  Naming naming_;
  std::optional<long long> query_;
  std::vector<std::string_view> fields_;
};

class Lines final : public ExampleCutter {
 public:
  std::optional<Start> take(std::string_view line, Start here) override {
    return line.find_first_not_of(" \t") != std::string_view::npos ? std::optional(here) : std::nullopt;
  }
};

class FromTop final : public ExampleCutter {
 public:
  explicit FromTop(BeginsExample begins) : begins_(std::move(begins)) {}
  bool anywhere() const override { return false; }
  std::optional<Start> take(std::string_view line, Start here) override {
    return begins_(line) ? std::optional(here) : std::nullopt;
  }

 private:
  BeginsExample begins_;
};

class Blocks final : public ExampleCutter {
 public:
  explicit Blocks(std::function<bool(std::string_view)> is_data) : is_data_(std::move(is_data)) {}

  std::optional<Start> take(std::string_view line, Start here) override {
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      if (open_) above_.reset();
      open_ = false;
      return std::nullopt;
    }
    if (!above_) above_ = here;
    if (open_ || !is_data_(line)) return std::nullopt;
    open_ = true;
    return above_;
  }

 private:
  std::function<bool(std::string_view)> is_data_;
  std::optional<Start> above_;  // the block's first line
  bool open_ = false;           // it has a line of data
};

}  // namespace

MakeCutter cut_rows() {
  return [](const std::string&) { return std::make_unique<Rows>(); };
}

MakeCutter cut_queries(Naming naming) {
  return [naming](const std::string&) { return std::make_unique<Queries>(naming); };
}

MakeCutter cut_lines() {
  return [](const std::string&) { return std::make_unique<Lines>(); };
}

MakeCutter cut_from_top(std::function<BeginsExample(const std::string& file)> make) {
  return [make = std::move(make)](const std::string& file) { return std::make_unique<FromTop>(make(file)); };
}

std::unique_ptr<ExampleCutter> cut_blocks(std::function<bool(std::string_view line)> is_data) {
  return std::make_unique<Blocks>(std::move(is_data));
}

}  // namespace hinge
