// Where examples begin in the lines of a file, so that it can be cut between two of them by who has not read what
// stands before: a cutter that begins in the middle is right from the second example on that it finds. Where lines do not
// tell that, one rank looks at all of a file's lines, and no rank reads more examples than its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hinge {

class ExampleCutter {
 public:
  virtual ~ExampleCutter() = default;

  // The first line of an example.
  struct Start {
    std::size_t byte = 0, line = 0;  // of the file; how many lines stand before it
    long long name = 0;              // where files name their examples, else 0
  };
  // Takes the lines one after the other; gives the beginning of an example once a line shows that there is one.
  virtual std::optional<Start> take(std::string_view line, Start here) = 0;
  // Whether it may begin in the middle; one that may not has to see the file from its first line on.
  virtual bool anywhere() const { return true; }
  // Whether no two examples have one name.
  virtual bool names_once() const { return false; }
};

// Makes one for a file, whose head it may look at.
using MakeCutter = std::function<std::unique_ptr<ExampleCutter>(const std::string& file)>;

// Every line that is no comment and not blank (svmlight.h) is an example.
MakeCutter cut_rows();

// Rows of equal qid:N that stand together are an example. Each name is there once, or comes back as another example.
enum class Naming { once, again };
MakeCutter cut_queries(Naming naming);

// Every line that is not blank is an example.
MakeCutter cut_lines();

// begins(line): whether an example begins with the line, asked of all lines of a file from the first on. `make` gives one
// for each file.
using BeginsExample = std::function<bool(std::string_view line)>;
MakeCutter cut_from_top(std::function<BeginsExample(const std::string& file)> make);

// Blank lines stand between examples. What a block has above its first line for which `is_data` holds belongs to it,
// and a block without any is none.
std::unique_ptr<ExampleCutter> cut_blocks(std::function<bool(std::string_view line)> is_data);

}  // namespace hinge
