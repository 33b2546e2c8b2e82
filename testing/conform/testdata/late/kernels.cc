// Faults of kernels that queue their work, and operators that need what the worker has none of:
// lists, memory of the call's, failures.

#include "examples/plugins/worker/kernels.h"

#include <cstring>
#include <vector>

#include "testing/conform/testdata/late/late.h"

namespace late {
namespace {

using namespace sy::abi;

SyKernelFn WorkersKernel(std::string_view op) {
  for (const SyKernelDef& k : worker::kKernels) {
    if (k.op == op) return k.fn;
  }
  return nullptr;
}

// --- The worker's mul, called as it should not be

int32_t MulOn(void* stream, SyCall* call) {
  SyCall other = *call;
  other.stream = stream;
  return WorkersKernel("mul.Tensor")(&other);
}
int32_t MulOnFirstStream(SyCall* call) noexcept { return MulOn(first_stream, call); }
int32_t MulAtOnce(SyCall* call) noexcept {
  worker::Queue passing;
  const int32_t code = MulOn(&passing, call);
  passing.Wait(nullptr);
  return code;
}

// The worker's kernel with arguments shown otherwise: it keeps the numbers of host tensors.
template <class F>
int32_t Shown(SyKernelFn fn, SyCall* call, F change) {
  std::vector<SyTensor> views(call->n_in);
  std::vector<SyValue> in(call->in, call->in + call->n_in);
  for (uint32_t i = 0; i < call->n_in; ++i) {
    if (in[i].tag != SY_V_TENSOR) continue;
    views[i] = *in[i].u.tensor;
    change(views[i], *call->out[0]);
    in[i].u.tensor = &views[i];
  }
  SyCall other = *call;
  other.in = in.data();
  return fn(&other);
}
int32_t MulReadsSingleElements(SyCall* call) noexcept {
  return Shown(WorkersKernel("mul.Tensor"), call, [](SyTensor& t, const SyTensor&) {
    if (t.numel == 1) t.device = SY_DEVICE_HOST;
  });
}
int32_t AddKeepsTheAddress(SyCall* call) noexcept {
  return Shown(WorkersKernel("add.Tensor"), call,
               [](SyTensor& t, const SyTensor& out) { t.device = out.device; });
}

// Sizes and strides stay the caller's.
void AddBorrows(Call call, Tensor out, Tensor a, Tensor b, Scalar alpha) {
  if (call.dtype().code != SY_FLOAT32) throw Declined();
  for (const Tensor& t : {a, b}) {
    if (t.view().device == SY_DEVICE_HOST) throw Declined();
  }
  QueueOf(call.stream())
      .Push(call.abi()->sequence,
            [o = out.view(), x = a.view(), y = b.view(), by = alpha.To<float>()] {
              const int64_t n = o.numel;  // whatever the sizes say by now
              for (uint32_t d = 0; d < o.ndim; ++d) {
                if (o.sizes[d] < 0 || o.sizes[d] > n) throw Error("sizes have changed");
              }
              ForEach(
                  [&](int64_t to, int64_t i, int64_t k) {
                    static_cast<float*>(o.data)[to] =
                        Load<float>(Tensor(&x), i) + by * Load<float>(Tensor(&y), k);
                  },
                  Tensor(&o), Tensor(&x), Tensor(&y));
            });
}

// --- Operators

// x: [n, …] row-major, by: factors, used again and again   →   like x
void WeighRule(Rule& r, Tensor x, Span<const int64_t> by) {
  if (by.empty()) throw Error("no factors");
  r.Add(x.sizes(), x.dtype());
}
void WeighHere(Tensor out, Tensor x, const int64_t* by, size_t n) {
  int64_t i = 0;
  ForEach(
      [&](int64_t o, int64_t at) {
        out.data<float>()[o] =
            x.data<float>()[at] * static_cast<float>(by[static_cast<size_t>(i++) % n]);
      },
      out, x);
}
void WeighOnHost(Call, Tensor out, Tensor x, Span<const int64_t> by) {
  WeighHere(out, x, by.data(), by.size());
}
void Weigh(Call call, Tensor out, Tensor x, Span<const int64_t> by) {
  if (!x.is_contiguous() || !out.is_contiguous()) throw Declined("strides");
  std::vector<int64_t> kept(by.begin(), by.end());
  const int64_t* address = by.data();
  QueueOf(call.stream())
      .Push(call.abi()->sequence, [=, o = out.data<float>(), i = x.data<float>(), n = x.numel(),
                                   kept = std::move(kept)] {
        const int64_t* factors = Is("weigh keeps the address of its list") ? address : kept.data();
        for (int64_t k = 0; k < n; ++k)
          o[k] = i[k] * static_cast<float>(factors[static_cast<size_t>(k) % kept.size()]);
      });
}

// Twice x, by way of memory that lives as long as the job.
void TwiceRule(Rule& r, Tensor x) { r.Add(x.sizes(), x.dtype()); }
void TwiceOnHost(Call, Tensor out, Tensor x) {
  ForEach([&](int64_t o, int64_t i) { out.data<float>()[o] = 2 * x.data<float>()[i]; }, out, x);
}
void Twice(Call call, Tensor out, Tensor x) {
  if (!x.is_contiguous() || !out.is_contiguous() || x.numel() == 0) throw Declined("strides");
  auto* room =
      static_cast<float*>(call.Workspace(static_cast<uint64_t>(x.numel()) * sizeof(float)).handle);
  const auto job = [room, o = out.data<float>(), i = x.data<float>(), n = x.numel()](bool first) {
    for (int64_t k = 0; first && k < n; ++k) room[k] = 2 * i[k];
    if (!first) std::copy_n(room, n, o);
  };
  // A stage too early reads what has not arrived.
  if (Is("twice does its first half at once"))
    job(true);
  else
    QueueOf(call.stream()).Push(call.abi()->sequence, [=] { job(true); });
  QueueOf(call.stream()).Push(call.abi()->sequence, [=] { job(false); });
}

void FailRule(Rule& r, Tensor x) { r.Add(x.sizes(), x.dtype()); }
void FailLater(Call call, Tensor, Tensor) {
  QueueOf(call.stream()).Push(call.abi()->sequence, [] { throw Error("the queue has stumbled"); });
}

constexpr uint64_t kFloat = SY_BIT(SY_FLOAT32);
constexpr SyOperatorDef operators[] = {
    RuleOperator<WeighRule>("late::weigh(Tensor x, int[] by) -> Tensor"),
    RuleOperator<TwiceRule>("late::twice(Tensor x) -> Tensor"),
    RuleOperator<FailRule>("late::fail(Tensor x) -> Tensor"),
};
constexpr SyKernelDef own[] = {
    Kernel<Weigh>("late::weigh", "worker", kFloat),
    Kernel<WeighOnHost>("late::weigh", "cpu", kFloat),
    Kernel<Twice>("late::twice", "worker", kFloat),
    Kernel<TwiceOnHost>("late::twice", "cpu", kFloat),
    Kernel<FailLater>("late::fail", "worker", kFloat),
};

void Replace(std::vector<SyKernelDef>& kernels, const char* fault, std::string_view op,
             SyKernelFn fn) {
  if (!Is(fault)) return;
  for (SyKernelDef& k : kernels) {
    if (k.op == op) k.fn = fn;
  }
}

}  // namespace

std::span<const SyKernelDef> KernelsWithFault() {
  static const std::vector<SyKernelDef> all = [] {
    std::vector<SyKernelDef> kernels(worker::kKernels.begin(), worker::kKernels.end());
    kernels.insert(kernels.end(), std::begin(own), std::end(own));
    // Those of operators that the worker registers.
    std::erase_if(kernels, [](const SyKernelDef& k) {
      return std::string_view(k.op).starts_with("worker::");
    });
    Replace(kernels, "mul runs on the first stream", "mul.Tensor", MulOnFirstStream);
    Replace(kernels, "mul runs at once", "mul.Tensor", MulAtOnce);
    Replace(kernels, "mul reads single elements at once", "mul.Tensor", MulReadsSingleElements);
    Replace(kernels, "add keeps the address of a number", "add.Tensor", AddKeepsTheAddress);
    Replace(kernels, "add keeps the addresses of sizes", "add.Tensor",
            Kernel<AddBorrows>("add.Tensor", "worker").fn);
    return kernels;
  }();
  return all;
}
std::span<const SyOperatorDef> Operators() { return operators; }

}  // namespace late
