#include "hinge/tasks/token_texts.h"

#include <gtest/gtest.h>

#include "hinge/tasks/powers.h"
#include "hinge/tasks/sequence/any_sequence.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

using Kind = TokenTexts::Kind;

// All texts: '|' between those of a token, blanks between tokens, a line an example.
std::string shown(const TokenTexts& texts) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t t = 0; t < texts.length(i); ++t) {
      all += t > 0 ? " " : "";
      for (std::size_t k = 0; k < texts.texts(i, t); ++k)
        all.append(k > 0 ? "|" : "").append(texts.text(i, t, k));
    }
    all += "\n";
  }
  return all;
}

class TokensOfFormat : public testing::Test {
 protected:
  const TokenTexts& read(const std::string& format, const std::string& text,
                         const Selection& selection = {}) {
    task_ = make_sequence();
    set(task_->options(), "format", format);
    power<HasTokens>(static_cast<AnyTask&>(*task_))->keep_tokens(true);
    data_ = task_->read_training({folder_.write("data", text)}, selection);
    return power<HasTokens>(static_cast<AnyTask&>(*task_))->tokens(*data_);
  }

  TemporaryFolder folder_;
  std::unique_ptr<RecordTask<SequenceRecords>> task_;
  std::unique_ptr<Data> data_;
};

TEST_F(TokensOfFormat, Conll) {
  const TokenTexts& texts = read("conll", "# head\nAnn NNP B\n\nran VB O\nfar  RB ?\n");
  EXPECT_EQ(texts.kind, Kind::columns);
  EXPECT_EQ(shown(texts), "Ann|NNP\nran|VB far|RB\n");
  EXPECT_EQ(texts.place(1, 1), folder_.path("data") + ":5");
  EXPECT_EQ(shown(read("conll", "a X\n\nb Y\n\nc Z\n", Selection({false, true, true}))), "b\nc\n");
}

TEST_F(TokensOfFormat, ConllWithoutLabelsAndPacked) {
  read("conll", "a N X\nb N Y\n");
  const std::string path = folder_.path("new.gz");
  OutputFile packed(path);
  packed.write("c N\n\nd M\ne M\n");
  packed.commit();
  const auto data = task_->read({path});
  const auto& tokens = *power<HasTokens>(static_cast<AnyTask&>(*task_));
  EXPECT_EQ(shown(tokens.tokens(*data)), "c|N\nd|M e|M\n");
  EXPECT_EQ(tokens.labels(*data), (std::vector<Labels>{{kUnknown}, {kUnknown, kUnknown}}));
}

TEST_F(TokensOfFormat, Conllu) {
  const TokenTexts& texts =
      read("conllu",
           "# text\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n"
           "2\tle\tle\tDET\t_\t_\t0\troot\t_\t_\n");
  EXPECT_EQ(shown(texts),
            "1|de|de||_|_|2|case|_|_ 2|le|le||_|_|0|root|_|_\n");  // no part of speech: it is the label
  EXPECT_EQ(texts.word_column, 1u);
  EXPECT_EQ(texts.names.at(3), "upos");
  EXPECT_EQ(texts.label_column, 3u);
  EXPECT_EQ(texts.place(0, 0), folder_.path("data") + ":3");
}

TEST_F(TokensOfFormat, Attributes) {
  EXPECT_EQ(shown(read("crfsuite", "X\tw=a\\:b\tcap:2\nY\n\n@weight:2\nX\tw=c\n")), "w=a:b|cap \nw=c\n");
  EXPECT_EQ(shown(read("svmhmm", "X qid:1 3:1 7:2\nY qid:1 5:1\nX qid:2 3:1\n")), "3|7 5\n3\n");
  EXPECT_EQ(read("svmhmm", "X qid:1 3:1\nY qid:1 4:1\n").kind, Kind::attributes);
}

// Names that the schema lacks are there for rules.
TEST_F(TokensOfFormat, AttributesThatTrainingDidNotSee) {
  read("crfsuite", "X\ta\nY\tb\n");
  const auto data = task_->read({folder_.write("new", "?\tc\ta\n")});
  EXPECT_EQ(shown(power<HasTokens>(static_cast<AnyTask&>(*task_))->tokens(*data)), "c|a\n");
}

TEST_F(TokensOfFormat, Memory) {
  auto task = make_sequence();
  auto& tokens = *power<HasTokens>(static_cast<AnyTask&>(*task));
  tokens.keep_tokens(true);
  const auto data = task->train_on({[](CorpusBuilder& builder) {
    const std::string_view ann[] = {"Ann", "NNP"}, ran[] = {"ran", "VB"};
    builder.columns(ann);
    builder.attribute("w=Ann");
    builder.token("NAME");
    builder.columns(ran);
    builder.attribute("w=ran");
    builder.token("O");
    builder.end_sequence();
  }});
  EXPECT_EQ(shown(tokens.tokens(*data)), "Ann|NNP ran|VB\n");
  EXPECT_EQ(tokens.tokens(*data).place(0, 1), "example 1");
  tokens.keep_tokens(false);
  EXPECT_EQ(tokens
                .tokens(*task->examples_of({[](CorpusBuilder& builder) {
                  builder.attribute("w=Ann");
                  builder.token("NAME");
                }}))
                .size(),
            0u);
}

}  // namespace
}  // namespace hinge
