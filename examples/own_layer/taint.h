// A layer that follows values: what is computed from a tensor that was marked is marked too.
//
//   demo::Taint taint;
//   taint.Mark(secret, "salary");
//   sy::Tensor y = sy::add(secret, 1);
//   taint.ReasonOf(y);   // "salary, add"
//
// Owns: its registration; marked tensors may outlive it, but not be used while another layer has
// its number.
// Threads: any.
#ifndef EXAMPLES_OWN_LAYER_TAINT_H_
#define EXAMPLES_OWN_LAYER_TAINT_H_

#include <string>

#include "switchyard/core/attachment.h"
#include "switchyard/dispatcher/layers.h"

namespace demo {

// Why a tensor is marked: what its mark was, and the calls since.
struct Reason : sy::Attachment {
  static constexpr sy::AttachmentKind kKind{"demo::reason"};
  explicit Reason(std::string t) : text(std::move(t)) {}
  std::string text;
};

class Taint : public sy::Layer {
 public:
  Taint() : id_(sy::RegisterLayer("taint", 50, this)) {}
  ~Taint() override { sy::UnregisterLayer(id_); }

  void Mark(const sy::Tensor& t, std::string reason) {
    sy::Attach(t, std::make_unique<Reason>(std::move(reason)));
    sy::AttachLayer(id_, t);
  }
  void Clear(const sy::Tensor& t) {
    sy::DetachLayer(id_, t);
    sy::Detach<Reason>(t);
  }
  bool IsMarked(const sy::Tensor& t) const { return sy::HasLayer(id_, t); }

  // "" of one that is not marked, or is a view of one that is.
  std::string ReasonOf(const sy::Tensor& t) const {
    const Reason* r = sy::Attached<Reason>(t);
    return r == nullptr ? "" : r->text;
  }

  void OnCall(sy::LayerCall& call) override;

 private:
  sy::LayerId id_;
};

}  // namespace demo

#endif  // EXAMPLES_OWN_LAYER_TAINT_H_
