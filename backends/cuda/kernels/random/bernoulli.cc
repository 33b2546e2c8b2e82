#include <vector>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/plan/visit_order.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void BernoulliNumber(Call call, const Tensor& out, const Tensor&, double p, Generator* generator) {
  RandomArgs args{};
  args.a = p;
  FillRandom(call, out, generator, {"Bernoulli", 2}, args);
}

void BernoulliTensor(Call call, const Tensor& out, const Tensor&, const Tensor& p,
                     Generator* generator) {
  if (out.numel() == 0) return;
  const Tensor wide = Expanded(p, out.sizes());
  const std::vector<int> order = VisitOrder(out.sizes(), out.strides(), wide.strides());
  const Tensor in = Dense(call, Permuted(wide, order), p.dtype());
  IntoDense(call, Permuted(out, order), out.dtype(), [&](const Tensor& to) {
    RandomArgs args{};
    args.out = to.data();
    args.n = to.numel();
    args.in = in.data();
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
    const int64_t each = p.dtype() == DType::kFloat64 ? 2 : 4;
    const int64_t counters = (args.n + each - 1) / each;
    SetStart(args, DrawPhilox(call, generator, static_cast<uint64_t>(counters)));
    Launch(call,
           Specialised("random", "RandomArgs", "FillBernoulli")
               .Element(out.dtype())
               .Element(p.dtype()),
           BlocksFor(counters), args);
  });
}

const Kernel bernoulli{"bernoulli_.float", "cuda", kRealOrBoolTypes, BernoulliNumber};
const Kernel bernoulli_tensor{"bernoulli_.Tensor", "cuda", kRealOrBoolTypes, BernoulliTensor};

}  // namespace
}  // namespace sy::cuda
