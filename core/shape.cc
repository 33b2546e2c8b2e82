#include "switchyard/core/shape.h"

#include <algorithm>
#include <array>

#include "switchyard/core/checked.h"
#include "switchyard/core/dimension_order.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {

void FailDimRange(int64_t dim, int64_t rank) {
  const int64_t n = rank == 0 ? 1 : rank;
  Fail(ErrorCode::kOutOfRange, {"dimension out of range: expected one of ", -n, " to ", n - 1,
                                " for a ", rank, "-d tensor, got ", dim});
}

uint64_t DimMask(std::optional<IntSpan> dims, int64_t rank, std::string_view op) {
  if (!dims || dims->empty()) return ~uint64_t{0};
  uint64_t mask = 0;
  for (int64_t d : *dims) {
    const uint64_t bit = uint64_t{1} << WrapDim(d, rank);
    if (mask & bit) {
      Fail(ErrorCode::kInvalidArgument, op,
           {"dimension ", d, " appears more than once in dim ", *dims});
    }
    mask |= bit;
  }
  return mask;
}

int64_t NumElements(IntSpan sizes) {
  int64_t n = 1;
  bool overflow = false, empty = false;
  for (int64_t s : sizes) {
    empty |= s == 0;
    overflow |= __builtin_mul_overflow(n, s == 0 ? 1 : s, &n);
  }
  if (overflow)
    Fail(ErrorCode::kInvalidArgument, {"sizes ", sizes, " multiply to more than 2^63 - 1"});
  return empty ? 0 : n;
}

int64_t StorageExtent(IntSpan sizes, IntSpan strides) {
  int64_t extent = 1;
  bool overflow = false, empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0)
      Fail(ErrorCode::kInvalidArgument, {"sizes must not be negative, got ", sizes});
    if (strides[i] < 0)
      Fail(ErrorCode::kInvalidArgument, {"strides must not be negative, got ", strides});
    empty |= sizes[i] == 0;
    int64_t reach = 0;
    overflow |= __builtin_mul_overflow(std::max<int64_t>(sizes[i] - 1, 0), strides[i], &reach) ||
                __builtin_add_overflow(extent, reach, &extent);
  }
  // Strides of an empty tensor are walked too: over more than one element they stay such that bytes
  // can be counted with them.
  overflow |= empty && extent > kMostOffset;
  if (overflow) {
    Fail(ErrorCode::kInvalidArgument,
         {"sizes ", sizes, " and strides ", strides, " span more than 2^63 - 1 elements"});
  }
  return empty ? 0 : extent;
}

namespace {

// Of a stride and a size, wrapping around: sizes that multiply to too much are refused where a
// tensor is made of them.
int64_t Product(int64_t a, int64_t b) {
  int64_t product = 0;
  (void)__builtin_mul_overflow(a, b, &product);
  return product;
}

}  // namespace

void ContiguousStrides(IntSpan sizes, int64_t* strides) {
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride = Product(stride, std::max<int64_t>(sizes[i], 1));
  }
}

namespace {

// Dimensions from the innermost on.
constexpr std::array<int, 4> kOrder2d = {1, 3, 2, 0};
constexpr std::array<int, 5> kOrder3d = {1, 4, 3, 2, 0};

std::span<const int> Order(MemoryFormat format) {
  if (format == MemoryFormat::kChannelsLast) return kOrder2d;
  return kOrder3d;
}

}  // namespace

void FormatStrides(IntSpan sizes, MemoryFormat format, int64_t* strides) {
  if (format != MemoryFormat::kChannelsLast && format != MemoryFormat::kChannelsLast3d) {
    return ContiguousStrides(sizes, strides);
  }
  const std::span<const int> order = Order(format);
  if (sizes.size() != order.size()) {
    Fail(ErrorCode::kInvalidArgument,
         {Name(format), " needs ", order.size(), " dimensions, got sizes ", sizes});
  }
  int64_t stride = 1;
  for (int d : order) {
    strides[d] = stride;
    stride = Product(stride, sizes[d]);
  }
}

bool IsNonOverlappingAndDense(IntSpan sizes, IntSpan strides) {
  std::array<uint8_t, kMaxRank> order;
  int n = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return true;
    if (sizes[i] > 1) order[n++] = static_cast<uint8_t>(i);
  }
  std::sort(order.begin(), order.begin() + n,
            [&](int a, int b) { return strides[a] < strides[b]; });
  int64_t expected = 1;
  for (int i = 0; i < n; ++i) {
    if (strides[order[i]] != expected) return false;
    expected *= sizes[order[i]];
  }
  return true;
}

