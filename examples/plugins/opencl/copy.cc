// copy and fill: what creation, conversion and moving between devices are made of.

#include <cstring>

#include "convert.h"
#include "elementwise.h"
#include "kernels.h"
#include "queue.h"

namespace opencl {
namespace {

using namespace sy::abi;

bool Dense(Tensor a, Tensor b) {
  return a.is_contiguous() && b.is_contiguous() && a.numel() == b.numel();
}

// Tensors of this device; the host moves bytes between devices.
void CopyTensor(Call call, Tensor out, Tensor, Tensor source, bool) {
  if (out.numel() == 0) return;
  if (out.dtype() != source.dtype()) {
    const Device& device = call.device<Device>();
    return Convert(call, Array(TypeOf(device, out.dtype()), out),
                   Array(TypeOf(device, source.dtype()), source));
  }
  const Type& bits = BitsOf(out.dtype());
  const Array to(bits, out), from(bits, source);
  if (!Dense(out, source)) return Convert(call, to, from);
  QueueOf(call).Copy(call.abi()->sequence, from.memory, from.offset * bits.bytes, to.memory,
                     to.offset * bits.bytes, static_cast<uint64_t>(out.numel()) * bits.bytes);
}

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  if (out.numel() == 0) return;
  const Type& type = TypeOf(call.device<Device>(), out.dtype());
  const Array to(type, out);
  const Number number = NumberOf(type, value);
  if (!out.is_contiguous() || type.is_half()) {  // whose bits the device finds
    const Formula f{.name = "fill", .compute = &type, .out = &type, .expression = "a"};
    return RunElementwise(call, f, to, {number});
  }
  QueueOf(call).Fill(call.abi()->sequence, to.memory, to.offset * type.bytes,
                     static_cast<uint64_t>(out.numel()) * type.bytes, number.bytes, number.size);
}

}  // namespace

void AddCopies(KernelList& all) {
  all.push_back(Kernel<CopyTensor>("copy", kDeviceName, SY_ANY_DTYPE, SY_KERNEL_OPTIONAL));
  all.push_back(Kernel<Fill>("fill.Scalar", kDeviceName, SY_ANY_DTYPE, SY_KERNEL_OPTIONAL));
}

}  // namespace opencl
