// Reading safetensors: a JSON header, {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets":
// [0, 24]}, …, "__metadata__": {"key": "text"}}, before the bytes of all tensors without gaps.
// Source: huggingface/safetensors, README (format) and safetensors/src/tensor.rs (limits).
#include "io/safetensors.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "io/contents.h"

namespace sy::io {
namespace {

using nlohmann::json;

// The official reader keeps one of two equal keys and passes over keys that it does not know; two
// readers of one file could then see different tensors, so both are refused here.
class HeaderReader final : public nlohmann::json_sax<json> {
 public:
  struct Entry {
    TensorInfo info;
    int bits = 0;
    uint64_t begin = 0, end = 0;
  };

  std::vector<Entry> entries;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string problem;

  bool null() override { return Stop("null"); }
  bool boolean(bool) override { return Stop("a truth value"); }
  bool number_float(double, const std::string& text) override { return Stop("the number " + text); }
  bool number_integer(int64_t n) override { return Stop("the number " + std::to_string(n)); }
  bool binary(json::binary_t&) override { return Stop("binary data"); }

  bool number_unsigned(uint64_t n) override {
    if (list_ == kShape) {
      std::vector<int64_t>& sizes = entries.back().info.sizes;
      if (n > uint64_t{INT64_MAX} || sizes.size() == static_cast<size_t>(kMaxRank))
        return Say("the shape has too many dimensions or too large ones");
      sizes.push_back(static_cast<int64_t>(n));
      return true;
    }
    if (list_ != kOffsets) return Stop("a number");
    if (offsets_ == 2) return Say("data_offsets has more than two numbers");
    (offsets_++ == 0 ? entries.back().begin : entries.back().end) = n;
    return true;
  }

  bool string(std::string& text) override {
    if (place_ == kMetadata) {
      metadata.emplace_back(key_, text);
      return true;
    }
    if (place_ != kTensor || list_ != kNone || key_ != "dtype") return Stop("a text");
    for (const SafetensorsType& t : kSafetensorsTypes) {
      if (t.name != text) continue;
      entries.back().info.type = text;
      entries.back().info.dtype = t.dtype;
      entries.back().bits = t.bits;
      return true;
    }
    return Say("there is no dtype '" + text + "'");
  }

  bool key(std::string& text) override {
    key_ = text;
    if (place_ == kTensor) {
      const int bit = text == "dtype" ? 1 : text == "shape" ? 2 : text == "data_offsets" ? 4 : 0;
      if (bit == 0) return Say("the key '" + text + "' is not known");
      if ((have_ & bit) != 0) return Say("the key '" + text + "' stands twice");
      have_ |= bit;
      return true;
    }
    // Tensors' names are compared with each other when all are there.
    const bool twice = place_ == kMetadata      ? !keys_.insert(text).second
                       : text == "__metadata__" ? std::exchange(has_metadata_, true)
                                                : false;
    return !twice || Say("the key '" + text + "' stands twice");
  }

  bool start_object(size_t) override {
    if (place_ == kStart) {
      place_ = kTop;
    } else if (place_ != kTop) {
      return Stop("an object");
    } else if (key_ == "__metadata__") {
      place_ = kMetadata;
    } else {
      place_ = kTensor;
      have_ = 0;
      entries.emplace_back().info.name = key_;
    }
    return true;
  }

  bool end_object() override {
    if (place_ == kTensor && have_ != 7) return Say("dtype, shape or data_offsets is missing");
    place_ = place_ == kTop ? kEnd : kTop;
    return true;
  }

  bool start_array(size_t) override {
    if (place_ != kTensor || list_ != kNone || key_ == "dtype") return Stop("a list");
    list_ = key_ == "shape" ? kShape : kOffsets;
    offsets_ = 0;
    return true;
  }

  bool end_array() override {
    if (list_ == kOffsets && offsets_ != 2) return Say("data_offsets needs two numbers");
    list_ = kNone;
    return true;
  }

