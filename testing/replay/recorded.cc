#include "testing/replay/recorded.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/format/format.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "testing/replay/elements.h"
#include "testing/replay/numbers.h"

namespace sy::replay {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 30;  // of a recorded tensor, gaps included

// Of sizes; PyTorch has tensors of more dimensions than there are here.
constexpr size_t kMostDims = 1024;

// Sizes or strides.
std::vector<int64_t> ParseInts(const Json& j) {
  if (!j.is_array() || j.size() > kMostDims)
    throw Malformed({"expected a list of at most ", kMostDims, " integers, got ", j.dump()});
  std::vector<int64_t> v;
  v.reserve(j.size());
  for (const Json& x : j) {
    v.push_back(AsInteger(x));
    if (v.back() < 0) throw Malformed({"a recorded tensor has a negative size: ", j.dump()});
  }
  return v;
}

size_t ParseSize(const Json& j) {
  const int64_t n = AsInteger(j);
  if (n < 0) throw Malformed({"expected no negative number, got ", n});
  return static_cast<size_t>(n);
}

// Bytes that elements of such sizes and strides span.
int64_t SpannedBytes(const RecordedTensor& r) {
  try {
    return CheckedProduct("replay", "the tensor in bytes",
                          std::max(NumElements(r.sizes), StorageExtent(r.sizes, r.strides)),
                          static_cast<int64_t>(ItemSize(r.dtype)));
  } catch (const Error& e) {
    throw Malformed({e.message()});
  }
}

template <size_t kBytes>
void Scatter(const RecordedTensor& r, char* to) {
  const char* from = r.bytes.data();
  ForEachOffset(r.sizes, r.strides, [&](int64_t offset) {
    std::memcpy(to + offset * static_cast<int64_t>(kBytes), from, kBytes);
    from += kBytes;
  });
}

}  // namespace

bool IsTensor(const Json& j) { return j.is_object() && j.size() == 1 && j.contains("t"); }

RecordedTensor ParseTensor(const Json& j, Blob blob) {
  if (!IsTensor(j) || !j["t"].is_array() || j["t"].size() != 5)
    throw Malformed({"expected a recorded tensor, got ", j.dump()});
  const Json& t = j["t"];
  RecordedTensor r;
  const std::optional<DType> dtype = FindDType(t[0].get_ref<const std::string&>());
  if (!dtype) throw Malformed({"unknown dtype in ", j.dump()});
  r.dtype = *dtype;
  r.sizes = ParseInts(t[1]);
  r.strides = ParseInts(t[2]);
  if (r.sizes.size() != r.strides.size())
    throw Malformed({"sizes and strides of a recorded tensor differ in length: ", j.dump()});
  if (SpannedBytes(r) > kMostBytes)
    throw Malformed({"a recorded tensor spans more than ", kMostBytes, " bytes: ", j.dump()});
  const size_t offset = ParseSize(t[3]), bytes = ParseSize(t[4]);
  const size_t expected = static_cast<size_t>(NumElements(r.sizes)) * ItemSize(r.dtype);
  if (bytes != expected) {
    throw Malformed(
        {"a recorded tensor of ", expected, " bytes is said to have ", bytes, ": ", j.dump()});
  }
  if (offset > blob.size() || bytes > blob.size() - offset) {
    throw Malformed(
        {"a recorded tensor lies beyond the ", blob.size(), " bytes of the blob: ", j.dump()});
  }
  r.bytes = blob.subspan(offset, bytes);
  return r;
}

Tensor Rebuild(const RecordedTensor& r) {
  Tensor t = Tensor::EmptyStrided(r.sizes, r.strides, r.dtype);
  if (t.is_contiguous()) {
    if (!r.bytes.empty()) std::memcpy(t.data(), r.bytes.data(), r.bytes.size());
    return t;
  }
  char* to = static_cast<char*>(t.data());
  std::memset(to, 0, static_cast<size_t>(StorageExtent(r.sizes, r.strides)) * t.itemsize());
  switch (t.itemsize()) {
    case 1:
      Scatter<1>(r, to);
      break;
    case 2:
      Scatter<2>(r, to);
      break;
    case 4:
      Scatter<4>(r, to);
      break;
    case 8:
      Scatter<8>(r, to);
      break;
    default:
      Scatter<16>(r, to);
      break;
  }
  return t;
}

std::string Describe(const RecordedTensor& r) {
  std::vector<int64_t> row_major(r.sizes.size());
  ContiguousStrides(r.sizes, row_major.data());
  std::string s = fmt::format("{}{}", r.dtype, IntSpan(r.sizes));
  if (row_major != r.strides) s += fmt::format(" strides {}", IntSpan(r.strides));
  return s;
}

}  // namespace sy::replay
