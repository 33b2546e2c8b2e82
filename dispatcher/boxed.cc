// Boxed calls: checks of count and types, layers, and the way to the kernel.

#include <algorithm>

#include "dispatcher/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/key.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/op/variants.h"

namespace sy {
namespace internal {
namespace {

// Tensors among boxed arguments, lists included.
struct TensorArguments {
  explicit TensorArguments(std::span<const Value> args) {
    for (const Value& v : args) {
      if (v.tag == Tag::kTensor) {
        metas.push_back(&v.tensor());
      } else if (v.tag == Tag::kTensorList) {
        for (const Tensor& t : v.list<Tensor>()) metas.push_back(&t);
      }
    }
  }
  std::vector<const TensorBase*> metas;
};

SY_COLD KeyWord SlowBoxedKey(const OperatorEntry& op, std::span<const Value> args) {
  const TensorArguments tensors(args);
  if (!tensors.metas.empty()) return MergeKeys(op, tensors.metas);
  Optional<Device> device;
  Optional<DType> dtype;
  for (const Value& v : args) {
    if (v.tag == Tag::kDevice) device = v.device;
    if (v.tag == Tag::kDType) dtype = static_cast<DType>(v.i);
  }
  return KeyFromOptions(device, dtype);
}

// Values are never undefined tensors; those in lists may be.
SY_COLD void RequireListsDefined(const OperatorEntry& op, std::span<const Value> args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].tag == Tag::kTensorList) RequireListDefined(op, i, args[i].list<Tensor>());
  }
}

KeyWord BoxedKey(const OperatorEntry& op, std::span<const Value> args) {
  KeyWord first = 0, difference = 0;
  bool lists = false;
  for (const Value& v : args) {
    if (v.tag == Tag::kTensor) {
      if (first == 0) {
        first = v.t->key;
      } else {
        difference |= v.t->key ^ first;
      }
    }
    lists |= v.tag == Tag::kTensorList;
  }
  if (lists || (difference & kPlaceMask) != 0 || (first & kSlotMask) < kMaxDTypes)
    return SlowBoxedKey(op, args);
  return first & kPlaceMask;
}

}  // namespace

SY_COLD void RequireFitting(const OperatorEntry& op, std::span<const Value> args) {
  const auto& arguments = op.schema().arguments;
  if (args.size() != arguments.size()) {
    Fail(ErrorCode::kInvalidArgument, op.name(),
         {"expected ", arguments.size(), " arguments, got ", args.size(), "\n  ",
          op.schema().str()});
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if ((op.argument_tags[i] & Bit(args[i].tag)) != 0) continue;
    Fail(ErrorCode::kInvalidArgument, op.name(),
         {"argument '", arguments[i].name, "' must be ", arguments[i].type.str(), ", got ",
          args[i].str(), "\n  ", op.schema().str()});
  }
}

void CallBelowLayers(const OperatorEntry& op, std::span<const Value> args,
                     std::span<Result> results) {
  if (const VariantThunk thunk = op.thunk.load(std::memory_order_acquire); thunk != nullptr) {
    return thunk(op, args.data(), results.data());
  }
  KeyWord key;
  const KernelDef* k;
  try {
    key = BoxedKey(op, args);
    k = op.kernels->Find(key);
    if (k == nullptr) [[unlikely]]
      FailMissingKernel(op, key, TensorArguments(args).metas);
  } catch (...) {
    FailDirect(op);
  }
  try {
    if (k->thunk != nullptr) {
      k->thunk(*k, key, args.data(), results.data());
    } else {
      k->boxed({k, key, {}, args, results.data()});
    }
  } catch (...) {
    FailDirect(op);
  }
  if (op.returns_written) ReturnWritten(op, args, results.data());
}

void ReturnWritten(const OperatorEntry& op, std::span<const Value> args, Result* results) {
  const auto &arguments = op.schema().arguments, &returns = op.schema().returns;
  size_t out = 0;
  for (size_t i = 0; i < args.size() && out < returns.size(); ++i) {
    if (args[i].tag == Tag::kTensor && arguments[i].type.alias.text == returns[out].type.alias.text)
      results[out++].Set(Tensor(args[i].tensor()));
  }
}

}  // namespace internal

namespace {

SY_COLD void CallLayered(const OperatorEntry& op, const Value* args, Result* results,
                         KeyWord bits) {
  using namespace internal;
  const std::span<const Value> all{args, op.num_arguments};
  const std::span<Result> room{results, op.num_results};
  if ((LayersOfKey(bits) & kUndefinedBit) != 0) RequireListsDefined(op, all);
  const uint32_t active = ActiveLayers(op, LayersOfKey(bits) & ~kUndefinedBit);
  if (active != 0) return CallLayers(op, active, all, room);
  CallBelowLayers(op, all, room);
}

}  // namespace

void internal::CallFitting(const OperatorEntry& op, const Value* args, Result* results,
                           KeyWord bits) {
  const uint32_t layers = LayersOfKey(bits) | thread_state.layers_on;
  if ((layers & op.layer_mask.load(std::memory_order_relaxed)) != 0) [[unlikely]]
    return CallLayered(op, args, results, bits);
  // Asked here already, so that operators with a shape function pay for no frame: 20 instructions.
  if (const VariantThunk thunk = op.thunk.load(std::memory_order_acquire); thunk != nullptr) {
    return thunk(op, args, results);
  }
  CallBelowLayers(op, {args, op.num_arguments}, {results, op.num_results});
}

void CallBoxed(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  const size_t n = op.num_arguments;
  bool fits = args.size() == n && results.size() >= op.num_results;
  KeyWord bits = 0;
  if (fits) {
    for (size_t i = 0; i < n; ++i) {
      const Value& v = args[i];
      fits &= (op.argument_tags[i] & Bit(v.tag)) != 0;
      if (v.tag == Tag::kTensor) {
        bits |= v.t->key;
      } else if (v.tag == Tag::kTensorList) {
        for (const Tensor& t : v.list<Tensor>()) bits |= t.key();
      }
    }
  }
  if (!fits) [[unlikely]] {
    if (args.size() == n && results.size() < op.num_results) {
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"there are ", int{op.num_results}, " results, room for ", results.size()});
    }
    internal::RequireFitting(op, args);
  }
  internal::CallFitting(op, args.data(), results.data(), bits);
}

}  // namespace sy
