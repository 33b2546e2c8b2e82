// A layer that marks what is computed from marked tensors, and treats some operators as its own.

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

const Callee kMul("mul.Tensor");

Tensor TensorOf(const SyValue& v) {
  return v.tag == SY_V_TENSOR ? Tensor(v.u.tensor) : Tensor(nullptr);
}

void Mark(LayerCall call) {
  if (call.op() == "sub.Tensor") {  // the other way round
    const SyValue swapped[] = {call.in()[1], call.in()[0], call.in()[2]};
    call.Redispatch(swapped);
  } else if (call.op() == "square") {  // its own result
    const Tensor x = TensorOf(call.in()[0]);
    call.SetOut(0, call.Run(kMul, {Boxed(x), Boxed(x)}));
  } else if (call.op() == "relu") {
    return;  // no result at all
  } else if (call.op() == "tanh") {
    throw Error(SY_E_UNSUPPORTED, "not with this layer");
  } else if (call.op() == "sin") {
    call.Redispatch({call.in().data(), 0});
  } else if (call.op() == "cos") {
    const SyValue wrong[] = {{SY_V_BOOLS, 0, {0}}};
    call.Redispatch(wrong);
  } else if (call.op() == "equal") {
    call.SetOut(0, call.Run(kMul, {call.in()[0], call.in()[0]}));
  } else {
    call.Redispatch();
  }
  bool marked = false;
  for (const SyValue& v : call.in()) marked |= v.tag == SY_V_TENSOR && call.Carries(TensorOf(v));
  for (const SyValue& v : call.out()) {
    if (marked && v.tag == SY_V_TENSOR) call.Attach(TensorOf(v));
  }
}

constexpr SyLayerDef kLayers[] = {Layer<Mark>("layer::mark", 50)};
constexpr SyPlugin kPlugin = MakePlugin("layer", "1.0", {}, {}, {}, {}, kLayers);

}  // namespace

SY_PLUGIN(kPlugin, "layer")
