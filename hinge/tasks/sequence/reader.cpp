#include "hinge/tasks/sequence/reader.h"

#include <fmt/ranges.h>

#include "hinge/core/text_file.h"
#include "hinge/tasks/file_pieces.h"
#include "hinge/tasks/sequence/conll_reader.h"
#include "hinge/tasks/sequence/crfsuite_reader.h"
#include "hinge/tasks/sequence/letter_reader.h"
#include "hinge/tasks/sequence/svmhmm_reader.h"

namespace hinge {

void SequenceReader::fill_share(const std::vector<std::string>& files, CorpusBuilder& builder) const {
  for (const std::string& file : files) {
    const std::size_t before = builder.sequences();
    FilePart part;
    const std::string name = split_path(file, part);
    builder.file(name == "-" ? "standard input" : name);
    if (!read_pieces(file, builder)) read_file(file, builder);
    builder.end_sequence();
    if (builder.sequences() == before) fail_at(name, 0, "{}", empty_message());
  }
}

// Reads the pieces of a file beside each other. False, and nothing has changed, where it is read in one or its pieces do
// not fit together: then what is wrong is said in the file's order.
bool SequenceReader::read_pieces(const std::string& file, CorpusBuilder& builder) const {
  Executor* const executor = builder.executor();
  if (executor == nullptr || executor->workers() < 2) return false;
  const std::vector<std::string> pieces = cut_file(
      file, [this](const std::string& path) { return cutter(path); }, *executor);
  if (pieces.size() < 2) return false;
  std::vector<SequenceSchema> schemas(pieces.size());
  std::vector<SequenceCorpus> corpora(pieces.size());
  try {
    executor->run(pieces.size(), [&](std::size_t p) {
      CorpusBuilder own = builder.piece(schemas[p]);
      read_file(pieces[p], own);
      corpora[p] = std::move(own).finish();
    });
  } catch (const InputError&) {
    return false;
  }
  for (const SequenceSchema& schema : schemas)
    if (builder.growing() && !schema.alike(schemas[0])) return false;
  for (std::size_t p = 0; p < pieces.size(); ++p)
    builder.append(std::move(corpora[p]), std::move(schemas[p]), *executor);
  return true;
}

void SequenceReader::fill(const std::vector<std::string>& files, CorpusBuilder& builder) const {
  fill_share(files, builder);
  if (const SequenceSchema& schema = builder.schema(); builder.growing() && schema.labels.empty())
    fail("{}: no label is known, every one is {}: training needs at least one{}.", fmt::join(files, ", "),
         schema.label.empty() ? "'?'" : "'_'",
         schema.label.empty() ? ""
                              : fmt::format("; choose another column than {} with `label`", schema.label));
}

SequenceCorpus SequenceReader::read_training(const std::vector<std::string>& files, SequenceSchema& schema,
                                             const Selection& selection) const {
  CorpusBuilder builder(schema, selection);
  fill(files, builder);
  return std::move(builder).finish();
}

SequenceCorpus SequenceReader::read(const std::vector<std::string>& files, const SequenceSchema& schema,
                                    const Selection& selection) const {
  CorpusBuilder builder(schema, selection);
  fill(files, builder);
  return std::move(builder).finish();
}

std::unique_ptr<SequenceReader> make_sequence_reader(const SequenceFormat& format) {
  validate(format);
  if (!format.folds.empty() && format.format != "letter")
    fail("`folds` {} belongs to `format` letter, not to {}: leave one of them out.", format.folds,
         format.format);
  const bool columns = format.format == "auto" || format.format == "conll" || format.format == "conllu";
  if (format.templates != "default" && !columns)
    fail("`template` {} belongs to `format` conll and conllu, not to {}: leave one of them out.",
         format.templates, format.format);
  if (format.label != "upos" && format.format != "auto" && format.format != "conllu")
    fail("`label` {} belongs to `format` conllu, not to {}: leave one of them out.", format.label,
         format.format);
  if (format.format == "letter") return std::make_unique<LetterReader>(format.folds);
  if (format.format == "crfsuite") return std::make_unique<CrfsuiteReader>();
  if (format.format == "svmhmm") return std::make_unique<SvmhmmReader>();
  using Form = ConllReader::Form;
  return std::make_unique<ConllReader>(format.templates,
                                       format.format == "auto"    ? Form::found
                                       : format.format == "conll" ? Form::columns
                                                                  : Form::universal,
                                       format.label);
}

}  // namespace hinge
