// Matrix products: mm and bmm.
//
// Each work item computes a block of 4 x 4 results in registers, so that an element that it has
// read serves 4 products; neighbours in a group read neighbouring columns of b. Strides are
// arguments: transposed matrices need no copy. Where a device has a library of matrix products, its
// call goes here.

#include "array.h"
#include "kernels.h"
#include "programs.h"

namespace opencl {
namespace {

using namespace sy::abi;

constexpr size_t kGroup = 16;  // items of a group in both directions
constexpr size_t kBlock = 4;   // results of an item in both directions
constexpr size_t kTile = kGroup * kBlock;

// a: [batch, m, k], b: [batch, k, n], out: [batch, m, n]
constexpr const char* kKernel = R"cl(
typedef struct { ulong m, k, n, a_at, b_at, out_at, a[3], b[3], out[3]; } Sizes;

// Rows are beside each other, columns 16 apart.
__kernel void matmul(const Sizes s, __global OUT* out, __global const IN* a, __global const IN* b) {
  const ulong batch = get_group_id(2);
  const ulong row = get_global_id(1) * 4, column = get_group_id(0) * 64 + get_local_id(0);
  if (row >= s.m || column >= s.n) return;
  ulong a_at[4], b_at[4];  // past the edge: the last row or column again
  for (uint d = 0; d < 4; ++d) {
    a_at[d] = s.a_at + batch * s.a[0] + min(row + d, s.m - 1) * s.a[1];
    b_at[d] = s.b_at + batch * s.b[0] + min(column + 16 * d, s.n - 1) * s.b[2];
  }
  A sum[4][4] = {{0}};
  for (ulong j = 0; j < s.k; ++j) {
    A left[4], right[4];
    for (uint d = 0; d < 4; ++d) {
      left[d] = LOAD(a, a_at[d] + j * s.a[2]);
      right[d] = LOAD(b, b_at[d] + j * s.b[1]);
    }
    for (uint r = 0; r < 4; ++r)
      for (uint c = 0; c < 4; ++c) sum[r][c] += left[r] * right[c];
  }
  const ulong out_at = s.out_at + batch * s.out[0];
  for (uint r = 0; r < 4; ++r)
    for (uint c = 0; c < 4; ++c)
      if (row + r < s.m && column + 16 * c < s.n)
        STORE(out, out_at + (row + r) * s.out[1] + (column + 16 * c) * s.out[2], sum[r][c]);
}
)cl";
static_assert(kGroup == 16 && kBlock == 4);

struct Sizes {
  uint64_t m, k, n, a_at, b_at, out_at;
  int64_t a[3], b[3], out[3];
};
static_assert(sizeof(Sizes) == 15 * sizeof(uint64_t));

// 16-bit floats are summed in float, integers modulo 2^64, of which the low bits are stored.
std::string SourceOf(const Device& device, const Type& t) {
  const std::string sum = !t.is_float() ? "ulong" : t.value;
  return Prelude(device) + "typedef " + t.storage + " IN, OUT;\ntypedef " + sum +
         " A;\n#define LOAD(p, at) " + t.Load("p", "(at)") + "\n#define STORE(p, at, x) " +
         t.Store("p", "(at)", "(" + std::string(t.value) + ")(x)") + "\n" + kKernel;
}

// Strides of a matrix or a batch of them.
void CopyStrides(const Array& array, int64_t (&to)[3]) {
  const size_t missing = 3 - array.strides.size();
  for (size_t d = 0; d < 3; ++d) to[d] = d < missing ? 0 : array.strides[d - missing];
}

void Matmul(Call call, Tensor out, Tensor a, Tensor b) {
  if (out.numel() == 0) return;
  Device& device = call.device<Device>();
  const Type& type = TypeOf(device, call.dtype());
  if (a.dtype() != call.dtype() || b.dtype() != call.dtype() || out.dtype() != call.dtype())
    throw Declined();
  const Array left(type, a), right(type, b), result(type, out);
  const int64_t rank = a.dim(), batch = rank == 3 ? a.size(0) : 1;
  Sizes s{};
  s.m = static_cast<uint64_t>(a.size(rank - 2));
  s.k = static_cast<uint64_t>(a.size(rank - 1));
  s.n = static_cast<uint64_t>(b.size(rank - 1));
  s.a_at = left.offset;
  s.b_at = right.offset;
  s.out_at = result.offset;
  CopyStrides(left, s.a);
  CopyStrides(right, s.b);
  CopyStrides(result, s.out);
  Program& program = device.programs().Get(std::string("matmul ") + type.name,
                                           [&] { return SourceOf(device, type); });
  const size_t group[] = {kGroup, kGroup, 1};
  const size_t groups[] = {(s.n + kTile - 1) / kTile, (s.m + kTile - 1) / kTile,
                           static_cast<size_t>(batch)};
  Launch(program, "matmul")
      .Value(s)
      .Buffer(result.memory)
      .Buffer(left.memory)
      .Buffer(right.memory)
      .RunGroups(call, 3, groups, group);
}

constexpr uint64_t kTypes = kIntegers | kFloats;

}  // namespace

void AddMatrixProducts(KernelList& all) {
  all.push_back(Kernel<Matmul>("mm", kDeviceName, kTypes, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<Matmul>("bmm", kDeviceName, kTypes, SY_KERNEL_OPTIONAL));
}

}  // namespace opencl
