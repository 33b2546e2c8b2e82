// Calls with sparse and quantised tensors: to the kernel that is registered for the layout, or a
// clear error.
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dispatcher/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/sparse.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/composites.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/dispatcher/key.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

constinit Handle<void(const Tensor&, const Tensor&, bool)> copy_{"copy_"};
constinit Handle<void(const Tensor&, IntSpan, Optional<MemoryFormat>)> resize_{"resize_"};
constinit Handle<Tensor(const Tensor&, DType, bool, bool, Optional<MemoryFormat>)> to_dtype{
    "to.dtype"};

LayoutMask MaskOf(const Tensor& t) {
  return t.is_quantized() ? kQuantized : t.is_strided() ? 0 : Bit(t.layout());
}

// Tensors of other layouts among the arguments.
struct Seen {
  LayoutMask mask = 0;
  bool recorded = false;  // gradients of what kernels are made of
  Tensor first;
  size_t position = 0;

  explicit Seen(std::span<const Value> args)
      : records_((thread_state.layers_excluded >> kGradLayer & 1) == 0) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (args[i].tag == Tag::kTensor) Look(i, args[i].tensor());
      if (args[i].tag != Tag::kTensorList) continue;
      for (const Tensor& t : args[i].list<Tensor>()) Look(i, t);
    }
  }

 private:
  void Look(size_t i, const Tensor& t) {
    recorded = recorded || (records_ && (t.key() & kGradBit) != 0);
    const LayoutMask m = t.defined() ? MaskOf(t) : 0;
    if (m == 0) return;
    if (mask == 0) {
      first = t;
      position = i;
    }
    mask |= m;
  }
  bool records_;
};

// Kernels by operator's name, those for a device first.
class KernelsByName {
 public:
  static KernelsByName& Get() {
    static auto* all = new KernelsByName;
    return *all;
  }
  std::vector<const LayoutKernelDef*> Of(std::string_view name) {
    std::lock_guard lock(mutex_);
    TakeLinked();
    const auto it = kernels_.find(name);
    return it == kernels_.end() ? std::vector<const LayoutKernelDef*>() : it->second;
  }
  std::mutex& mutex() { return mutex_; }

 private:
  void TakeLinked() {
    const LayoutKernelDef* last = internal::LinkedLayoutKernels();
    for (const LayoutKernelDef* k = last; k != taken_; k = k->next_linked) {
      std::vector<const LayoutKernelDef*>& all = kernels_[k->op];
      all.insert(k->device == nullptr ? all.end() : all.begin(), k);
    }
    taken_ = last;
  }
  std::mutex mutex_;
  const LayoutKernelDef* taken_ = nullptr;
  std::unordered_map<std::string_view, std::vector<const LayoutKernelDef*>> kernels_;
};

const internal::AtFork at_fork{internal::ForkRank::kLayers, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, KernelsByName::Get().mutex());
                               }};

// Where gradients are recorded, what a device's own kernel computes would have none: it is passed
// over for one that is made of operators. So are all of them after one that left the call.
const LayoutKernelDef* Find(const OperatorEntry& op, const Seen& seen, bool left = false) {
  for (const LayoutKernelDef* k : KernelsByName::Get().Of(op.name())) {
    if ((seen.mask & ~k->layouts) != 0) continue;
    if (k->device != nullptr && (seen.recorded || left)) continue;
    if (k->device != nullptr && seen.first.device().type.name() != k->device) continue;
    if (k->code != nullptr && op.schema().DirectCode() != k->code) {
      Fail(ErrorCode::kRegistration, op.name(),
           {"the kernel for layouts at ", k->source(), " has the types '", k->code,
            "', the operator '", op.schema().DirectCode(), "'"});
    }
    return k;
  }
  return nullptr;
}

// False where a device's kernel left the call to what serves every device.
bool Run(const LayoutKernelDef& k, const Seen& seen, const OperatorEntry& op,
         std::span<const Value> args, std::span<Result> results) {
  // Kernels call operators that may pass this layer again.
  const LayerInclusion on(uint32_t{1} << kSparseLayer | uint32_t{1} << kQuantizedLayer);
  try {
    if (k.values != nullptr) {
      k.values(op, args, results);
    } else {
      k.thunk(k, seen.first.key() & kPlaceMask, args.data(), results.data());
    }
  } catch (...) {
    internal::FailDirect(op);
  }
  if (op.returns_written) internal::ReturnWritten(op, args, results.data());
  return k.device == nullptr || results.empty() || results[0].value().tag != Tag::kNone;
}

// "add_.Tensor" and "add.out" are computed by "add.Tensor", if that has a kernel; null otherwise.
const OperatorEntry* FunctionalOf(const OperatorEntry& op) {
  const OperatorDef* def = op.def();
  if (def == nullptr || !op.returns_written) return nullptr;
  const std::string_view name = def->schema.text.substr(0, def->schema.text.find('('));
  return name == op.name() ? nullptr : Registry::Global().Find(name);
}

