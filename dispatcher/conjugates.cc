#include "switchyard/dispatcher/conjugates.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/core/view_as.h"
#include "switchyard/dispatcher/composites.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/op/variants.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

constinit Handle<Tensor(const Tensor&)> conj_physical{"conj_physical"};
constinit Handle<Tensor(const Tensor&)> neg{"neg"};
constinit Handle<void(const Tensor&, const Tensor&, bool)> copy_{"copy_"};

bool IsView(const Tensor& t) { return t.is_conj() || t.is_neg(); }

bool HasViews(const Value& v) {
  if (v.tag == Tag::kTensor) return IsView(v.tensor());
  if (v.tag != Tag::kTensorList) return false;
  for (const Tensor& t : v.list<Tensor>()) {
    if (IsView(t)) return true;
  }
  return false;
}

// What t's elements are made of, and what it sees of elements: both ways are the same.
Tensor Flipped(const Tensor& memory, const Tensor& t) {
  const Tensor conj = t.is_conj() ? conj_physical(memory) : memory;
  return t.is_neg() ? neg(conj) : conj;
}
Tensor InMemory(const Tensor& t) { return ViewWithBits(t, 0); }

// A call with what is written out in place of views, and what it has written brought back.
class WrittenOut {
 public:
  explicit WrittenOut(const LayerCall& call) : args_(call.args.begin(), call.args.end()) {
    const std::vector<Argument>& arguments = call.op.schema().arguments;
    for (size_t i = 0; i < args_.size(); ++i) {
      Value& v = args_[i];
      if (!HasViews(v)) continue;
      const bool write = arguments[i].type.alias.write;
      if (v.tag == Tag::kTensor) {
        v = Value(tensors_.emplace_back(Of(v.tensor(), write)));
      } else {
        std::vector<Tensor>& list = lists_.emplace_back();
        for (const Tensor& t : v.list<Tensor>()) list.push_back(Of(t, write));
        v = Value(list);
      }
    }
  }
  std::span<const Value> args() const { return args_; }
  void BringBack() const {
    for (const Written& w : written_) copy_(InMemory(w.view), Flipped(w.elements, w.view), false);
  }

 private:
  struct Written {
    Tensor view, elements;
  };
  Tensor Of(const Tensor& t, bool write) {
    if (!t.defined() || !IsView(t)) return t;
    const Tensor elements = Flipped(InMemory(t), t);
    if (write) written_.push_back({t, elements});
    return elements;
  }
  std::vector<Value> args_;
  std::deque<Tensor> tensors_;  // Values point into these
  std::deque<std::vector<Tensor>> lists_;
  std::vector<Written> written_;
};

// Whether elements are not looked at: views, and what changes the geometry of its argument.
bool OnlySees(const OperatorEntry& op) {
  if (op.Has(OperatorTag::kInplaceView)) return true;
  const std::vector<Argument>& returns = op.schema().returns;
  return !returns.empty() && !returns[0].type.alias.text.empty() && !returns[0].type.alias.write;
}

// Whether a view carries what other layers know of it: a copy of its elements would not.
bool Carries(const Value& v) {
  constexpr uint32_t kOurs = uint32_t{1} << kConjLayer | uint32_t{1} << kNegLayer;
  const auto carries = [](const Tensor& t) {
    return IsView(t) && (LayersOfKey(t.key()) & ~(thread_state.layers_excluded | kOurs)) != 0;
  };
  if (v.tag == Tag::kTensor) return carries(v.tensor());
  if (v.tag != Tag::kTensorList) return false;
  const TensorList list = v.list<Tensor>();
  return std::any_of(list.begin(), list.end(), carries);
}

// Whether the operator is nothing but calls of others, which look at elements themselves.
bool IsMadeOfOthers(const OperatorEntry& op) {
  const internal::Composite made = internal::CompositeOf(op);
  return made.body != nullptr && !made.kernels;
}

class Resolver final : public Layer {
 public:
  void OnCall(LayerCall& call) override {
    if (OnlySees(call.op)) return call.Redispatch();
    if (std::any_of(call.args.begin(), call.args.end(), Carries) && IsMadeOfOthers(call.op))
      return call.Redispatch();
    const WrittenOut out(call);
    call.Redispatch(out.args());
    out.BringBack();
    if (call.op.returns_written) internal::ReturnWritten(call.op, call.args, call.results.data());
  }
};

constexpr int kOrder = 900;  // behind what watches calls, before packings

// A tensor with these bits, once there is somebody who looks at them.
Tensor View(const Tensor& t, KeyWord bits) {
  [[maybe_unused]] static const bool registered = [] {
    static auto* const resolver = new Resolver;
    internal::RegisterLayerAt(kConjLayer, "conjugates", kOrder, resolver);
    internal::RegisterLayerAt(kNegLayer, "negatives", kOrder, resolver);
    for (const char* asks : {"is_conj", "is_neg"}) {
      const OperatorEntry* op = Registry::Global().Find(asks);
      if (op == nullptr) continue;
      FallThrough(kConjLayer, *op);
      FallThrough(kNegLayer, *op);
    }
    return true;
  }();
  return ViewWithBits(t, bits);
}

constexpr KeyWord kBits = kConjBit | kNegBit;

}  // namespace

Tensor ConjView(const Tensor& t) { return View(t, (t.key() & kBits) ^ kConjBit); }
Tensor NegView(const Tensor& t) { return View(t, (t.key() & kBits) ^ kNegBit); }
Tensor PartView(const Tensor& complex, int part) {
  const Tensor t = PartOf(complex, part);
  return complex.is_conj() && part == 1 ? NegView(t) : t;
}

Tensor internal::Followed(Tensor view, const Tensor& base) {
  if (const auto told = view_made.load(std::memory_order_relaxed)) told(view.impl(), base);
  return view;
}

Tensor Resolve(const Tensor& t) { return IsView(t) ? Flipped(InMemory(t), t) : t; }

}  // namespace sy
