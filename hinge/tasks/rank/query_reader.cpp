#include "hinge/tasks/rank/query_reader.h"

#include <cmath>
#include <unordered_map>

#include "hinge/core/errors.h"
#include "hinge/tasks/labels.h"

namespace hinge {
namespace {

std::string name_of(std::string_view comment) {
  constexpr std::string_view spaces = " \t=";
  if (const std::size_t at = comment.find("docid"); at != comment.npos) comment.remove_prefix(at + 5);
  comment.remove_prefix(std::min(comment.find_first_not_of(spaces), comment.size()));
  return std::string(comment.substr(0, comment.find_first_of(spaces)));
}

class QueryReader {
 public:
  QueryReader(const Selection& selection, RankRecords& records) : selection_(selection), records_(records) {}

  void read(const std::string& file) {
    SvmlightReader reader(file);
    SvmlightExample row;
    std::size_t rows = 0;
    for (; reader.next(row); ++rows) {
      if (!row.query) fail_at(reader.file(), reader.line(), "has no query: write qid:N behind the grade.");
      if (rows == 0 || *row.query != query_.id) {
        if (rows > 0) end();
        begin(reader, row);
      }
      add(reader, row);
    }
    if (rows == 0) fail_at(reader.file(), 0, "has no document: give a file with at least one.");
    end();
  }

 private:
  struct Begin {
    std::string file;
    std::size_t line;
  };

  void begin(const SvmlightReader& reader, const SvmlightExample& row) {
    const auto [seen, is_new] = begins_.try_emplace(*row.query, Begin{reader.file(), reader.line()});
    if (!is_new)
      fail_at(reader.file(), reader.line(),
              "query {} comes back after other rows; it began at {}:{}: put its rows together, or renumber "
              "one of the two.",
              *row.query, seen->second.file, seen->second.line);
    query_.id = *row.query;
    query_.weight = row.weight;
  }

  void add(const SvmlightReader& reader, const SvmlightExample& row) {
    if (row.weight != query_.weight)
      fail_at(reader.file(), reader.line(),
              "has cost:{:g} where the query's first row has cost:{:g}: a query has one cost.", row.weight,
              query_.weight);
    std::optional<double> grade;
    if (const auto known = label_in_text(row.label))
      if (!parse_number(*known, grade.emplace()) || *grade < 0 || *grade > kMaxGrade)
        fail_at(
            reader.file(), reader.line(),
            "the grade '{}' is not a number from 0 to {}: shift or scale the grades, or write ? where there "
            "is none.",
            row.label, kMaxGrade);
    query_.documents.push_back({row.row, grade, name_of(row.comment)});
  }

  void end() {
    if (selection_(begins_.size() - 1)) records_.queries.push_back(std::move(query_));
    query_ = {};
  }

  const Selection& selection_;
  RankRecords& records_;
  QueryRecord query_;  // the one being read
  std::unordered_map<long long, Begin> begins_;
};

}  // namespace

RankRecords read_queries(const std::vector<std::string>& files, const Selection& selection) {
  RankRecords records;
  QueryReader reader(selection, records);
  for (const std::string& file : files) reader.read(file);
  return records;
}

}  // namespace hinge
