// Layers: what stands between a call and the backend's kernel, in order: profiler, tracer,
// autograd, …
//
//   class Count : public Layer {
//     void OnCall(LayerCall& call) override { ++n; call.Redispatch(); }
//   };
//   Count count;
//   LayerId id = RegisterLayer("count", 100, &count);
//   { LayerScope on(id);  sy::add(a, b); }     // this thread's calls pass through it
//
// A layer is active when this thread switched it on, or a tensor of the call carries its bit, and
// no guard excludes it. Layers with a lower order come first. Redispatch goes on with the layers
// after this one; operators called underneath pass all layers again. While OnCall runs, its own
// layer is excluded, except inside Redispatch. A call with no active layer pays one test of one
// word; FallThrough gives an operator that price with the layer active.
//
// The profiler's order is 100, the tracer's 200; a program's own stand where theirs puts them.
// Owns: a table of the layers, which stay the caller's.
// Threads: registering from any thread; scopes are per thread.
// Errors: kInvalidArgument when 26 layers are taken, or for an id that no layer has; kRegistration
// for a name that is taken. Scopes and exclusions check nothing: their id is a registered layer's.
#ifndef SWITCHYARD_DISPATCHER_LAYERS_H_
#define SWITCHYARD_DISPATCHER_LAYERS_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "switchyard/core/tensor.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy {

using LayerId = int;                           // the bit's number in key words
inline constexpr int kMaxLayers = kGradLayer;  // those from it on are the runtime's

// One call on its way down, as a layer sees it. It ends with OnCall: nothing of it may be kept.
class SY_API LayerCall {
 public:
  const OperatorEntry& op;
  // Of the schema's types, one per argument, defaults filled in; borrowed.
  std::span<const Value> args;  // borrowed
  std::span<Result> results;    // filled by Redispatch, or by the layer in its place

  // Goes on below this layer with the same, or other, arguments. May be called more than once or
  // not at all: then the layer fills `results`. Errors: as the operator's; kInvalidArgument for new
  // arguments that are not of the schema's types.
  void Redispatch();
  void Redispatch(std::span<const Value> new_args);
  // As Redispatch, but operators called underneath do not pass this layer.
  void GoBelow();
  void GoBelow(std::span<const Value> new_args);

  // Made by the dispatcher. bit: this layer's; remaining: those below it.
  LayerCall(const OperatorEntry& entry, std::span<const Value> a, std::span<Result> r, uint32_t bit,
            uint32_t remaining)
      : op(entry), args(a), results(r), bit_(bit), remaining_(remaining) {}

 private:
  uint32_t bit_, remaining_;
};

// What a program derives from; ATen's counterpart is a kernel for a dispatch key, or a fallback.
class SY_API Layer {
 public:
  virtual ~Layer() = default;
  // [any thread, at the same time] What it throws goes to the caller of the operator.
  virtual void OnCall(LayerCall& call) = 0;
};

// The layer must live until it is unregistered. Lower order: further out; of equal orders the one
// with the lower id. name: for FindLayer and messages. Returns the layer's bit, 0 … 25.
SY_API LayerId RegisterLayer(std::string_view name, int order, Layer* layer);
// No call may be inside the layer. Tensors that carry its bit keep it: a layer registered later
// under the same id would see them.
SY_API void UnregisterLayer(LayerId id);
SY_API LayerId FindLayer(std::string_view name);  // -1 when there is none
// Calls of this operator do not stop at the layer, until it is unregistered.
SY_API void FallThrough(LayerId id, const OperatorEntry& op);

// From now on calls with this tensor, or with a view of it made from now on, pass the layer in
// every thread; results do not carry it unless the layer attaches itself to them. Not while other
// threads use the tensor. Every handle of the tensor carries the bit: it is the tensor's. Errors:
// kInvalidArgument also for an undefined tensor.
SY_API void AttachLayer(LayerId id, const Tensor& t);
SY_API void DetachLayer(LayerId id, const Tensor& t);
// Whether the tensor carries the layer's bit; false of an undefined one.
inline bool HasLayer(LayerId id, const Tensor& t) {
  return t.defined() && (LayersOfKey(t.key()) >> id & 1) != 0;
}

