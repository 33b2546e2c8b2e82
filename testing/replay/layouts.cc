#include "testing/replay/layouts.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "core/format/format.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/sparse.h"
#include "switchyard/dispatcher/call.h"
#include "testing/replay/compare.h"
#include "testing/replay/numbers.h"

namespace sy::replay {
namespace {

Tensor Part(const Json& j, Blob blob) {
  return j.is_null() ? Tensor() : Rebuild(ParseTensor(j, blob));
}

Tensor Sparse(const Json& j, Blob blob) {
  if (!j.is_array() || j.size() != 6) throw Malformed({"expected a sparse tensor, got ", j.dump()});
  const std::optional<Layout> layout = FindLayout(j[0].get_ref<const std::string&>());
  if (!layout || *layout == Layout::kStrided)
    throw Malformed({"expected a sparse layout, got ", j.dump()});
  std::vector<int64_t> sizes;
  for (const Json& n : j[1]) sizes.push_back(AsInteger(n));
  const Tensor indices = Part(j[2], blob), plain = Part(j[3], blob), values = Part(j[4], blob);
  const int64_t held =
      *layout == Layout::kSparse ? 1 : indices.dim() + (HasBlocks(*layout) ? 2 : 0);
  const int64_t sparse_dim = *layout == Layout::kSparse ? indices.sizes()[0] : 2;
  return MakeSparse(sizes, std::make_unique<SparseState>(*layout, sparse_dim, values.dim() - held,
                                                         indices, plain, values, j[5].get<bool>()));
}

Tensor Quantized(const Json& j, Blob blob) {
  if (!j.is_array() || j.size() < 3)
    throw Malformed({"expected a quantised tensor, got ", j.dump()});
  const Tensor integers = Part(j[0], blob);
  if (j.size() == 3) return MakeQuantized(integers, Quantizer(j[1].get<double>(), AsInteger(j[2])));
  return MakeQuantized(integers, Quantizer(Part(j[1], blob), Part(j[2], blob), AsInteger(j[3])));
}

Tensor Called(std::string_view op, const Tensor& t) { return call(op, t); }

// As a strided tensor would have been recorded.
std::string CompareStrided(const Tensor& got, const Tensor& expected) {
  RecordedTensor r;
  r.dtype = expected.dtype();
  r.sizes.assign(expected.sizes().begin(), expected.sizes().end());
  r.strides.assign(expected.strides().begin(), expected.strides().end());
  r.bytes = {static_cast<const char*>(expected.data()), expected.nbytes()};
  return CompareTensor(got, r);
}

std::string CompareSparse(const Tensor& got, const Tensor& expected) {
  if (got.layout() != expected.layout())
    return fmt::format("expected {}, got {}", Describe(expected), Describe(got));
  const auto held = [](const Tensor& t) {
    return FindSparse(t.is_sparse() ? Called("coalesce", t) : t)->nnz();
  };
  if (held(got) != held(expected))
    return fmt::format("expected {} elements held, got {}", held(expected), held(got));
  return CompareStrided(Called("to_dense", got), Called("to_dense", expected));
}

std::string CompareQuantized(const Tensor& got, const Tensor& expected) {
  const Quantizer *a = FindQuantizer(got), *b = FindQuantizer(expected);
  if (a == nullptr || a->scheme() != b->scheme() || got.dtype() != expected.dtype() ||
      a->axis != b->axis || a->scale != b->scale || a->zero_point != b->zero_point) {
    return fmt::format("expected {} of scale {} and zero point {}, got {}", Describe(expected),
                       b->scale, b->zero_point, Describe(got));
  }
  if (b->per_channel()) {
    if (std::string why = CompareStrided(a->scales, b->scales); !why.empty()) return why;
    if (std::string why = CompareStrided(a->zero_points, b->zero_points); !why.empty()) return why;
  }
  // How integers lie is not recorded.
  return CompareStrided(Called("contiguous", IntegersOf(got)),
                        Called("contiguous", IntegersOf(expected)));
}

}  // namespace

bool HasLayout(const Json& j) {
  return j.is_object() && j.size() == 1 && (j.contains("sparse") || j.contains("quantized"));
}

Tensor RebuildLayout(const Json& j, Blob blob) {
  return j.contains("sparse") ? Sparse(j["sparse"], blob) : Quantized(j["quantized"], blob);
}

std::string CompareLayout(const Tensor& got, const Json& j, Blob blob) {
  const Tensor expected = RebuildLayout(j, blob);
  if (!got.defined()) return "expected " + Describe(expected) + ", got an undefined tensor";
  if (got.is_strided() && !got.is_quantized())
    return fmt::format("expected {}, got {}", Describe(expected), Describe(got));
  return expected.is_quantized() ? CompareQuantized(got, expected) : CompareSparse(got, expected);
}

}  // namespace sy::replay
