#include "hinge/tasks/fold/energies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"
#include "hinge/tasks/fold/fold_task.h"
#include "tests/support/complaint.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

enum FileType : std::size_t { CG, GC, GU, UG, AU, UA };
enum FileLetter : std::size_t { A = 1, C, G, U };

// A parameter file in the making.
struct Parameters {
  std::map<std::string, std::vector<double>> sections = {
      {"stack", std::vector<double>(49, -200)}, {"hairpin", std::vector<double>(31, 600)},
      {"bulge", std::vector<double>(31, 300)},  {"interior", std::vector<double>(31, 200)},
      {"ML_params", {5, 0, 930, 0, -90, 0}},    {"NINIO", {60, 0, 300}},
      {"Misc", {410, 360, 50, 370, 107.856, 0}}};
  std::string loops = "# Tetraloops\nGCAAGC 150 0\n# Triloops\nCAAAG 77\n";

  double& at(const std::string& section, std::size_t size, std::size_t place) {
    return sections.try_emplace(section, size).first->second.at(place);
  }
  double& mismatch(const std::string& which, FileType t, FileLetter a, FileLetter b) {
    return at("mismatch_" + which, 175, (t * 5 + a) * 5 + b);
  }
  std::string text() const {
    std::string all = "## RNAfold parameter file v2.0\n/* a comment\n # of two lines */\n";
    for (const auto& [name, numbers] : sections) {
      all += "\n# " + name + "\n/* 1 2 3 */\n";
      for (std::size_t k = 0; k < numbers.size(); ++k)
        all += fmt::format("{}{}", numbers[k], k % 7 == 6 ? "\n" : "  ");
      all += "\n# " + name + "_enthalpies\n 1 x\n";
    }
    return all + "\n" + loops + "\n# END\n";
  }
};

class FoldEnergiesTest : public testing::Test {
 protected:
  std::shared_ptr<const FoldEnergies> read(const std::string& text) {
    return std::make_shared<const FoldEnergies>(EnergyFile::read(folder_.write("energies.par", text)));
  }
  TemporaryFolder folder_;
};

// Sums made by hand, in 0.01 kcal/mol.
TEST_F(FoldEnergiesTest, AddUpAsTheFileSays) {
  Parameters p;
  p.at("stack", 49, GC * 7 + CG) = p.at("stack", 49, CG * 7 + GC) = -330;
  const std::pair<const char*, std::vector<std::pair<std::size_t, double>>> lengths[] = {
      {"hairpin", {{3, 540}, {4, 560}, {30, 770}}},
      {"bulge", {{1, 380}, {2, 280}}},
      {"interior", {{4, 120}, {5, 200}, {6, 210}}}};
  for (const auto& [name, own] : lengths)
    for (const auto& [letters, energy] : own) p.sections[name][letters] = energy;
  p.mismatch("hairpin", GC, A, A) = -110;
  p.mismatch("hairpin", AU, A, A) = -30;
  p.at("int11", 1225, ((GC * 7 + CG) * 5 + A) * 5 + A) = 90;
  p.at("int21", 6125, (((GC * 7 + CG) * 5 + A) * 5 + C) * 5 + A) = 230;
  p.at("int21", 6125, (((CG * 7 + GC) * 5 + U) * 5 + A) * 5 + C) = 250;
  p.at("int22", 9216, ((((GC * 6 + CG) * 4 + 0) * 4 + 1) * 4 + 3) * 4 + 2) = 70;  // A C inside, U G behind
  p.mismatch("interior_23", GC, A, G) = -70;
  p.mismatch("interior_23", CG, U, C) = -35;
  p.mismatch("interior_1n", GC, A, G) = 11;
  p.mismatch("interior_1n", CG, U, A) = 13;
  p.mismatch("interior", GC, A, G) = -80;
  p.mismatch("interior", CG, U, C) = -9;
  p.mismatch("multi", CG, A, A) = -20;
  p.mismatch("multi", GC, A, A) = -40;
  p.mismatch("exterior", GC, A, A) = -60;
  p.mismatch("exterior", CG, A, A) = 30;  // would cost something: counts nothing
  p.at("dangle5", 35, GC * 5 + A) = -25;
  p.at("dangle3", 35, GC * 5 + A) = -33;
  const double hairpin = 560 - 110;
  struct Case {
    std::string letters, fold;
    double energy;
  };
  const Case cases[] = {
      {"GGAAAACC", "((....))", -330 + hairpin},
      {"AAAAU", "(...)", 540 + 50 + 50},  // no mismatch; a weak end on both sides
      {"CAAAG", "(...)", 77},
      {"GGCAAGCC", "((....))", -330 + 150},
      {"GAGAAAACC", "(.(....))", 380 - 330 + hairpin},
      {"GGAAAACAC", "((....).)", 380 - 330 + hairpin},
      {"AAAGAAAACU", "(..(....))", 280 + 50 + hairpin + 50},
      {"GAGAAAACAC", "(.(....).)", 90 + hairpin},
      {"GAGAAAACCAC", "(.(....)..)", 230 + hairpin},
      {"GACGAAAACUC", "(..(....).)", 250 + hairpin},
      {"GACGAAAACUGC", "(..(....)..)", 70 + hairpin},
      {"GACGAAAACUAGC", "(..(....)...)", 200 + 60 - 70 - 35 + hairpin},
      {"GAGAAAACUAGC", "(.(....)...)", 120 + 120 + 11 + 13 + hairpin},
      {"GAACGAAAACUAGC", "(...(....)...)", 210 - 80 - 9 + hairpin},
      {"GAGAAAACAGAAAACAC", "(.(....).(....).)", 930 - 3 * 90 + 3 * 5 - 20 - 2 * 40 + 2 * hairpin},
      {"AGAAAACA", ".(....).", -60 + hairpin},
      {"AGAAAAC", ".(....)", -25 + hairpin},
      {"GAAAACA", "(....).", -33 + hairpin},
      {"ACAAAAGA", ".(....).", 560},
      {"G" + std::string(60, 'A') + "C", "(" + std::string(60, '.') + ")", 770 - 110 + 107.856 * std::log(2)},
  };
  const FoldTask task(PartWeights::Level::all, 30, read(p.text()));
  for (const auto& [letters, fold, energy] : cases) {
    FoldPairs s(fold.size(), kUnpaired);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < fold.size(); ++i)
      if (fold[i] == '(') {
        open.push_back(i);
      } else if (fold[i] == ')') {
        s[i] = static_cast<int>(open.back());
        s[open.back()] = static_cast<int>(i);
        open.pop_back();
      }
    FoldScores scores;
    task.score(FoldTask::input({"x", letters}, 1), task.centre(), scores);
    EXPECT_NEAR(-scores.of(s) * FoldEnergies::kT * 100, energy, 1e-9) << letters << " " << fold;
  }
}

