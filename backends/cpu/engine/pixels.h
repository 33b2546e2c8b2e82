// Rows of 8-bit images of 3 or 4 channels side by side that are made of many pixels each, on
// processors that move and multiply single bytes (AVX-512 VBMI and VNNI): 16 pixels at once.
//
//   if (const PixelLoops* loops = ActivePixels()) loops->across(line, padded_row, taps, 3);
//
// A weight of 16 bits is 256 times one of 8 and another one: sums are those of bytes.h.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_PIXELS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_PIXELS_H_

#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {

// What the pixels of a row are made of: output o is the sum of 16 * parts inputs from byte first[o]
// on, times weights.
struct PixelTaps {
  int64_t outputs, parts;
  const int32_t* first;   // [outputs, rounded up to 4]
  const int8_t* weights;  // [outputs, rounded up to 4, parts, 2, 16]: higher and lower halves
  int shift;
};

struct PixelLoops {
  static constexpr int64_t kPixels = 16;
  static constexpr int64_t kOutputs = 4;  // at once
  // The largest weight with halves of 8 bits, the lower one from -128 to 127.
  static constexpr int kMostWeight = 127 * 256 + 127;
  // Bytes that are read behind the pixels of an output, and written behind a row.
  static constexpr int64_t kSlack = 16;

  // inner: 3 or 4.
  void (*across)(uint8_t* to, const uint8_t* from, const PixelTaps& taps, int64_t inner);
};
SY_IN_EACH_ISA(extern const PixelLoops pixels)

// Null where the processor has none.
inline const PixelLoops* ActivePixels() {
#if defined(__x86_64__)
  static constexpr const PixelLoops* kTables[kNumIsas] = SY_OF_EACH_ISA(pixels);
  static const bool has =
      __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi");
  const PixelLoops* const loops = kTables[ActiveIsa()];
  if (has && loops->across != nullptr) return loops;
#endif
  return nullptr;
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_PIXELS_H_
