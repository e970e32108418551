#include "hinge/model/model_file.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "hinge/core/file_view.h"
#include "hinge/core/json_text.h"
#include "hinge/core/output_file.h"

namespace hinge {
namespace {

using nlohmann::json;
static_assert(std::endian::native == std::endian::little, "arrays are written as they stand in memory");

constexpr std::string_view kOpening = R"({"__metadata__":{"checksum":")";
constexpr std::string_view kNoChecksum = "00000000";
constexpr std::size_t kLengthBytes = 8, kAlignment = 8;
constexpr std::uint64_t kMaxHeader = 100'000'000;  // as other safetensors readers have it

template <class T>
std::string_view dtype_of(const std::vector<T>&) {
  if constexpr (std::same_as<T, double>) return "F64";
  if constexpr (std::same_as<T, float>) return "F32";
  if constexpr (std::same_as<T, std::int32_t>) return "I32";
  if constexpr (std::same_as<T, std::uint32_t>) return "U32";
  if constexpr (std::same_as<T, std::int64_t>) return "I64";
  if constexpr (std::same_as<T, std::uint8_t>) return "U8";
}

std::string_view dtype_of(const Archive::Array& array) {
  return std::visit([](const auto& values) { return dtype_of(values); }, array);
}

// An empty array of that element type.
bool make_array(const std::string& dtype, Archive::Array& array) {
  static const Archive::Array kinds[] = {std::vector<double>{},       std::vector<float>{},
                                         std::vector<std::int32_t>{}, std::vector<std::uint32_t>{},
                                         std::vector<std::int64_t>{}, std::vector<std::uint8_t>{}};
  for (const Archive::Array& kind : kinds) {
    if (dtype_of(kind) != dtype) continue;
    array = kind;
    return true;
  }
  return false;
}

std::size_t width_of(const Archive::Array& array) {
  return std::visit([](const auto& values) { return sizeof(values[0]); }, array);
}

std::string_view bytes_of(const Archive::Array& array) {
  return std::visit(
      [](const auto& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(values[0]));
      },
      array);
}

using Entry = std::pair<const std::string, Archive::Array>;

std::vector<const Entry*> in_file_order(const Archive& archive) {
  std::vector<const Entry*> order;
  for (const Entry& entry : archive.arrays) order.push_back(&entry);
  std::ranges::stable_sort(order, std::greater{}, [](const Entry* e) { return width_of(e->second); });
  return order;
}

