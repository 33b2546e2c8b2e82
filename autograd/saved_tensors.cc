#include "switchyard/autograd/saved_tensors.h"

#include <utility>

#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/ops.h"

namespace sy {
namespace autograd {

struct PackFunctions {
  SavedTensorHooks::Pack pack;
  SavedTensorHooks::Unpack unpack;
};

namespace {

// A pointer: what lives in a thread has no constructor, and none to run at its end.
thread_local const std::shared_ptr<const PackFunctions>* active = nullptr;

// What stands for a packed tensor holds this.
struct Packed : Attachment {
  static constexpr AttachmentKind kKind{"saved"};
  std::any what;
  std::shared_ptr<const PackFunctions> functions;
};

}  // namespace

bool PacksSaved() { return active != nullptr; }

Tensor Keep(const Tensor& t) {
  if (active == nullptr) [[likely]]
    return AliasOf(t);
  const std::shared_ptr<const PackFunctions>* const mine = std::exchange(active, nullptr);
  struct Restore {
    const std::shared_ptr<const PackFunctions>* was;
    ~Restore() { active = was; }
  } restore{mine};
  const NoGrad off;
  auto packed = std::make_unique<Packed>();
  packed->functions = *mine;
  packed->what = (*mine)->pack(AliasOf(t));
  const int64_t none[] = {0};
  Tensor stands(internal::NewContiguous(MakeKey(kHostRow, t.dtype()), none));
  Attach(stands, std::move(packed));
  return stands;
}

Tensor Kept(const Node& n, const Tensor& t) {
  if ((t.impl()->flags & kAttachedFlag) == 0) [[likely]]
    return t;
  const Packed* p = Attached<Packed>(t);
  if (p == nullptr) return t;
  const NoGrad off;
  Tensor back = p->functions->unpack(p->what);
  if (!back.defined()) {
    Fail(ErrorCode::kInvalidArgument,
         {"backward of ", n.Name(),
          ": unpacking gave an undefined tensor, expected what was packed"});
  }
  return back;
}

}  // namespace autograd

SavedTensorHooks::SavedTensorHooks(Pack pack, Unpack unpack)
    : functions_(std::make_shared<autograd::PackFunctions>(
          autograd::PackFunctions{std::move(pack), std::move(unpack)})),
      outer_(std::exchange(autograd::active, &functions_)) {}
SavedTensorHooks::~SavedTensorHooks() { autograd::active = outer_; }

SavedOnHost::SavedOnHost()
    : SavedTensorHooks(
          [](const Tensor& t) -> std::any {
            return std::pair(to(t, Device{kHost}, t.dtype(), false, /*copy=*/true), t.device());
          },
          [](const std::any& packed) {
            const auto& [t, device] = std::any_cast<const std::pair<Tensor, Device>&>(packed);
            return to(t, device, t.dtype());
          }) {}

}  // namespace sy
