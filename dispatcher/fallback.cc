#include "switchyard/dispatcher/fallback.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <new>

#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/transfer.h"
#include "switchyard/op/variants.h"

namespace sy {
namespace {

std::atomic<FallbackMode> mode{FallbackMode::kForbid};

struct Counts {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, FallbackCount> by_key;
};
Counts& counts() {
  static Counts* c = new Counts;
  return *c;
}

const internal::AtFork at_fork{internal::ForkRank::kRecords, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, counts().mutex);
                               }};

// The calls counted under this operator and device, from now on.
void CountUnder(std::string_view op, std::string_view device, int64_t bytes) {
  bool first = false;
  {
    Counts& c = counts();
    std::lock_guard lock(c.mutex);
    const auto it = c.by_key
                        .try_emplace({std::string(op), std::string(device)},
                                     FallbackCount{std::string(op), std::string(device), 0, 0})
                        .first;
    FallbackCount& n = it->second;
    first = n.calls == 0;
    ++n.calls;
    n.bytes += bytes;
  }
  if ((first || is_warn_always_enabled()) &&
      mode.load(std::memory_order_relaxed) == FallbackMode::kWarnOnce) {
    Log(LogLevel::kWarning,
        Join({op, "(): ", device,
              " has no kernel; running on the host, with copies of what it cannot touch"}));
  }
}

// A call that is done does not fail for want of memory to count it.
void Count(std::string_view op, std::string_view device, int64_t bytes) noexcept {
  try {
    CountUnder(op, device, bytes);
  } catch (const std::bad_alloc&) {
  }
}

// The bytes of a device's storages as the host itself sees them, where it can, so that tensors that
// share storage do so there too. A storage is waited for when it is first asked for.
class HostStorages {
 public:
  // Undefined where the host cannot touch the bytes. What it shows keeps t's storage.
  Tensor Show(const Tensor& t) {
    const StorageImpl* storage = t.impl()->storage;
    auto it = std::find_if(seen_.begin(), seen_.end(),
                           [&](const Seen& s) { return s.storage == storage; });
    if (it == seen_.end()) {
      // Whole elements: what is left over of a storage nothing of this dtype shows.
      const auto elements = static_cast<int64_t>(storage->nbytes / t.itemsize());
      seen_.push_back({storage, HostView(t.AsStrided({elements}, {1}))});
      it = seen_.end() - 1;
    }
    if (!it->bytes.defined()) return {};
    TensorImpl* view = internal::NewAlias(it->bytes.impl(), static_cast<int>(t.dim()));
    view->key = MakeKey(kHostRow, t.dtype());
    const Tensor shown{view};  // owned from here on
    std::copy(t.sizes().begin(), t.sizes().end(), view->sizes());
    std::copy(t.strides().begin(), t.strides().end(), view->strides());
    view->offset = t.impl()->offset;
    view->numel = t.numel();
    internal::UpdateContiguity(view);
    return shown;
  }

 private:
  struct Seen {
    const StorageImpl* storage;
    Tensor bytes;
  };
  std::vector<Seen> seen_;
};

// One call on the host: the tensors, or copies where the host cannot touch their bytes, the host's
// kernel, the written copies back.
class HostCall {
 public:
  explicit HostCall(const BoxedCall& call)
      : call_(call), entry_(*call.kernel->entry), device_(DeviceOfKey(call.key)) {}

  void Run() {
    const KeyWord key = MakeKey(kHostRow, DTypeOfKey(call_.key));
    const KernelDef* found = entry_.kernels->Find(key);
    if (found == nullptr) internal::FailMissingKernel(entry_, key, {});  // it has gone meanwhile
    const KernelDef& k = *found;
    if (k.thunk != nullptr) {
      WithNormalised(entry_, call_.args, [&](std::span<const Value> args) { RunOn(k, key, args); });
    } else {
      RunOn(k, key, call_.args);
    }
  }

 private:
  void RunOn(const KernelDef& k, KeyWord key, std::span<const Value> args) {
    std::vector<Value> values;
    for (const Tensor* out : call_.outs) values.push_back(Value(Fetch(*out)));
    for (const Value& v : args) values.push_back(FetchAll(v));
    if (k.thunk != nullptr) {
      k.thunk(k, key, values.data(), call_.results);
    } else {
      std::vector<const Tensor*> outs;
      for (size_t i = 0; i < call_.outs.size(); ++i) outs.push_back(&values[i].tensor());
      k.boxed({&k, key, outs, std::span<const Value>(values).subspan(outs.size()), call_.results});
    }
    for (size_t i = 0; i < call_.outs.size(); ++i) Return(*call_.outs[i], values[i].tensor());
    const auto& arguments = entry_.schema().arguments;
    for (size_t i = 0; i < call_.args.size(); ++i) {
      if (arguments[i].type.alias.write) ReturnAll(call_.args[i], values[call_.outs.size() + i]);
    }
    if (call_.results != nullptr && !entry_.returns_written) ReturnResults();
    Count(entry_.name(), device_.type.name(), bytes_);
  }