class Checksum {
 public:
  void add(std::string_view bytes) {
    if (bytes.empty()) return;  // zlib takes a null pointer for a new start
    value_ = crc32_z(value_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }
  std::string digits() const { return fmt::format("{:08x}", value_); }

 private:
  uLong value_ = crc32_z(0, nullptr, 0);
};

// The checksum of the header when its digits are zero, and of what follows.
Checksum checksum_of_start(std::string_view length_and_header) {
  const std::size_t digits = kLengthBytes + kOpening.size();
  Checksum checksum;
  checksum.add(length_and_header.substr(0, digits));
  checksum.add(kNoChecksum);
  checksum.add(length_and_header.substr(digits + kNoChecksum.size()));
  return checksum;
}

std::string header_text(const Archive& archive, const std::vector<const Entry*>& order) {
  nlohmann::ordered_json header;
  header["__metadata__"] = {{"checksum", kNoChecksum},
                            {"format", "hinge"},
                            {"header", json_text(archive.header)},
                            {"version", std::to_string(kModelVersion)}};
  std::size_t offset = 0;
  for (const Entry* entry : order) {
    const std::size_t size = bytes_of(entry->second).size();
    header[entry->first] = {{"dtype", dtype_of(entry->second)},
                            {"shape", {size / width_of(entry->second)}},
                            {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string text = header.dump();
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return text;
}

// One file being read: its name for messages, its bytes, and the parts of it.
class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Archive read() {
    split();
    check_metadata();
    Archive archive;
    archive.header = parse(header_["__metadata__"]["header"].get_ref<const std::string&>());
    header_.erase("__metadata__");
    check_places();
    for (const auto& [name, entry] : header_.items()) archive.arrays[name] = copy(place(entry));
    return archive;
  }

 private:
  [[noreturn]] void damaged(std::string_view why) const {
    fail_at(name_, 0, "is a damaged model ({}): copy it again or train it again.", why);
  }

  json parse(std::string_view text) const {
    json value;
    if (!parse_json(text, value).empty() || !value.is_object()) damaged("its header is not JSON");
    return value;
  }

  void split() {
    std::uint64_t length = 0;
    if (bytes_.size() >= kLengthBytes) std::memcpy(&length, bytes_.data(), kLengthBytes);
    if (length < kOpening.size() + kNoChecksum.size() || length > kMaxHeader)
      fail_at(name_, 0, "is not a model that hinge wrote: give the file of `model`.");
    if (length > bytes_.size() - kLengthBytes) damaged("it is cut off");
    const std::string_view text = bytes_.substr(kLengthBytes, length);
    if (!text.starts_with(kOpening))
      fail_at(name_, 0, "is not a model that hinge wrote: give the file of `model`.");
    header_ = parse(text);
    start_ = bytes_.substr(0, kLengthBytes + length);
    data_ = bytes_.substr(kLengthBytes + length);
  }

  void check_metadata() const {
    const json& metadata = header_["__metadata__"];
    for (const char* key : {"checksum", "format", "header", "version"})
      if (!metadata.contains(key) || !metadata[key].is_string()) damaged("its metadata is incomplete");
    if (metadata["version"] != std::to_string(kModelVersion))
      fail_at(name_, 0, "has model format {}, and this hinge reads format {}: use the hinge that wrote it.",
              metadata["version"].get_ref<const std::string&>(), kModelVersion);
    Checksum checksum = checksum_of_start(start_);
    checksum.add(data_);
    if (start_.substr(kLengthBytes + kOpening.size(), kNoChecksum.size()) != checksum.digits())
      damaged("its checksum differs");
    if (metadata["format"] != "hinge") damaged("its metadata is incomplete");
  }

  struct Place {
    std::uint64_t begin, end;
    Archive::Array array;  // of the array's element type
  };

  Place place(const json& entry) const {
    const auto number = [&](const json& value) {
      if (!value.is_number_unsigned()) damaged("an array's place is not a number");
      return value.get<std::uint64_t>();
    };
    const auto list = [&](const char* key, std::size_t length) -> const json& {
      if (!entry.is_object() || !entry.contains(key) || !entry[key].is_array() || entry[key].size() != length)
        damaged("an array is not described");
      return entry[key];
    };
    const json& offsets = list("data_offsets", 2);
    Place place{number(offsets[0]), number(offsets[1]), {}};
    if (place.begin > place.end || place.end > data_.size()) damaged("an array lies outside of the file");
    if (!entry.contains("dtype") || !entry["dtype"].is_string() ||
        !make_array(entry["dtype"].get_ref<const std::string&>(), place.array))
      damaged("an array's element type is unknown");
    const std::uint64_t size = place.end - place.begin, width = width_of(place.array);
    if (size % width != 0 || number(list("shape", 1)[0]) != size / width)
      damaged("an array's size is not that of its shape");
    return place;
  }

  // Before anything is copied: arrays that overlap could ask for more memory than the file has bytes.
  void check_places() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
    for (const json& entry : header_) {
      const Place at = place(entry);
      places.emplace_back(at.begin, at.end);
    }
    std::ranges::sort(places);
    std::uint64_t reached = 0;
    for (const auto& [begin, end] : places) {
      if (begin != reached) damaged("its arrays overlap or leave holes");
      reached = end;
    }
    if (reached != data_.size()) damaged("its arrays do not end where the file ends");
  }

  Archive::Array copy(Place from) const {
    std::visit(
        [&](auto& values) {
          values.resize((from.end - from.begin) / sizeof(values[0]));
          if (!values.empty()) std::memcpy(values.data(), data_.data() + from.begin, from.end - from.begin);
        },
        from.array);
    return std::move(from.array);
  }

  std::string_view bytes_;
  const std::string& name_;
  std::string_view start_, data_;  // length and header; the arrays
  json header_;
};

// write(bytes) for the whole file, piece by piece.
template <class Write>
void put_archive(const Archive& archive, const Write& write) {
  const std::vector<const Entry*> order = in_file_order(archive);
  const std::string text = header_text(archive, order);
  const std::uint64_t length = text.size();
  if (length > kMaxHeader) fail("the model cannot be written: its header would exceed 100 MB.");
  std::string start(reinterpret_cast<const char*>(&length), kLengthBytes);
  start += text;

  Checksum checksum = checksum_of_start(start);
  for (const Entry* entry : order) checksum.add(bytes_of(entry->second));
  start.replace(kLengthBytes + kOpening.size(), kNoChecksum.size(), checksum.digits());

  write(start);
  for (const Entry* entry : order) write(bytes_of(entry->second));
}

}  // namespace

std::string archive_bytes(const Archive& archive) {
  std::string bytes;
  put_archive(archive, [&](std::string_view more) { bytes.append(more); });
  return bytes;
}

void write_archive(OutputFile& out, const Archive& archive) {
  put_archive(archive, [&](std::string_view more) { out.write(more); });
}

void write_archive(const std::string& path, const Archive& archive) {
  OutputFile out(path);
  write_archive(out, archive);
  out.commit();
}

Archive parse_archive(std::string_view bytes, const std::string& name) {
  return ArchiveReader(bytes, name).read();
}

Archive read_archive(const std::string& path) {
  return parse_archive(FileView(path).bytes(), path == "-" ? "standard input" : path);
}

}  // namespace hinge
