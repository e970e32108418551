// Labels of which one holds, as a line of a file names them: ?A|B.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hinge {

// Throws InputError about the line when one of the names (labels_in_text in labels.h) is no label: nothing, or '?'.
void require_labels(std::span<const std::string_view> names, const std::string& file, std::size_t line);

}  // namespace hinge
