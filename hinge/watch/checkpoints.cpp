#include "hinge/watch/checkpoints.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "hinge/core/errors.h"
#include "hinge/core/hash.h"
#include "hinge/core/json_text.h"
#include "hinge/core/output_file.h"
#include "hinge/core/text_file.h"

namespace hinge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "checkpoint-";
constexpr std::size_t kKept = 2;
constexpr const char* kOneFolder = "give a folder for checkpoints that all ranks see, which read all of it";

std::map<std::size_t, fs::path> numbered(const std::string& folder) {
  std::map<std::size_t, fs::path> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    long long number = 0;
    if (name.starts_with(kPrefix) && parse_integer(name.substr(std::string(kPrefix).size()), number) &&
        number > 0)
      found[static_cast<std::size_t>(number)] = entry.path();
  }
  return found;
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string shard_name(std::size_t shard) { return fmt::format("shard-{:03}.bin", shard); }

void put(const fs::path& path, std::string_view content) {
  OutputFile file(path);
  file.write(content);
  file.commit();
}

// Null where there is none that was written to its end.
nlohmann::json read_manifest(const fs::path& folder) {
  if (!fs::is_regular_file(folder / "manifest.json")) return {};
  nlohmann::json manifest;
  if (!parse_json(read_file(folder / "manifest.json"), manifest).empty()) return {};
  if (!manifest.is_object() || !manifest.contains("about") || !manifest.contains("hashes") ||
      !manifest["hashes"].is_array())
    return {};
  return manifest;
}

// The manifest of a checkpoint that was written to its end, and its state; null where it was not.
nlohmann::json read_whole(const fs::path& folder, std::string& state) {
  state.clear();
  nlohmann::json manifest = read_manifest(folder);
  if (manifest.is_null()) return {};
  const nlohmann::json& hashes = manifest["hashes"];
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    const fs::path shard = folder / shard_name(k);
    if (!fs::is_regular_file(shard)) return {};
    const std::string bytes = read_file(shard);
    if (hashes[k] != hash_text(hash_bytes(bytes))) return {};
    state += bytes;
  }
  return manifest;
}

// The newest checkpoint that is whole; a null manifest where none is.
struct Newest {
  fs::path place;
  nlohmann::json manifest;
  std::string state;
  std::vector<std::string> broken;  // newer ones
};
Newest find_newest(const std::string& folder) {
  Newest newest;
  const std::map<std::size_t, fs::path> found = numbered(folder);
  for (auto entry = found.rbegin(); entry != found.rend(); ++entry) {
    newest.place = entry->second;
    newest.manifest = read_whole(newest.place, newest.state);
    if (!newest.manifest.is_null()) break;
    newest.broken.push_back(newest.place);
  }
  return newest;
}

void make_folder(const fs::path& place) {
  std::error_code error;
  fs::create_directories(place, error);
  if (error)
    fail_at(place, 0, "cannot be made ({}): free some space or give another place.", error.message());
}

// What of two objects differs, with both values where they are short.
std::vector<std::string> differences(const nlohmann::json& then, const nlohmann::json& now,
                                     const std::string& prefix) {
  std::vector<std::string> found;
  const auto text = [](const nlohmann::json& object, const std::string& key) {
    return object.contains(key) ? short_json_text(object[key]) : "nothing";
  };
  nlohmann::json keys = then;
  keys.update(now);
  for (const auto& [key, ignored] : keys.items()) {
    if (then.contains(key) && now.contains(key) && then[key] == now[key]) continue;
    if (then.contains(key) && now.contains(key) && then[key].is_object() && now[key].is_object())
      for (std::string& deeper : differences(then[key], now[key], prefix + key + " "))
        found.push_back(std::move(deeper));
    else
      found.push_back(fmt::format("{}{} was {} and is {}", prefix, key, text(then, key), text(now, key)));
  }
  return found;
}

class FileBlocks {
 public:
  explicit FileBlocks(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) fail_at(path, 0, "cannot be read.");
    std::error_code error;  // of what has no size, such as a pipe
    size_ = fs::file_size(path, error);
    if (error) size_ = 0;
  }
  std::size_t size() const { return size_; }
  std::size_t blocks() const { return (size_ + kBlock - 1) / kBlock; }
  std::uint64_t hash(std::size_t block) const {
    std::string bytes(std::min(kBlock, size_ - block * kBlock), '\0');
    file_.seekg(static_cast<std::streamoff>(block * kBlock));
    if (!file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      fail_at(path_, 0, "cannot be read.");
    return hash_bytes(bytes);
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;
  const std::string& path_;
  mutable std::ifstream file_;
  std::size_t size_ = 0;
};

}  // namespace

