// An archive as one file in the safetensors layout, which NumPy and any safetensors reader open:
//
//     u64 N | N bytes of JSON, padded with spaces to a multiple of 8 | the arrays, little-endian, no holes
//
// The JSON maps each array's name to {"dtype", "shape", "data_offsets"}; its "__metadata__" holds strings
// only:
//
//     checksum   CRC-32 of the whole file with these eight digits read as '0', in lower-case hexadecimal
//     format     "hinge"
//     header     Archive::header, as JSON text
//     version    of this format
//
// "__metadata__" and in it "checksum" come first, so that the digits stand at a fixed place. CRC-32 because
// it surely notices any change within 32 neighbouring bits and every language has it at hand; it guards
// against accidents, not against forgers. Wider elements come before narrower ones, so that each array is
// aligned.
#pragma once

#include <string>

#include "hinge/core/archive.h"
#include "hinge/core/output_file.h"

namespace hinge {

inline constexpr int kModelVersion = 1;

// The file appears only when all of it is written. Throws InputError: no such folder, disk full.
void write_archive(const std::string& path, const Archive& archive);
// The same into a file that is committed later.
void write_archive(OutputFile& out, const Archive& archive);
// The same bytes without a file.
std::string archive_bytes(const Archive& archive);

// Throws InputError for a file that is not exactly what write_archive wrote. Needs memory of about twice the
// file's size, whatever its header says.
Archive read_archive(const std::string& path);
// The same of a file's bytes; `name` is for the sentence.
Archive parse_archive(std::string_view bytes, const std::string& name);

}  // namespace hinge
