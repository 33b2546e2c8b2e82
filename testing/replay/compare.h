// Compares what a call gave with what was recorded, by the field's tolerances.
//
// Every function returns "" when they agree, else expected and got in a line.
// Two numbers agree when |got - expected| <= atol + rtol * |expected|, when they are equal, or when
// both are NaN; of complex numbers the distance counts. Integers and bool must be equal.
// Source: the tolerances are torch.testing.assert_close's defaults.
// Threads: any.
#ifndef TESTING_REPLAY_COMPARE_H_
#define TESTING_REPLAY_COMPARE_H_

#include <string>

#include "switchyard/core/value.h"
#include "testing/replay/recorded.h"

namespace sy::replay {

struct Tolerance {
  double rtol = 0, atol = 0;
  bool nan_is_any = false;  // where NaN is expected, any number agrees
};
Tolerance ToleranceOf(DType d);  // of the real type, for complex numbers; 0, 0: exactly

bool Close(double got, double expected, Tolerance t);
bool Close(std::complex<double> got, std::complex<double> expected, Tolerance t);

// dtype, sizes, and strides except where a size is 1 or the tensor is empty.
std::string CompareMetadata(const TensorBase& got, const RecordedTensor& expected);
// Metadata and contents. got: on any device that has data.
// least: a tolerance that is at least granted, beyond that of the dtype.
std::string CompareTensor(const Tensor& got, const RecordedTensor& expected, Tolerance least = {});
std::string CompareContents(const Tensor& got, const RecordedTensor& expected,
                            Tolerance least = {});
// A number, bool or text.
std::string CompareNumber(const Value& got, const Json& expected);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_COMPARE_H_
