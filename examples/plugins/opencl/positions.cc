#include "positions.h"

#include "layout.h"
#include "programs.h"
#include "queue.h"

namespace opencl {
namespace {

using namespace sy::abi;

constexpr uint32_t kNone = UINT32_MAX;  // no place in the index tensor

constexpr const char* kKernel = R"cl(
// bad: the first place in row-major order whose position is out of range.
__kernel void check(uint n, __global const INDEX* index, ulong index_at, const Layout layout,
                    long size, __global uint* bad) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  const long p = index[index_at + offsets(&layout, i).of[1]];
  if (p < 0 || p >= size) atomic_min(bad, i);
}
)cl";

int64_t Read(Queue& queue, const Array& index, uint64_t offset) {
  int64_t wide = 0;
  int32_t narrow = 0;
  if (index.type->dtype == SY_INT64) {
    queue.Read(index.memory, offset * sizeof(wide), &wide, sizeof(wide));
    return wide;
  }
  queue.Read(index.memory, offset * sizeof(narrow), &narrow, sizeof(narrow));
  return narrow;
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
  throw Error(SY_E_INVALID_VALUE, "index is " + std::to_string(Read(queue, index, offset)) +
                                      " at [" + at + "], out of range for dim " +
                                      std::to_string(dim) + ", which has size " +
                                      std::to_string(size));
}

}  // namespace

Array AtLeast1d(const Type& type, Tensor t) {
  Array a(type, t);
  if (a.sizes.empty()) a.sizes = a.strides = {1};
  return a;
}

Array PositionsOf(const Device& device, Tensor index) {
  const uint32_t d = index.dtype().code;
  // Places are counted in 32 bits.
  if ((d != SY_INT64 && d != SY_INT32) || index.numel() >= INT32_MAX) throw Declined();
  return AtLeast1d(TypeOf(device, index.dtype()), index);
}

void RequirePositions(Call call, const Array& index, int64_t dim, int64_t size) {
  Device& device = call.device<Device>();
  Queue& queue = QueueOf(call);
  Program& program = device.programs().Get(std::string("positions ") + index.type->name, [&] {
    return Prelude(device) + Layout::Declaration(2) + "typedef " + index.type->storage +
           " INDEX;\n" + kKernel;
  });
  const uint32_t n = static_cast<uint32_t>(index.numel());
  const cl_mem bad = FilledWorkspace(call, 1, kNone);
  {
    // The first array's strides keep the order row-major.
    const Layout layout(index.sizes, {ContiguousStrides(index.sizes), index.strides});
    Launch launch(program, "check");
    launch.Value(n).Buffer(index.memory).Value(index.offset).Struct(layout.Packed());
    launch.Value(size).Buffer(bad).Run(call, n);
  }
  uint32_t place = kNone;
  queue.Read(bad, 0, &place, sizeof(place));
  if (place != kNone) FailPosition(queue, index, place, dim, size);
}

}  // namespace opencl
