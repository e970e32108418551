#include "hinge/tasks/sequence/conllu.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hinge/tasks/sequence/any_sequence.h"
#include "hinge/tasks/sequence/conll_reader.h"
#include "tests/support/any_task.h"
#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

using Names = std::vector<std::string>;

// Tabs for spaces, so that columns can be seen.
std::string tabs(std::string text) {
  std::ranges::replace(text, ' ', '\t');
  std::ranges::replace(text, '~', ' ');
  return text;
}

const std::string kTwo = tabs(
    "#~sent_id~=~1\n"
    "#~text~=~a~b~c~d~e~f~g~h~i~j\n"
    "1 Vamos ir VERB V Mood=Imp|Number=Plur 0 root _ _\n"
    "2-3 al _ _ _ _ _ _ _ SpaceAfter=No\n"
    "2 a a ADP P _ 4 case _ _\n"
    "3 el el DET D Number=Sing 4 det _ _\n"
    "3.1 que~no que PRON _ _ _ _ 1:obj _\n"
    "4 mar mar NOUN N Number=Sing 1 obl _ SpaceAfter=No\n"
    "4.1 fin _ _ _ _ _ _ _ _\n"
    "\n"
    "#~sent_id~=~2\n"
    "1 va ir _ V _ 0 root _ _\n"
    "\n");

TEST(Conllu, IsFoundByItsFirstLine) {
  EXPECT_TRUE(Conllu::begins(tabs("1 a b c d e 0 f g h")));
  EXPECT_TRUE(Conllu::begins(tabs("1-2 a _ _ _ _ _ _ _ _")));
  EXPECT_TRUE(Conllu::begins(tabs("0.1 a _ _ _ _ _ _ _ _")));
  EXPECT_FALSE(Conllu::begins("1 a b c d e 0 f g h"));          // no tabs
  EXPECT_FALSE(Conllu::begins(tabs("1 a b c d e 0 f g")));      // nine columns
  EXPECT_FALSE(Conllu::begins(tabs("2 a b c d e 0 f g h")));    // not the first word
  EXPECT_FALSE(Conllu::begins(tabs("1 a b c d e NP f g h")));   // no head
  EXPECT_FALSE(Conllu::begins(tabs("the a b c d e 0 f g h")));  // no number
}

TEST(Conllu, WordsAreTokens) {
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(ConllReader("default"), kTwo, schema);
  EXPECT_EQ(schema.label, "upos");
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(corpus.tokens, 5u);
  EXPECT_EQ(corpus.unlabelled_tokens, 1u);
  EXPECT_EQ(corpus.labels[0], (Labels{0, 1, 2, 3}));
  EXPECT_EQ(corpus.labels[1], (Labels{kUnknown}));
  EXPECT_EQ(schema.labels.text(3), "NOUN");
  for (Index a = 0; a < schema.attributes.size(); ++a) {
    const std::string_view name = schema.attributes.text(a);
    for (const char* told : {"VERB", "NOUN", "Number", "que", "al", "root", "case", "SpaceAfter"})
      EXPECT_FALSE(name.ends_with(std::string("=") + told)) << name;
  }
  EXPECT_NE(schema.attributes.find("Uw[0]=mar"), StringTable::kNone);
}

TEST(Conllu, AnyColumnCanBeTheLabel) {
  const auto labels = [](const std::string& column) {
    SequenceSchema schema;
    read_text(ConllReader("default", ConllReader::Form::found, column), kTwo, schema);
    Names names;
    for (Index k = 0; k < schema.labels.size(); ++k) names.emplace_back(schema.labels.text(k));
    return names;
  };
  EXPECT_EQ(labels("xpos"), (Names{"V", "P", "D", "N"}));
  EXPECT_EQ(labels("feats"), (Names{"Mood=Imp|Number=Plur", "_", "Number=Sing"}));
  EXPECT_EQ(labels("deprel"), (Names{"root", "case", "det", "obl"}));
  EXPECT_EQ(labels("lemma"), (Names{"ir", "a", "el", "mar"}));
  EXPECT_EQ(labels("head"), (Names{"0", "4", "1"}));
}

TEST(Conllu, TemplatesReadAnyColumnButTheLabel) {
  const TextFile lemma("U:%x[0,2]\n"), label("U:%x[0,3]\n");
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(ConllReader(lemma.path()), kTwo, schema);
  EXPECT_EQ(attributes_of(corpus, schema, 0, 0), (Names{"U:ir"}));
  SequenceSchema other;
  expect_input_error([&] { read_text(ConllReader(label.path()), kTwo, other); },
                     "'%x[0,3]' reads column 3, which is the label");
  expect_input_error([&] { read_text(ConllReader("crfsuite"), kTwo, other); }, "'default' or a file");
}

