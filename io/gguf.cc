// Reading GGUF, the files of llama.cpp: keys and values, then what tensors there are, then their
// bytes, each at a multiple of general.alignment.
// Source: ggml/docs/gguf.md, versions 2 and 3.
#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>

#include "io/contents.h"
#include "io/gguf_types.h"

namespace sy::io {
namespace {

constexpr std::string_view kMagic = "GGUF";
constexpr uint64_t kDefaultAlignment = 32;
constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr uint64_t kShown = 8;         // entries of a list, in metadata
constexpr int kMostLevels = 8;         // of lists in lists
constexpr uint64_t kLeastTensor = 24;  // bytes of the shortest description of one
constexpr uint64_t kLeastKey = 13;     // of a key and its value

enum Type : uint32_t {
  kUInt8,
  kInt8,
  kUInt16,
  kInt16,
  kUInt32,
  kInt32,
  kFloat32,
  kBool,
  kString,
  kArray,
  kUInt64,
  kInt64,
  kFloat64,
};

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Contents Read() {
    at_ = kMagic.size();
    const auto version = Next<uint32_t>();
    if (version == __builtin_bswap32(2) || version == __builtin_bswap32(3))
      Refuse({"its numbers are big-endian"});
    if (version != 2 && version != 3)
      Refuse({"it is of version ", version, " of GGUF, expected 2 or 3"});
    const auto tensors = Next<uint64_t>(), keys = Next<uint64_t>();
    if (tensors > file_.size() / kLeastTensor || keys > file_.size() / kLeastKey)
      Refuse({"it says that it has ", tensors, " tensors and ", keys, " keys"});
    Contents c;
    c.format = FileFormat::kGguf;
    std::unordered_set<std::string> seen;
    for (uint64_t i = 0; i < keys; ++i) {
      std::string key(Text());
      if (!seen.insert(key).second) Refuse({"the key '", key, "' stands twice"});
      const auto type = Next<uint32_t>();
      const size_t start = at_;
      std::string value = Value(type, 0);
      if (key == kAlignmentKey) SetAlignment(type, start);
      c.metadata.emplace_back(std::move(key), std::move(value));
    }
    for (uint64_t i = 0; i < tensors; ++i) Tensor(c);
    Place(c);
    return c;
  }

