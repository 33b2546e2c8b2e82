// Loops over quantised numbers of 8 bits: between numbers and integers, and products of integers.
//
//   const QuantizedLoops<uint8_t>& q = ActiveQuantized<uint8_t>();
//   q.quantize(to, numbers, n, {&inverse, &zero, false});   each a pass
//
// integer = round(number * inverse) + zero, ties to even, within what the type holds; NaN gives the
// highest. Each operation is rounded by itself, as operators on float32 would. Compiled once per
// instruction set (lanes.cc).
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_QUANTIZED_LANES_H_
#define SWITCHYARD_BACKENDS_CPU_QUANTIZED_LANES_H_

#include <stdint.h>

#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {

// Scales, or what numbers are multiplied by, and zero points: one of each, or one for each element.
struct AffineNumbers {
  const float* factor;
  const int32_t* zero;
  bool each;
};

// How integers come of numbers. least: no integer below it comes out.
template <class T>
struct ToIntegers {
  float inverse;
  int32_t zero;
  T least;
};
struct OneScale {
  float scale;
  int32_t zero;
};

template <class T>
struct QuantizedLoops {
  void (*quantize)(T* to, const float* from, int64_t n, const AffineNumbers& by);
  void (*dequantize)(float* to, const T* from, int64_t n, const AffineNumbers& by);
  void (*add)(T* to, const T* a, const T* b, int64_t n, OneScale of_a, OneScale of_b,
              ToIntegers<T> by);
  void (*mul)(T* to, const T* a, const T* b, int64_t n, OneScale of_a, OneScale of_b,
              ToIntegers<T> by);
  // Of sums[i] * steps[i] + added[i].
  void (*requantize)(T* to, const int32_t* sums, int64_t n, const float* steps, const float* added,
                     ToIntegers<T> by);
  // to[i] = from[i] - zero
  void (*centre)(int16_t* to, const T* from, int64_t n, int32_t zero);
};

// Where the numbers lie that a sum of products takes: `count` runs of `length` numbers each. In a
// line of a they begin `at` elements from where it begins; those of b follow each other, zeros
// behind them, in lines b_step apart. length: a multiple of `lanes`.
struct ProductRuns {
  const int64_t* at;
  int64_t count, length, b_step;
};

struct ProductLoops {
  int64_t lanes;
  // sums[r * ld + c] = the sum of a[r] times line c of b, or that more.
  void (*products)(int32_t* sums, int64_t ld, const int16_t* const* a, int64_t rows,
                   const int16_t* b, int64_t columns, const ProductRuns& runs, bool add);
  // sums[r * channels + c] = the sum of x[r][at[t] + c] * weight[t * channels + c] over t < taps.
  void (*channels)(int32_t* sums, const int16_t* const* x, int64_t rows, const int64_t* at,
                   const int16_t* weight, int64_t taps, int64_t channels);
  // to[i] = sums[i] * steps[i] + added[i]
  void (*scale)(float* to, const int32_t* sums, int64_t n, const float* steps, const float* added);
  // The least and the largest; NaN where one is. n > 0.
  void (*range)(const float* from, int64_t n, float* least, float* most);
};

struct QuantizedTables {
  QuantizedLoops<uint8_t> of_uint8;
  QuantizedLoops<int8_t> of_int8;
  ProductLoops products;
};
SY_IN_EACH_ISA(extern const QuantizedTables quantized)

inline const QuantizedTables& ActiveQuantizedTables() {
  static constexpr const QuantizedTables* kTables[kNumIsas] = SY_OF_EACH_ISA(quantized);
  return *kTables[ActiveIsa()];
}
template <class T>
const QuantizedLoops<T>& ActiveQuantized() {
  if constexpr (sizeof(T) == 1 && T(-1) < 0) {
    return ActiveQuantizedTables().of_int8;
  } else {
    return ActiveQuantizedTables().of_uint8;
  }
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_QUANTIZED_LANES_H_