TEST(Conllu, RefusesWhatIsNone) {
  const auto refuses = [](const std::string& text, const std::string& part) {
    SequenceSchema schema;
    expect_input_error([&] { read_text(ConllReader("default"), text, schema); }, part);
  };
  const std::string first = tabs("1 a a X _ _ 0 root _ _\n");
  refuses(first + tabs("2 b b Y _ _ 1 x _\n"), ":2: has 9 columns where CoNLL-U has ten");
  refuses(first + "b\n", ":2: has no tab where CoNLL-U has ten columns");
  refuses(first + tabs("2 b  Y _ _ 1 x _ _\n"), ":2: its column 3 (lemma) is empty");
  refuses(first + tabs("b b b Y _ _ 1 x _ _\n"), ":2: begins with 'b'");
  refuses(first + first, ":2: is the word 1 where 2 follows");
  refuses(first + "\n" + tabs("1-2 a _ _ _ _ _ _ _ _\n\n"), "without words");
  SequenceSchema schema;
  read_text(ConllReader("default"), first + tabs("2 b b Y _ _ 1 x _ _\n"), schema);
  expect_input_error([&] { read_fixed(ConllReader("default"), "a X\n", schema); }, ":1: has no tab");
}

TEST(Conllu, ColumnsThatWereAskedForStayColumns) {
  SequenceSchema schema;
  const std::string text = tabs("1 a a X _ _ 0 root _ P\n2 b b X _ _ 0 root _ Q\n");
  read_text(ConllReader("default", ConllReader::Form::columns), text, schema);
  EXPECT_EQ(schema.label, "");
  EXPECT_EQ(schema.labels.text(1), "Q");
  SequenceSchema other;
  expect_input_error(
      [&] { read_text(ConllReader("default", ConllReader::Form::found, "xpos"), "a X\nb Y\n", other); },
      "`label` xpos names a column of CoNLL-U");
}

class ConlluAdapter : public AdapterTest {
 protected:
  ConlluAdapter() : AdapterTest(make_sequence()) {}
};

// The label column is the only thing that predictions change: a model that has learned the data by heart
// returns it.
TEST_F(ConlluAdapter, WritesTheFileBackWithItsLabels) {
  const std::string full = kTwo.substr(0, kTwo.find("1\tva")) + tabs("1 va ir VERB V _ 0 root _ _\n\n");
  const auto data = train(full);
  EXPECT_EQ(data->facts()["format"], "conllu with label upos");
  for (Index j = 0; j < task_->dimension(); ++j) {
    const std::string name = task_->feature_name(j);
    w_[j] = name == "Uw[0]=Vamos -> VERB" || name == "Uw[0]=va -> VERB" || name == "Uw[0]=a -> ADP" ||
                    name == "Uw[0]=el -> DET" || name == "Uw[0]=mar -> NOUN"
                ? 1
                : 0;
  }
  EXPECT_EQ(predict(*task_, *data), full);
  const auto unlabelled = task_->read({folder_.write("later", kTwo)});
  EXPECT_EQ(predict(*task_, *unlabelled), full);
  SerialExecutor executor;
  EXPECT_EQ(task_->evaluate(*unlabelled, w_, {}, executor)["tokens"], 4);

  set(task_->predict_options(), "marginals", true);
  set(task_->predict_options(), "scores", true);
  const std::string text = predict(*task_, *data);
  EXPECT_NE(text.find("# text = a b c d e f g h i j\n# 0 4.000000\n1\tVamos"), std::string::npos) << text;
  EXPECT_NE(text.find("\t_\tmarginals=VERB:0."), std::string::npos) << text;
  EXPECT_NE(text.find("\tSpaceAfter=No|marginals=VERB:0."), std::string::npos) << text;
  EXPECT_NE(text.find("\n4.1\tfin\t_"), std::string::npos) << text;
  std::size_t lines = 0, with_ten = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    ++lines;
    with_ten += std::ranges::count(line, '\t') == 9;
  }
  EXPECT_EQ(lines, 8u);
  EXPECT_EQ(with_ten, lines);
  // What was written can be read, also by a model that was saved.
  Archive archive;
  task_->save(archive);
  const auto loaded = make_sequence();
  loaded->load(archive);
  set(loaded->predict_options(), "marginals", true);
  set(loaded->predict_options(), "scores", true);
  EXPECT_EQ(predict(*loaded, *loaded->read({folder_.path("train")})), text);
  EXPECT_EQ(loaded->read({folder_.write("again", text)})->size(), 2u);
}

TEST_F(ConlluAdapter, RefusesMarginalsThatHaveNoPlace) {
  set(task_->options(), "label", std::string("feats"));
  const auto data = train(kTwo);
  predict(*task_, *data);
  set(task_->predict_options(), "marginals", true);
  expect_input_error([&] { predict(*task_, *data); }, "'Mood=Imp|Number=Plur' (feats)");
}

}  // namespace
}  // namespace hinge
