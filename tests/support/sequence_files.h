// For the tests of readers: a file that lives as long as a test, and what a corpus says of one token.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "hinge/core/errors.h"
#include "hinge/tasks/sequence/reader.h"
#include "tests/support/any_task.h"

namespace hinge {

class TextFile {
 public:
  explicit TextFile(const std::string& content) : path_(testing::TempDir() + "hinge_XXXXXX") {
    close(mkstemp(path_.data()));
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TextFile() { unlink(path_.c_str()); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline SequenceCorpus read_text(const SequenceReader& reader, const std::string& content,
                                SequenceSchema& growing) {
  const TextFile file(content);
  return reader.read_training({file.path()}, growing);
}

inline SequenceCorpus read_fixed(const SequenceReader& reader, const std::string& content,
                                 const SequenceSchema& schema) {
  const TextFile file(content);
  return reader.read({file.path()}, schema);
}

// Names of a token's attributes in order of their index, "name=value" where the value is not 1.
inline std::vector<std::string> attributes_of(const SequenceCorpus& corpus, const SequenceSchema& schema,
                                              std::size_t sequence, std::size_t position) {
  const Sequence& input = corpus.inputs[sequence];
  std::vector<std::string> names;
  for (Index k = input.start[position]; k < input.start[position + 1]; ++k) {
    names.emplace_back(schema.attributes.text(input.attribute[k]));
    if (input.value_of(k) != 1) names.back() += fmt::format("={}", input.value_of(k));
  }
  return names;
}

}  // namespace hinge
