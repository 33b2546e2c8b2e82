#include "plugin/kernel.h"

#include <list>
#include <mutex>

#include "plugin/calls.h"
#include "plugin/frame.h"
#include "switchyard/core/fork.h"
#include "switchyard/dispatcher/fallback.h"

namespace sy::plugin {
namespace {

[[noreturn]] SY_COLD void FailUnloaded(std::string_view op, std::string_view plugin) {
  Fail(ErrorCode::kUnavailable, {op, "(): plugin '", plugin, "' is not loaded any more"});
}

[[noreturn]] SY_COLD void FailKernel(const Frame& f, int32_t code) {
  if (f.state != nullptr) f.record().own->Answered(*f.state, code, f.text);
  FailAbi(code, f.text.text(), Join({f.record().op, "(): plugin '", f.record().plugin, "'"}));
}

void CallBoxedKernel(const KernelDef& k, const BoxedCall& call) {
  if (k.boxed != nullptr) {
    KernelDef bound = k;
    bound.entry = call.kernel->entry;
    return k.boxed({&bound, call.key, call.outs, call.args, call.results});
  }
  if (k.fn == nullptr) return;  // shapes are all there is
  std::vector<Value> values;
  for (const Tensor* out : call.outs) values.push_back(Value(*out));
  values.insert(values.end(), call.args.begin(), call.args.end());
  k.thunk(k, call.key, values.data(), call.results);
}

// The kernel has declined: whatever would have been taken without it.
SY_COLD void RunNext(const BoxedCall& call, KernelRecord& record) {
  record.declined.fetch_add(1, std::memory_order_relaxed);
  const OperatorEntry& op = *call.kernel->entry;
  bool after = false;
  for (const Candidate& c : op.registry().Candidates(op, call.key)) {
    if (after && c.usable) return CallBoxedKernel(*c.kernel, call);
    after |= c.kernel == &record.def;
  }
  if (const KernelDef* k = FallbackKernel(op, call.key); k != nullptr)
    return CallBoxedKernel(*k, call);
  std::vector<const Meta*> tensors;
  for (const Value& v : call.args) {
    if (v.tag == Tag::kTensor) tensors.push_back(&v.tensor());
  }
  sy::internal::FailMissingKernel(op, call.key, tensors);
}

// Results of an operator without a typed rule.
void SetResults(const BoxedCall& call, Frame& f, std::span<Tensor> made) {
  for (uint32_t i = 0; i < f.n_out; ++i) {
    Tensor t = f.out[i] != nullptr ? std::move(made[i]) : Tensor();
    if (f.out[i] == nullptr && f.asked != nullptr) t = std::move(f.asked->given[i]);
    if (!t.defined()) {
      Fail(ErrorCode::kInternal,
           {f.record().op, "(): plugin '", f.record().plugin, "' has not given output ", i});
    }
    call.results[i].Set(std::move(t));
  }
}

// Outputs of an operator without a typed rule: as its shape callback states them, or the kernel's.
int32_t RunDirect(const BoxedCall& call, Frame& f, SyKernelFn fn, const Allocator* own) {
  const OperatorEntry& op = *call.kernel->entry;
  Tensor made[Frame::kMaxOuts];
  TensorView views[Frame::kMaxOuts];
  const SyTensor* outs[Frame::kMaxOuts] = {};
  const int n = op.returns_written ? 0 : op.num_results;
  const OperatorRecord* shaped = RecordOf(op);
  if (n > 0 && shaped != nullptr && shaped->shape != nullptr) {
    MakeOutputs(*shaped, call.args, call.key, made, n);
    for (int i = 0; i < n; ++i) {
      ShowTensor(views[i], made[i], own);
      outs[i] = AbiOf(&views[i]);
    }
  }
  f.out = outs;
  f.n_out = static_cast<uint32_t>(n);
  const int32_t code = fn(&f);
  if (code == SY_OK && n > 0) SetResults(call, f, made);
  return code;
}

// The function to call, and where on the plugin's own device. In a CallScope.
SY_INLINE SyKernelFn Enter(const KernelRecord& r, KeyWord key, Device::State** state) {
  const SyKernelFn fn = r.fn.load(std::memory_order_acquire);
  if (fn == nullptr) [[unlikely]]
    FailUnloaded(r.op, r.plugin);
  *state = r.own == nullptr ? nullptr : &r.own->Opened(IndexOfKey(key));
  return fn;
}

KernelRecord& RecordOf(const KernelDef& k) {
  return *static_cast<KernelRecord*>(const_cast<void*>(k.data));
}

bool HasFailed(int32_t code) { return code != SY_OK && code != SY_DECLINED; }

// After a kernel has declined: a call as it was before its arguments were shown.
SY_COLD void RunNextViewed(const KernelDef& kernel, KeyWord key, const TensorView* const* outs,
                           const Value* args, uint64_t counts) {
  std::vector<const Tensor*> out_tensors;
  for (uint64_t i = 0; i < counts >> 32; ++i) {
    static_assert(sizeof(Tensor) == sizeof(TensorView::tensor));
    out_tensors.push_back(reinterpret_cast<const Tensor*>(&outs[i]->tensor));
  }
  std::vector<Value> values(args, args + static_cast<uint32_t>(counts));
  for (Value& v : values) {
    if (v.tag == Tag::kTensor) v.t = static_cast<const TensorView*>(v.p)->tensor;
  }
  RunNext({&kernel, key, out_tensors, values, nullptr}, RecordOf(kernel));
}

}  // namespace

void RunKernel(const BoxedCall& call) {
  KernelRecord& r = RecordOf(*call.kernel);
  int32_t code;
  {
    const CallScope scope(r.slot);
    Device::State* state;
    const SyKernelFn fn = Enter(r, call.key, &state);
    const Views views(call.args, r.own);
    TensorView outs[Frame::kMaxOuts];
    const SyTensor* pointers[Frame::kMaxOuts];
    uint64_t n = 0;
    for (const Tensor* t : call.outs) {
      ShowTensor(outs[n], *t, r.own);
      pointers[n] = AbiOf(&outs[n]);
      ++n;
    }
    Frame f(r, *call.kernel, call.key, state, views.data(), pointers, views.size() | n << 32);
    code = call.results == nullptr ? fn(&f) : RunDirect(call, f, fn, r.own);
    if (HasFailed(code)) [[unlikely]]
      FailKernel(f, code);
  }
  if (code == SY_DECLINED) [[unlikely]]
    RunNext(call, r);
}

namespace {

// A call whose arguments were shown, as it can be made again.
struct ViewedCall {
  const TensorView* const* outs;
  const Value* args;
  uint64_t counts;
};

// In a CallScope: the kernel's answer and, where it has declined, the call. What is passed lives on
// in the frame alone, so that no register has to keep it while the kernel runs.
SY_INLINE bool Declines(const KernelRecord& r, const KernelDef& kernel, KeyWord key, SyKernelFn fn,
                        Device::State* state, ViewedCall& call) {
  Frame f(r, kernel, key, state, reinterpret_cast<const SyValue*>(call.args),
          reinterpret_cast<const SyTensor* const*>(call.outs), call.counts);
  const int32_t code = fn(&f);
  if (code == SY_OK) [[likely]]
    return false;
  if (code != SY_DECLINED) FailKernel(f, code);
  call = {reinterpret_cast<const TensorView* const*>(f.out), reinterpret_cast<const Value*>(f.in),
          f.n_in | uint64_t{f.n_out} << 32};
  return true;
}

// Any call. Those of host kernels in threads that have called before are made by RunViewedKernel.
[[gnu::noinline]] void RunAnyViewed(const KernelDef& kernel, KeyWord key,
                                    const TensorView* const* outs, const Value* args,
                                    uint64_t counts) {
  ViewedCall call{outs, args, counts};
  bool declined;
  {
    const KernelRecord& r = RecordOf(kernel);
    const CallScope scope(r.slot);
    Device::State* state;
    const SyKernelFn fn = Enter(r, key, &state);
    declined = Declines(r, kernel, key, fn, state, call);
  }
  if (declined) RunNextViewed(kernel, key, call.outs, call.args, call.counts);
}

}  // namespace

void RunViewedKernel(const KernelDef& kernel, KeyWord key, const TensorView* const* outs,
                     const Value* args, uint64_t counts) {
  if (thread_calls == nullptr) [[unlikely]]
    return RunAnyViewed(kernel, key, outs, args, counts);
  ViewedCall call{outs, args, counts};
  {
    const KernelRecord& r = RecordOf(kernel);
    const CallScope scope(r.slot);
    const SyKernelFn fn = r.fn.load(std::memory_order_acquire);
    if (fn == nullptr) [[unlikely]]
      FailUnloaded(r.op, r.plugin);
    if (r.own != nullptr) return RunAnyViewed(kernel, key, outs, args, counts);
    if (!Declines(r, kernel, key, fn, nullptr, call)) [[likely]]
      return;
  }
  RunNextViewed(kernel, key, call.outs, call.args, call.counts);
}

namespace {

struct Records {
  std::mutex mutex;
  std::list<KernelRecord> kernels;
  std::list<OperatorRecord> operators;
};
Records& records() {
  static Records* r = new Records;
  return *r;
}

const internal::AtFork at_fork{internal::ForkRank::kRecords, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, records().mutex);
                               }};

