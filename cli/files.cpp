#include "cli/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "cli/flags.h"
#include "hinge/core/output_file.h"

namespace hinge {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return a == b;
  std::error_code ignored;
  return a == b || std::filesystem::equivalent(a, b, ignored);
}

// A regular file is tried by creating its temporary; a device or pipe must not be opened twice.
void check_writable(const std::string& path) {
  if (path == "-") return;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored) &&
      !std::filesystem::is_directory(path, ignored)) {
    if (access(path.c_str(), W_OK) != 0) fail_at(path, 0, "cannot be written ({}).", std::strerror(errno));
    return;
  }
  OutputFile probe(path);
}

}  // namespace

void FilePlan::reads(const std::string& flag, const std::string& path) {
  if (!path.empty()) inputs_.emplace_back(flag, path);
}

void FilePlan::reads(const std::string& flag, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) reads(flag, path);
}

void FilePlan::reads(const std::vector<OptionRef>& options) {
  for (const OptionRef& option : options) reads(flag_of(option.name), files_of(option));
}

void FilePlan::writes(const std::string& flag, const std::string& path) {
  if (!path.empty()) outputs_.emplace_back(flag, path);
}

void FilePlan::writes_picture(const std::string& flag, const std::string& path) {
  const std::filesystem::path name(path);
  const std::string ending = (name.extension() == ".gz" ? name.stem() : name).extension().string();
  if (!ending.empty() && ending != ".svg" && ending != ".SVG")
    fail("{} writes SVG, and '{}' ends in {}: end it in .svg, and convert that.", flag, path, ending);
  writes(flag, path);
}

void FilePlan::check() const {
  const Named* reader = nullptr;
  for (const Named& input : inputs_) {
    if (input.second != "-") continue;
    if (reader != nullptr)
      fail("{} and {} both read standard input: give one of them a file.", reader->first, input.first);
    reader = &input;
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j)
      if (same_file(outputs_[j].second, outputs_[k].second) && outputs_[k].second != "/dev/null")
        fail("{} and {} both write to {}: give one of them another place.", outputs_[j].first,
             outputs_[k].first, outputs_[k].second == "-" ? "standard output" : outputs_[k].second);
    for (const Named& input : inputs_)
      if (input.second != "-" && same_file(input.second, outputs_[k].second) && input.first != "--init")
        fail("{} would overwrite {}, which {} reads: give it another name.", outputs_[k].first, input.second,
             input.first);
    check_writable(outputs_[k].second);
  }
}

bool FilePlan::reads_standard_input() const {
  return std::ranges::find(inputs_, "-", &Named::second) != inputs_.end();
}

std::vector<std::string> FilePlan::read_files() const {
  std::vector<std::string> paths;
  for (const Named& input : inputs_) paths.push_back(input.second);
  return paths;
}

std::map<std::string, std::vector<std::string>> FilePlan::read_files_by_flag() const {
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& [flag, path] : inputs_) files[flag].push_back(path);
  return files;
}

bool FilePlan::writes_standard_output() const {
  return std::ranges::find(outputs_, "-", &Named::second) != outputs_.end();
}

void print_result(std::string_view text) {
  OutputFile out("-");
  out.write(text);
  out.commit();
}

std::string as_flags(std::string text) {
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  for (std::size_t begin = text.find('`'); begin != std::string::npos; begin = text.find('`', begin + 1)) {
    std::size_t end = begin + 1;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end == begin + 1 || end == text.size() || text[end] != '`') {
      begin = text.find('`', end);  // `hinge train`: a command
      if (begin == std::string::npos) break;
      continue;
    }
    const std::string flag = flag_of(text.substr(begin + 1, end - begin - 1));
    text.replace(begin, end + 1 - begin, flag);
    begin += flag.size() - 1;
  }
  return text;
}

}  // namespace hinge
