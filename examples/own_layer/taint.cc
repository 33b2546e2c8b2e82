#include "examples/own_layer/taint.h"

namespace demo {

void Taint::OnCall(sy::LayerCall& call) {
  call.Redispatch();
  std::string reason;
  const auto look = [&](const sy::Tensor& t) {
    if (reason.empty() && t.defined()) reason = ReasonOf(t);
  };
  for (const sy::Value& v : call.args) {
    if (v.tag == sy::Tag::kTensor) look(v.tensor());
    if (v.tag != sy::Tag::kTensorList) continue;
    for (const sy::Tensor& t : v.list<sy::Tensor>()) look(t);
  }
  reason += ", ";
  reason += call.op.name();
  for (const sy::Result& r : call.results) {
    if (r.value().tag == sy::Tag::kTensor) {
      Mark(r.value().tensor(), reason);
    } else if (r.value().tag == sy::Tag::kTensorList) {
      for (const sy::Tensor& t : r.value().list<sy::Tensor>()) Mark(t, reason);
    }
  }
}

}  // namespace demo
