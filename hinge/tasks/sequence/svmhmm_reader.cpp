#include "hinge/tasks/sequence/svmhmm_reader.h"

#include <charconv>

#include "hinge/tasks/svmlight.h"

namespace hinge {

void SvmhmmReader::read_file(const std::string& file, CorpusBuilder& builder) const {
  SvmlightReader lines(file);
  SvmlightExample token;
  std::optional<long long> query;
  while (lines.next(token)) {
    if (!token.query)
      fail_at(lines.file(), lines.line(),
              "has no qid:N behind the tag: it says which sequence the line is of.");
    if (token.weight != 1)
      fail_at(lines.file(), lines.line(), "has a cost, which sequences do not take: leave it out.");
    if (query != token.query) builder.end_sequence();
    query = token.query;
    builder.line(lines.line());
    for (std::size_t k = 0; k < token.row.index.size(); ++k) {
      char digits[16];
      const auto end = std::to_chars(digits, digits + sizeof digits, token.row.index[k]).ptr;
      builder.attribute({digits, static_cast<std::size_t>(end - digits)}, token.row.value[k]);
    }
    builder.token(builder.said(token.label));
  }
}

std::unique_ptr<ExampleCutter> SvmhmmReader::cutter(const std::string& file) const {
  return cut_queries(Naming::again)(file);
}

}  // namespace hinge