  bool parse_error(size_t, const std::string&, const json::exception& e) override {
    constexpr size_t kMostShown = 300;  // it repeats what was read, which may be all
    return Say(std::string(e.what()).substr(0, kMostShown));
  }

 private:
  bool Say(const std::string& what) {
    const bool inside = place_ == kTensor && !entries.empty();
    problem = inside ? "'" + entries.back().info.name + "': " + what : what;
    return false;
  }
  bool Stop(const std::string& what) {
    return Say(what + " where there can be none" + (key_.empty() ? "" : ", at '" + key_ + "'"));
  }

  enum { kStart, kTop, kTensor, kMetadata, kEnd } place_ = kStart;
  enum { kNone, kShape, kOffsets } list_ = kNone;
  std::string key_;
  int have_ = 0, offsets_ = 0;
  std::unordered_set<std::string> keys_;  // of the metadata
  bool has_metadata_ = false;
};

uint64_t BytesOfBits(const HeaderReader::Entry& e) {
  const uint64_t units = BytesOf(e.info.name, e.info.sizes, static_cast<uint64_t>(e.bits));
  if (units % 8 != 0) Refuse({"'", e.info.name, "': its elements fill no whole bytes"});
  return units / 8;
}

// Tensors fill the data from its begin to its end, each byte once.
void RequireWholeCover(std::vector<const HeaderReader::Entry*> entries, uint64_t size) {
  std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  uint64_t at = 0;
  for (const HeaderReader::Entry* e : entries) {
    if (e->begin != at) {
      Refuse({"'", e->info.name, "' begins at ", e->begin, ", expected ", at,
              ": a hole or an overlap"});
    }
    at = e->end;
  }
  if (at != size) Refuse({"the tensors end at ", at, ", the data at ", size});
}

}  // namespace

Contents ParseSafetensors(std::string_view file) {
  uint64_t length = 0;
  if (file.size() < kSafetensorsLength) Refuse({"it is shorter than a length: ", file.size()});
  std::memcpy(&length, file.data(), kSafetensorsLength);
  if (length > kSafetensorsMostHeader) {
    Refuse({"a header of ", length, " bytes, at most ", kSafetensorsMostHeader, " are allowed"});
  }
  if (length > file.size() - kSafetensorsLength) {
    Refuse({"it is cut short: a header of ", length, " bytes, ", file.size() - kSafetensorsLength,
            " are there"});
  }
  const std::string_view header = file.substr(kSafetensorsLength, length);
  if (!header.starts_with('{')) Refuse({"the header does not begin with '{'"});
  HeaderReader reader;
  if (!json::sax_parse(header.begin(), header.end(), &reader)) Refuse({"header: ", reader.problem});

  const uint64_t start = kSafetensorsLength + length;
  Contents c;
  c.format = FileFormat::kSafetensors;
  c.metadata = std::move(reader.metadata);
  std::vector<const HeaderReader::Entry*> all;
  all.reserve(reader.entries.size());
  for (HeaderReader::Entry& e : reader.entries) {
    e.info.bytes = BytesOfBits(e);
    e.info.strides = StridesOf(e.info.sizes);
    if (e.end < e.begin || e.end - e.begin != e.info.bytes) {
      Refuse({"'", e.info.name, "': sizes ", IntSpan(e.info.sizes), " of ", e.info.type, " need ",
              e.info.bytes, " bytes, data_offsets are ", e.begin, " and ", e.end});
    }
    all.push_back(&e);
  }
  RequireWholeCover(all, file.size() - start);
  c.tensors.reserve(all.size());
  c.source_of.reserve(all.size());
  c.sources.reserve(all.size());
  for (HeaderReader::Entry& e : reader.entries) {
    const uint64_t bytes = e.info.bytes;
    c.sources.push_back({.offset = start + e.begin, .stored = bytes, .bytes = bytes});
    c.Add(std::move(e.info), c.sources.size() - 1);
  }
  return c;
}

}  // namespace sy::io