[[noreturn]] void FailStore(const OperatorEntry& op, const Tensor& to, const Tensor& result) {
  Fail(ErrorCode::kInvalidArgument, op.name(),
       {"the result is ", Describe(result), ", what it is to be written to ", Describe(to)});
}

// In place the sizes are the same; what is given as out= gets the result's.
void Store(const OperatorEntry& op, const Tensor& to, const Tensor& result, bool may_resize) {
  const bool same_sizes = SameSizes(to.sizes(), result.sizes());
  if (MaskOf(to) != MaskOf(result) || (!same_sizes && !may_resize) ||
      !CanCast(result.dtype(), to.dtype())) {
    FailStore(op, to, result);
  }
  if (!to.is_strided()) {
    if (to.dtype() == result.dtype()) return BecomeSparse(to, result);
    return BecomeSparse(to, to_dtype(result, to.dtype(), false, false, std::nullopt));
  }
  if (!to.is_quantized()) {
    if (!same_sizes) resize_(to, result.sizes(), std::nullopt);
    return copy_(to, result, false);
  }
  if (to.dtype() != result.dtype() || !same_sizes) FailStore(op, to, result);
  copy_(IntegersOf(to), IntegersOf(result), false);
  Attach(to, std::make_unique<Quantizer>(*FindQuantizer(result)));
}

// Whether the functional operator could serve the variant.
bool RunVariant(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  const OperatorEntry* functional = FunctionalOf(op);
  if (functional == nullptr) return false;
  const bool out = functional->num_arguments < args.size();
  std::vector<Value> inputs;
  std::vector<Tensor> written;
  for (size_t i = 0; i < args.size(); ++i) {
    const bool writes = op.schema().arguments[i].type.alias.write;
    if (writes && args[i].tag == Tag::kTensor) written.push_back(args[i].tensor());
    if (!writes || !out) inputs.push_back(args[i]);
  }
  if (inputs.size() != functional->num_arguments || written.size() != functional->num_results)
    return false;
  const Seen seen(inputs);
  const LayoutKernelDef* k = seen.mask == 0 ? nullptr : Find(*functional, seen);
  if (k == nullptr) return false;
  Result made[kMaxResults];
  const std::span<Result> room{made, functional->num_results};
  // Kernels call operators that may pass this layer again.
  const LayerInclusion on(uint32_t{1} << kSparseLayer | uint32_t{1} << kQuantizedLayer);
  try {
    CallBoxed(*functional, inputs, room);
    for (size_t i = 0; i < written.size(); ++i) Store(op, written[i], made[i].TakeTensor(), out);
  } catch (...) {
    internal::FailDirect(op);
  }
  internal::ReturnWritten(op, args, results.data());
  return true;
}

[[noreturn]] void FailUnserved(const OperatorEntry& op, const Seen& seen) {
  const std::vector<const LayoutKernelDef*> others = KernelsByName::Get().Of(op.name());
  LayoutMask served = 0;
  for (const LayoutKernelDef* k : others) served |= k->layouts;
  std::string names;
  for (Layout l : {Layout::kSparse, Layout::kSparseCsr, Layout::kSparseCsc, Layout::kSparseBsr,
                   Layout::kSparseBsc}) {
    if ((served & Bit(l)) != 0) names += (names.empty() ? "" : ", ") + std::string(Name(l));
  }
  const bool quantized = seen.first.is_quantized();
  if (!names.empty()) names = "; it is for " + names;
  Fail(ErrorCode::kNotImplemented, op.name(),
       {"not implemented for argument '", op.schema().arguments[seen.position].name, "', which is ",
        Describe(seen.first),
        quantized ? "; dequantize() gives the numbers" : "; to_dense() gives a strided tensor",
        quantized ? "" : names});
}

class Layouts final : public Layer {
 public:
  void OnCall(LayerCall& call) override {
    const Seen seen(call.args);
    if (seen.mask == 0) return call.Redispatch();
    for (const bool left : {false, true}) {
      const LayoutKernelDef* k = Find(call.op, seen, left);
      if (k == nullptr) break;
      if (k->thunk == nullptr && k->values == nullptr) return call.Redispatch();  // a LayoutBody
      if (Run(*k, seen, call.op, call.args, call.results)) return;
    }
    if (!RunVariant(call.op, call.args, call.results)) FailUnserved(call.op, seen);
  }
};

// Behind what watches calls and views of conjugates, before packings.
constexpr int kOrder = 950;

[[maybe_unused]] const bool registered = [] {
  static auto* const layouts = new Layouts;  // lives for ever
  internal::RegisterLayerAt(kSparseLayer, "sparse", kOrder, layouts);
  internal::RegisterLayerAt(kQuantizedLayer, "quantized", kOrder, layouts);
  return true;
}();

}  // namespace

}  // namespace sy
