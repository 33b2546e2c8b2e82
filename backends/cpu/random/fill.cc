#include "backends/cpu/random/fill.h"

#include "switchyard/backends/common/checks.h"

namespace sy::cpu {

Generator& GeneratorOf(Call call, Generator* given) {
  if (given == nullptr) return DefaultGenerator();
  if (given->device().type != kHost) FailGenerator(call, Device{kHost}, given->device());
  return *given;
}

FillTarget::FillTarget(const Tensor& t)
    : data_(t.data()),
      dtype_(RealType(t.dtype())),
      numel_(t.numel()),
      contiguous_(t.is_contiguous()) {
  const bool pairs = IsComplex(t.dtype());
  if (pairs) numel_ *= 2;
  if (contiguous_) {
    visit_.rank = 1;
    visit_.sizes[0] = numel_;
    visit_.strides[0][0] = 1;
    visit_.strides[1][0] = 0;
    return;
  }
  if (!pairs) {
    visit_ = VisitOf(t.sizes(), t.strides());
    return;
  }
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end()), strides;
  for (int64_t s : t.strides()) strides.push_back(2 * s);
  sizes.push_back(2);
  strides.push_back(1);
  visit_ = VisitOf(sizes, strides);
}

}  // namespace sy::cpu
