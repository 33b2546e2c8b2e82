// Results of calls under way: tensors that carry the bit of a layer, which waits when an operator
// meets one, and takes the bit away.

#include <atomic>

#include "collective/work_internal.h"
#include "switchyard/core/attachment.h"
#include "switchyard/dispatcher/layers.h"

namespace sy {
// Defined by core/transfer.cc, whose header is everybody's and so stays as it is: told of tensors
// that are about to be read on the host without an operator.
namespace internal {
extern SY_API std::atomic<void (*)(const Tensor&)> before_host_read;
}

namespace collective {
namespace {

struct PendingWork : Attachment {
  static constexpr AttachmentKind kKind{"switchyard::collective"};
  explicit PendingWork(std::shared_ptr<Work> w) : work(std::move(w)) {}
  const std::shared_ptr<Work> work;
};

class Waiting final : public Layer {
 public:
  void OnCall(LayerCall& call) override {
    for (const Value& v : call.args) {
      if (v.tag == Tag::kTensor) {
        WaitFor(v.tensor());
      } else if (v.tag == Tag::kTensorList) {
        for (const Tensor& t : v.list<Tensor>()) WaitFor(t);
      }
    }
    call.Redispatch();
  }
  static void WaitFor(const Tensor& t);
};

constexpr int kOrder = 10;  // before everybody who looks at tensors

// Registered with the first result of this kind.
LayerId PendingLayer() {
  static const LayerId id = [] {
    static auto* const layer = new Waiting;
    const LayerId made = RegisterLayer("collective", kOrder, layer);
    sy::internal::before_host_read.store(Waiting::WaitFor, std::memory_order_release);
    return made;
  }();
  return id;
}

void Waiting::WaitFor(const Tensor& t) {
  const LayerId id = PendingLayer();
  if (!HasLayer(id, t)) return;
  // Where the call has failed the tensor stays as it is: every use says so.
  if (const PendingWork* p = Attached<PendingWork>(t); p != nullptr) p->work->Wait();
  DetachLayer(id, t);
  Detach<PendingWork>(t);
}

}  // namespace

void SetPending(const Tensor& t, std::shared_ptr<Work> work) {
  const LayerId id = PendingLayer();
  Attach(t, std::make_unique<PendingWork>(std::move(work)));
  AttachLayer(id, t);
}

}  // namespace collective
}  // namespace sy
