// Elements in memory where a register of any instruction set may begin; not initialised.
//
//   Array<Cx<float>> roots(1024);  roots[0] = …;
//
// Inlined always: the linker must not merge functions of two instruction sets (simd/vec.h).
// Owns: its elements. Threads: any.
// Errors: std::bad_alloc.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_ARRAY_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_ARRAY_H_

#include <stddef.h>
#include <stdint.h>

#include <new>

#include "switchyard/ops/formulas/vocab.h"

namespace sy::cpu {

inline constexpr size_t kAlignment = 64;

template <class E>
class Array {
 public:
  explicit SY_FN Array(int64_t size = 0) : size_(size) {
    if (size > 0)
      data_ = static_cast<E*>(
          ::operator new (static_cast<size_t>(size) * sizeof(E), std::align_val_t{kAlignment}));
  }
  SY_FN ~Array() {
    if (data_ != nullptr) ::operator delete (data_, std::align_val_t{kAlignment});
  }
  SY_FN Array(Array&& from) noexcept : size_(from.size_), data_(from.data_) {
    from.size_ = 0;
    from.data_ = nullptr;
  }
  SY_FN Array& operator=(Array&& from) noexcept {
    E* const data = data_;
    const int64_t size = size_;
    size_ = from.size_, data_ = from.data_;
    from.size_ = size, from.data_ = data;
    return *this;
  }
  SY_FN int64_t size() const { return size_; }
  SY_FN int64_t bytes() const { return size_ * static_cast<int64_t>(sizeof(E)); }
  SY_FN E* begin() const { return data_; }
  SY_FN E& operator[](int64_t i) const { return data_[i]; }

 private:
  int64_t size_;
  E* data_ = nullptr;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_ARRAY_H_
