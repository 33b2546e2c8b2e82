// Matrix products: mm and bmm.
//
// A group of 16 x 16 items computes a tile of 16 x 16 results, one each. Tiles of a and b that it
// needs pass through local memory, so that an element is read from global memory once for 16
// products. Strides are arguments: transposed matrices need no copy.

#include "array.h"
#include "kernels.h"
#include "programs.h"

namespace opencl {
namespace {

using namespace sy::abi;

constexpr size_t kTile = 16;

// a: [batch, m, k], b: [batch, k, n], out: [batch, m, n]
constexpr const char* kKernel = R"cl(
typedef struct { ulong m, k, n, a_at, b_at, out_at, a[3], b[3], out[3]; } Sizes;

__kernel void matmul(const Sizes s, __global OUT* out, __global const IN* a, __global const IN* b) {
  __local A a_tile[16][16], b_tile[16][16];
  const ulong x = get_local_id(0), y = get_local_id(1), batch = get_group_id(2);
  const ulong row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  const ulong a_at = s.a_at + batch * s.a[0], b_at = s.b_at + batch * s.b[0];
  A sum = 0;
  for (ulong first = 0; first < s.k; first += 16) {
    const ulong j = first + x, i = first + y;
    a_tile[y][x] = row < s.m && j < s.k ? (A)LOAD(a, a_at + row * s.a[1] + j * s.a[2]) : 0;
    b_tile[y][x] = i < s.k && column < s.n ? (A)LOAD(b, b_at + i * s.b[1] + column * s.b[2]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = 0; t < 16; ++t) sum += a_tile[y][t] * b_tile[t][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < s.m && column < s.n)
    STORE(out, s.out_at + batch * s.out[0] + row * s.out[1] + column * s.out[2], sum);
}
)cl";

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
  const size_t group[] = {kTile, kTile, 1};
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