  // A tensor that occurs twice is one on the host too: what is written is often an argument.
  const Tensor& Fetch(const Tensor& t) {
    for (const Held& h : held_) {
      if (h.impl == t.impl() && t.defined()) return *h.host;
    }
    Tensor host;
    if (!t.is_host() && t.defined() && HasBytes(t)) host = storages_.Show(t);
    const bool in_place = host.defined();
    if (!in_place) {
      host = ToHost(t);
      if (!t.is_host() && t.defined()) bytes_ += static_cast<int64_t>(SpannedBytes(t));
    }
    return *held_.emplace_back(Held{t.impl(), std::make_unique<Tensor>(std::move(host)), in_place})
                .host;
  }
  // Whether the host's tensor is the device's own bytes.
  bool IsInPlace(const Tensor& t) const {
    for (const Held& h : held_) {
      if (h.impl == t.impl()) return h.in_place;
    }
    return false;
  }
  bool IsOut(const Tensor& t) const {
    for (const Tensor* out : call_.outs) {
      if (out->impl() == t.impl()) return true;
    }
    return false;
  }
  Value FetchAll(const Value& v) {
    if (v.tag == Tag::kTensor) return Value(Fetch(v.tensor()));
    if (v.tag == Tag::kDevice) return Value(Device{kHost});
    if (v.tag != Tag::kTensorList) return v;
    auto& list = *lists_.emplace_back(std::make_unique<std::vector<Tensor>>());
    for (const Tensor& t : v.list<Tensor>()) list.push_back(Fetch(t));
    return Value(list);
  }
  void Return(const Tensor& to, const Tensor& host) {
    if (to.is_host() || IsInPlace(to)) return;
    bytes_ += static_cast<int64_t>(SpannedBytes(to));
    CopyBack(to, host);
  }
  // A written argument, a tensor or a list of them.
  void ReturnAll(const Value& to, const Value& host) {
    if (to.tag == Tag::kTensor) {
      if (!IsOut(to.tensor())) Return(to.tensor(), host.tensor());
    } else if (to.tag == Tag::kTensorList) {
      const TensorList given = to.list<Tensor>(), fetched = host.list<Tensor>();
      for (size_t i = 0; i < given.size(); ++i) Return(given[i], fetched[i]);
    }
  }
  void ReturnResults() {
    for (int i = 0; i < entry_.num_results; ++i) {
      Result& r = call_.results[i];
      if (r.value().tag == Tag::kTensor) {
        r.Set(Send(r.tensor()));
      } else if (r.value().tag == Tag::kTensorList) {
        std::vector<Tensor> list = r.TakeTensors();
        for (Tensor& t : list) t = Send(t);
        r.Set(std::move(list));
      }
    }
  }
  Tensor Send(const Tensor& host) {
    bytes_ += static_cast<int64_t>(SpannedBytes(host));
    return FromHost(host, device_);
  }

  const BoxedCall& call_;
  const OperatorEntry& entry_;
  Device device_;
  int64_t bytes_ = 0;
  struct Held {
    const TensorImpl* impl;  // of the tensor that was fetched
    std::unique_ptr<Tensor> host;
    bool in_place;  // the host sees the bytes themselves
  };
  std::vector<Held> held_;
  HostStorages storages_;
  std::vector<std::unique_ptr<std::vector<Tensor>>> lists_;
};

void RunOnHost(const BoxedCall& call) { HostCall(call).Run(); }

}  // namespace

bool FallbackServes(const OperatorEntry& op, KeyWord key, std::string* why) {
  const DeviceType device{RowOfKey(key)};
  if (device == kHost || device.row == kNoRow) {
    *why = "the host has nothing to fall back on";
  } else if (DeviceBackend* b = FindBackend(device); b == nullptr || b->allocator() == nullptr) {
    *why = "the device has no data to copy";
  } else if (mode.load(std::memory_order_relaxed) == FallbackMode::kForbid) {
    *why = "forbidden by policy";
  } else if (op.kernels->Find(MakeKey(kHostRow, DTypeOfKey(key))) == nullptr) {
    *why = "the host has no kernel either";
  } else {
    return true;
  }
  return false;
}

const KernelDef* FallbackKernel(const OperatorEntry& op, KeyWord key) {
  std::string why;
  if (!FallbackServes(op, key, &why)) return nullptr;
  KernelDef k;
  k.boxed = RunOnHost;
  k.op = op.name();
  k.file = "dispatcher/fallback.cc";
  k.entry = &op;
  return op.registry().Keep(k);
}

void SetFallbackPolicy(const FallbackPolicy& policy) {
  mode.store(policy.mode, std::memory_order_relaxed);
  Registry::Global().SetFallback(policy.mode == FallbackMode::kForbid ? nullptr : FallbackKernel);
}

FallbackPolicy GetFallbackPolicy() { return {mode.load(std::memory_order_relaxed)}; }

std::vector<FallbackCount> FallbackCounts() {
  Counts& c = counts();
  std::lock_guard lock(c.mutex);
  std::vector<FallbackCount> all;
  for (const auto& [key, n] : c.by_key) all.push_back(n);
  return all;
}

void ResetFallbackCounts() {
  Counts& c = counts();
  std::lock_guard lock(c.mutex);
  c.by_key.clear();
}

}  // namespace sy
