#include "cli/checkpoint_flags.h"

#include <nlohmann/json.hpp>

#include "cli/ranks.h"

#include "hinge/core/errors.h"
#include "hinge/core/json_text.h"
#include "hinge/version.h"

namespace hinge {

void CheckpointFlags::check(const FilePlan& files, const std::string& method) const {
  if (!wanted()) return;
  if (files.reads_standard_input())
    fail(
        "a training is gone on with by reading its files again, which standard input cannot: give a file "
        "instead of -.");
  if (method == "pr" || method == "ge")
    fail("method {} is not kept by checkpoints: leave out --checkpoint and --resume, or use another method.",
         method);
  if (resume.empty() && Checkpoints::any(checkpoint))
    fail_at(checkpoint, 0,
            "holds checkpoints of an earlier training: go on with --resume {}, or give another folder.",
            checkpoint);
}

JsonValue CheckpointFlags::earlier_options() const {
  if (resume.empty()) return {};
  nlohmann::json about = *Checkpoints::about(resume);
  if (Ranks* const ranks = command_ranks()) {  // all the same
    const std::vector<std::string> all = ranks->gather([&] { return about.dump(); });
    if (!parse_json(all[0], about).empty()) return {};
  }
  if (!about.is_object() || about.value("version", nlohmann::json()) != kVersion ||
      !about.contains("options") || !about["options"].is_object())
    return {};
  return std::move(about["options"]);
}

std::unique_ptr<Checkpoints> CheckpointFlags::make(const FilePlan& files, const nlohmann::json& options,
                                                   bool quiet) const {
  if (!wanted()) return nullptr;
  nlohmann::json hashes = nlohmann::json::object();
  for (const auto& [flag, paths] : files.read_files_by_flag())
    hashes[flag] = hash_of_files(paths, command_ranks());
  auto made = std::make_unique<Checkpoints>(
      nlohmann::json{
          {"version", kVersion}, {"processor", processor()}, {"hash of", hashes}, {"options", options}},
      command_ranks());
  if (!resume.empty()) {
    const std::optional<std::size_t> skipped = made->resume(resume);
    if (!skipped && resume != checkpoint)
      fail_at(resume, 0,
              "holds no checkpoint that was written to its end: name the folder that --checkpoint wrote, or "
              "train "
              "without --resume.");
    if (!quiet && skipped)
      print_note(
          fmt::format("going on from {}{}\n", resume,
                      *skipped == 0 ? "" : ", the checkpoint before one that was not written to its end"));
  }
  if (!checkpoint.empty()) made->write_to(checkpoint, checkpoint_every, 0.5);
  return made;
}

}  // namespace hinge
