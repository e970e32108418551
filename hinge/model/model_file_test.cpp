#include "hinge/model/model_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/core/text_file.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

class ModelFile : public testing::Test {
 protected:
  std::string path(const std::string& name = "m") const { return folder_.path(name); }
  void expect_refused(std::string_view bytes, const std::string& what) const {
    try {
      parse_archive(bytes, "m");
      FAIL() << what << " was accepted";
    } catch (const InputError& e) {
      const std::string message = e.what();
      EXPECT_TRUE(message.starts_with("m: is ") || message.starts_with("m: has ")) << message;
      EXPECT_TRUE(message.ends_with('.')) << message;
    }
  }

  // A file whose checksum is right whatever its header says.
  static std::string forged(std::string header, std::string_view data) {
    const std::string opening = R"({"__metadata__":{"checksum":")";
    header = opening + "00000000" + header;
    const std::uint64_t length = header.size();
    std::string file(reinterpret_cast<const char*>(&length), 8);
    file += header;
    file += data;
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), file.size());
    file.replace(8 + opening.size(), 8, fmt::format("{:08x}", crc));
    return file;
  }
  static std::string described(const std::string& arrays) {
    return R"(","format":"hinge","header":"{}","version":"1"})" + arrays + "}";
  }

  TemporaryFolder folder_;
};

Archive sample() {
  Archive archive;
  archive.header = nlohmann::json{{"task", "sequence"}, {"text", "quote \" and \n and ä"}, {"number", 0.1}};
  archive.arrays["weights"] = std::vector<double>{1.5, -0.0, 1e-300, 1e300};
  archive.arrays["Upper"] = std::vector<float>{0.25f};
  archive.arrays["int"] = std::vector<std::int32_t>{-1, 2, 3};
  archive.arrays["unsigned"] = std::vector<std::uint32_t>{4294967295u};
  archive.arrays["long"] = std::vector<std::int64_t>{-1234567890123};
  archive.arrays["bytes"] = std::vector<std::uint8_t>{0, 13, 10, 255, 7};
  archive.arrays["empty"] = std::vector<double>{};
  return archive;
}

TEST_F(ModelFile, GoesThereAndBackToTheLastBit) {
  const Archive from = sample();
  for (const char* name : {"plain", "packed.gz"}) {
    write_archive(path(name), from);
    const Archive to = read_archive(path(name));
    EXPECT_EQ(to.header, from.header);
    EXPECT_EQ(to.arrays, from.arrays);
  }
}

TEST_F(ModelFile, HoldsAnEmptyArchive) {
  write_archive(path(), Archive{});
  EXPECT_TRUE(read_archive(path()).arrays.empty());
}

TEST_F(ModelFile, AlignsEveryArray) {
  write_archive(path(), sample());
  const std::string bytes = read_file(path());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  const std::map<std::string, std::size_t> width = {{"F64", 8}, {"F32", 4}, {"I32", 4},
                                                    {"U32", 4}, {"I64", 8}, {"U8", 1}};
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    EXPECT_EQ(entry["data_offsets"][0].get<std::size_t>() % width.at(entry["dtype"]), 0u) << name;
  }
}

TEST_F(ModelFile, RefusesEveryCut) {
  write_archive(path(), sample());
  const std::string whole = read_file(path());
  for (std::size_t size = 0; size < whole.size(); ++size)
    expect_refused(std::string_view(whole).substr(0, size), fmt::format("a cut at {}", size));
  expect_refused(whole + '\0', "one byte more");
}

TEST_F(ModelFile, RefusesEveryChangedByte) {
  write_archive(path(), sample());
  const std::string whole = read_file(path());
  Random random(1);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 32, 255, static_cast<int>(1 + random.below(255))}) {
      std::string altered = whole;
      altered[at] = static_cast<char>(altered[at] ^ change);
      expect_refused(altered, fmt::format("byte {} changed by {}", at, change));
    }
  }
}

TEST_F(ModelFile, RefusesForgedHeaders) {
  const std::string eight(8, '\1');
  const std::string file =
      forged(described(R"(,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})"), eight);
  EXPECT_EQ(parse_archive(file, "m").get<double>("a").size(), 1u);  // the forger's hand is steady

  const auto refused = [&](const std::string& arrays) {
    expect_refused(forged(described(arrays), eight), arrays);
  };
  refused("");                                                           // bytes that belong to nothing
  refused(R"(,"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]})");  // beyond the end
  refused(R"(,"a":{"dtype":"F64","shape":[1],"data_offsets":[8,0]})");   // backwards
  refused(R"(,"a":{"dtype":"F64","shape":[9223372036854775807],"data_offsets":[0,8]})");
  refused(R"(,"a":{"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]})");  // wraps in bytes
  refused(R"(,"a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[8,7]})");
  refused(R"(,"a":{"dtype":"F64","shape":[-1],"data_offsets":[0,8]})");
  refused(R"(,"a":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]})");
  refused(R"(,"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]})");
  refused(R"(,"a":{"dtype":8,"shape":[1],"data_offsets":[0,8]})");
  refused(R"(,"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})");  // a hole at the end
  refused(
      R"(,"a":{"dtype":"U8","shape":[6],"data_offsets":[0,6]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]})");
  refused(R"(,"a":8)");
  refused(R"(,"a":{})");
  expect_refused(forged(R"(","format":"hinge","version":"1"}})", ""), "no header");
  expect_refused(forged(R"(","format":"hinge","header":"[]","version":"1"}})", ""), "a list as header");
  expect_refused(forged(R"(","format":"other","header":"{}","version":"1"}})", ""), "another format");
  expect_refused(forged(R"("}})", ""), "no metadata");
  expect_refused(forged(R"("},"__metadata__":7})", ""), "metadata twice");
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  expect_refused(forged("\"}" + std::string(100000, '['), ""), "deep nesting, cut");
  refused(R"(,"a":{"dtype":)" + deep + R"(,"shape":[1],"data_offsets":[0,8]})");
  expect_refused(forged(R"(","format":"hinge","header":"{\"a\":)" + deep + R"(}","version":"1"}})", ""),
                 "deep nesting within");
}

// Twenty thousand arrays that all claim the same 1 MB would need 20 GB.
TEST_F(ModelFile, NeedsNoMoreMemoryThanTheFileHasBytes) {
  std::string arrays;
  for (int k = 0; k < 20000; ++k)
    arrays += fmt::format(R"(,"{}":{{"dtype":"U8","shape":[1048576],"data_offsets":[0,1048576]}})", k);
  expect_refused(forged(described(arrays), std::string(1 << 20, 'x')), "overlapping arrays");
}

TEST_F(ModelFile, SaysWhichFormatItReads) {
  const std::string file = forged(R"(","format":"hinge","header":"{}","version":"2"}})", "");
  try {
    parse_archive(file, "m");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "m: has model format 2, and this hinge reads format 1: use the hinge that wrote it.");
  }
}

TEST_F(ModelFile, LeavesTheOldFileWhenTheNewOneFails) {
  write_archive(path(), sample());
  const std::string before = read_file(path());
  EXPECT_THROW(write_archive("/dev/full", sample()), InputError);
  EXPECT_THROW(write_archive(path("missing/m"), sample()), InputError);
  EXPECT_THROW(write_archive(path(""), sample()), InputError);
  EXPECT_EQ(read_file(path()), before);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"m"});
}

}  // namespace
}  // namespace hinge
