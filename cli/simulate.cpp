// hinge simulate: draws data with something hidden in it, to train and test on: graphs from a random field,
// or sequences with a motif.
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/files.h"
#include "hinge/core/output_file.h"
#include "hinge/tasks/graph/simulation.h"
#include "hinge/tasks/motif/simulation.h"

namespace hinge {
namespace {

struct SimulateOptions {
  std::string train, test;
  int train_size = 20;
  int test_size = 100;
  std::uint64_t seed = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("train", self.train, range::any, "file to learn from");
    visit("test", self.test, range::any, "file to measure on");
    visit("train_size", self.train_size, range::at_least_one, "graphs or sequences to learn from");
    visit("test_size", self.test_size, range::at_least_one, "graphs or sequences to measure on");
    visit("seed", self.seed, range::any, "of everything random");
  }
};

const std::vector<std::string> kShapes = {"chain", "leaves", "grid", "image", "motif"};

constexpr const char* kShapesHelp =
    "\nshapes:\n"
    "  chain         outputs and hidden nodes in turn: y h y h ...\n"
    "  leaves        a chain of hidden nodes with an output at each\n"
    "  grid          a checkerboard of outputs and hidden nodes\n"
    "  image         one picture of five labels, seen with noise, some labels missing\n"
    "  motif         sequences of bases, half of them with one noisy word\n"
    "`hinge simulate SHAPE --help` adds its flags.\n";

void write(OutputFile& out, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) out.write(line + "\n");
}

struct Drawn {
  std::vector<std::string> train, test;
};

Drawn draw_field(const std::string& shape, const FieldOptions& options, const SimulateOptions& own) {
  Random random(own.seed);
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const SimulatedField field(shape == "chain"    ? alternating_chain(size(options.nodes))
                             : shape == "leaves" ? chain_with_leaves(size(options.nodes))
                                                 : checkerboard(size(options.rows), size(options.columns)),
                             options, random);
  Drawn drawn;
  drawn.train = field.draw(size(own.train_size), random);
  drawn.test = field.draw(size(own.test_size), random);
  return drawn;
}

Drawn draw_images(const ImageOptions& options, const SimulateOptions& own) {
  Random random(own.seed);
  Drawn drawn;
  drawn.train = simulate_images(static_cast<std::size_t>(own.train_size), options, options.missing, random);
  drawn.test = simulate_images(static_cast<std::size_t>(own.test_size), options, 0, random);
  return drawn;
}

Drawn draw_sequences(const MotifSimulation& options, const SimulateOptions& own) {
  Random random(own.seed);
  const std::string motif = draw_motif(options, random);
  Drawn drawn;
  drawn.train = simulate_motif(static_cast<std::size_t>(own.train_size), motif, options, random);
  drawn.test = simulate_motif(static_cast<std::size_t>(own.test_size), motif, options, random);
  return drawn;
}

}  // namespace

int simulate(Arguments arguments) {
  const std::string shape = take_subject("simulate", arguments);
  if (!shape.empty() && std::ranges::find(kShapes, shape) == kShapes.end())
    fail("there is no shape '{}': use one of {}.", shape, fmt::format("{}", fmt::join(kShapes, ", ")));
  SimulateOptions own;
  FieldOptions field;
  ImageOptions image;
  MotifSimulation motif;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  if (shape == "image")
    flags.take(shape, list_options(image));
  else if (shape == "motif")
    flags.take(shape, list_options(motif));
  else if (!shape.empty())
    flags.take(shape, list_options(field));
  if (flags.help() || shape.empty()) {
    print_result(help_text("simulate", flags, shape.empty() ? kShapesHelp : ""));
    return 0;
  }
  refuse_rest("simulate", flags, "", "");
  if (own.train.empty() || own.test.empty())
    fail("`hinge simulate` needs --train F and --test F: the files to write to.");
  FilePlan files;
  files.writes("--train", own.train);
  files.writes("--test", own.test);
  files.check();

  const Drawn drawn = shape == "image"   ? draw_images(image, own)
                      : shape == "motif" ? draw_sequences(motif, own)
                                         : draw_field(shape, field, own);
  OutputFile train(own.train), test(own.test);
  write(train, drawn.train);
  write(test, drawn.test);
  commit_together({&train, &test});
  return 0;
}

}  // namespace hinge
