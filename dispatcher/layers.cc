#include "switchyard/dispatcher/layers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dispatcher/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"

namespace sy {
namespace {

struct Entry {
  std::string name;
  int order = 0;
  std::vector<OperatorEntry*> falls_through;  // operators that do not stop at it
  std::atomic<Layer*> layer{nullptr};
};

constexpr int kSlots = kConjLayer + 1;

struct LayerTable {
  std::mutex mutex;
  std::array<Entry, kSlots> slots;
  // Ids by ascending order, packed for readers: byte i is the id of the i-th layer.
  std::array<std::atomic<int8_t>, kSlots> sorted = {};
  std::atomic<int> count{0};

  void Sort() {
    std::array<int, kSlots> ids;
    int n = 0;
    for (int i = 0; i < kSlots; ++i) {
      if (slots[i].layer.load() == nullptr) continue;
      const auto end = ids.begin() + n++;
      const auto place = std::upper_bound(
          ids.begin(), end, i, [&](int a, int b) { return slots[a].order < slots[b].order; });
      std::copy_backward(place, end, end + 1);
      *place = i;
    }
    for (int i = 0; i < n; ++i) sorted[i].store(static_cast<int8_t>(ids[i]));
    count.store(n);
  }
};

void Enter(LayerTable& t, LayerId id, std::string_view name, int order, Layer* layer) {
  t.slots[id].name = name;
  t.slots[id].order = order;
  t.slots[id].layer.store(layer);
  t.Sort();
}

LayerTable& table() {
  static LayerTable* t = new LayerTable;
  return *t;
}

const internal::AtFork at_fork{internal::ForkRank::kLayers, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, table().mutex);
                               }};

// Puts a thread's exclusions back, also when a kernel throws.
class Excluding {
 public:
  explicit Excluding(uint32_t excluded)
      : saved_(std::exchange(thread_state.layers_excluded, excluded)) {}
  ~Excluding() { thread_state.layers_excluded = saved_; }

 private:
  uint32_t saved_;
};

// The slot of a registered layer, under the table's lock.
Entry& Registered(LayerTable& t, LayerId id) {
  if (id < 0 || id >= kSlots || t.slots[id].layer.load() == nullptr)
    Fail(ErrorCode::kInvalidArgument, {"no layer with id ", id, " is registered"});
  return t.slots[id];
}

}  // namespace

LayerId RegisterLayer(std::string_view name, int order, Layer* layer) {
  LayerTable& t = table();
  std::lock_guard lock(t.mutex);
  for (const Entry& s : t.slots) {
    if (s.layer.load() != nullptr && s.name == name) {
      Fail(ErrorCode::kRegistration, {"layer '", name, "' is registered already"});
    }
  }
  for (int i = 0; i < kMaxLayers; ++i) {
    if (t.slots[i].layer.load() != nullptr) continue;
    Enter(t, i, name, order, layer);
    return i;
  }
  Fail(ErrorCode::kInvalidArgument, {"layer '", name, "': all ", kMaxLayers, " layers are taken"});
}

void internal::RegisterLayerAt(LayerId id, std::string_view name, int order, Layer* layer) {
  LayerTable& t = table();
  std::lock_guard lock(t.mutex);
  Enter(t, id, name, order, layer);
}

void UnregisterLayer(LayerId id) {
  if (id == kSparseLayer || id == kQuantizedLayer)
    Fail(ErrorCode::kInvalidArgument, {"layer ", id, " is the runtime's, and stays"});
  LayerTable& t = table();
  std::lock_guard lock(t.mutex);
  Entry& s = Registered(t, id);
  s.layer.store(nullptr);
  s.name.clear();
  for (OperatorEntry* op : s.falls_through) {  // the next layer of this number starts anew
    op->layer_mask.fetch_or(uint32_t{1} << id, std::memory_order_relaxed);
  }
  s.falls_through.clear();
  t.Sort();
}

LayerId FindLayer(std::string_view name) {
  LayerTable& t = table();
  std::lock_guard lock(t.mutex);
  for (int i = 0; i < kSlots; ++i) {
    if (t.slots[i].layer.load() != nullptr && t.slots[i].name == name) return i;
  }
  return -1;
}

void FallThrough(LayerId id, const OperatorEntry& op) {
  auto& entry = const_cast<OperatorEntry&>(op);
  LayerTable& t = table();
  std::lock_guard lock(t.mutex);
  Registered(t, id).falls_through.push_back(&entry);
  entry.layer_mask.fetch_and(~(uint32_t{1} << id), std::memory_order_relaxed);
}

namespace {

// The bit of the layer in the key word of `t`.
KeyWord LayerBitOf(LayerId id, const Tensor& t) {
  LayerTable& all = table();
  std::lock_guard lock(all.mutex);
  const Entry& layer = Registered(all, id);
  if (!t.defined())
    Fail(ErrorCode::kInvalidArgument, {"layer '", layer.name, "': the tensor is undefined"});
  return KeyWord{1} << (kLayerShift + id);
}

}  // namespace

void AttachLayer(LayerId id, const Tensor& t) { t.impl()->key |= LayerBitOf(id, t); }
void DetachLayer(LayerId id, const Tensor& t) { t.impl()->key &= ~LayerBitOf(id, t); }

namespace internal {

constinit std::atomic<Recorder*> recorder{nullptr};

void CallLayers(const OperatorEntry& op, uint32_t active, std::span<const Value> args,
                std::span<Result> results) {
  if (active == 0) return CallBelowLayers(op, args, results);
  LayerTable& t = table();
  const int n = t.count.load();
  for (int i = 0; i < n; ++i) {
    const int id = t.sorted[i].load();
    const uint32_t bit = uint32_t{1} << id;
    Layer* layer = (active & bit) != 0 ? t.slots[id].layer.load() : nullptr;
    if (layer == nullptr) continue;
    LayerCall call(op, args, results, bit, active & ~bit);
    Excluding self(thread_state.layers_excluded | bit);
    return layer->OnCall(call);
  }
  CallBelowLayers(op, args, results);
}

}  // namespace internal

void LayerCall::Redispatch() {
  Excluding none(thread_state.layers_excluded & ~bit_);
  internal::CallLayers(op, remaining_, args, results);
}

void LayerCall::GoBelow() { internal::CallLayers(op, remaining_, args, results); }

void LayerCall::GoBelow(std::span<const Value> new_args) {
  internal::RequireFitting(op, new_args);
  internal::CallLayers(op, remaining_, new_args, results);
}

void LayerCall::Redispatch(std::span<const Value> new_args) {
  internal::RequireFitting(op, new_args);
  Excluding none(thread_state.layers_excluded & ~bit_);
  internal::CallLayers(op, remaining_, new_args, results);
}

}  // namespace sy
