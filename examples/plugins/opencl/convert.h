// Copies between arrays of the device, whatever their strides and types.
//
// Threads: any. Errors: those of OpenCL; Declined as Layout.
#ifndef OPENCL_CONVERT_H_
#define OPENCL_CONVERT_H_

#include "array.h"

namespace opencl {

// out: sizes to which `in` broadcasts. Values are converted.
void Convert(sy::abi::Call call, const Array& out, const Array& in);

// The tensor's array in `type`: the tensor's own where it has that type, else a converted copy.
Array InType(sy::abi::Call call, const Type& type, sy::abi::Tensor t);

// Where a kernel that computes results of `type` writes them: the tensor itself where it has that
// type, else a workspace, which Finish converts into the tensor.
class Result {
 public:
  Result(sy::abi::Call call, const Type& type, sy::abi::Tensor out);
  const Array& array() const { return array_; }
  void Finish() const;

 private:
  sy::abi::Call call_;
  Array out_, array_;
};

}  // namespace opencl

#endif  // OPENCL_CONVERT_H_
