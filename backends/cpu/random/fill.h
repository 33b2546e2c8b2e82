// What random kernels are made of: the generator of a call, and filling a tensor from its words.
//
//   Generator& g = GeneratorOf(call, generator);
//   std::lock_guard lock(g.mutex());
//   Fill<float, 1>(g, FillTarget(out), [](const uint32_t* words, float* x, int64_t n) { … });
//
// Owns: nothing. Threads: the caller holds the generator's mutex.
// Errors: kInvalidArgument for a generator of another device.
#ifndef SWITCHYARD_BACKENDS_CPU_RANDOM_FILL_H_
#define SWITCHYARD_BACKENDS_CPU_RANDOM_FILL_H_

#include <algorithm>
#include <vector>

#include "backends/cpu/random/order.h"
#include "switchyard/core/generator.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

// The one given, or the default one.
Generator& GeneratorOf(Call call, Generator* given);

// A tensor to be filled; a complex one is seen as real with a last dimension of 2.
class FillTarget {
 public:
  explicit FillTarget(const Tensor& t);
  DType dtype() const { return dtype_; }
  template <class T>
  T* data() const {
    return static_cast<T*>(data_);
  }
  int64_t numel() const { return numel_; }
  bool is_contiguous() const { return contiguous_; }
  const Visit& visit() const { return visit_; }

 private:
  void* data_;
  DType dtype_;
  int64_t numel_;
  bool contiguous_;
  Visit visit_;
};

// Numbers made at a time: their words and values fit in L1 together.
inline constexpr int64_t kFillChunk = 1024;

// Hands next(T* x, n) chunks of the target in the order of the visit, n <= kFillChunk, a multiple
// of 16 but for the last. Never inlined: a kernel has one for each dtype, and its frame would hold
// the buffers of them all.
template <class T, class F>
__attribute__((noinline)) void FillChunks(const FillTarget& t, F next) {
  T* data = t.data<T>();
  if (t.visit().dense()) {
    for (int64_t at = 0; at < t.numel(); at += kFillChunk) {
      next(data + at, std::min(kFillChunk, t.numel() - at));
    }
    return;
  }
  T values[kFillChunk];
  Cursor cursor(t.visit());
  for (int64_t at = 0; at < t.numel(); at += kFillChunk) {
    const int64_t n = std::min(kFillChunk, t.numel() - at);
    next(values, n);
    cursor.Next(n, [&](int64_t offset, int64_t, int64_t i) { data[offset] = values[i]; });
  }
}

// Calls transform(words, x, n) for chunks of the target, with kWords words for each number.
template <class T, int kWords, class F>
void Fill(Generator& g, const FillTarget& t, F transform) {
  FillChunks<T>(t, [&](T* x, int64_t n) {
    uint32_t words[kFillChunk * kWords];
    g.Draw({words, static_cast<size_t>(n * kWords)});
    transform(words, x, n);
  });
}

// 53 random bits as a number in [0, 1).
SY_INLINE double UniformDouble(const uint32_t* two_words) {
  const uint64_t bits = uint64_t{two_words[0]} << 32 | two_words[1];
  return static_cast<double>(static_cast<int64_t>(bits & ((uint64_t{1} << 53) - 1))) * 0x1p-53;
}
// 24 random bits.
SY_INLINE float UniformFloat(uint32_t word) {
  return static_cast<float>(static_cast<int32_t>(word & 0xffffff)) * 0x1p-24f;
}

// Fills with T(of(u)), u uniform in [0, 1) with 53 bits: most distributions.
template <class T, class F>
void FillFromUniform(Generator& g, const FillTarget& t, F of) {
  Fill<T, 2>(g, t, [&](const uint32_t* words, T* x, int64_t n) {
    for (int64_t i = 0; i < n; ++i) x[i] = static_cast<T>(of(UniformDouble(words + 2 * i)));
  });
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_RANDOM_FILL_H_
