// Tensors as kernels see them that know nothing of our types: a plain struct on the caller's stack,
// filled from the tensor, without a count.
//
//   TensorView v;
//   ShowTensor(v, t, own);    // v.data, v.sizes, … are t's, as long as t lives
//
// A kernel that wants views (KernelDef::viewed) is called by a typed function that fills them from
// its own arguments (FormsOf::ViewingKernel): no boxed arguments in between. The layout is that of
// the plugin ABI (c/plugin.h: SyTensor), which plugin/frame.cc compares field by field.
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_REGISTRY_VIEWED_H_
#define SWITCHYARD_REGISTRY_VIEWED_H_

#include <atomic>
#include <cstdint>
#include <cstring>

#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"

namespace sy {

struct KernelDef;

struct TensorView {    // neighbours are stored together
  void* data;          // first element; null where kernels may not touch it
  const void* buffer;  // Allocation::context of memory of the kernel's own device, else null
  uint64_t byte_offset;
  const int64_t* sizes;
  const int64_t* strides;
  int64_t numel;
  uint32_t ndim;
  uint32_t dtype;
  int32_t device;  // row
  int32_t index;
  uint64_t flags;      // kContiguousFlag, kWrappedNumberFlag
  TensorImpl* tensor;  // borrowed
};

// args: in schema order; a value with Tag::kTensor points (Value::p) at its TensorView. counts: of
// args, of outs in the upper half. Five words, so that all travel in registers.
using ViewedFn = void (*)(const KernelDef& kernel, KeyWord key, const TensorView* const* outs,
                          const Value* args, uint64_t counts);

// What a kernel that wants views gives beside its KernelDef.
struct ViewedKernel {
  ViewedFn fn = nullptr;
  // Of the device whose memory the views show; null: the host's alone.
  std::atomic<const Allocator*> own{nullptr};
};

// Data of a device without addresses lie at numbers that no pointer of x86-64 can be: bit 56 set
// and those above clear, with 4 or with 5 levels of page tables (Intel SDM volume 1, section
// 3.3.7.1).
inline constexpr int kNumberedDataBit = 56;

// Two words by one store, for calls of plugins cost what their stores cost. Of words that come from
// memory: computed ones take longer to meet in a vector register than to be stored apart.
SY_INLINE void StorePair(void* at, uint64_t low, uint64_t high) {
  using Pair __attribute__((vector_size(16), aligned(8), may_alias)) = uint64_t;
  *static_cast<Pair*>(at) = Pair{low, high};
}

// Two neighbours of four bytes.
SY_INLINE void StoreWord(void* at, uint64_t word) { std::memcpy(at, &word, sizeof word); }

namespace internal {

// Of the tensors shown so far.
struct Shown {
  KeyWord keys = 0;      // bits in which the key of one differs from that of the host
  uint64_t offsets = 0;  // bits of their offsets
  bool others() const {
    constexpr KeyWord kRowMask = kSlotMask & ~KeyWord{kMaxDTypes - 1};
    return ((keys & kRowMask) | offsets) != 0;
  }
};

inline constexpr uint64_t kHostPlace = kHostRow | uint64_t{0xffffffff} << 32;  // index -1

// Fills a view of a tensor that lies on the host from the first byte of its storage on. No branch,
// since views are most of what calling a plugin costs: ShowOthers completes those of other tensors.
SY_INLINE void ShowHost(TensorView& v, const Tensor& t, Shown& shown) {
  TensorImpl* x = t.impl();
  const KeyWord key = x->key;
  const uint32_t ndim = x->ndim;
  const auto word = [](const void* p) { return reinterpret_cast<uint64_t>(p); };
  StorePair(&v.data, word(x->storage->data), 0);  // and buffer
  StorePair(&v.byte_offset, 0, word(x->dims));
  StorePair(&v.strides, word(x->dims + ndim), static_cast<uint64_t>(x->numel));
  StoreWord(&v.ndim, ndim | (key & (kMaxDTypes - 1)) << 32);
  StoreWord(&v.device, kHostPlace);  // and index
  v.flags = x->flags & uint64_t{kContiguousFlag | kWrappedNumberFlag};
  v.tensor = x;
  shown.keys |= key ^ MakeKey(kHostRow, DType{});
  shown.offsets |= static_cast<uint64_t>(x->offset);
}

SY_API void ShowPlace(TensorView& v, const Allocator* own);

// Completes views of which some are not of ShowHost's kind; undefined arguments become None.
SY_API void ShowOthers(std::span<TensorView> views, std::span<Value> args, const Allocator* own);

// An argument as a kernel that wants views gets it. next: room for one view more.
template <class T>
SY_INLINE Value ShowArgument(const T& a, [[maybe_unused]] TensorView*& next,
                             [[maybe_unused]] Shown& shown) {
  if constexpr (std::is_same_v<T, Tensor>) {
    ShowHost(*next, a, shown);
    Value v;
    v.tag = Tag::kTensor;
    v.p = next++;
    return v;
  } else {
    return Value(a);
  }
}

}  // namespace internal

// own: see ViewedKernel.
inline void ShowTensor(TensorView& v, const Tensor& t, const Allocator* own) {
  internal::Shown shown;
  internal::ShowHost(v, t, shown);
  if (shown.others()) internal::ShowPlace(v, own);
}

// Whether arguments of these types can be shown without room of unknown size.
template <class... A>
inline constexpr bool kCanBeShown =
    (true && ... &&
     !(std::is_same_v<std::remove_cvref_t<A>, TensorList> ||
       std::is_same_v<std::remove_cvref_t<A>, std::span<const Scalar>> ||
       std::is_same_v<std::remove_cvref_t<A>, std::optional<std::span<const Scalar>>>));

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_VIEWED_H_