 private:
  template <class T>
  T Next() {
    if (file_.size() - at_ < sizeof(T)) Refuse({"it is cut short at byte ", at_});
    T value;
    std::memcpy(&value, file_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string_view Text() {
    const auto n = Next<uint64_t>();
    if (file_.size() - at_ < n) Refuse({"a text of ", n, " bytes reaches behind the end"});
    const std::string_view text = file_.substr(at_, n);
    at_ += n;
    return text;
  }

  std::string Value(uint32_t type, int level) {
    switch (type) {
      case kUInt8:
        return std::to_string(Next<uint8_t>());
      case kInt8:
        return std::to_string(Next<int8_t>());
      case kUInt16:
        return std::to_string(Next<uint16_t>());
      case kInt16:
        return std::to_string(Next<int16_t>());
      case kUInt32:
        return std::to_string(Next<uint32_t>());
      case kInt32:
        return std::to_string(Next<int32_t>());
      case kFloat32:
        return Join({static_cast<double>(Next<float>())});
      case kBool:
        return Next<uint8_t>() != 0 ? "true" : "false";
      case kString:
        return std::string(Text());
      case kArray:
        return List(level);
      case kUInt64:
        return std::to_string(Next<uint64_t>());
      case kInt64:
        return std::to_string(Next<int64_t>());
      case kFloat64:
        return Join({Next<double>()});
      default:
        Refuse({"a value is of type ", type, ", which there is none of"});
    }
  }
  // "3 entries: 1, 2, 3".
  std::string List(int level) {
    if (level == kMostLevels) Refuse({"lists are nested deeper than ", kMostLevels, " levels"});
    const auto type = Next<uint32_t>();
    const auto n = Next<uint64_t>();
    if (n > file_.size() - at_) Refuse({"a list of ", n, " entries reaches behind the end"});
    std::string text = std::to_string(n) + (n == 1 ? " entry" : " entries");
    for (uint64_t i = 0; i < n; ++i) {
      const std::string value = Value(type, level + 1);
      if (i < kShown) text += (i == 0 ? ": " : ", ") + value;
    }
    if (n > kShown) text += ", …";
    return text;
  }

  void SetAlignment(uint32_t type, size_t at) {
    uint32_t n = 0;
    if (type == kUInt32) std::memcpy(&n, file_.data() + at, sizeof n);
    if (!std::has_single_bit(n))
      Refuse({kAlignmentKey, " is ", n, ", expected a power of 2 of type uint32"});
    alignment_ = n;
  }

  // A description; its offset goes to offsets_.
  void Tensor(Contents& c) {
    TensorInfo t;
    t.name = Text();
    const auto rank = Next<uint32_t>();
    if (rank > static_cast<uint32_t>(kMaxRank))
      Refuse({"'", t.name, "' has ", rank, " dimensions"});
    for (uint32_t i = 0; i < rank; ++i) {
      const auto n = Next<uint64_t>();
      if (n > uint64_t{INT64_MAX}) Refuse({"'", t.name, "' has a size of ", n});
      t.sizes.push_back(static_cast<int64_t>(n));
    }
    std::reverse(t.sizes.begin(), t.sizes.end());  // it counts from the innermost
    const auto number = Next<uint32_t>();
    const auto* type = std::find_if(kGgufTypes.begin(), kGgufTypes.end(),
                                    [&](const GgufType& g) { return g.number == number; });
    if (type == kGgufTypes.end())
      Refuse({"'", t.name, "' is of type ", number, ", which is not known"});
    t.type = type->name;
    t.dtype = type->dtype;
    const int64_t inner = t.sizes.empty() ? 1 : t.sizes.back();
    if (inner % type->elements != 0) {
      Refuse(
          {"'", t.name, "': rows of ", inner, " elements are no whole blocks of ", type->elements});
    }
    std::vector<int64_t> blocks = t.sizes;
    if (!blocks.empty()) blocks.back() /= type->elements;
    BytesOf(t.name, t.sizes, 1);
    t.bytes = BytesOf(t.name, blocks, static_cast<uint64_t>(type->bytes));
    t.strides = StridesOf(t.sizes);
    const auto offset = Next<uint64_t>();
    c.sources.push_back({.offset = offset, .stored = t.bytes, .bytes = t.bytes});
    c.Add(std::move(t), c.sources.size() - 1);
  }

  // Where the data lies in the file, and that all of it does.
  void Place(Contents& c) const {
    const uint64_t start = (at_ + alignment_ - 1) / alignment_ * alignment_;
    const uint64_t size = start <= file_.size() ? file_.size() - start : 0;
    std::vector<const Source*> order;
    order.reserve(c.sources.size());
    for (size_t i = 0; i < c.sources.size(); ++i) {
      Source& s = c.sources[i];
      const std::string& name = c.tensors[i].name;
      if (s.offset % alignment_ != 0)
        Refuse({"'", name, "' begins at ", s.offset, ", no multiple of ", alignment_});
      if (s.offset > size || s.bytes > size - s.offset) {
        if (s.bytes != 0) Refuse({"'", name, "' reaches behind the end of the file"});
        s.offset = 0;
      }
      s.offset += start;
      if (s.bytes != 0) order.push_back(&s);
    }
    std::sort(order.begin(), order.end(),
              [](const Source* a, const Source* b) { return a->offset < b->offset; });
    for (size_t i = 1; i < order.size(); ++i) {
      if (order[i]->offset - order[i - 1]->offset < order[i - 1]->bytes)
        Refuse({"tensors overlap at byte ", order[i]->offset});
    }
  }

  std::string_view file_;
  size_t at_ = 0;
  uint64_t alignment_ = kDefaultAlignment;
};

}  // namespace

bool LooksLikeGguf(std::string_view file) { return file.starts_with(kMagic); }

Contents ParseGguf(std::string_view file) { return Reader(file).Read(); }

}  // namespace sy::io