bool IsChannelsLastContiguous(IntSpan sizes, IntSpan strides, MemoryFormat format) {
  const std::span<const int> order = Order(format);
  if (sizes.size() != order.size()) return false;
  int64_t expected = 1;
  for (int d : order) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool IsChannelsLastStrides(IntSpan sizes, IntSpan strides, MemoryFormat format) {
  // Source: is_channels_last_strides_2d in c10/core/MemoryFormat.h, whose answers for sizes of 1
  // decide output strides.
  const std::span<const int> order = Order(format);
  if (sizes.size() != order.size() || strides[1] == 0) return false;
  int64_t least = 0;
  for (int d : order) {
    if (sizes[d] == 0 || strides[d] < least) return false;
    if (d == 0 && least == strides[1]) return false;  // [n, 1, 1, 1] is not channels last
    least = ProductOr(strides[d], sizes[d], INT64_MAX);
  }
  return true;
}

int Broadcast(IntSpan a, IntSpan b, int64_t* out, std::string_view op) {
  const size_t rank = std::max(a.size(), b.size());
  if (rank > static_cast<size_t>(kMaxRank))
    Fail(ErrorCode::kInvalidArgument, op,
         {rank, " dimensions, at most ", kMaxRank, " are supported"});
  for (size_t i = 1; i <= rank; ++i) {
    const int64_t x = i <= a.size() ? a[a.size() - i] : 1, y = i <= b.size() ? b[b.size() - i] : 1;
    if (x != y && x != 1 && y != 1) {
      Fail(ErrorCode::kInvalidArgument, op,
           {"sizes ", a, " and ", b, " do not broadcast: ", x, " and ", y, " differ at dimension ",
            rank - i, ", and neither is 1"});
    }
    out[rank - i] = x == 1 ? y : x;
  }
  return static_cast<int>(rank);
}

bool IsExpandable(IntSpan from, IntSpan to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 1; i <= from.size(); ++i) {
    const int64_t x = from[from.size() - i];
    if (x != to[to.size() - i] && x != 1) return false;
  }
  return true;
}

void InferSize(IntSpan sizes, int64_t numel, int64_t* out, std::string_view op) {
  int64_t product = 1;
  int unknown = -1;
  bool overflow = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    out[i] = sizes[i];
    if (sizes[i] == -1) {
      if (unknown >= 0)
        Fail(ErrorCode::kInvalidArgument, op, {"only one dimension can be inferred, got ", sizes});
      unknown = static_cast<int>(i);
    } else if (sizes[i] < 0) {
      Fail(ErrorCode::kInvalidArgument, op, {"sizes must be -1 or not negative, got ", sizes});
    } else {
      overflow |= __builtin_mul_overflow(product, sizes[i], &product);
    }
  }
  if (unknown >= 0 && !overflow && product != 0 && numel % product == 0) {
    out[unknown] = numel / product;
    return;
  }
  if (unknown >= 0 && product == 0 && numel == 0) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"cannot infer the -1 of ", sizes, " for a tensor of 0 elements: any size would fit"});
  }
  if (unknown >= 0 || overflow || product != numel) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"sizes ", sizes, " do not fit a tensor of ", numel, " elements"});
  }
}

bool ViewStrides(IntSpan old_sizes, IntSpan old_strides, int64_t numel, IntSpan new_sizes,
                 int64_t* new_strides) {
  // Source: computeStride in ATen/TensorUtils.cpp. Old dimensions are taken in chunks that lie in
  // memory like one; a new dimension must not cross a chunk. Strides of dimensions of one element
  // may be any, so that a product with one may be too large.
  if (numel == 0) {
    if (SameSizes(old_sizes, new_sizes)) {
      std::copy(old_strides.begin(), old_strides.end(), new_strides);
    } else {
      ContiguousStrides(new_sizes, new_strides);
    }
    return true;
  }
  if (old_sizes.empty()) {
    std::fill_n(new_strides, new_sizes.size(), 1);
    return true;
  }
  int64_t v = static_cast<int64_t>(new_sizes.size()) - 1;
  int64_t base = old_strides.back(), chunk = 1, viewed = 1;
  for (int64_t d = static_cast<int64_t>(old_sizes.size()) - 1; d >= 0; --d) {
    chunk *= old_sizes[d];
    if (d > 0 && (old_sizes[d - 1] == 1 || old_strides[d - 1] == ProductOr(chunk, base, -1)))
      continue;
    while (v >= 0 && (viewed < chunk || new_sizes[v] == 1)) {
      new_strides[v] = ProductOr(viewed, base, base);
      viewed *= new_sizes[v];
      --v;
    }
    if (viewed != chunk) return false;
    if (d > 0) {
      base = old_strides[d - 1];
      chunk = viewed = 1;
    }
  }
  return v == -1;
}

void PreservedStrides(IntSpan sizes, IntSpan strides, int64_t* out) {
  if (IsNonOverlappingAndDense(sizes, strides)) {
    std::copy(strides.begin(), strides.end(), out);
    return;
  }
  const int n = static_cast<int>(sizes.size());
  std::array<int, kMaxRank> order;
  OrderDimensions(
      sizes, 1, [&](int, int d) { return strides[d]; }, order.data());
  int64_t stride = 1;
  for (int i = 0; i < n; ++i) {
    out[order[i]] = stride;
    stride *= std::max<int64_t>(sizes[order[i]], 1);
  }
}

}  // namespace sy