std::string SourceOf(const std::string& plugin, const char* file) {
  return "plugin '" + plugin + "': " + (file == nullptr ? "" : file);
}

// An address that no other operator's `rule` has; marks an operator as a plugin's.
void PluginRule() {}

// Kernel on the meta device.
void RunShape(const BoxedCall& call) {
  const auto& op = *static_cast<const OperatorRecord*>(call.kernel->data);
  const int n = call.kernel->entry->num_results;
  Tensor made[Frame::kMaxOuts];
  MakeOutputs(op, call.args, call.key, made, n);
  for (int i = 0; i < n; ++i) call.results[i].Set(std::move(made[i]));
}

}  // namespace

KernelRecord& KernelRecordOf(const std::string& plugin, int slot, const SyKernelDef& k) {
  const std::string source = SourceOf(plugin, k.file);
  const std::string device = k.device == nullptr ? "" : k.device;
  Records& all = records();
  std::lock_guard lock(all.mutex);
  for (KernelRecord& r : all.kernels) {
    if (r.plugin == plugin && r.op == k.op && r.device == device && r.source == source &&
        r.def.dtypes == k.dtypes && r.def.line == k.line && r.def.priority == k.priority) {
      return r;
    }
  }
  std::list<KernelRecord> made(1);  // kept when nothing can fail any more
  KernelRecord& r = made.back();
  r.plugin = plugin;
  r.slot = slot;
  r.op = k.op;
  r.source = source;
  r.device = device;
  r.def.boxed = RunKernel;
  r.def.viewed = &r.viewed;
  r.viewed.fn = RunViewedKernel;
  r.def.data = &r;
  r.def.op = r.op;
  r.def.op_hash = HashName(r.op);
  r.def.device = k.device == nullptr ? nullptr : r.device.c_str();
  r.def.dtypes = k.dtypes;
  r.def.file = r.source.c_str();
  r.def.line = k.line;
  r.def.priority = k.priority;
  all.kernels.splice(all.kernels.end(), made);
  return r;
}

