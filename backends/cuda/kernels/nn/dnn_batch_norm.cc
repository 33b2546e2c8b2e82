// By cuDNN's functions from before there were graphs, which take channels first in float32
// (docs/design/2026-11-29-cudnn-without-a-gpu.md).
#include "backends/cuda/kernels/nn/dnn_batch_norm.h"

#include <absl/functional/function_ref.h>

#include <tuple>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/dnn_graph.h"
#include "backends/cuda/runtime/relaxed_capture.h"

namespace sy::cuda {
namespace {

constexpr DTypeMask kServed = Mask(DType::kFloat16, DType::kFloat32, DType::kFloat64);
constexpr auto kMode = CUDNN_BATCHNORM_SPATIAL;
// Samples that it takes, as PyTorch has found out (pytorch/pytorch#32763).
constexpr int64_t kMostTrained = 880801, kMostInferred = 65535;

bool Aligned(const Tensor& t) { return reinterpret_cast<uintptr_t>(t.data()) % 16 == 0; }
bool IsVector(const Tensor& t, DType d) {
  return t.is_contiguous() && t.dtype() == d && Aligned(t);
}
bool Serves(const Tensor& x, int64_t most, double eps) {
  return FindDnn() != nullptr && Contains(kServed, x.dtype()) && x.dim() > 2 && x.numel() != 0 &&
         x.numel() < INT32_MAX && x.sizes()[0] <= most && eps >= 0 && x.is_contiguous() &&
         Aligned(x);
}
// Of what is a number for each channel.
DType NumbersOf(const Tensor& x) {
  return x.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
}

// A number for each channel to read: t itself or a copy; `otherwise` where it is undefined.
Tensor Read(Call call, const Tensor& t, const Tensor& x, double otherwise) {
  const DType d = NumbersOf(x);
  if (t.defined() && IsVector(t, d)) return t;
  const Tensor numbers = Tensor::Empty({x.sizes()[1]}, d, x.device());
  if (t.defined()) {
    CopyElements(call, numbers, t);
  } else {
    FillElements(call, numbers, Scalar(otherwise));
  }
  return numbers;
}
// A number for each channel to write: t itself or one beside it, which Keep takes to it.
Tensor Write(const Tensor& t, const Tensor& x) {
  const DType d = NumbersOf(x);
  return t.defined() && IsVector(t, d) ? t : Tensor::Empty({x.sizes()[1]}, d, x.device());
}
void Keep(Call call, const Tensor& t, const Tensor& written) {
  if (t.defined() && written.data() != t.data()) CopyElements(call, t, written);
}

class Descriptor {
 public:
  explicit Descriptor(const DnnTable& lib) : lib_(lib) {
    if (lib_.CreateTensorDescriptor(&made_) != CUDNN_STATUS_SUCCESS) made_ = nullptr;
  }
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (made_ != nullptr) lib_.DestroyTensorDescriptor(made_);
  }
  cudnnTensorDescriptor_t get() const { return made_; }

 private:
  const DnnTable& lib_;
  cudnnTensorDescriptor_t made_ = nullptr;
};

// What a function is given: descriptors of x, as all that has its sizes, and of what is a number
// for each channel, and the factors of what is computed and of what was there.
struct Given {
  const DnnTable& lib;
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t x, numbers;
  const void *one, *none;
};

bool Queue(Call call, const Tensor& x, absl::FunctionRef<cudnnStatus_t(const Given&)> queue) {
  const DnnTable& lib = *FindDnn();
  CudaStream& stream = StreamOf(call.key);
  const InUse on = stream.state().Use();
  DnnHandle& h = DnnHandleOf(stream.state());
  if (h.failed) return false;
  std::lock_guard lock(h.mutex);
  const auto n = static_cast<int>(x.sizes()[0]), c = static_cast<int>(x.sizes()[1]),
             inner = static_cast<int>(x.numel() / n / c);
  const Descriptor of_x(lib), of_numbers(lib);
  if (of_x.get() == nullptr || of_numbers.get() == nullptr ||
      lib.SetTensor4dDescriptorEx(of_x.get(), DnnTypeOf(x.dtype()), n, c, inner, 1, c * inner,
                                  inner, 1, 1) != CUDNN_STATUS_SUCCESS ||
      lib.DeriveBNTensorDescriptor(of_numbers.get(), of_x.get(), kMode) != CUDNN_STATUS_SUCCESS ||
      lib.SetStream(h.handle, stream.handle()) != CUDNN_STATUS_SUCCESS)
    return false;
  constexpr double kOne = 1, kNone = 0;
  constexpr float kOneFloat = 1, kNoneFloat = 0;
  const bool wide = x.dtype() == DType::kFloat64;
  const Given given{lib,
                    h.handle,
                    of_x.get(),
                    of_numbers.get(),
                    wide ? static_cast<const void*>(&kOne) : &kOneFloat,
                    wide ? static_cast<const void*>(&kNone) : &kNoneFloat};
  const RelaxedCapture relaxed;  // it loads its kernels when they are first needed
  Launching launching(stream, call.op());
  if (queue(given) != CUDNN_STATUS_SUCCESS) return false;
  launching.Done();
  return true;
}

}  // namespace

