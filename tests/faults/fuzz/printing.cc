// Tensors as text: any dtype, sizes, strides and bits, any options.
#include "switchyard/core/printing.h"

#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  PrintOptions options;
  options.precision = static_cast<int>(in.Below(24));
  options.threshold = static_cast<int64_t>(in.Below(64));
  options.edgeitems = static_cast<int64_t>(in.Below(8));
  options.linewidth = static_cast<int64_t>(in.Below(128));
  if (in.Below(3) != 0) options.sci_mode = in.Below(2) != 0;
  fuzz::MustKeepTheRules([&] {
    const auto dtype = static_cast<DType>(in.Below(kNumDTypes));
    const size_t rank = in.Below(5);
    int64_t sizes[4], strides[4];
    for (size_t i = 0; i < rank; ++i) {
      sizes[i] = static_cast<int64_t>(in.Below(9));
      strides[i] = static_cast<int64_t>(in.Below(9));
    }
    const Tensor t = Tensor::EmptyStrided({sizes, rank}, {strides, rank}, dtype);
    const size_t bytes = t.impl()->storage->nbytes;
    auto* to = static_cast<uint8_t*>(t.data());
    for (size_t i = 0; i < bytes; ++i) to[i] = in.Take();
    // What is not 0 or 1 is no bool.
    for (size_t i = 0; dtype == DType::kBool && i < bytes; ++i) to[i] &= 1;
    (void)ToString(t, options);
  });
  return 0;
}
