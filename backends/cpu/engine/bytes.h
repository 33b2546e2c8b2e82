// Loops over rows of 8-bit images that are resampled: sums of bytes times whole weights, as ATen's
// and Pillow's.
//
//   const ByteLoops& loops = BytesOf();
//   loops.across(line, padded_row, taps, 3);          along a row of RGB pixels
//   loops.down(out, lines, n, weights, count, shift); across rows
//
// Weights are whole numbers of 16 bits in units of 2^-shift; a sum is rounded to the nearest byte.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_BYTES_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_BYTES_H_

#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {

// What the pixels of a row are made of: output o is the sum of weights[p][o] times two pixels of
// the input each, from byte first[o] on. A weight is two of 16 bits, that of the first pixel in the
// lower half; missing ones are 0.
struct ByteTaps {
  int64_t outputs, pairs;  // pairs: a multiple of 2 for pixels of a byte
  const int32_t* first;    // [outputs]
  // [pairs, outputs] for pixels of a byte. Of others, two outputs stand together, each weight four
  // times, for as many channels: [(outputs + 1) / 2, pairs, 2, 4].
  const int32_t* weights;
  int shift;
};

struct ByteLoops {
  // to[k] = the sum of weights[j] * lines[j * n + k] over j < count, for k < n. shift > 0.
  void (*down)(uint8_t* to, const uint8_t* lines, int64_t n, const int16_t* weights, int64_t count,
               int shift);
  // Pixels of 1, 3 or 4 bytes. Reads 2 * pairs pixels and kSlack bytes from each `first` on, and
  // may write a byte behind the last pixel.
  static constexpr int64_t kSlack = 16;
  void (*across)(uint8_t* to, const uint8_t* from, const ByteTaps& taps, int64_t inner);
};

SY_IN_EACH_ISA(extern const ByteLoops bytes)

inline const ByteLoops& BytesOf() {
  static constexpr const ByteLoops* kTables[kNumIsas] = SY_OF_EACH_ISA(bytes);
  return *kTables[ActiveIsa()];
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_BYTES_H_