bool Checkpoints::any(const std::string& folder) { return !numbered(folder).empty(); }

JsonValue Checkpoints::about(const std::string& folder) {
  const std::map<std::size_t, fs::path> found = numbered(folder);
  for (auto entry = found.rbegin(); entry != found.rend(); ++entry)
    if (nlohmann::json manifest = read_manifest(entry->second); !manifest.is_null())
      return std::move(manifest["about"]);
  return {};
}

std::optional<std::size_t> Checkpoints::resume(const std::string& folder) {
  Newest newest;
  if (ranks_ == nullptr) {
    newest = find_newest(folder);
  } else {
    const std::vector<std::string> all = ranks_->gather([&] {
      newest = find_newest(folder);
      return newest.manifest.is_null() ? "none" : newest.place.filename().string() + newest.manifest.dump();
    });
    for (std::size_t r = 0; r < all.size(); ++r)
      if (all[r] != all[0])
        fail_at(folder, 0, "holds other checkpoints on rank {} than on rank 0: {}.", r, kOneFolder);
  }
  broken_ = std::move(newest.broken);
  if (newest.manifest.is_null()) return std::nullopt;
  if (const auto differ = differences(newest.manifest["about"], about_, ""); !differ.empty())
    fail_at(newest.place, 0,
            "is a checkpoint of another run: {}. Give what that run was given, or train without `resume`.",
            fmt::format("{}", fmt::join(differ, "; ")));
  Keeper::resume(std::move(newest.state));
  return broken_.size();
}

void Checkpoints::write_to(const std::string& folder, double seconds, double share) {
  const auto make = [&] {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
      fail_at(folder, 0, "cannot be made a folder for checkpoints ({}): give another place.",
              error.message());
  };
  if (ranks_ == nullptr) {
    make();
  } else {
    ranks_->together(make);
    require_shared(folder);
  }
  folder_ = folder;
  every_ = seconds;
  share_ = share;
  const std::map<std::size_t, fs::path> found = numbered(folder);
  if (!found.empty()) next_ = found.rbegin()->first + 1;
}

// Rank 0 leaves a sign there, by which the others know the folder.
void Checkpoints::require_shared(const std::string& folder) const {
  const fs::path place = fs::path(folder) / "seen-by-all";
  const std::string sign = ranks_->gather([&] {
    if (ranks_->rank() != 0) return std::string();
    const std::string mine = std::to_string(std::random_device{}());
    put(place, mine);
    return mine;
  })[0];
  const std::vector<std::string> all = ranks_->gather([&] {
    return fs::is_regular_file(place) && read_file(place) == sign ? std::string("seen") : std::string();
  });
  std::error_code ignored;
  if (ranks_->rank() == 0) fs::remove(place, ignored);
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].empty()) fail_at(folder, 0, "is another folder on rank {} than on rank 0: {}.", r, kOneFolder);
}

static double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

bool Checkpoints::due() {
  if (!writes() || left_) return false;
  bool due = seconds_since(last_) >= std::max(every_, pause_);
  if (ranks_ != nullptr) {
    const std::vector<std::string> all = ranks_->gather([&] {
      return std::string{leaving_ ? '1' : '0', due ? '1' : '0'};
    });
    leaving_ = std::ranges::any_of(all, [](const std::string& one) { return one[0] == '1'; });
    due = all[0][1] == '1';  // by one clock
  }
  return leaving_ || due;
}

bool Checkpoints::leaves() {
  if (!writes() || left_) return false;
  if (ranks_ != nullptr) leaving_ = ranks_->any(leaving_);
  return leaving_;
}