// Every number drawn: features are the adjoint of scores, and every query is that of enumeration.
TEST_F(FoldEnergiesTest, MakeASoundTask) {
  Random random(7);
  Parameters p;
  for (const char* which : {"hairpin", "interior", "interior_1n", "interior_23", "multi", "exterior"})
    p.mismatch(which, CG, A, A) = 0;
  for (const auto& [name, size] :
       {std::pair("dangle5", 35), {"dangle3", 35}, {"int11", 1225}, {"int21", 6125}, {"int22", 9216}})
    p.at(name, static_cast<std::size_t>(size), 0) = 0;
  for (auto& [name, numbers] : p.sections)
    for (double& v : numbers) v = 100 * random.normal();
  const FoldTask task(PartWeights::Level::loops, 30, read(p.text()));
  std::vector<Example<FoldTask>> examples;
  for (const char* letters : {"GGAAAACCA", "GACGCAAGCGUGC", "GAGAAACUC"}) {
    std::size_t lost = 0;
    FoldRecord record{"x", letters, FoldPairs(std::string(letters).size(), kUnpaired)};
    record.partners[0] = static_cast<int>(record.letters.size()) - 1;
    record.partners.back() = 0;
    if (record.letters[0] == 'G' && record.letters.back() == 'A')
      record.partners.front() = record.partners.back() = kUnpaired;
    examples.push_back({task.input(record, 1), task.label(record, lost), 1});
  }
  const CheckReport report = check_task(task, examples);
  EXPECT_EQ(report.text(), "");
  EXPECT_GT(report.comparisons, 100u);
  const Vector centre = task.centre();
  EXPECT_EQ(task.feature_name(static_cast<Index>(centre.size()) - 1), "published energies");
  EXPECT_EQ(centre.back(), 1);
  EXPECT_EQ(squared_norm(centre), 1);
}

TEST_F(FoldEnergiesTest, SurviveAnArchive) {
  Parameters p;
  p.mismatch("hairpin", GC, A, A) = -110;
  const auto energies = read(p.text());
  Archive archive;
  energies->file.save(archive);
  const FoldEnergies again((EnergyFile(archive)));
  FoldTables tables = again.tables;
  tables.for_both(energies->tables, [](double own, double other) { EXPECT_EQ(own, other); });
  EXPECT_EQ(again.specials.hairpins, energies->specials.hairpins);
  archive.header["energies"]["sections"]["stack"].erase(0);
  EXPECT_EQ(complaint([&] { EnergyFile damaged(archive); }),
            "the model's energies are damaged in 'stack': train it again.");
}

TEST_F(FoldEnergiesTest, SayWhatIsWrongWithAFile) {
  const std::string good = Parameters().text();
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& why) {
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const std::string said = complaint([&] { read(text); });
    EXPECT_NE(said.find(why), std::string::npos) << said;
  };
  refused("v2.0", "v1.0", "energies.par:1: does not begin with '## RNAfold parameter file v2.0'");
  refused("# bulge\n", "# bulge_enthalpies\n", "energies.par: has no section '# bulge': add it.");
  refused("# bulge\n", "# buldge\n", "'buldge' is no section of energies");
  refused("# bulge\n", "# hairpin\n", "the section 'hairpin' stands there twice");
  refused("60  0  300", "60  0", "the section 'NINIO' has 2 numbers, where 3 belong");
  refused("60  0  300", "60  0  3OO", "has '3OO' where an energy belongs");
  refused("60  0  300", "60  *  300", "has '*'");
  refused("60  0  300", "60  1e9  300", "has '1e9' where an energy belongs");
  refused("GCAAGC 150", "GCAAG 150", "is no hairpin of 'Tetraloops': write its 6 letters");
  refused("GCAAGC 150 0", "GCAAGC", "is no hairpin of 'Tetraloops'");
  refused("GCAAGC 150", "GCAAGT 150", "is no hairpin of 'Tetraloops'");
}

}  // namespace
}  // namespace hinge
