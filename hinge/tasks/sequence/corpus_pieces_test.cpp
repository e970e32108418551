// Pieces of a file that threads read beside each other give what reading it in one gives: every name under its number,
// every line of text, every sentence about what is wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/tasks/file_pieces.h"
#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

// About a megabyte of sentences. Names come and come back all over the file.
std::string many_sentences(const std::string& format) {
  Random random(3);
  std::string text;
  for (std::size_t i = 0; text.size() < 1'100'000; ++i) {
    if (i % 7 == 3 && format == "conll") text += fmt::format("# sentence {}\n", i);
    if (i % 11 == 5 && format == "crfsuite") text += "@weight:0.5\n";
    const std::size_t length = 1 + random.below(9);
    for (std::size_t t = 0; t < length; ++t) {
      const std::size_t word = random.below(10 + i), label = random.below(3 + i / 5000);
      const std::string said = random.below(20) == 0   ? "?"
                               : random.below(20) == 0 ? "?L0|L1"
                                                       : fmt::format("L{}", label);
      if (format == "conll")
        text += fmt::format("word{} TAG{} {}\n", word, word % 5, said);
      else if (format == "crfsuite")
        text +=
            fmt::format("{}\tw={}\ta:{}\tlong-name-{}\ta:0.1\ta:0.7\n", said, word, 1 + word % 3, word % 99);
      else
        text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}", text.size(), static_cast<char>('a' + word % 26),
                            t + 1 == length ? "-1" : fmt::format("{}", i + 1), i, t, i % 10);
      if (format == "letter") {
        for (std::size_t k = 0; k < 128; ++k) text += random.below(2) == 0 ? "\t0" : "\t1";
        text += '\n';
      }
    }
    if (format != "letter") text += i % 5 == 0 ? "\n\n" : "\n";
  }
  return text;
}

struct Read {
  SequenceSchema schema;
  SequenceCorpus corpus;
};
Read read_by(const SequenceReader& reader, const std::string& file, std::size_t threads,
             const SequenceSchema* fixed) {
  Read read;
  const auto executor = make_executor(threads);
  CorpusBuilder builder = fixed != nullptr ? CorpusBuilder(*fixed) : CorpusBuilder(read.schema);
  builder.read_with(executor.get());
  reader.fill({file}, builder);
  read.corpus = std::move(builder).finish();
  return read;
}

void expect_same_names(const StringTable& found, const StringTable& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (Index k = 0; k < found.size(); ++k) ASSERT_EQ(found.text(k), expected.text(k));
}
void expect_same(const Read& found, const Read& expected) {
  expect_same_names(found.schema.attributes, expected.schema.attributes);
  expect_same_names(found.schema.labels, expected.schema.labels);
  EXPECT_TRUE(found.schema.alike(expected.schema));
  const SequenceCorpus &a = found.corpus, &b = expected.corpus;
  expect_same_names(a.unseen_labels, b.unseen_labels);
  ASSERT_EQ(a.inputs.size(), b.inputs.size());
  EXPECT_EQ(a.weights, b.weights);
  for (std::size_t i = 0; i < a.inputs.size(); ++i) {
    ASSERT_EQ(a.inputs[i].start, b.inputs[i].start) << i;
    ASSERT_EQ(a.inputs[i].attribute, b.inputs[i].attribute) << i;
    ASSERT_EQ(a.inputs[i].value, b.inputs[i].value) << i;
    ASSERT_TRUE(std::ranges::equal(a.labels[i], b.labels[i])) << i;
    ASSERT_EQ(a.labels[i].one_of.size(), b.labels[i].one_of.size()) << i;
    for (std::size_t k = 0; k < a.labels[i].one_of.size(); ++k)
      ASSERT_EQ(a.labels[i].one_of[k].labels, b.labels[i].one_of[k].labels) << i;
  }
  EXPECT_EQ(a.lines.bytes, b.lines.bytes);
  EXPECT_EQ(a.lines.label, b.lines.label);
  EXPECT_EQ(a.lines.end, b.lines.end);
  EXPECT_EQ(a.lines.first, b.lines.first);
  EXPECT_EQ(a.lines.above, b.lines.above);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.unlabelled_tokens, b.unlabelled_tokens);
  EXPECT_EQ(a.unseen_label_tokens, b.unseen_label_tokens);
  EXPECT_EQ(a.unseen_attributes, b.unseen_attributes);
}

TEST(CorpusPieces, AreReadAsTheWholeFileIs) {
  for (const std::string format : {"conll", "crfsuite", "letter"}) {
    SCOPED_TRACE(format);
    const TextFile file(many_sentences(format)), short_file(many_sentences(format).substr(0, 20'000));
    const auto reader = make_sequence_reader({.format = format});
    const Read whole = read_by(*reader, file.path(), 1, nullptr);
    for (const std::size_t threads : {2u, 3u, 7u})
      expect_same(read_by(*reader, file.path(), threads, nullptr), whole);
    const auto executor = make_executor(3);
    EXPECT_EQ(cut_file(
                  file.path(), [&](const auto& path) { return reader->cutter(path); }, *executor)
                  .size(),
              3u);
    EXPECT_EQ(cut_file(
                  short_file.path(), [&](const auto& path) { return reader->cutter(path); }, *executor)
                  .size(),
              1u);
    // By the schema of a part of it, which lacks names and labels.
    const auto lines = many_sentences(format);
    const TextFile head(lines.substr(0, lines.rfind(format == "letter" ? "\n" : "\n\n", 30'000) + 1));
    const SequenceSchema schema = read_by(*reader, head.path(), 1, nullptr).schema;
    const Read later = read_by(*reader, file.path(), 1, &schema);
    EXPECT_GT(later.corpus.unseen_attributes + later.corpus.unseen_label_tokens,
              format == "letter" ? 0u : 1000u);
    expect_same(read_by(*reader, file.path(), 2, &schema), later);
  }
}

TEST(CorpusPieces, TellWhatIsWrongInTheOrderOfTheFile) {
  std::string text = many_sentences("conll");
  const std::size_t first = text.find("word", 900'000), second = text.rfind("word");
  text.replace(second, 4, "wo rd");
  text.replace(first, 4, "w rd");
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), '\n') + 1;
  const TextFile file(text);
  for (const std::size_t threads : {1u, 2u, 3u})
    expect_input_error([&] { read_by(*make_sequence_reader({}), file.path(), threads, nullptr); },
                       fmt::format("{}:{}", file.path(), line));
}

// A query that comes back is another example, in one piece or in two.
TEST(CorpusPieces, CutBetweenQueries) {
  std::string text;
  for (int q = 0; text.size() < 1'000'000; ++q)
    text += fmt::format("A qid:{0} 1:1 2:{1}\nB qid:{0} 3:1\n", q % 20'000, q);
  const TextFile file(text);
  const auto reader = make_sequence_reader({.format = "svmhmm"});
  const Read whole = read_by(*reader, file.path(), 1, nullptr);
  for (const std::size_t threads : {2u, 3u})
    expect_same(read_by(*reader, file.path(), threads, nullptr), whole);
}

}  // namespace
}  // namespace hinge
