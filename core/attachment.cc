#include "switchyard/core/attachment.h"

#include <utility>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {

Attachment::~Attachment() = default;

// A tensor's attachments, the last one first.
struct AttachmentList {
  static bool Has(const TensorImpl* t) { return (t->flags & kAttachedFlag) != 0; }
  static Attachment* Find(const TensorImpl* t, const AttachmentKind& kind) {
    Attachment* a = Has(t) ? t->attached : nullptr;
    while (a != nullptr && !(*a->kind_ == kind)) a = a->next_.get();
    return a;
  }
  static void Put(TensorImpl* t, const AttachmentKind& kind, std::unique_ptr<Attachment> what) {
    if (!Has(t)) {  // as most are
      what->kind_ = &kind;
      return Set(t, std::move(what));
    }
    std::unique_ptr<Attachment> old = Take(t, kind), first = TakeAll(t);
    what->kind_ = &kind;
    what->next_ = std::move(first);
    Set(t, std::move(what));
  }
  static std::unique_ptr<Attachment> Take(TensorImpl* t, const AttachmentKind& kind) {
    std::unique_ptr<Attachment> first = TakeAll(t), found;
    std::unique_ptr<Attachment>* at = &first;
    while (*at != nullptr && !(*(*at)->kind_ == kind)) at = &(*at)->next_;
    if (*at != nullptr) {
      found = std::move(*at);
      *at = std::move(found->next_);
    }
    Set(t, std::move(first));
    return found;
  }
  static std::unique_ptr<Attachment> TakeAll(TensorImpl* t) {
    if (!Has(t)) return nullptr;
    t->flags &= static_cast<uint8_t>(~kAttachedFlag);
    return std::unique_ptr<Attachment>(t->attached);
  }
  static void Set(TensorImpl* t, std::unique_ptr<Attachment> first) {
    if (first == nullptr) return;
    t->attached = first.release();
    t->flags |= kAttachedFlag;
  }
  // One by one: a list may be long, and each may let go of other tensors.
  static void Destroy(std::unique_ptr<Attachment> first) {
    while (first != nullptr) first = std::move(first->next_);
  }
};

namespace internal {

void Attach(const Tensor& t, const AttachmentKind& kind, std::unique_ptr<Attachment> what) {
  if (!t.defined()) {
    Fail(ErrorCode::kInvalidArgument,
         {"attach: expected a tensor for the ", kind.name, ", got an undefined one"});
  }
  AttachmentList::Put(t.impl(), kind, std::move(what));
}

Attachment* FindAttachment(const TensorBase& t, const AttachmentKind& kind) {
  return AttachmentList::Find(t.impl(), kind);
}

std::unique_ptr<Attachment> Detach(const Tensor& t, const AttachmentKind& kind) {
  return AttachmentList::Take(t.impl(), kind);
}

void DestroyAttachments(TensorImpl* t) noexcept {
  AttachmentList::Destroy(AttachmentList::TakeAll(t));
}

}  // namespace internal
}  // namespace sy