bool DnnBatchNorm(Call call, const Tensor& out, const Tensor& saved_mean,
                  const Tensor& saved_factor, const Tensor& input, const Tensor& weight,
                  const Tensor& bias, const Tensor& running_mean, const Tensor& running_var,
                  bool training, double momentum, double eps) {
  const bool one_each = input.numel() == input.sizes()[1];  // whose spread is no number
  if (!Serves(input, training ? kMostTrained : kMostInferred, eps) || (training && one_each) ||
      !out.is_contiguous() || !Aligned(out))
    return false;
  const Tensor w = Read(call, weight, input, 1), b = Read(call, bias, input, 0);
  if (!training) {
    const Tensor mean = Read(call, running_mean, input, 0),
                 variance = Read(call, running_var, input, 0);
    return Queue(call, input, [&](const Given& g) {
      return g.lib.BatchNormalizationForwardInference(
          g.handle, kMode, g.one, g.none, g.x, input.data(), g.x, out.data(), g.numbers, w.data(),
          b.data(), mean.data(), variance.data(), eps);
    });
  }
  const bool moves = running_mean.defined();
  const Tensor mean = Write(saved_mean, input), factor = Write(saved_factor, input),
               run_mean = moves ? Read(call, running_mean, input, 0) : Tensor(),
               run_var = moves ? Read(call, running_var, input, 0) : Tensor();
  const bool done = Queue(call, input, [&](const Given& g) {
    return g.lib.BatchNormalizationForwardTraining(
        g.handle, kMode, g.one, g.none, g.x, input.data(), g.x, out.data(), g.numbers, w.data(),
        b.data(), momentum, moves ? run_mean.data() : nullptr, moves ? run_var.data() : nullptr,
        eps, mean.data(), factor.data());
  });
  if (!done) return false;
  Keep(call, saved_mean, mean);
  Keep(call, saved_factor, factor);
  if (moves) {
    Keep(call, running_mean, run_mean);
    Keep(call, running_var, run_var);
  }
  return true;
}

bool DnnBatchNormBackward(Call call, const Gradients& made, const Tensor& grad_out,
                          const Tensor& input, const Tensor& weight, const Tensor& saved_mean,
                          const Tensor& saved_factor, double eps) {
  const Tensor &to_input = std::get<0>(made), &to_weight = std::get<1>(made),
               &to_bias = std::get<2>(made);
  if (!Serves(input, kMostTrained, eps) || input.numel() == input.sizes()[1] ||
      !to_input.defined() || !to_input.is_contiguous() || !Aligned(to_input))
    return false;
  const Tensor g_out = Dense(call, grad_out, input.dtype());
  if (!Aligned(g_out)) return false;
  const Tensor w = Read(call, weight, input, 1), mean = Read(call, saved_mean, input, 0),
               factor = Read(call, saved_factor, input, 0), dw = Write(to_weight, input),
               db = Write(to_bias, input);
  const bool done = Queue(call, input, [&](const Given& g) {
    return g.lib.BatchNormalizationBackward(g.handle, kMode, g.one, g.none, g.one, g.none, g.x,
                                            input.data(), g.x, g_out.data(), g.x, to_input.data(),
                                            g.numbers, w.data(), dw.data(), db.data(), eps,
                                            mean.data(), factor.data());
  });
  if (!done) return false;
  Keep(call, to_weight, dw);
  Keep(call, to_bias, db);
  return true;
}

}  // namespace sy::cuda
