// Tensors from other libraries: any description of a few bytes of memory.
#include "switchyard/core/dlpack.h"

#include <vector>

#include "tests/faults/fuzz/fuzz.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace {

using namespace sy;

int deleted = 0;

// Few and short ones mostly, so that more than what is refused at once is tried.
int64_t Size(fuzz::Bytes& in) {
  constexpr int64_t kSizes[] = {
      0, 1, 2, 3, 7, -1, int64_t{1} << 32, int64_t{1} << 62, INT64_MAX, INT64_MIN};
  return in.Below(3) == 0 ? in.Take<int64_t>() : in.Pick(kSizes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes in(data, size);
  alignas(256) static char bytes[4096];
  std::vector<int64_t> shape, strides;
  const auto rank = in.Below(5) == 0 ? in.Take<int8_t>() : static_cast<int>(in.Below(4));
  for (int i = 0; i < rank; ++i) shape.push_back(Size(in));
  for (int i = 0; i < rank; ++i) strides.push_back(Size(in));
  DLManagedTensorVersioned m = {};
  m.version = {in.Below(8) == 0 ? in.Take<uint32_t>() : 1, in.Take()};
  m.flags = in.Take();
  DLTensor& t = m.dl_tensor;
  t.data = in.Below(8) == 0 ? nullptr : bytes;
  t.device = {in.Below(4) == 0 ? static_cast<DLDeviceType>(in.Take()) : kDLCPU,
              in.Below(4) == 0 ? in.Take<int32_t>() : 0};
  t.ndim = rank;
  t.dtype = {static_cast<uint8_t>(in.Below(20)), static_cast<uint8_t>(8 << in.Below(5)),
             static_cast<uint16_t>(in.Below(8) == 0 ? in.Take() : 1)};
  t.shape = shape.data();
  t.strides = in.Below(2) == 0 ? nullptr : strides.data();
  t.byte_offset = in.Below(2) == 0 ? 0 : in.Take<uint64_t>();
  DLManagedTensor old = {t, nullptr, [](DLManagedTensor*) { ++deleted; }};
  m.deleter = [](DLManagedTensorVersioned*) { ++deleted; };
  deleted = 0;
  const bool versioned = in.Below(2) == 0;
  fuzz::MustKeepTheRules([&] {
    const Tensor taken = versioned ? FromDlpack(&m) : FromDlpack(&old);
    if (deleted != 0) fuzz::Break("the memory is gone");
    (void)taken.numel();
  });
  if (deleted != 1) fuzz::Break("the deleter was not called once");
  return 0;
}
