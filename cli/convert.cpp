// hinge convert: writes data of another format in the task's JSON Lines.
#include "cli/commands.h"
#include "cli/files.h"
#include "hinge/tasks/powers.h"

namespace hinge {
namespace {

struct ConvertOptions {
  std::vector<std::string> data;
  std::string output = "-";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files to convert");
    visit("output", self.output, range::any, "file to write to");
  }
};

}  // namespace

int convert(Arguments arguments) {
  const std::string name = take_subject("convert", arguments);
  ConvertOptions own;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  const std::unique_ptr<AnyTask> task = name.empty() ? nullptr : make_task(name);
  if (flags.help() || !task) {
    print_result(help_text("convert", flags));
    return 0;
  }
  take_files("convert", flags, own.data);
  refuse_rest("convert", flags, "", "");
  if (own.data.empty()) fail("`hinge convert` needs --data F: the file to convert.");
  FilePlan files;
  files.reads("--data", own.data);
  files.writes("--output", own.output);
  files.check();

  const auto* converter = power<Converter>(*task);
  if (converter == nullptr) fail("{} has nothing to convert: it reads its formats as they are.", name);
  OutputFile out(own.output);
  converter->convert(own.data, out);
  out.commit();
  return 0;
}

}  // namespace hinge