OperatorRecord& OperatorRecordOf(const std::string& plugin, int slot, const SyOperatorDef& o) {
  const std::string source = SourceOf(plugin, o.file);
  Records& all = records();
  std::lock_guard lock(all.mutex);
  const bool in_place = (o.flags & SY_OPERATOR_IN_PLACE) != 0;
  const bool out = (o.flags & SY_OPERATOR_OUT) != 0;
  for (OperatorRecord& r : all.operators) {
    if (r.plugin == plugin && r.schema == o.schema && r.source == source && r.def.line == o.line &&
        r.def.forms.in_place == in_place && r.def.forms.out == out) {
      return r;
    }
  }
  std::list<OperatorRecord> made(1);
  OperatorRecord& r = made.back();
  r.plugin = plugin;
  r.slot = slot;
  r.schema = o.schema;
  r.name = ParseSchema(o.schema).full_name();
  r.source = source;
  r.def.schema = SchemaText::Of(r.schema);
  r.def.rule = PluginRule;
  r.def.forms = {.in_place = in_place, .out = out};
  r.def.file = r.source.c_str();
  r.def.line = o.line;
  r.meta.boxed = RunShape;
  r.meta.data = &r;
  r.meta.op = r.name;
  r.meta.op_hash = HashName(r.name);
  r.meta.device = "meta";
  r.meta.file = r.source.c_str();
  r.meta.line = o.line;
  all.operators.splice(all.operators.end(), made);
  return r;
}

const OperatorRecord* RecordOf(const OperatorEntry& op) {
  const OperatorDef* def = op.def();
  if (def == nullptr || def->rule != PluginRule || def->traits != nullptr) return nullptr;
  static_assert(std::is_standard_layout_v<OperatorRecord>);
  return reinterpret_cast<const OperatorRecord*>(def);  // its first member
}

void MakeOutputs(const OperatorRecord& op, std::span<const Value> args, KeyWord key, Tensor* outs,
                 int n) {
  const CallScope scope(op.slot);
  if (!op.loaded.load(std::memory_order_acquire)) FailUnloaded(op.name, op.plugin);
  int64_t sizes[Frame::kMaxOuts][kMaxRank];
  SyMeta metas[Frame::kMaxOuts];
  for (int i = 0; i < n; ++i) metas[i] = {sizes[i], 0, static_cast<uint32_t>(DTypeOfKey(key))};
  Views views(args, nullptr);
  views.HideData();
  ErrorText error;
  const int32_t code =
      op.shape(views.data(), views.size(), metas, static_cast<uint32_t>(n), op.user, error.abi());
  Check(code, error, {op.name, "()"});
  for (int i = 0; i < n; ++i) {
    const SyMeta& m = metas[i];
    if (m.ndim > kMaxRank || m.dtype >= static_cast<uint32_t>(kNumDTypes)) {
      Fail(ErrorCode::kInternal,
           {op.name, "(): the shape rule of plugin '", op.plugin, "' states a tensor of ", m.ndim,
            " dimensions and dtype number ", m.dtype});
    }
    outs[i] = Tensor(sy::internal::NewContiguous(
        WithDType(PlaceOfKey(key), static_cast<DType>(m.dtype)), {sizes[i], m.ndim}));
  }
}

}  // namespace sy::plugin
