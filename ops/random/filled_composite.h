// New tensors, and such as are given, filled from a distribution: what rand and randn are.
//
//   void FillUniform(const Tensor& t, Generator* g) { uniform_(t, 0, 1, g); }
//   const Composite rand_body{"rand", Random<FillUniform>};
//
// Owns: nothing. Threads: any.
// Errors: those of empty, resize_ and the filling; an `out` that it refuses is as it was.
#ifndef SWITCHYARD_OPS_RANDOM_FILLED_COMPOSITE_H_
#define SWITCHYARD_OPS_RANDOM_FILLED_COMPOSITE_H_

#include <optional>

#include "ops/fill_out.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

using RandomFill = void (*)(const Tensor&, Generator*);

template <RandomFill kFill>
Tensor RandomGenerator(Call, IntSpan size, Generator* g, Optional<DType> dtype,
                       Optional<Layout> layout, Optional<Device> device,
                       Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype, layout, device, pin_memory);
  kFill(t, g);
  return t;
}
template <RandomFill kFill>
Tensor Random(Call call, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory) {
  return RandomGenerator<kFill>(call, size, nullptr, dtype, layout, device, pin_memory);
}
template <RandomFill kFill>
void RandomGeneratorOut(Call, IntSpan size, Generator* g, const Tensor& out) {
  ResizeAndFill(out, size, std::nullopt, [g](const Tensor& t) { kFill(t, g); });
}
template <RandomFill kFill>
void RandomOut(Call call, IntSpan size, const Tensor& out) {
  RandomGeneratorOut<kFill>(call, size, nullptr, out);
}
template <RandomFill kFill>
Tensor RandomLikeGenerator(Call, const Tensor& self, Generator* g, Optional<DType> dtype,
                           Optional<Layout> layout, Optional<Device> device,
                           Optional<bool> pin_memory, Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  kFill(t, g);
  return t;
}
template <RandomFill kFill>
Tensor RandomLike(Call call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
                  Optional<Device> device, Optional<bool> pin_memory,
                  Optional<MemoryFormat> format) {
  return RandomLikeGenerator<kFill>(call, self, nullptr, dtype, layout, device, pin_memory, format);
}
template <RandomFill kFill>
void RandomLikeGeneratorOut(Call, const Tensor& self, Generator* g, Optional<MemoryFormat> format,
                            const Tensor& out) {
  StoreFilledLike(self, format, out, [g](const Tensor& t) { kFill(t, g); });
}
template <RandomFill kFill>
void RandomLikeOut(Call call, const Tensor& self, Optional<MemoryFormat> format,
                   const Tensor& out) {
  RandomLikeGeneratorOut<kFill>(call, self, nullptr, format, out);
}

// A row-major tensor of self's sizes and dtype, to be filled.
inline Tensor NewContiguousLike(const Tensor& self) {
  return empty_like(self, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
                    MemoryFormat::kContiguous);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_RANDOM_FILLED_COMPOSITE_H_
