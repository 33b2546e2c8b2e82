#include "examples/own_layer/taint.h"

namespace demo {

void Taint::OnCall(sy::LayerCall& call) {
  call.Redispatch();
  for (const sy::Result& r : call.results) {
    if (r.value().tag == sy::Tag::kTensor) {
      Mark(r.value().tensor());
    } else if (r.value().tag == sy::Tag::kTensorList) {
      for (const sy::Tensor& t : r.value().list<sy::Tensor>()) Mark(t);
    }
  }
}

}  // namespace demo
