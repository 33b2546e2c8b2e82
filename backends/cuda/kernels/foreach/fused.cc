// Steps of optimisers: one launch for as many parameters of a dtype as its arguments hold. Numbers
// that are on the device stay there.
#include <algorithm>

#include "backends/cuda/device/optimizer_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/engine.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/backends/common/kernels/foreach.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

constexpr int64_t kEach = 4;  // elements worth a thread, for what it prepares

template <class Op>
const char* NameOf() {
  return std::is_same_v<Op, f::SgdStep>    ? "f::SgdStep"
         : std::is_same_v<Op, f::AdamStep> ? "f::AdamStep"
                                           : "f::AdagradStep";
}

Tensor OnDevice(const Call& call, const Tensor& t) {
  return t.defined() && t.is_host() ? FromHost(t, DeviceOfKey(call.key)) : t;
}

struct Steps {
  static constexpr char kDevice[] = "cuda";
  using Engine = cuda::Engine;

  template <class Op>
  static void Run(const Call& call, StepCall& step) {
    StepArgs args{};
    args.numbers = step.numbers;
    Tensor lr;
    if (step.lr.defined() && step.lr.is_host()) {
      args.numbers.lr = ReadNumber(step.lr).To<double>();
    } else if (step.lr.defined()) {
      lr = Dense(call, step.lr, DType::kFloat64);
      args.lr = lr.data<double>();
    }
    const Tensor scale = OnDevice(call, step.grad_scale), found = OnDevice(call, step.found_inf);
    args.grad_scale = scale.defined() ? scale.data<float>() : nullptr;
    args.found_inf = found.defined() ? found.data<float>() : nullptr;
    for (size_t first = 0; first < step.items.size();) {
      const DType dtype = step.items[first].dtype();
      int64_t most = 0;
      int rows = 0;
      for (; first < step.items.size() && rows < kStepsOfLaunch; ++first) {
        const StepItem& item = step.items[first];
        if (item.dtype() != dtype) break;
        if (item.numel() == 0) continue;
        most = std::max(most, item.numel());
        Fill(item, args, rows++);
      }
      if (rows == 0) continue;
      const int64_t each = kThreads * kEach;
      Launch(call, Specialised("optimizer", "StepArgs", "StepOf").Element(dtype).Type(NameOf<Op>()),
             Grid{.blocks = (most + each - 1) / each, .threads = kThreads, .blocks_y = rows}, args);
    }
  }

  static void Fill(const StepItem& item, StepArgs& args, int row) {
    args.n[row] = item.numel();
    for (int k = 0; k < f::kStepTensors; ++k) args.data[row][k] = item.data(k);
    args.step[row] = nullptr;
    args.step_number[row] = 1;
    if (!item.step.defined()) return;
    if (!item.step.is_host() && item.step.dtype() == DType::kFloat32) {
      args.step[row] = item.step.data<float>();
    } else {
      args.step_number[row] = ReadNumber(item.step).To<double>();
    }
  }
};

const ForeachKernels<Steps> kernels;

}  // namespace
}  // namespace sy::cuda
