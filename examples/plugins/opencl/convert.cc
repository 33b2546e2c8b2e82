#include "convert.h"

#include "elementwise.h"

namespace opencl {

using sy::abi::Call;
using sy::abi::Tensor;

void Convert(Call call, const Array& out, const Array& in) {
  const Formula f{.name = "convert",
                  .compute = in.type,
                  .out = out.type,
                  .expression = Converted(*in.type, *out.type, "a")};
  RunElementwise(call, f, out, {in});
}

Array InType(Call call, const Type& type, Tensor t) {
  const Type& given = TypeOf(call.device<Device>(), t.dtype());
  const Array array(given, t);
  if (&given == &type) return array;
  const Array converted = Array::Workspace(call, type, array.sizes);
  Convert(call, converted, array);
  return converted;
}

Result::Result(Call call, const Type& type, Tensor out)
    : call_(call), out_(TypeOf(call.device<Device>(), out.dtype()), out) {
  array_ = out_.type == &type ? out_ : Array::Workspace(call, type, out_.sizes);
}

void Result::Finish() const {
  if (array_.type != out_.type) Convert(call_, out_, array_);
}

}  // namespace opencl
