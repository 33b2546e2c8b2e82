// Kernels that queue what they compute. Everything of a call ends when the kernel returns, but for
// the memory of the device's tensors: a job keeps sizes, strides and numbers of its own.

#include "kernels.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "queue.h"
#include "switchyard/c/plugin.hpp"

namespace worker {
namespace {

using namespace sy::abi;

constexpr uint64_t kTypes =
    SY_BIT(SY_INT32) | SY_BIT(SY_INT64) | SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64);

// A tensor as a job keeps it. A number arrives as a 0-dim tensor of the host, whose memory is the
// caller's: its value is copied. What Load cannot read is declined here, before anything is queued.
class Held {
 public:
  explicit Held(Tensor t)
      : view_(t.view()),
        sizes_(t.sizes().begin(), t.sizes().end()),
        strides_(t.strides().begin(), t.strides().end()) {
    Visit<bool, uint8_t, int8_t, int16_t, int32_t, int64_t, float, double>(
        t.dtype(), [&]<class T>(std::type_identity<T>) {
          if (view_.device == SY_DEVICE_HOST) std::memcpy(number_, t.data(), sizeof(T));
        });
  }
  // As kernels see tensors; valid while this stays where it is.
  SyTensor View() const {
    SyTensor v = view_;
    v.sizes = sizes_.data();
    v.strides = strides_.data();
    if (v.device == SY_DEVICE_HOST) v.data = const_cast<unsigned char*>(number_);
    return v;
  }

 private:
  SyTensor view_;
  std::vector<int64_t> sizes_, strides_;
  alignas(8) unsigned char number_[8] = {};
};

Queue& QueueOf(Call call) { return *static_cast<Queue*>(call.stream()); }

// Queues out[i] = f(the elements of in… there), in the type T.
template <class T, class F, class... In>
void Queued(Call call, F f, Tensor out, In... in) {
  QueueOf(call).Push(call.abi()->sequence, [f, o = Held(out), ... i = Held(in)] {
    const auto run = [&](const SyTensor& to, const auto&... from) {
      ForEach(
          [&](int64_t at, auto... ats) {
            static_cast<T*>(to.data)[at] = f(Load<T>(Tensor(&from), ats)...);
          },
          Tensor(&to), Tensor(&from)...);
    };
    run(o.View(), i.View()...);
  });
}

// Calls f(std::type_identity<T>()) for the type to compute in, which `out` must have.
template <class F>
void VisitType(Call call, Tensor out, F f) {
  if (out.dtype() != call.dtype()) throw Declined();  // out= of another dtype: the host converts
  Visit<int32_t, int64_t, float, double>(out.dtype(), f);
}

void Add(Call call, Tensor out, Tensor a, Tensor b, Scalar alpha) {
  VisitType(call, out, [&]<class T>(std::type_identity<T>) {
    const T factor = alpha.To<T>();
    Queued<T>(
        call, [factor](T x, T y) { return x + factor * y; }, out, a, b);
  });
}

void Mul(Call call, Tensor out, Tensor a, Tensor b) {
  VisitType(call, out, [&]<class T>(std::type_identity<T>) {
    Queued<T>(
        call, [](T x, T y) { return x * y; }, out, a, b);
  });
}

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  VisitType(call, out, [&]<class T>(std::type_identity<T>) {
    Queued<T>(
        call, [x = value.To<T>()] { return x; }, out);
  });
}

// Between tensors of this device, converting. Other devices' are the host's business.
void Copy(Call call, Tensor out, Tensor, Tensor source, bool) {
  Visit<int32_t, int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    Queued<T>(
        call, [](T x) { return x; }, out, source);
  });
}

// x: any sizes   →   like x
void CheckedSqrtShape(Outputs& outputs, Tensor x) {
  if (x.dtype() != DType{SY_FLOAT32} && x.dtype() != DType{SY_FLOAT64})
    throw Error("x must be float32 or float64");
  outputs.Add(x.sizes(), x.dtype());
}
// Whether x has a negative element is known when its turn comes: the error is told by whoever waits
// next, with this operator's name.
void CheckedSqrt(Call call, Tensor out, Tensor x) {
  Visit<float, double>(call.dtype(), [&]<class T>(std::type_identity<T>) {
    const auto root = [](T value) {
      if (value < 0) throw Error("x has a negative element");
      return std::sqrt(value);
    };
    Queued<T>(call, root, out, x);
  });
}

constexpr SyOperatorDef operators[] = {
    Operator<CheckedSqrtShape>("worker::checked_sqrt(Tensor x) -> Tensor"),
};

constexpr SyKernelDef kernels[] = {
    Kernel<Add>("add.Tensor", "worker", kTypes),
    Kernel<Mul>("mul.Tensor", "worker", kTypes),
    Kernel<Fill>("fill.Scalar", "worker", kTypes),
    Kernel<Copy>("copy", "worker", kTypes),
    Kernel<CheckedSqrt>("worker::checked_sqrt", "worker", SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64)),
};

}  // namespace

const std::span<const SyOperatorDef> kOperators = operators;
const std::span<const SyKernelDef> kKernels = kernels;

}  // namespace worker
