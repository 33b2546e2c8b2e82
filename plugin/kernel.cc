#include "plugin/kernel.h"

#include <limits>
#include <list>
#include <mutex>

#include "plugin/calls.h"
#include "plugin/frame.h"
#include "switchyard/core/fork.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/op/variants.h"
#include "switchyard/plugin/load.h"

namespace sy {
namespace plugin {
namespace {

// Calls of this thread's on plugins' own devices.
constinit thread_local int64_t served SY_INITIAL_EXEC = 0;

[[noreturn]] SY_COLD void FailUnloaded(std::string_view op, std::string_view plugin) {
  Fail(ErrorCode::kUnavailable, op, {"plugin '", plugin, "' is not loaded any more"});
}

[[noreturn]] SY_COLD void FailKernel(const Frame& f, int32_t code) {
  if (f.state != nullptr) f.record().own->Answered(*f.state, code, f.text);
  FailAbiOf(f.record().op, code, f.text.text(), Join({"plugin '", f.record().plugin, "'"}));
}

void KeepReason(KernelRecord& record, std::string_view reason) {
  record.declined.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard lock(record.mutex);
  record.last_decline = reason;
}

// What would have been taken without the kernel that has declined.
void CallNext(const BoxedCall& call, const KernelRecord& record) {
  const OperatorEntry& op = *call.kernel->entry;
  bool after = false;
  for (const Candidate& c : op.registry().Candidates(op, call.key)) {
    if (after && c.usable && c.kernel->boxed != RunRule)
      return CallBoxedKernel(*c.kernel, op, call);
    after |= c.kernel == &record.def;
  }
  if (const KernelDef* k = FallbackKernel(op, call.key); k != nullptr)
    return CallBoxedKernel(*k, op, call);
  std::vector<const TensorBase*> tensors;
  for (const Value& v : call.args) {
    if (v.tag == Tag::kTensor) tensors.push_back(&v.tensor());
  }
  sy::internal::FailMissingKernel(op, call.key, tensors);
}

// The kernel has declined, and is named where nothing else serves the call.
SY_COLD void RunNext(const BoxedCall& call, KernelRecord& record, std::string_view reason) {
  KeepReason(record, reason);
  const std::string_view op = call.kernel->entry->name();
  try {
    CallNext(call, record);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kNotImplemented || e.op() != op) throw;
    Fail(e.code(), op,
         {e.reason(), "; plugin '", record.plugin, "' declines this call",
          reason.empty() ? "" : ": ", reason});
  }
}

// What it has given.
void SetResults(const BoxedCall& call, Frame& f) {
  for (uint32_t i = 0; i < f.n_out; ++i) {
    Tensor t = f.asked == nullptr ? Tensor() : std::move(f.asked->given[i]);
    if (!t.defined()) {
      Fail(ErrorCode::kInternal, f.record().op,
           {"plugin '", f.record().plugin, "' has not given output ", i});
    }
    call.results[i].Set(std::move(t));
  }
}

// The kernel of an operator without a rule gives the outputs.
int32_t RunGiving(const BoxedCall& call, Frame& f, SyKernelFn fn) {
  const OperatorEntry& op = *call.kernel->entry;
  const SyTensor* outs[Frame::kMaxOuts] = {};
  const int n = op.returns_written ? 0 : op.num_results;
  f.out = outs;
  f.n_out = static_cast<uint32_t>(n);
  const int32_t code = fn(&f);
  if (code == SY_OK && n > 0) SetResults(call, f);
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

// After a kernel has declined: a call as it was before its arguments were shown.
SY_COLD void RunNextViewed(const KernelDef& kernel, KeyWord key, const SyTensor* const* outs,
                           const SyValue* args, uint64_t counts, std::string_view reason) {
  std::vector<Tensor> out_tensors;
  for (uint64_t i = 0; i < counts >> 32; ++i) out_tensors.push_back(Shared(outs[i]->ref));
  std::vector<const Tensor*> pointers;
  pointers.reserve(out_tensors.size());
  for (const Tensor& t : out_tensors) pointers.push_back(&t);
  const ReceivedValues given(args, static_cast<uint32_t>(counts));
  RunNext({&kernel, key, pointers, given.values, nullptr}, RecordOf(kernel), reason);
}

}  // namespace

void CallBoxedKernel(const KernelDef& k, const OperatorEntry& op, const BoxedCall& call) {
  if (k.boxed != nullptr) {
    KernelDef bound = k;
    bound.entry = &op;
    return k.boxed({&bound, call.key, call.outs, call.args, call.results});
  }
  if (k.fn == nullptr) return;  // shapes are all there is
  WithNormalised(op, call.args, [&](std::span<const Value> args) {
    std::vector<Value> values;
    for (const Tensor* out : call.outs) values.push_back(Value(*out));
    values.insert(values.end(), args.begin(), args.end());
    k.thunk(k, call.key, values.data(), call.results);
  });
}

std::string DeclineNote(const KernelDef& kernel) {
  if (kernel.boxed != RunKernel) return "";
  const KernelRecord& r = RecordOf(kernel);
  const int64_t n = r.declined.load(std::memory_order_relaxed);
  if (n == 0) return "";
  std::lock_guard lock(r.mutex);
  const std::string_view why = r.last_decline;
  return Join({"has declined ", n, n == 1 ? " call" : " calls",
               why.empty() ? "" : ", the last one: ", why});
}

void RunKernel(const BoxedCall& call) {
  if (call.results != nullptr) {
    const OperatorRecord* shaped = RecordOf(*call.kernel->entry);
    if (shaped != nullptr && shaped->has_rule()) return RunRuleOf(*shaped, call);
  }
  KernelRecord& r = RecordOf(*call.kernel);
  std::string reason;
  {
    const CallScope scope(r.slot);
    Device::State* state;
    const SyKernelFn fn = Enter(r, call.key, &state);
    const Views views(call.args, r.own);
    SyTensor outs[Frame::kMaxOuts];
    const SyTensor* pointers[Frame::kMaxOuts];
    uint64_t n = 0;
    for (const Tensor* t : call.outs) {
      ShowTensor(outs[n], *t, r.own);
      pointers[n] = &outs[n];
      ++n;
    }
    Frame f(r, *call.kernel, call.key, state, views.data(), pointers, views.size() | n << 32);
    const int32_t code = call.results == nullptr ? fn(&f) : RunGiving(call, f, fn);
    if (code == SY_OK) [[likely]] {
      served += state != nullptr ? 1 : 0;
      return;
    }
    if (code != SY_DECLINED) FailKernel(f, code);
    reason = f.text.text();
  }
  RunNext(call, r, reason);
}

namespace {

// A call whose arguments were shown, as it can be made again.
struct ViewedCall {
  const SyTensor* const* outs;
  const SyValue* args;
  uint64_t counts;
  std::string reason = {};  // that the kernel gave for declining
};

// In a CallScope: the kernel's answer and, where it has declined, the call. What is passed lives on
// in the frame alone, so that no register has to keep it while the kernel runs.
SY_INLINE bool Declines(const KernelRecord& r, const KernelDef& kernel, KeyWord key, SyKernelFn fn,
                        Device::State* state, ViewedCall& call) {
  Frame f(r, kernel, key, state, call.args, call.outs, call.counts);
  const int32_t code = fn(&f);
  if (code == SY_OK) [[likely]]
    return false;
  if (code != SY_DECLINED) FailKernel(f, code);
  call = {f.out, f.in, f.n_in | uint64_t{f.n_out} << 32, std::string(f.text.text())};
  return true;
}

// The same on the plugin's own device.
[[gnu::noinline]] bool DeclinesThere(const KernelRecord& r, const KernelDef& kernel, KeyWord key,
                                     SyKernelFn fn, ViewedCall& call) {
  const bool declined = Declines(r, kernel, key, fn, &r.own->Opened(IndexOfKey(key)), call);
  served += declined ? 0 : 1;
  return declined;
}

// Calls of a thread's first, and all where each has to be counted for everybody to see at once.
[[gnu::noinline]] void RunFirstViewed(const KernelDef& kernel, KeyWord key,
                                      const SyTensor* const* outs, const SyValue* args,
                                      uint64_t counts) {
  ViewedCall call{outs, args, counts};
  bool declined;
  {
    const KernelRecord& r = RecordOf(kernel);
    const CallScope scope(r.slot);
    Device::State* state;
    const SyKernelFn fn = Enter(r, key, &state);
    declined = Declines(r, kernel, key, fn, state, call);
    served += !declined && state != nullptr ? 1 : 0;
  }
  if (declined) RunNextViewed(kernel, key, call.outs, call.args, call.counts, call.reason);
}

}  // namespace

void RunViewedKernel(const KernelDef& kernel, KeyWord key, const SyTensor* const* outs,
                     const SyValue* args, uint64_t counts) {
  if (thread_calls == nullptr) [[unlikely]]
    return RunFirstViewed(kernel, key, outs, args, counts);
  ViewedCall call{outs, args, counts};
  {
    const KernelRecord& r = RecordOf(kernel);
    const CallScope scope(r.slot);
    const SyKernelFn fn = r.fn.load(std::memory_order_acquire);
    if (fn == nullptr) [[unlikely]]
      FailUnloaded(r.op, r.plugin);
    const bool declined = r.own == nullptr ? Declines(r, kernel, key, fn, nullptr, call)
                                           : DeclinesThere(r, kernel, key, fn, call);
    if (!declined) [[likely]]
      return;
  }
  RunNextViewed(kernel, key, call.outs, call.args, call.counts, call.reason);
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

// An address that no other operator's `shape function` has; marks an operator as a plugin's.
void PluginShape() {}

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

namespace {

OutputsFrom OutputsOf(const SyOperatorDef& o) {
  return o.numbers_for != nullptr ? OutputsFrom::kNumbersFor
         : o.rule != nullptr      ? OutputsFrom::kRule
         : o.shape != nullptr     ? OutputsFrom::kShapeFunction
                                  : OutputsFrom::kKernels;
}

}  // namespace

OperatorRecord& OperatorRecordOf(const std::string& plugin, int slot, const SyOperatorDef& o) {
  const std::string source = SourceOf(plugin, o.file);
  const std::string numbers_for = o.numbers_for == nullptr ? "" : o.numbers_for;
  const OutputsFrom outputs_from = OutputsOf(o);
  Records& all = records();
  std::lock_guard lock(all.mutex);
  const bool in_place = (o.flags & SY_OPERATOR_IN_PLACE) != 0;
  const bool out = (o.flags & SY_OPERATOR_OUT) != 0;
  for (OperatorRecord& r : all.operators) {
    if (r.plugin == plugin && r.schema == o.schema && r.source == source && r.def.line == o.line &&
        r.def.variants.in_place == in_place && r.def.variants.out == out &&
        r.outputs_from == outputs_from && r.numbers_for == numbers_for) {
      return r;
    }
  }
  std::list<OperatorRecord> made(1);
  OperatorRecord& r = made.back();
  r.plugin = plugin;
  r.slot = slot;
  r.schema = o.schema;
  const Schema schema = ParseSchema(o.schema);
  r.name = schema.full_name();
  r.num_outputs = static_cast<int>(schema.returns.size());
  r.is_view = !schema.returns.empty() && !schema.returns[0].type.alias.text.empty();
  r.source = source;
  r.def.schema = SchemaText::Of(r.schema);
  r.def.shape_function = PluginShape;
  r.def.variants = {.in_place = in_place, .out = out};
  r.def.file = r.source.c_str();
  r.def.line = o.line;
  r.def.copies_results = RunVariant;
  for (KernelDef* k : {&r.meta, &r.any}) {
    k->boxed = RunRule;
    k->data = &r;
    k->op = r.name;
    k->op_hash = HashName(r.name);
    k->file = r.source.c_str();
    k->line = o.line;
  }
  r.meta.device = "meta";
  r.outputs_from = outputs_from;
  r.numbers_for = numbers_for;
  if (outputs_from == OutputsFrom::kNumbersFor) r.any.boxed = RunNumbers;
  r.any.priority = std::numeric_limits<int>::min();
  all.operators.splice(all.operators.end(), made);
  return r;
}

const OperatorRecord* RecordOf(const OperatorEntry& op) {
  const OperatorDef* def = op.def();
  if (def == nullptr || def->shape_function != PluginShape || def->traits != nullptr)
    return nullptr;
  static_assert(std::is_standard_layout_v<OperatorRecord>);
  return reinterpret_cast<const OperatorRecord*>(def);  // its first member
}

}  // namespace plugin

int64_t CallsServedByDevices() { return plugin::served; }

}  // namespace sy
