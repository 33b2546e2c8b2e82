// A layer that follows values: what is computed from a tensor that was marked is marked too.
//
//   demo::Taint taint;
//   taint.Mark(secret);
//   sy::Tensor y = sy::add(secret, 1);
//   taint.IsMarked(y);   // true
//
// Owns: its registration; marked tensors may outlive it, but not be used while another layer has
// its number.
// Threads: any.
#ifndef EXAMPLES_OWN_LAYER_TAINT_H_
#define EXAMPLES_OWN_LAYER_TAINT_H_

#include "switchyard/dispatcher/layers.h"

namespace demo {

class Taint : public sy::Layer {
 public:
  Taint() : id_(sy::RegisterLayer("taint", 50, this)) {}
  ~Taint() override { sy::UnregisterLayer(id_); }

  void Mark(const sy::Tensor& t) { sy::AttachLayer(id_, t); }
  void Clear(const sy::Tensor& t) { sy::DetachLayer(id_, t); }
  bool IsMarked(const sy::Tensor& t) const { return sy::HasLayer(id_, t); }

  void OnCall(sy::LayerCall& call) override;

 private:
  sy::LayerId id_;
};

}  // namespace demo

#endif  // EXAMPLES_OWN_LAYER_TAINT_H_
