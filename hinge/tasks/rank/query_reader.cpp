#include "hinge/tasks/rank/query_reader.h"

#include <cmath>
#include <unordered_map>

#include "hinge/core/errors.h"
#include "hinge/tasks/rank/goal.h"

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
  QueryReader(const Selection& selection, std::vector<RankedQuery>& queries)
      : selection_(selection), queries_(queries) {}

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
    const auto place = static_cast<Index>(query_.names.size());
    query_.names.push_back(name_of(row.comment));
    if (row.label == kHiddenLabel) {
      ungraded_.push_back({place, row.row});
      return;
    }
    double grade = 0;
    if (!parse_number(row.label, grade) || grade < 0 || grade > kMaxGrade)
      fail_at(
          reader.file(), reader.line(),
          "the grade '{}' is not a number from 0 to {}: shift or scale the grades, or write ? where there "
          "is none.",
          row.label, kMaxGrade);
    query_.grade.push_back(grade);
    query_.place.push_back(place);
    query_.rows.push_back(row.row);
  }

  void end() {
    for (auto& [place, row] : ungraded_) {
      query_.place.push_back(place);
      query_.rows.push_back(std::move(row));
    }
    ungraded_.clear();
    if (selection_(begins_.size() - 1)) queries_.push_back(std::move(query_));
    query_ = {};
  }

  const Selection& selection_;
  std::vector<RankedQuery>& queries_;
  RankedQuery query_;                                  // the one being read
  std::vector<std::pair<Index, SparseRow>> ungraded_;  // of that
  std::unordered_map<long long, Begin> begins_;
};

}  // namespace

std::vector<RankedQuery> read_queries(const std::vector<std::string>& files, const Selection& selection) {
  std::vector<RankedQuery> queries;
  QueryReader reader(selection, queries);
  for (const std::string& file : files) reader.read(file);
  return queries;
}

}  // namespace hinge
