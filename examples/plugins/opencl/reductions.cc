// sum, and the products of vectors, which are sums of products.

#include "kernels.h"
#include "reduce.h"

namespace opencl {
namespace {

using namespace sy::abi;

// What sums are made in: long for integers, whose low bits are those of narrower sums; float for
// 16-bit floats.
const Type& SumType(const Device& device, const Type& t) {
  if (!t.is_float()) return TypeOf(device, {SY_INT64});
  return t.is_half() ? TypeOf(device, {SY_FLOAT32}) : t;
}
const char* SumOf(const Type& t) { return t.is_float() ? "x + y" : "(long)((ulong)x + (ulong)y)"; }

bool IsReduced(const Optional<std::span<const int64_t>>& dims, int64_t d, int64_t rank) {
  if (!dims || dims->empty()) return true;
  for (int64_t given : *dims) {
    if (given == d || given + rank == d) return true;
  }
  return false;
}

void SumDims(Call call, Tensor out, Tensor self, Optional<std::span<const int64_t>> dims, bool keep,
             Optional<DType>) {
  const Device& device = call.device<Device>();
  const Type &in = TypeOf(device, self.dtype()), &type = TypeOf(device, call.dtype());
  const Array from(in, self);
  Array rows(in, self), to(TypeOf(device, out.dtype()), out);  // rows: kept dimensions first
  rows.sizes.clear();
  rows.strides.clear();
  Dims kept_strides;
  size_t reduced = 0;
  for (const bool pass : {false, true}) {
    for (int64_t d = 0, o = 0; d < self.dim(); ++d) {
      const bool is_reduced = IsReduced(dims, d, self.dim());
      if (!is_reduced && !pass) kept_strides.push_back(out.stride(o));
      if (!is_reduced || keep) ++o;
      if (is_reduced != pass) continue;
      rows.sizes.push_back(self.size(d));
      rows.strides.push_back(self.stride(d));
      reduced += is_reduced ? 1 : 0;
    }
  }
  to.strides = kept_strides;
  to.sizes.assign(rows.sizes.begin(), rows.sizes.end() - static_cast<int64_t>(reduced));
  const Type& sum = SumType(device, type);
  RunReduction(call,
               {.name = "sum",
                .accumulate = &sum,
                .in = {&in},
                .expression = Converted(in, sum, "a"),
                .combine = SumOf(sum),
                .identity = "0"},
               to, {rows}, reduced);
}

void Sum(Call call, Tensor out, Tensor self, Optional<DType> dtype) {
  SumDims(call, out, self, std::nullopt, false, dtype);
}

// out[i] = sum over j of a[i][j] * b[j]: the last dimension of a, the only one of b.
void SumProducts(Call call, Tensor out, Tensor a, Tensor b) {
  const Device& device = call.device<Device>();
  const Type& type = TypeOf(device, call.dtype());
  if (a.dtype() != call.dtype() || b.dtype() != call.dtype()) throw Declined();
  const Type& sum = SumType(device, type);
  const Array left(type, a);
  RunReduction(call,
               {.name = "sum of products",
                .accumulate = &sum,
                .in = {&type, &type},
                .expression = sum.is_float() ? "a * b" : "(ulong)a * (ulong)b",
                .combine = SumOf(sum),
                .identity = "0"},
               Array(TypeOf(device, out.dtype()), out),
               {left, Array(type, b).Broadcast(left.sizes)}, 1);
}

constexpr uint64_t kSums = kBool | kIntegers | kWideUnsigned | kFloats;
constexpr uint64_t kProducts = kIntegers | kFloats;

}  // namespace

void AddReductions(KernelList& all) {
  all.push_back(Kernel<Sum>("sum", kDeviceName, kSums, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<SumDims>("sum.dim_IntList", kDeviceName, kSums, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<SumProducts>("dot", kDeviceName, kProducts, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<SumProducts>("mv", kDeviceName, kProducts, SY_KERNEL_OPTIONAL));
}

}  // namespace opencl
