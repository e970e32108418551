// How graphs are written in files: a reader and a writer for each format.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/tasks/example_cutter.h"
#include "hinge/tasks/graph/builder.h"

namespace hinge {

struct GraphFormatOptions {
  std::string format = "jsonl";
  std::string split = "all";
  std::string pixels = "values";
  int neighbours = 0;
  int connect = 4;
  std::string edge_features = "constant";
  std::string label_suffix = ".labels";
  std::string unlabelled_colour = "";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("format", self.format, range::one_of({"jsonl", "msrc", "snakes", "image"}),
          "how graphs are written: jsonl (an object a line), msrc (superpixels), snakes (grids of colours), "
          "image (PGM or PPM, with a label image beside it)");
    visit("split", self.split, range::one_of({"all", "train", "test"}), "part of a snakes file to read");
    visit("pixels", self.pixels, range::one_of({"values", "colours"}),
          "features of a pixel of an image: its channels from 0 to 1, or one feature for each colour");
    visit("neighbours", self.neighbours, range::between(0, 8),
          "so many neighbouring pixels whose features a pixel has too: 0, 4 or 8");
    visit("connect", self.connect, range::between(4, 8), "edges of a pixel: to 4 or 8 neighbours");
    visit(
        "edge_features", self.edge_features, range::one_of({"constant", "contrast", "similarity", "ends"}),
        "features of an edge between pixels: one constant; that and how far the features differ; that and 1 "
        "less how far, which is never negative; or those of both ends");
    visit("label_suffix", self.label_suffix, range::any,
          "the labels of a.ppm are the image a.SUFFIX.ppm or a.SUFFIX.pgm, the suffix being");
    visit("unlabelled_colour", self.unlabelled_colour, range::any,
          "colour of a label image that means no label: R,G,B or a grey value");
  }
};

// What is said of one graph.
struct GraphAnswer {
  std::vector<std::string_view> labels;        // of each node; empty where it is hidden for good
  std::vector<std::vector<double>> marginals;  // of each label, a node a row; empty when nobody asked
  double score = 0;
  bool scored = false;
};

class GraphFormat {
 public:
  virtual ~GraphFormat() = default;

  // Where the labels of a file stand, when it is another file.
  virtual std::string label_file(const std::string&) const { return {}; }
  // Puts the graphs of the files into the builder. Throws InputError about a file without any.
  void fill(const std::vector<std::string>& files, GraphBuilder& builder) const;

  GraphCorpus read_training(const std::vector<std::string>& files, GraphSchema& schema,
                            const GraphReading& reading, const Selection& selection = {}) const;
  GraphCorpus read(const std::vector<std::string>& files, const GraphSchema& schema,
                   const GraphReading& reading, const Selection& selection = {}) const;

  // Appends the graph of that source with the labels of the answer, in the format's own form.
  virtual void append(const std::string& source, const GraphAnswer& answer, std::string& out) const = 0;
  // Whether that form has room for marginals and scores.
  virtual bool annotates() const { return false; }

  // Where a file may be cut between two graphs.
  virtual std::unique_ptr<ExampleCutter> cutter(const std::string& file) const = 0;
  // Whether the file holds no graphs of its own, but belongs to another.
  virtual bool skips(const std::string& /*file*/) const { return false; }

 protected:
  virtual void read_file(const std::string& file, GraphBuilder& builder) const = 0;
};

std::unique_ptr<GraphFormat> make_graph_format(const GraphFormatOptions& options);

// The answer as one line of JSON; with a source (a line of JSON), that with its labels replaced.
void append_json(const std::string& source, const GraphAnswer& answer, std::string& out);

}  // namespace hinge