// Switches a layer on in this thread for as long as it lives. Scopes nest: each ends with what was
// on when it began, so that they end in reverse order. id: of a registered layer.
class LayerScope {
 public:
  // Costs two stores; it may be nested for one layer.
  explicit LayerScope(LayerId id) : saved_(thread_state.layers_on) {
    thread_state.layers_on |= uint32_t{1} << id;
  }
  ~LayerScope() { thread_state.layers_on = saved_; }
  LayerScope(const LayerScope&) = delete;

 private:
  uint32_t saved_;
};

// Excludes a layer in this thread, whatever switched it on: a layer's own bookkeeping, for
// instance. The same rules as a scope's.
class LayerExclusion {
 public:
  explicit LayerExclusion(LayerId id) : saved_(thread_state.layers_excluded) {
    thread_state.layers_excluded |= uint32_t{1} << id;
  }
  ~LayerExclusion() { thread_state.layers_excluded = saved_; }
  LayerExclusion(const LayerExclusion&) = delete;

 private:
  uint32_t saved_;
};

namespace internal {

// Under a number of its own, past kMaxLayers.
SY_API void RegisterLayerAt(LayerId id, std::string_view name, int order, Layer* layer);

// Of an operator that returns arguments which it writes: these. It may write others beside them.
SY_API void ReturnWritten(const OperatorEntry& op, std::span<const Value> args, Result* results);

// The layers that would intercept the call in this thread. tensor_layers: bits of the call's
// tensors.
SY_INLINE uint32_t ActiveLayers(const OperatorEntry& op, uint32_t tensor_layers) {
  return (tensor_layers | thread_state.layers_on) & op.layer_mask.load(std::memory_order_relaxed) &
         ~thread_state.layers_excluded;
}
// What a layer is besides, for calls that no other intercepts: it sees the arguments before, the
// results after, and changes neither, so that the call goes on as it came, unboxed. There is one,
// of gradients.
class SY_API Recorder {
 public:
  virtual ~Recorder() = default;
  // Before the call. Excludes the layer in this thread, until the call has ended, and returns what
  // End or Failed is to have; null: OnCall has the call in its place, and nothing is excluded. What
  // it throws goes to the caller of the operator.
  virtual void* Begin(const OperatorEntry& op, std::span<const Value> args) = 0;
  // After it, nothing excluded any longer. results: borrowed; none of operators that return what
  // they write. Errors: as Begin.
  virtual void End(void* begun, const OperatorEntry& op, std::span<const Value> args,
                   std::span<const Value> results) = 0;
  // In place of End: the call threw.
  virtual void Failed(void* begun) noexcept = 0;
};
extern SY_API constinit std::atomic<Recorder*> recorder;

// One call with a recorder around it.
class RecordedCall {
 public:
  SY_INLINE RecordedCall(Recorder& r, const OperatorEntry& op, std::span<const Value> args)
      : recorder_(r),
        op_(op),
        args_(args),
        excluded_(thread_state.layers_excluded),
        begun_(r.Begin(op, args)) {}
  RecordedCall(const RecordedCall&) = delete;
  SY_INLINE ~RecordedCall() {
    if (begun_ == nullptr) [[likely]]
      return;
    thread_state.layers_excluded = excluded_;
    recorder_.Failed(begun_);
  }
  bool begun() const { return begun_ != nullptr; }
  SY_INLINE void End(std::span<const Value> results) {
    thread_state.layers_excluded = excluded_;
    void* const begun = begun_;
    begun_ = nullptr;
    recorder_.End(begun, op_, args_, results);
  }

 private:
  Recorder& recorder_;
  const OperatorEntry& op_;
  std::span<const Value> args_;
  uint32_t excluded_;
  void* begun_;
};

// Runs the first of the active layers, which goes on to the others.
SY_API SY_COLD void CallLayers(const OperatorEntry& op, uint32_t active,
                               std::span<const Value> args, std::span<Result> results);

}  // namespace internal
}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_LAYERS_H_
