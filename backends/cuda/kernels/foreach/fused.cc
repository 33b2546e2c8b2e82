// Steps of optimisers: one launch for as many parameters of a dtype as its arguments hold. Numbers
// that are on the device stay there.
#include <algorithm>
#include <vector>

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

// Calls launch(items, grid) with as many neighbours of a dtype as a launch takes, a row of blocks
// for each; those without elements need none.
template <class F>
void ForLaunches(const std::vector<StepItem>& items, F launch) {
  std::vector<const StepItem*> rows;
  int64_t most = 0;
  const auto flush = [&] {
    if (rows.empty()) return;
    const int64_t each = kThreads * kEach;
    launch(rows, Grid{.blocks = (most + each - 1) / each,
                      .threads = kThreads,
                      .blocks_y = static_cast<int64_t>(rows.size())});
    rows.clear();
    most = 0;
  };
  for (const StepItem& item : items) {
    if (item.numel() == 0) continue;
    if (rows.size() == kStepsOfLaunch || (!rows.empty() && rows[0]->dtype() != item.dtype()))
      flush();
    rows.push_back(&item);
    most = std::max(most, item.numel());
  }
  flush();
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
    ForLaunches(step.items, [&](const std::vector<const StepItem*>& rows, Grid grid) {
      for (size_t row = 0; row < rows.size(); ++row) Fill(*rows[row], args, row);
      Launch(call,
             Specialised("optimizer", "StepArgs", "StepOf")
                 .Element(rows[0]->dtype())
                 .Type(NameOf<Op>()),
             grid, args);
    });
  }

  static void Unscale(const Call& call, const std::vector<StepItem>& items, const Tensor& found_inf,
                      const Tensor& inv_scale) {
    const Tensor scale = OnDevice(call, inv_scale);
    UnscaleArgs args{};
    args.scale = scale.data<float>();
    args.found = found_inf.data<float>();
    ForLaunches(items, [&](const std::vector<const StepItem*>& rows, Grid grid) {
      for (size_t row = 0; row < rows.size(); ++row) {
        args.n[row] = rows[row]->numel();
        args.data[row] = rows[row]->data(0);
      }
      Launch(call, Specialised("optimizer", "UnscaleArgs", "Unscale").Element(rows[0]->dtype()),
             grid, args);
    });
  }

  static void Fill(const StepItem& item, StepArgs& args, size_t row) {
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
