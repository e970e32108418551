#include "hinge/tasks/cluster/reader.h"

#include <optional>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/cluster/conll_document.h"
#include "hinge/tasks/cluster/json_document.h"

namespace hinge {

MakeCutter cut_documents() {
  const MakeCutter columns = cut_from_top([](const std::string&) { return ConllBegins(); });
  return [columns, lines = cut_lines()](const std::string& file) {
    LineReader head(file);
    std::string_view line;
    std::size_t begin = std::string_view::npos;
    while (begin == std::string_view::npos && head.next(line)) begin = line.find_first_not_of(" \t");
    return (begin != std::string_view::npos && line[begin] == '{' ? lines : columns)(file);
  };
}

void read_documents(const std::vector<std::string>& files, StringTable& pair_features,
                    const TakeDocument& take, const Selection& selection) {
  std::size_t count = 0;
  const TakeDocument take_selected = [&](ItemDocument&& document, const std::string& file, std::size_t line) {
    if (selection(count++)) take(std::move(document), file, line);
  };
  for (const std::string& file : files) {
    LineReader lines(file);
    std::string_view line;
    std::optional<ConllFile> conll;
    bool told = false;  // which form the file has
    while (lines.next(line)) {
      const std::size_t begin = line.find_first_not_of(" \t");
      if (!conll && begin == std::string_view::npos) continue;
      if (!told && line[begin] != '{') conll.emplace(lines.file(), take_selected);
      told = true;
      if (conll)
        conll->add(line, lines.line());
      else if (selection(count++))
        take(read_json_document(line.substr(begin), lines.file(), lines.line(), pair_features), lines.file(),
             lines.line());
    }
    if (!told) fail_at(lines.file(), 0, "there is no document: give a file with at least one.");
    if (conll) conll->end();
  }
}

ClusterRecords read_documents(const std::vector<std::string>& files, const Selection& selection) {
  ClusterRecords records;
  const TakeDocument take = [&](ItemDocument&& document, const std::string& file, std::size_t line) {
    records.documents.push_back(std::move(document));
    records.documents.back().file = file;
    records.documents.back().line = line;
  };
  read_documents(files, records.pair_features, take, selection);
  return records;
}

std::string with_clusters(const std::string& source, const std::string& name, const Partition& clusters) {
  return source.empty() || source.starts_with('{') ? json_with_clusters(source, clusters)
                                                   : conll_with_clusters(source, name, clusters);
}

std::string json_line_with_clusters(const std::string& source, const Partition& clusters) {
  if (source.empty() || source.starts_with('{')) return json_with_clusters(source, clusters);
  ItemDocument document = conll_document(source);
  document.clusters = clusters;
  return json_of(document);
}

}  // namespace hinge
