// The way from one dtype to another, in steps that there are loops for.
//
//   Conversion c(DType::kInt64, DType::kFloat16);  // int64 → float32 → float16
//
// 16- and 8-bit floats and complex32 are reached and left through float32 and complex64, a complex
// number leaves the complex types as its real part (bool: whether it is not 0).
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_CONVERSION_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_CONVERSION_H_

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/dtype.h"

namespace sy::cpu {

class Conversion {
 public:
  static constexpr int kMaxSteps = 6;

  Conversion() = default;
  Conversion(DType from, DType to) : from_(from) { Append(to); }
  Conversion(DType from, DType via, DType to) : from_(from) {
    Append(via);
    Append(to);
  }

  int num_steps() const { return num_steps_; }
  DType from() const { return from_; }
  DType to() const { return num_steps_ == 0 ? from_ : to_[num_steps_ - 1]; }
  size_t from_size() const { return ItemSize(from()); }
  size_t to_size() const { return ItemSize(to()); }
  DType step_from(int i) const { return i == 0 ? from_ : to_[i - 1]; }
  Loop step(int i) const {
    return ActiveHelpers().convert[static_cast<int>(step_from(i))][static_cast<int>(to_[i])];
  }
  size_t max_size() const {
    size_t n = from_size();
    for (int i = 0; i < num_steps_; ++i) n = n > ItemSize(to_[i]) ? n : ItemSize(to_[i]);
    return n;
  }

  // All steps over n elements, at most as many as fit the buffers. Returns `a`, where the result
  // is, or src if there is nothing to do. src may be the buffer that ScratchFor names.
  const char* Run(const void* src, size_t n, char* a, char* b) const;
  // All steps, of which there is one at least, the last one into dst.
  void RunInto(void* dst, const void* src, size_t n, char* a, char* b) const;
  // Of the two buffers, the one that elements must lie in for Run not to overwrite what it reads.
  char* ScratchFor(char* a, char* b) const { return num_steps_ % 2 == 0 ? a : b; }

 private:
  void Append(DType to);

  DType from_ = DType::kBool;
  int8_t num_steps_ = 0;
  DType to_[kMaxSteps];
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_CONVERSION_H_
