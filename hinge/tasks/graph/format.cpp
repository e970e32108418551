#include "hinge/tasks/graph/format.h"

#include "hinge/tasks/graph/image_format.h"
#include "hinge/tasks/graph/jsonl_format.h"
#include "hinge/tasks/graph/msrc_format.h"
#include "hinge/tasks/graph/snakes_format.h"

namespace hinge {

void GraphFormat::fill(const std::vector<std::string>& files, GraphBuilder& builder) const {
  for (const std::string& file : files) {
    if (skips(file)) continue;
    const std::size_t before = builder.graphs();
    read_file(file, builder);
    if (builder.graphs() == before) fail_at(file, 0, "holds no graph: give a file with data.");
  }
  if (builder.graphs() == 0)
    fail("none of the files is a picture to label: name others than label pictures.");
}

GraphCorpus GraphFormat::read_training(const std::vector<std::string>& files, GraphSchema& schema,
                                       const GraphReading& reading, const Selection& selection) const {
  schema = {};
  schema.per_position = reading.per_position;
  schema.agreement = reading.agreement;
  GraphBuilder builder(schema, reading, selection);
  fill(files, builder);
  return std::move(builder).finish();
}

GraphCorpus GraphFormat::read(const std::vector<std::string>& files, const GraphSchema& schema,
                              const GraphReading& reading, const Selection& selection) const {
  GraphBuilder builder(schema, reading, selection);
  fill(files, builder);
  return std::move(builder).finish();
}

std::unique_ptr<GraphFormat> make_graph_format(const GraphFormatOptions& options) {
  validate(options);
  const GraphFormatOptions standard;
  const bool snakes = options.format == "snakes", image = options.format == "image";
  const auto belongs = [&](bool given, bool allowed, const char* flag, const char* to) {
    if (given && !allowed)
      fail("{} belongs to `format` {}, not to {}: leave one of them out.", flag, to, options.format);
  };
  belongs(options.split != standard.split, snakes, "`split`", "snakes");
  belongs(options.pixels != standard.pixels, image, "`pixels`", "image");
  belongs(options.neighbours != standard.neighbours, snakes || image, "`neighbours`", "snakes and image");
  belongs(options.connect != standard.connect, snakes || image, "`connect`", "snakes and image");
  belongs(options.edge_features != standard.edge_features, snakes || image, "`edge_features`",
          "snakes and image");
  belongs(!options.unlabelled_colour.empty(), image, "`unlabelled_colour`", "image");
  if (options.neighbours != 0 && options.neighbours != 4 && options.neighbours != 8)
    fail("`neighbours` is {}, but must be 0, 4 or 8.", options.neighbours);
  if (options.connect != 4 && options.connect != 8)
    fail("`connect` is {}, but must be 4 or 8.", options.connect);
  if (options.format == "msrc") return std::make_unique<MsrcFormat>();
  if (snakes)
    return std::make_unique<SnakesFormat>(
        options.split, GridOptions{options.neighbours, options.connect, options.edge_features});
  if (image) return std::make_unique<ImageFormat>(options);
  return std::make_unique<JsonlFormat>();
}

}  // namespace hinge
