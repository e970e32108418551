// The OCR file of Taskar: a line is  id TAB letter TAB next_id TAB word_id TAB position TAB fold TAB 128
// pixels (0 or 1, 16 rows of 8), and next_id −1 ends a word. Attributes of a letter are its pixels that are
// 1, named p0 … p127, and `bias`.
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/sequence/reader.h"

namespace hinge {

class LetterReader final : public SequenceReader {
 public:
  // Folds to read, such as "0", "1-9" or "0,2-4"; empty means all.
  explicit LetterReader(const std::string& folds);
  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, CorpusBuilder& builder) const override;
  std::string empty_message() const override;

 private:
  bool wants(long long fold) const;

  struct Interval {
    long long low, high;
  };
  std::string folds_;
  std::vector<Interval> intervals_;
};

}  // namespace hinge
