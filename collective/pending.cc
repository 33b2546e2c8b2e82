// Results of calls under way: tensors that carry the bit of a layer, which waits when an operator
// meets one, and takes the bit away.

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

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

// Calls under way, and failed ones, by the storage of their results: other views of it, which were
// made without an operator, carry the bit too.
struct Table {
  std::mutex mutex;
  std::unordered_map<const StorageImpl*, std::shared_ptr<Work>> works;
};
Table& table() {
  static auto* const t = new Table;
  return *t;
}

// What keeps a failed call, and goes with the tensor.
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
    WatchDeviceReads();
    return made;
  }();
  return id;
}

void Waiting::WaitFor(const Tensor& t) {
  const LayerId id = PendingLayer();
  if (!HasLayer(id, t)) return;
  std::shared_ptr<Work> work;
  if (const PendingWork* p = Attached<PendingWork>(t); p != nullptr) {
    work = p->work;
  } else {
    Table& all = table();
    std::lock_guard lock(all.mutex);
    const auto it = all.works.find(t.impl()->storage);
    if (it != all.works.end()) work = it->second;
  }
  // Where the call has failed the tensor stays as it is: every use says so.
  if (work != nullptr) work->Wait();
  DetachLayer(id, t);
  Detach<PendingWork>(t);
}

void BeforeHostRead(const Tensor& t) {
  if (t.is_host()) return Waiting::WaitFor(t);
  FinishOnDevice(t.device());
}

}  // namespace

void WatchDeviceReads() {
  sy::internal::before_host_read.store(BeforeHostRead, std::memory_order_release);
}

void SetPending(const Tensor& t, const std::shared_ptr<Work>& work) {
  const LayerId id = PendingLayer();
  auto pending = std::make_unique<PendingWork>(work);
  {
    Table& all = table();
    std::lock_guard lock(all.mutex);
    all.works[t.impl()->storage] = work;
  }
  work->result_ = t.impl()->storage;
  Attach(t, std::move(pending));
  AttachLayer(id, t);
}

void ForgetPending(const StorageImpl* storage) {
  if (storage == nullptr) return;
  Table& all = table();
  std::lock_guard lock(all.mutex);
  all.works.erase(storage);
}

}  // namespace collective
}  // namespace sy
