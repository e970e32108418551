// Ranks that read parts of files read what one process does, example by example, each under its line.
#include "hinge/tasks/share_files.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/rank/query_reader.h"
#include "hinge/tasks/sequence/conll_reader.h"
#include "hinge/tasks/sequence/crfsuite_reader.h"
#include "hinge/tasks/sequence/letter_reader.h"
#include "hinge/tasks/sequence/svmhmm_reader.h"
#include "hinge/tasks/svmlight.h"
#include "tests/support/complaint.h"
#include "tests/support/sequence_files.h"
#include "tests/support/thread_ranks.h"

namespace hinge {
namespace {

using Told = std::vector<std::string>;  // of each example
void nothing(const std::string&) {}
using Tell = std::function<Told(const std::vector<std::string>& files)>;

Told rows(const std::vector<std::string>& files) {
  Told told;
  for (const std::string& file : files) {
    SvmlightReader reader(file);
    SvmlightExample row;
    while (reader.next(row)) told.push_back(fmt::format("{}:{} {}", reader.file(), reader.line(), row.label));
  }
  return told;
}

Told queries(const std::vector<std::string>& files) {
  Told told;
  for (const QueryRecord& query : read_queries(files).queries)
    told.push_back(fmt::format("{} {}", query.id, query.documents.size()));
  return told;
}

Tell sequences(const SequenceReader& reader) {
  return [&](const std::vector<std::string>& files) {
    SequenceSchema schema;
    CorpusBuilder builder(schema);
    builder.keep_tokens(true);
    reader.fill_share(files, builder);
    const SequenceCorpus corpus = std::move(builder).finish();
    Told told;
    for (std::size_t i = 0; i < corpus.inputs.size(); ++i) {
      std::string text = fmt::format("{} {}", corpus.texts.place(i, 0), corpus.weight(i));
      for (std::size_t t = 0; t < corpus.inputs[i].length(); ++t) {
        Told names = attributes_of(corpus, schema, i, t);
        std::ranges::sort(names);  // ranks number them by themselves
        text += fmt::format(" {} {}", corpus.label_name(schema, corpus.labels[i][t]), fmt::join(names, ","));
      }
      told.push_back(text);
    }
    return told;
  };
}

// What the ranks read, one after the other; the places must fit.
void expect_the_examples_of_one(const std::vector<std::string>& files, const MakeCutter& cutter,
                                const Tell& tell) {
  const Told one = tell(files);
  for (const std::size_t size : {1u, 2u, 3u, 5u}) {
    if (size > one.size()) continue;
    for (const std::size_t shards : {0u, 1u, 7u, 64u}) {
      std::vector<Told> all(size);
      on_ranks(size, [&](Ranks& ranks) {
        const FileShare share = share_files(files, cutter, ranks, shards, nothing);
        Told& told = all[ranks.rank()] = share.files.empty() ? Told() : tell(share.files);
        share.require(told.size());
        EXPECT_EQ(share.place.examples, one.size());
        for (std::size_t k = 0; k < told.size(); ++k) {
          EXPECT_EQ(told[k], one[share.place.first + k]) << size << " ranks, " << shards << " shards";
          EXPECT_EQ(DenseSum::owner(share.place.first + k, one.size(), share.place.pieces, size),
                    ranks.rank());
        }
      });
      std::size_t read = 0;
      for (const Told& told : all) read += told.size();
      EXPECT_EQ(read, one.size()) << size << " ranks, " << shards << " shards";
    }
  }
}

TEST(ShareFiles, CutsRows) {
  Random random(1);
  std::string first = "# head\n\n", second;
  for (int i = 0; i < 40; ++i) {
    first += fmt::format("{} {}:1 # {}\n", i, 1 + random.below(9), std::string(random.below(60), 'x'));
    if (random.uniform() < 0.3) first += random.uniform() < 0.5 ? "\n" : "  # comment\n";
  }
  for (int i = 0; i < 7; ++i) second += fmt::format("{} 1:1\n", 100 + i);
  second.pop_back();  // no last line end
  const TextFile a(first), b(second), c("7 1:1\n");
  expect_the_examples_of_one({a.path()}, cut_rows(), rows);
  expect_the_examples_of_one({a.path(), b.path(), c.path()}, cut_rows(), rows);
}

// One label is another in the copy of one rank: seen where it is to learn from it, or reads it for comparison.
TEST(ShareFiles, RefusesOtherCopies) {
  constexpr int kRows = 40;
  const auto text = [](int changed) {
    std::string rows;
    for (int i = 0; i < kRows; ++i) rows += fmt::format("{} {}:1\n", i == changed ? 7 : 1, 1 + i % 9);
    return rows;
  };
  const TextFile first("1 1:1\n2 2:1\n"), same(text(-1));
  for (const std::size_t size : {2u, 3u, 4u})
    for (std::size_t rank = 0; rank < size; ++rank) {
      int refused = 0;
      for (int changed = 0; changed < kRows; ++changed) {
        const TextFile other(text(changed));
        std::vector<std::string> said(size);
        on_ranks(size, [&](Ranks& ranks) {
          const std::string mine = (ranks.rank() == rank ? other : same).path();
          said[ranks.rank()] = complaint([&] {
            share_files({first.path(), mine}, cut_rows(), ranks, 0, nothing);
          });
        });
        const bool seen = said[0].find("have different files under this name") != std::string::npos;
        EXPECT_TRUE(seen || said[0] == "no complaint") << said[0];
        refused += seen;
      }
      EXPECT_GE(refused, static_cast<int>(2 * kRows / size) - 4) << size << " ranks, " << rank;
    }
}

TEST(ShareFiles, CutsQueries) {
  Random random(2);
  std::string first, second;
  for (int query = 0; query < 25; ++query)
    for (std::size_t k = 0; k < 1 + random.below(6); ++k)
      (query < 12 ? first : second) += fmt::format("{} qid:{} 1:1{}\n", random.below(3), query,
                                                   random.uniform() < 0.3 ? "\n# of the query\n" : " # doc");
  const TextFile a(first), b(second);
  expect_the_examples_of_one({a.path(), b.path()}, cut_queries(Naming::once), queries);
  const SvmhmmReader reader;
  const auto cutter = [&](const std::string& file) { return reader.cutter(file); };
  expect_the_examples_of_one({a.path(), b.path()}, cutter, sequences(reader));
  // One that comes back, on another rank.
  const TextFile again(first + "1 qid:0 1:1\n");
  on_ranks(3, [&](Ranks& ranks) {
    expect_input_error([&] { share_files({again.path()}, cut_queries(Naming::once), ranks, 0, nothing); },
                       "qid:0 comes back");
  });
}

TEST(ShareFiles, CutsSequences) {
  Random random(3);
  std::string columns = "\n# a head\n\n", attributes, letters, universal;
  for (int i = 0; i < 30; ++i) {
    if (random.uniform() < 0.4) columns += "# sentence of its own\n\n";
    if (random.uniform() < 0.4) columns += "# above it\n";
    if (random.uniform() < 0.4) attributes += "@weight:2\n";
    universal += fmt::format("# sent_id = {}\n", i);
    const std::size_t length = 1 + random.below(5);
    for (std::size_t t = 0; t < length; ++t) {
      columns +=
          fmt::format("{} {}\n", t == 1 ? "#" : "w" + std::to_string(random.below(9)), random.below(3));
      attributes += fmt::format("y{}\ta{}\tb:{}\n", random.below(3), random.below(9), i);
      letters += fmt::format("{}\t{}\t{}\t{}\t1\t{}", i, "abc"[random.below(3)], t + 1 == length ? -1 : 1,
                             i / 2, i % 3);
      for (int p = 0; p < 128; ++p) letters += random.uniform() < 0.1 ? "\t1" : "\t0";
      letters += '\n';
      universal +=
          fmt::format("{}\tw{}\t_\tN{}\t_\t_\t_\t_\t_\t_\n", t + 1, random.below(9), random.below(3));
    }
    columns += random.uniform() < 0.3 ? "\n \n\n" : "\n";
    attributes += random.uniform() < 0.3 ? "\n\t\n" : "\n";
    universal += '\n';
  }
  const auto check = [](const std::string& text, const SequenceReader& reader) {
    const TextFile file(text), same(text);
    const auto cutter = [&](const std::string& path) { return reader.cutter(path); };
    expect_the_examples_of_one({file.path()}, cutter, sequences(reader));
    expect_the_examples_of_one({file.path(), same.path()}, cutter, sequences(reader));
  };
  check(columns, ConllReader("default"));
  check(universal, ConllReader("default"));
  check(attributes, CrfsuiteReader());
  check(letters, LetterReader(""));
  check(letters, LetterReader("0,2"));
}

TEST(ShareFiles, RefusesTooManyRanksAndEmptyFiles) {
  const TextFile few("1 1:1\n2 1:1\n"), empty("# nothing\n");
  on_ranks(3, [&](Ranks& ranks) {
    expect_input_error([&] { share_files({few.path()}, cut_rows(), ranks, 0, nothing); },
                       "2 examples for 3 ranks");
    expect_input_error(
        [&] {
          share_files({few.path(), empty.path()}, cut_rows(), ranks, 0,
                      [](const std::string& file) { fail_at(file, 0, "has no example."); });
        },
        "has no example");
    expect_input_error([&] { share_files({"there is none"}, cut_rows(), ranks, 0, nothing); },
                       "cannot be read");
  });
}

}  // namespace
}  // namespace hinge
