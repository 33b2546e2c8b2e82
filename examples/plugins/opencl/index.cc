// gather, index_select and index_copy: elements at positions that a tensor names.
//
// A first kernel looks at all positions, and only when its verdict has come back to the host is
// anything written.

#include "kernels.h"
#include "layout.h"
#include "positions.h"
#include "programs.h"
#include "queue.h"

namespace opencl {
namespace {

using namespace sy::abi;

constexpr const char* kGather = R"cl(
// layout: of out, index, and self without the dimension that index steps through.
__kernel void gather(ulong n, __global BITS* out, ulong out_at, __global const INDEX* index,
                     ulong index_at, __global const BITS* self, ulong self_at, long dim_stride,
                     const Layout layout) {
  const ulong i = get_global_id(0);
  if (i >= n) return;
  const LayoutOffsets at = offsets(&layout, i);
  const long p = index[index_at + at.of[1]];
  out[out_at + at.of[0]] = self[self_at + at.of[2] + p * dim_stride];
}
)cl";

constexpr const char* kCopyTo = R"cl(
// last: for each position the last place in index that names it, so that the last one wins however
// the work items are ordered.
__kernel void find_last(uint n, __global const INDEX* index, ulong index_at, ulong index_stride,
                        __global int* last) {
  const uint i = get_global_id(0);
  if (i < n) atomic_max(&last[index[index_at + i * index_stride]], (int)i);
}
// layout: of source, out without the indexed dimension, and the place in index.
__kernel void copy_to(ulong n, __global BITS* out, ulong out_at, __global const INDEX* index,
                      ulong index_at, ulong index_stride, __global const BITS* source,
                      ulong source_at, long dim_stride, __global const int* last,
                      const Layout layout) {
  const ulong i = get_global_id(0);
  if (i >= n) return;
  const LayoutOffsets at = offsets(&layout, i);
  const long p = index[index_at + at.of[2] * index_stride];
  if (last[p] == (int)at.of[2])
    out[out_at + at.of[1] + p * dim_stride] = source[source_at + at.of[0]];
}
)cl";

// For elements of one size and positions of one type.
Program& ProgramFor(Device& device, const Type& bits, const Type& index) {
  return device.programs().Get(std::string("index ") + bits.name + " " + index.name, [&] {
    return Prelude(device) + Layout::Declaration(3) + "typedef " + bits.storage +
           " BITS;\ntypedef " + index.storage + " INDEX;\n" + kGather + kCopyTo;
  });
}

int64_t WrapDim(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

// out, index: of the same sizes; self: stepped through by index along dim.
void Pick(Call call, Program& program, const Array& out, const Array& index, const Array& self,
          size_t dim) {
  Dims beside = self.strides;
  beside[dim] = 0;
  const Layout layout(out.sizes, {out.strides, index.strides, beside});
  const uint64_t n = static_cast<uint64_t>(out.numel());
  Launch launch(program, "gather");
  launch.Value(n).Buffer(out.memory).Value(out.offset).Buffer(index.memory).Value(index.offset);
  launch.Buffer(self.memory).Value(self.offset).Value(self.strides[dim]);
  launch.Struct(layout.Packed()).Run(call, n);
}

void Gather(Call call, Tensor out, Tensor self, int64_t dim, Tensor index, bool) {
  if (out.numel() == 0) return;
  Device& device = call.device<Device>();
  const Type& bits = BitsOf(self.dtype());
  const Array to = AtLeast1d(bits, out), from = AtLeast1d(bits, self);
  const Array at = PositionsOf(device, index);
  dim = WrapDim(dim, from.rank());
  Program& program = ProgramFor(device, bits, *at.type);
  RequirePositions(call, at, dim, from.sizes[dim]);
  Pick(call, program, to, at, from, static_cast<size_t>(dim));
}

void IndexSelect(Call call, Tensor out, Tensor self, int64_t dim, Tensor index) {
  if (index.numel() == 0) return;
  Device& device = call.device<Device>();
  const Type& bits = BitsOf(self.dtype());
  const Array to = AtLeast1d(bits, out), from = AtLeast1d(bits, self);
  Array at = PositionsOf(device, index);
  dim = WrapDim(dim, from.rank());
  Program& program = ProgramFor(device, bits, *at.type);
  RequirePositions(call, at, dim, from.sizes[dim]);
  if (out.numel() == 0) return;
  const int64_t stride = at.strides[0];
  at.sizes = to.sizes;
  at.strides.assign(to.sizes.size(), 0);
  at.strides[dim] = stride;
  Pick(call, program, to, at, from, static_cast<size_t>(dim));
}

// out holds self's elements already.
void IndexCopy(Call call, Tensor out, Tensor, int64_t dim, Tensor index, Tensor source) {
  if (index.numel() == 0) return;
  Device& device = call.device<Device>();
  const Type& bits = BitsOf(out.dtype());
  const Array to = AtLeast1d(bits, out);
  Array from = AtLeast1d(bits, source);
  const Array at = PositionsOf(device, index);
  dim = WrapDim(dim, to.rank());
  const int64_t size = to.sizes[dim];
  Program& program = ProgramFor(device, bits, *at.type);
  RequirePositions(call, at, dim, size);
  if (source.numel() == 0) return;
  const uint32_t places = static_cast<uint32_t>(at.numel());
  const cl_mem last = FilledWorkspace(call, static_cast<uint64_t>(size), UINT32_MAX);  // -1: none
  Launch(program, "find_last")
      .Value(places)
      .Buffer(at.memory)
      .Value(at.offset)
      .Value(at.strides[0])
      .Buffer(last)
      .Run(call, places);
  from.sizes.resize(to.sizes.size(), 1);  // a 0-d source for a self of one element
  from.strides.resize(to.sizes.size(), 1);
  Dims beside = to.strides, place(to.sizes.size(), 0);
  beside[dim] = 0;
  place[dim] = 1;
  const Layout layout(from.sizes, {from.strides, beside, place});
  const uint64_t n = static_cast<uint64_t>(from.numel());
  Launch launch(program, "copy_to");
  launch.Value(n).Buffer(to.memory).Value(to.offset).Buffer(at.memory).Value(at.offset);
  launch.Value(at.strides[0]).Buffer(from.memory).Value(from.offset).Value(to.strides[dim]);
  launch.Buffer(last).Struct(layout.Packed()).Run(call, n);
}

}  // namespace

void AddIndexing(KernelList& all) {
  all.push_back(Kernel<Gather>("gather", kDeviceName, SY_ANY_DTYPE, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<IndexSelect>("index_select", kDeviceName, SY_ANY_DTYPE, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<IndexCopy>("index_copy", kDeviceName, SY_ANY_DTYPE, SY_KERNEL_OPTIONAL));
}

}  // namespace opencl
