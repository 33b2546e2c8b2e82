// What goes with a tensor besides its elements: objects that layers attach to it, one of each kind.
//
//   struct Note : Attachment {
//     static constexpr AttachmentKind kKind{"note"};
//     std::string text;
//   };
//   Attach(t, std::make_unique<Note>());
//   Attached<Note>(t)->text = "weights";
//
// They belong to the tensor itself: other handles of it see them, views and copies do not. A layer
// that wants more attaches to the results that it sees (dispatcher/layers.h). ATen keeps one such
// object, AutogradMeta. Tensors without any pay nothing for it, when they are made and when they
// go.
// Owns: attachments are the tensor's, and go when it does, the last attached first, before its
// bytes.
// Threads: any may read; attaching and detaching is a write to the tensor, as set_ is.
// Errors: kInvalidArgument for an undefined tensor; what is to be attached is destroyed.
#ifndef SWITCHYARD_CORE_ATTACHMENT_H_
#define SWITCHYARD_CORE_ATTACHMENT_H_

#include <cstring>
#include <memory>
#include <utility>

#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"

namespace sy {

// Kinds of one name are one kind, in whatever shared objects they stand. Static.
struct AttachmentKind {
  const char* name;
  friend bool operator==(const AttachmentKind& a, const AttachmentKind& b) {
    return a.name == b.name || std::strcmp(a.name, b.name) == 0;
  }
};

// The base of what is attached. A type of it has its kind as `kKind`.
class SY_API Attachment {
 public:
  Attachment() = default;
  Attachment(const Attachment&) = delete;
  // [whoever lets go of the tensor, in any thread] Throws nothing.
  virtual ~Attachment();

 private:
  friend struct AttachmentList;
  const AttachmentKind* kind_ = nullptr;
  std::unique_ptr<Attachment> next_;
};

namespace internal {
SY_API void Attach(const Tensor& t, const AttachmentKind& kind, std::unique_ptr<Attachment> what);
SY_API Attachment* FindAttachment(const TensorBase& t, const AttachmentKind& kind);
SY_API std::unique_ptr<Attachment> Detach(const Tensor& t, const AttachmentKind& kind);
}  // namespace internal

// Gives `what` to the tensor, in place of one of the same kind, which is destroyed.
template <class T>
void Attach(const Tensor& t, std::unique_ptr<T> what) {
  internal::Attach(t, T::kKind, std::move(what));
}
// Null where there is none. Borrowed: valid until it is detached, replaced, or the tensor goes.
template <class T>
T* Attached(const TensorBase& t) {
  return static_cast<T*>(internal::FindAttachment(t, T::kKind));
}
// Takes it away from the tensor; null where there is none.
template <class T>
std::unique_ptr<T> Detach(const Tensor& t) {
  return std::unique_ptr<T>(static_cast<T*>(internal::Detach(t, T::kKind).release()));
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_ATTACHMENT_H_
