// A file cut between examples into runs of whole lines of about the same size, for threads that read them beside each
// other. Each is named by a path of its own (core/text_file.h), under which every reader finds its lines alone.
#pragma once

#include <string>
#include <vector>

#include "hinge/core/executor.h"
#include "hinge/tasks/example_cutter.h"

namespace hinge {

// As many pieces as the executor has workers, in order; the file alone where it is short or packed, no plain file, has to
// be looked at from its first line on (ExampleCutter::anywhere), or names its examples, each of them once.
std::vector<std::string> cut_file(const std::string& file, const MakeCutter& make_cutter, Executor& executor);

}  // namespace hinge
