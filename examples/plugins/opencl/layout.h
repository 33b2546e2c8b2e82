// How several arrays of one size are walked over together: what strided kernels get by value.
//
//   Layout layout(out.sizes, {out.strides, a.strides});     coalesced: dimensions that lie one
//   layout.IsDense()                                        after the other in all arrays are one
//   source = layout.Declaration() + "__kernel void k(…, Layout layout, …) {"
//            "  Offsets at = offsets(&layout, i);  …  out[out_at + at.of[0]] …"
//
// Owns: nothing. Threads: as a value.
// Errors: Declined for more dimensions, after coalescing, than kernels take.
#ifndef OPENCL_LAYOUT_H_
#define OPENCL_LAYOUT_H_

#include <string>

#include "array.h"

namespace opencl {

class Layout {
 public:
  // Dimensions that are left. 13 words for each of up to 6 arrays stay below the 1024 bytes that
  // every device takes as arguments (CL_DEVICE_MAX_PARAMETER_SIZE).
  static constexpr int kMaxRank = 12;

  Layout(const Dims& sizes, std::vector<Dims> strides);

  int64_t numel() const { return numel_; }
  // Every array is walked over element by element.
  bool IsDense() const;
  // The struct for a kernel's argument: rank, sizes[kMaxRank], strides[arrays][kMaxRank].
  std::vector<int64_t> Packed() const;
  // OpenCL C of that struct, and of the function that finds the i-th elements.
  static std::string Declaration(size_t arrays, const std::string& name = "Layout");

 private:
  void DropOnes();
  void SortByStride();
  void Merge();

  int64_t numel_ = 1;
  Dims sizes_;                 // outermost first
  std::vector<Dims> strides_;  // of each array
};

}  // namespace opencl

#endif  // OPENCL_LAYOUT_H_
