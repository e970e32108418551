#include "hinge/watch/checkpoints.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

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

// The manifest of a checkpoint that was written to its end, and its state; null where it was not.
nlohmann::json read_whole(const fs::path& folder, std::string& state) {
  if (!fs::is_regular_file(folder / "manifest.json") || !fs::is_regular_file(folder / "state.bin")) return {};
  nlohmann::json manifest;
  if (!parse_json(read_file(folder / "manifest.json"), manifest).empty()) return {};
  if (!manifest.is_object() || !manifest.contains("about") || !manifest.contains("hash")) return {};
  state = read_file(folder / "state.bin");
  if (manifest["hash"] != hash_text(hash_bytes(state))) return {};
  return manifest;
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

}  // namespace

bool Checkpoints::any(const std::string& folder) { return !numbered(folder).empty(); }

std::optional<std::size_t> Checkpoints::resume(const std::string& folder) {
  const std::map<std::size_t, fs::path> found = numbered(folder);
  std::size_t skipped = 0;
  for (auto entry = found.rbegin(); entry != found.rend(); ++entry, ++skipped) {
    std::string state;
    const nlohmann::json manifest = read_whole(entry->second, state);
    if (manifest.is_null()) continue;
    if (const auto differ = differences(manifest["about"], about_, ""); !differ.empty())
      fail_at(entry->second, 0,
              "is a checkpoint of another run: {}. Give what that run was given, or train without `resume`.",
              fmt::format("{}", fmt::join(differ, "; ")));
    Keeper::resume(std::move(state));
    return skipped;
  }
  return std::nullopt;
}

void Checkpoints::write_to(const std::string& folder, double seconds) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    fail_at(folder, 0, "cannot be made a folder for checkpoints ({}): give another place.", error.message());
  folder_ = folder;
  every_ = seconds;
  const std::map<std::size_t, fs::path> found = numbered(folder);
  if (!found.empty()) next_ = found.rbegin()->first + 1;
}

bool Checkpoints::due() {
  if (!writes() || left_) return false;
  if (ranks_ != nullptr) leaving_ = ranks_->any(leaving_);
  const bool due =
      leaving_ || std::chrono::duration<double>(std::chrono::steady_clock::now() - last_).count() >= every_;
  return ranks_ == nullptr ? due : ranks_->any(due && ranks_->rank() == 0);  // by one clock
}

void Checkpoints::write(const std::string& bytes) {
  if (ranks_ == nullptr)
    write_files(bytes);
  else
    ranks_->together([&] {
      if (ranks_->rank() == 0) write_files(bytes);
    });
  last_ = std::chrono::steady_clock::now();
  if (leaving_) left_ = true;
}

void Checkpoints::write_files(const std::string& bytes) {
  const fs::path place = fs::path(folder_) / fmt::format("{}{:06}", kPrefix, next_++);
  std::error_code error;
  fs::create_directories(place, error);
  if (error)
    fail_at(place, 0, "cannot be made ({}): free some space or give another place.", error.message());
  const auto put = [&](const char* name, const std::string& content) {
    OutputFile file(place / name);
    file.write(content);
    file.commit();
  };
  put("state.bin", bytes);
  put("manifest.json",
      json_text({{"about", about_}, {"hash", hash_text(hash_bytes(bytes))}, {"bytes", bytes.size()}}, 2) +
          "\n");
  std::map<std::size_t, fs::path> found = numbered(folder_);
  while (found.size() > kKept) {
    fs::remove(found.begin()->second / "manifest.json", error);  // first: what is left is no checkpoint
    fs::remove_all(found.begin()->second, error);
    found.erase(found.begin());
  }
}

std::string hash_of_files(const std::vector<std::string>& paths) {
  std::uint64_t hash = paths.size();
  std::string block(std::size_t{1} << 20, '\0');
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail_at(path, 0, "cannot be read.");
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
      hash = hash_bytes({block.data(), static_cast<std::size_t>(file.gcount())}, hash);
  }
  return hash_text(hash);
}

}  // namespace hinge
