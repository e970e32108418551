// Documents in the columns of the CoNLL-2012 shared task: a word a line, sentences between blank lines,
// documents between "#begin document" and "#end document" (a file without these is one). The word is the
// fourth column, the last one marks mentions: (7 begins one of entity 7, 7) ends it, (7) is both, marks are
// joined by '|', and '-', '_' or nothing mean none. Mentions are the items, by where they begin, the longer
// first; mention_fields.h gives them fields.
#pragma once

#include <string>
#include <string_view>

#include "hinge/tasks/cluster/reader.h"

namespace hinge {

// Reads a file line by line.
class ConllFile {
 public:
  ConllFile(const std::string& file, const TakeDocument& take) : file_(file), take_(take) {}
  void add(std::string_view line, std::size_t number);
  void end();  // of the file

 private:
  void finish();

  const std::string& file_;
  const TakeDocument& take_;
  std::string text_, name_;
  std::size_t first_line_ = 0;  // of the document; 0: none has begun
  bool announced_ = false;      // by "#begin document"
};

// Whether a document begins with a line, of all lines of a file.
class ConllBegins {
 public:
  bool operator()(std::string_view line);

 private:
  bool inside_ = false;  // a document
};

// The document of such a text.
ItemDocument conll_document(std::string text);

// The text of a document with other entities, numbered as the clusters are. Two mentions of one cluster that
// cross, (0 (0 0) 0), would be read as one within the other: throws InputError, which says the name.
std::string conll_with_clusters(const std::string& source, const std::string& name,
                                const Partition& clusters);

}  // namespace hinge