// Ranks have the same state, but for the seconds they took: rank k writes the k-th part of it, where that is what rank 0
// has, and rank 0 the others.
void Checkpoints::write(const std::string& bytes) {
  const auto start = std::chrono::steady_clock::now();
  constexpr std::size_t kLeast = std::size_t{1} << 16;  // bytes that are worth a file of their own
  const fs::path place = fs::path(folder_) / fmt::format("{}{:06}", kPrefix, next_++);
  const std::size_t shards =
      ranks_ == nullptr ? 1 : std::clamp<std::size_t>(bytes.size() / kLeast, 1, ranks_->size());
  const auto shard = [&](std::size_t k) {
    const std::size_t begin = bytes.size() * k / shards, end = bytes.size() * (k + 1) / shards;
    return std::string_view(bytes).substr(begin, end - begin);
  };
  std::vector<std::string> hashes;
  for (std::size_t k = 0; k < shards; ++k) hashes.push_back(hash_text(hash_bytes(shard(k))));
  if (ranks_ == nullptr) {
    make_folder(place);
    put(place / shard_name(0), bytes);
    finish(place, hashes);
  } else {
    const std::vector<std::string> all =
        ranks_->gather([&] { return fmt::format("{}", fmt::join(hashes, "")); });
    const std::size_t width = hashes[0].size();
    const auto writer = [&](std::size_t k) {
      const bool same =
          all[k].size() == all[0].size() && all[k].compare(k * width, width, all[0], k * width, width) == 0;
      return same ? k : 0;
    };
    ranks_->together([&] {
      for (std::size_t k = 0; k < all[0].size() / width; ++k) {
        if (writer(k) != ranks_->rank()) continue;
        make_folder(place);
        put(place / shard_name(k), shard(k));
      }
    });
    ranks_->together([&] {
      if (ranks_->rank() == 0) finish(place, hashes);
    });
  }
  last_ = std::chrono::steady_clock::now();
  pause_ = (1 / share_ - 1) * seconds_since(start);
  if (leaving_) left_ = true;
}

void Checkpoints::finish(const std::string& place, const std::vector<std::string>& hashes) const {
  put(fs::path(place) / "manifest.json", json_text({{"about", about_}, {"hashes", hashes}}, 2) + "\n");
  std::size_t whole = 0;
  std::error_code error;
  const std::map<std::size_t, fs::path> found = numbered(folder_);
  for (auto entry = found.rbegin(); entry != found.rend(); ++entry) {
    const fs::path manifest = entry->second / "manifest.json";
    const bool broken =
        !fs::is_regular_file(manifest, error) || std::ranges::count(broken_, entry->second.string()) > 0;
    if (!broken && whole++ < kKept) continue;
    fs::remove(manifest, error);  // first: what is left is no checkpoint
    fs::remove_all(entry->second, error);
  }
}

std::string hash_of_files(const std::vector<std::string>& paths, Ranks* ranks) {
  std::vector<std::uint64_t> hashes;  // of blocks, 0 where another rank reads them
  const auto read = [&] {
    std::size_t block = 0;
    for (const std::string& path : paths) {
      const FileBlocks file(path);
      for (std::size_t k = 0; k < file.blocks(); ++k, ++block)
        hashes.push_back(ranks == nullptr || block % ranks->size() == ranks->rank() ? file.hash(k) : 0);
      hashes.push_back(file.size());
    }
  };
  if (ranks == nullptr) {
    read();
  } else {
    ranks->together(read);
    const std::size_t blocks = hashes.size();
    for (const std::string& bytes : ranks->gather([&] {
           return std::string(reinterpret_cast<const char*>(hashes.data()), blocks * sizeof hashes[0]);
         })) {
      if (bytes.size() != blocks * sizeof hashes[0])
        fail("ranks have files of different sizes under the same names.");
      std::vector<std::uint64_t> theirs(blocks);
      std::memcpy(theirs.data(), bytes.data(), bytes.size());
      for (std::size_t k = 0; k < blocks; ++k) hashes[k] = std::max(hashes[k], theirs[k]);
    }
  }
  std::uint64_t hash = paths.size();
  for (const std::uint64_t one : hashes)
    hash = hash_bytes({reinterpret_cast<const char*>(&one), sizeof one}, hash);
  return hash_text(hash);
}

std::string hash_of_samples(const std::vector<std::string>& paths) {
  constexpr std::size_t kSamples = 8;
  std::uint64_t hash = paths.size();
  for (const std::string& path : paths) {
    const FileBlocks file(path);
    const std::size_t step = std::max<std::size_t>(1, file.blocks() / kSamples);
    for (std::size_t k = 0; k < file.blocks(); k += step) hash = hash_bytes(hash_text(file.hash(k)), hash);
    if (file.blocks() > 0) hash = hash_bytes(hash_text(file.hash(file.blocks() - 1)), hash);
    hash = hash_bytes(std::to_string(file.size()), hash);
  }
  return hash_text(hash);
}

}  // namespace hinge
