// Positions along a dimension, given as an index tensor: read, and tested before anything is
// written.
//
//   const Positions at(call, index, dim, self);     // of a 0-d or 1-d index
//   at[k];
//   RequirePositions(call, index, dim, size);       // of an index of any shape
//
// Owns: a copy where the index is strided or int32.
// Threads: any; large indices are tested in parallel.
// Errors: kIndexOutOfRange with operator, position, value, dim and its size.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_POSITIONS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_POSITIONS_H_

#include <memory>

#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

// index: int64 or int32, each 0 … size - 1; dim and size are those of the tensor it points into.
void RequirePositions(Call call, const Tensor& index, int64_t dim, int64_t size);

// Says where in the index the value out of range lies: its `linear`-th element, row by row.
[[noreturn]] void FailAt(Call call, const Tensor& index, int64_t linear, int64_t value, int64_t dim,
                         int64_t size);

// Whether all of n positions beside one another are least … least + count - 1; large n in parallel.
bool AllInRange(const void* positions, DType dtype, int64_t n, int64_t least, int64_t count);

class Positions {
 public:
  // index: as above, 0-d or 1-d. dim: for errors.
  Positions(Call call, const Tensor& index, int64_t dim, int64_t size) {
    if (index.dtype() == DType::kInt64 && index.is_contiguous()) [[likely]] {
      data_ = index.data<int64_t>();
    } else {
      Copy(index);
    }
    const int64_t n = index.numel();
    bool good = true;
    if (n <= kFew) {
      for (int64_t i = 0; i < n; ++i)
        good &= static_cast<uint64_t>(data_[i]) < static_cast<uint64_t>(size);
    } else {
      good = AllInRange(data_, DType::kInt64, n, 0, size);
    }
    if (!good) [[unlikely]]
      RequirePositions(call, index, dim, size);
  }
  int64_t operator[](int64_t k) const { return data_[k]; }
  const int64_t* data() const { return data_; }

 private:
  static constexpr int64_t kFew = 16;
  void Copy(const Tensor& index);

  const int64_t* data_;
  std::unique_ptr<int64_t[]> copy_;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_POSITIONS_H_
