// Padding and resampling: what the kernels of backends/common/kernels/resample.h compute with.
#include "backends/cuda/device/resample_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/backends/common/kernels/resample.h"

namespace sy::cuda {
namespace {

// The type that positions and weights are computed in.
DType WeightsOf(DType d) { return d == DType::kFloat64 ? d : DType::kFloat32; }

// Taps in memory of the device, for as long as what is queued with them.
struct TapTables {
  Tensor spans, weights;

  TapTables(Call call, DType dtype, TapArgs& args) {
    int64_t outputs = 0, taps = 0;
    for (const f::ResampleAxis& a : args.axis) {
      outputs += a.outputs;
      taps += a.outputs * a.most;
    }
    const Device device = DeviceOfKey(call.key);
    spans = Tensor::Empty({2 * outputs}, DType::kInt64, device);
    weights = Tensor::Empty({taps}, dtype, device);
    auto* span = static_cast<long long*>(spans.data());
    auto* weight = static_cast<char*>(weights.data());
    for (int d = 0; d < 3; ++d) {
      args.spans[d] = span;
      args.weights[d] = weight;
      span += 2 * args.axis[d].outputs;
      weight += args.axis[d].outputs * args.axis[d].most * static_cast<int64_t>(ItemSize(dtype));
    }
    Launch(call, Specialised("resample", "TapArgs", "FillTapsOf").Element(dtype),
           BlocksFor(outputs), args);
  }
};

struct Resampler {
  static constexpr char kDevice[] = "cuda";

  static void Pad(Call call, const Padding& padding, const Tensor& out, const Tensor& self) {
    const Tensor in = Dense(call, self, self.dtype());
    PadArgs args = ArgsOf(padding, 1);
    args.in = in.data();
    IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
      args.out = to.data();
      Launch(call, Specialised("resample", "PadArgs", "PadImage").Bits(to.itemsize()),
             BlocksFor(to.numel()), args);
    });
  }
  // Complex numbers as two each.
  static void PadBackward(Call call, const Padding& padding, const Tensor& grad,
                          const Tensor& grad_output) {
    const DType d = grad.dtype();
    const int64_t parts = Contains(kComplexTypes, d) ? 2 : 1;
    const DType part = d == DType::kComplex64    ? DType::kFloat32
                       : d == DType::kComplex128 ? DType::kFloat64
                                                 : d;
    const Tensor in = Dense(call, grad_output, d);
    PadArgs args = ArgsOf(padding, parts);
    args.in = in.data();
    IntoDense(call, grad, d, [&](const Tensor& to) {
      args.out = to.data();
      Launch(call, Specialised("resample", "PadArgs", "PadImageBackward").Element(part),
             BlocksFor(to.numel() * parts), args);
    });
  }
  static void Gather(Call call, const Resampling& plan, const Tensor& out, const Tensor& self) {
    const Tensor in = Dense(call, self, self.dtype());
    ResampleArgs args = ArgsOf(plan);
    args.in = in.data();
    IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
      args.out = to.data();
      Launch(call,
             Specialised("resample", "ResampleArgs", "NearestImage")
                 .Bits(to.itemsize())
                 .Element(WeightsOf(to.dtype())),
             BlocksFor(to.numel()), args);
    });
  }
  static void Resample(Call call, const Resampling& plan, const Tensor& out, const Tensor& self) {
    Weigh(call, "ResampleImage", plan, out, self);
  }
  static void ResampleBackward(Call call, const Resampling& plan, const Tensor& grad,
                               const Tensor& grad_output) {
    Weigh(call, "ResampleImageBackward", plan, grad, grad_output);
  }
  static void ResampleBytes(Call call, const Resampling& plan, const Tensor& out,
                            const Tensor& self) {
    ResampleArgs args = ArgsOf(plan);
    for (int d = 0; d < 2; ++d) args.shifts[d] = ShiftOf(Taps<double>(plan.axis[d + 1]));
    const TapTables tables(call, DType::kFloat64, args.taps);
    const Tensor in = Dense(call, self, DType::kUInt8);
    args.in = in.data();
    IntoDense(call, out, DType::kUInt8, [&](const Tensor& to) {
      args.out = to.data();
      Launch(call,
             Specialised("resample", "ResampleArgs", "ResampleByteImage").Element(DType::kUInt8),
             BlocksFor(to.numel()), args);
    });
  }

 private:
  static PadArgs ArgsOf(const Padding& padding, int64_t parts) {
    PadArgs args{};
    args.planes = padding.planes;
    args.inner = padding.inner * parts;
    std::copy_n(padding.axis, 3, args.axis);
    return args;
  }
  static ResampleArgs ArgsOf(const Resampling& plan) {
    ResampleArgs args{};
    args.planes = plan.planes;
    args.inner = plan.inner;
    std::copy_n(plan.axis, 3, args.taps.axis);
    return args;
  }
  static void Weigh(Call call, const char* function, const Resampling& plan, const Tensor& out,
                    const Tensor& self) {
    const DType d = out.dtype(), weights = WeightsOf(d);
    ResampleArgs args = ArgsOf(plan);
    const TapTables tables(call, weights, args.taps);
    const Tensor in = Dense(call, self, d);
    args.in = in.data();
    IntoDense(call, out, d, [&](const Tensor& to) {
      args.out = to.data();
      Launch(call, Specialised("resample", "ResampleArgs", function).Element(d).Element(weights),
             BlocksFor(to.numel()), args);
    });
  }
};

const ResampleKernels<Resampler> kernels;

}  // namespace
}  // namespace sy::cuda
