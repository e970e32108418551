#include "hinge/tasks/graph/share_graphs.h"

namespace hinge {

GraphShare share_graphs(const std::vector<std::string>& files, const GraphOptions& options, Ranks& ranks,
                        std::size_t shards) {
  const std::shared_ptr<const GraphFormat> format = make_graph_format(options.format);
  std::vector<std::string> own = files;  // without those that belong to others
  std::erase_if(own, [&](const std::string& file) { return format->skips(file); });
  const auto cutter = [&](const std::string& file) { return format->cutter(file); };
  const auto read = [&](const std::string& file) {
    const GraphReading how = options.reading();
    GraphSchema ignored;
    GraphBuilder builder(ignored, how);
    format->fill({file}, builder);
  };
  // Where none is left, whoever reads them says so.
  FileShare share = share_files(own.empty() ? files : own, cutter, ranks, shards, read);
  const std::vector<std::string> parts = share.size > 0 ? share.files : std::vector<std::string>();
  return {std::move(share), {[=](GraphBuilder& builder) {
            if (!parts.empty()) format->fill(parts, builder);
          }}};
}

}  // namespace hinge
