#include "backends/cuda/kernels/nn/dnn_norm.h"

#include "backends/cuda/engine/dnn_graph.h"
#include "switchyard/core/dtype.h"

namespace sy::cuda {

bool DnnNormalize(Call call, bool centred, DType d, const NormArgs& args) {
  constexpr DTypeMask kServed = kHalfTypes | Bit(DType::kFloat32);
  if (!Contains(kServed, d) || args.weight == nullptr || (args.bias == nullptr) == centred)
    return false;
  const cudnnDataType_t type = DnnTypeOf(d);
  const bool tells = args.mean != nullptr;
  // Pointers of the graph.
  enum Number : int64_t { kIn = 1, kOut, kWeight, kEpsilon, kBias, kMean, kFactor };
  const auto build = [&](DnnGraph& g) {
    const int64_t n = args.n, rows = args.rows;
    const auto x = g.Tensor(kIn, type, {rows, n, 1, 1}, {n, 1, 1, 1}),
               y = g.Tensor(kOut, type, {rows, n, 1, 1}, {n, 1, 1, 1}),
               weight = g.Tensor(kWeight, CUDNN_DATA_FLOAT, {1, n, 1, 1}, {n, 1, 1, 1}),
               epsilon = g.Number(kEpsilon, CUDNN_DATA_FLOAT, 4);
    const auto norm = g.Make(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
    g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, centred ? CUDNN_LAYER_NORM : CUDNN_RMS_NORM);
    g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE,
          tells ? CUDNN_NORM_FWD_TRAINING : CUDNN_NORM_FWD_INFERENCE);
    g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, x);
    g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, weight);
    g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, epsilon);
    g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, y);
    if (centred) {
      g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC,
            g.Tensor(kBias, CUDNN_DATA_FLOAT, {1, n, 1, 1}, {n, 1, 1, 1}));
    }
    if (tells) {
      g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC,
            g.Tensor(kMean, CUDNN_DATA_FLOAT, {rows, 1, 1, 1}, {1, 1, 1, 1}));
      g.Set(norm, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC,
            g.Tensor(kFactor, CUDNN_DATA_FLOAT, {rows, 1, 1, 1}, {1, 1, 1, 1}));
    }
    g.AddOperation(norm);
  };
  alignas(16) const float epsilon = static_cast<float>(args.eps);
  const void* const data[] = {args.in,   args.out,  args.weight, &epsilon,
                              args.bias, args.mean, args.factor};
  const size_t count = tells ? kFactor : centred ? kBias : kEpsilon;
  return RunDnn(call.op(), StreamOf(call.key), {kDnnNorm, centred, tells, args.rows, args.n}, type,
                build, {data, count});
}

}  // namespace sy::cuda
