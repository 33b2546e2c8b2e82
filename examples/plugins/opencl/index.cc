// gather, index_select and index_copy: elements at positions that a tensor names.
//
// Positions are values inside tensors: a first kernel looks at all of them, and only when its
// verdict has come back to the host is anything written. It is the one place where these kernels
// wait.

#include "array.h"
#include "kernels.h"
#include "layout.h"
#include "programs.h"
#include "queue.h"

namespace opencl {
namespace {

using namespace sy::abi;

// 2^32 - 1 stands for "none" where a position in the index tensor is kept in 32 bits.
constexpr uint32_t kNone = UINT32_MAX;

constexpr const char* kCheck = R"cl(
// bad: the first place in row-major order whose position is out of range.
__kernel void check(uint n, __global const INDEX* index, ulong index_at, const Layout2 layout,
                    long size, __global uint* bad) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  const long p = index[index_at + offsets(&layout, i).of[1]];
  if (p < 0 || p >= size) atomic_min(bad, i);
}
)cl";

constexpr const char* kGather = R"cl(
// layout: of out, index, and self without the dimension that index steps through.
__kernel void gather(ulong n, __global BITS* out, ulong out_at, __global const INDEX* index,
                     ulong index_at, __global const BITS* self, ulong self_at, long dim_stride,
                     const Layout3 layout) {
  const ulong i = get_global_id(0);
  if (i >= n) return;
  const Layout3Offsets at = offsets(&layout, i);
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
                      const Layout3 layout) {
  const ulong i = get_global_id(0);
  if (i >= n) return;
  const Layout3Offsets at = offsets(&layout, i);
  const long p = index[index_at + at.of[2] * index_stride];
  if (last[p] == (int)at.of[2]) out[out_at + at.of[1] + p * dim_stride] = source[source_at + at.of[0]];
}
)cl";

// For elements of one size and positions of one type.
Program& ProgramFor(Device& device, const Type& bits, const Type& index) {
  return device.programs().Get(std::string("index ") + bits.name + " " + index.name, [&] {
    return Prelude(device) + Layout::Declaration(2, "Layout2") + Layout::Declaration(3, "Layout3") +
           "typedef " + bits.storage + " BITS;\ntypedef " + index.storage + " INDEX;\n" + kCheck +
           kGather + kCopyTo;
  });
}

const Type& IndexType(const Device& device, Tensor index) {
  const uint32_t d = index.dtype().code;
  if ((d != SY_INT64 && d != SY_INT32) || index.numel() >= INT32_MAX) throw Declined();
  return TypeOf(device, index.dtype());
}

int64_t WrapDim(int64_t dim, int64_t rank) {
  return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim;
}

// A buffer of n 32-bit words, each set to `word`.
cl_mem Filled(Call call, uint64_t n, uint32_t word) {
  const cl_mem memory = static_cast<cl_mem>(call.Workspace(n * sizeof(word)).handle);
  Queue& queue = *static_cast<Queue*>(call.stream());
  queue.Submit(call.abi()->sequence, "clEnqueueFillBuffer", [&](cl_event* done) {
    return clEnqueueFillBuffer(queue.get(), memory, &word, sizeof(word), 0, n * sizeof(word), 0,
                               nullptr, done);
  });
  return memory;
}

[[noreturn]] void FailPosition(Queue& queue, const Array& index, uint64_t place, int64_t dim,
                               int64_t size) {
  std::string at;
  uint64_t offset = index.offset;
  for (size_t d = index.sizes.size(); d-- > 0;) {
    const uint64_t c = place % static_cast<uint64_t>(index.sizes[d]);
    place /= static_cast<uint64_t>(index.sizes[d]);
    offset += c * static_cast<uint64_t>(index.strides[d]);
    at = std::to_string(c) + (at.empty() ? "" : ", ") + at;
  }
  int64_t position = 0;
  if (index.type->dtype == SY_INT64) {
    queue.Read(index.memory, offset * sizeof(position), &position, sizeof(position));
  } else {
    int32_t narrow = 0;
    queue.Read(index.memory, offset * sizeof(narrow), &narrow, sizeof(narrow));
    position = narrow;
  }
  throw Error(SY_E_INVALID_VALUE, "index is " + std::to_string(position) + " at [" + at +
                                      "], out of range for dim " + std::to_string(dim) +
                                      ", which has size " + std::to_string(size));
}

// Throws when a position is not 0 … size - 1.
void RequirePositions(Call call, Program& program, const Array& index, int64_t dim, int64_t size) {
  const uint32_t n = static_cast<uint32_t>(index.numel());
  const cl_mem bad = Filled(call, 1, kNone);
  {
    // The first array's strides keep the order row-major.
    const Layout layout(index.sizes, {ContiguousStrides(index.sizes), index.strides});
    Launch launch(program, "check");
    launch.Value(n).Buffer(index.memory).Value(index.offset).Struct(layout.Packed());
    launch.Value(size).Buffer(bad).Run(call, n);
  }
  uint32_t place = kNone;
  Queue& queue = *static_cast<Queue*>(call.stream());
  queue.Read(bad, 0, &place, sizeof(place));
  if (place != kNone) FailPosition(queue, index, place, dim, size);
}

// A tensor without dimensions is one of one element.
Array AtLeast1d(const Type& type, Tensor t) {
  Array a(type, t);
  if (a.sizes.empty()) a.sizes = a.strides = {1};
  return a;
}

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
  const Array at = AtLeast1d(IndexType(device, index), index);
  dim = WrapDim(dim, from.rank());
  Program& program = ProgramFor(device, bits, *at.type);
  RequirePositions(call, program, at, dim, from.sizes[dim]);
  Pick(call, program, to, at, from, static_cast<size_t>(dim));
}

void IndexSelect(Call call, Tensor out, Tensor self, int64_t dim, Tensor index) {
  if (index.numel() == 0) return;
  Device& device = call.device<Device>();
  const Type& bits = BitsOf(self.dtype());
  const Array to = AtLeast1d(bits, out), from = AtLeast1d(bits, self);
  Array at = AtLeast1d(IndexType(device, index), index);
  dim = WrapDim(dim, from.rank());
  Program& program = ProgramFor(device, bits, *at.type);
  RequirePositions(call, program, at, dim, from.sizes[dim]);
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
  const Array at = AtLeast1d(IndexType(device, index), index);
  dim = WrapDim(dim, to.rank());
  const int64_t size = to.sizes[dim];
  Program& program = ProgramFor(device, bits, *at.type);
  RequirePositions(call, program, at, dim, size);
  if (source.numel() == 0) return;
  const uint32_t places = static_cast<uint32_t>(at.numel());
  const cl_mem last = Filled(call, static_cast<uint64_t>(size), kNone);  // -1 as int
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
