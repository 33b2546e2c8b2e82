// Tensors as kernels see them that know nothing of our types: the C struct of the plugin ABI
// (c/values.h), on the caller's stack, filled from the tensor, without a count.
//
//   SyTensor v;
//   ShowTensor(v, t, own);    // v.data, v.sizes, … are t's, as long as t lives
//
// A kernel that wants views (KernelDef::viewed) is called by a typed function that fills them from
// its own arguments (VariantsOf::ViewingKernel): no boxed arguments in between.
// Cost: a handful of stores for each tensor; no memory, no lock, no count.
//
// Where data and buffer point to:
//
//   a tensor on the host             data: its first element; buffer null
//   on the kernel's own device       buffer: Allocation::context; data only if the device says that
//                                    kernels may compute with addresses
//   on another device                both null
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_OP_VIEWED_H_
#define SWITCHYARD_OP_VIEWED_H_

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "switchyard/c/values.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"

namespace sy {

struct KernelDef;

// args: in schema order. counts: of args, of outs in the upper half. Five words, so that all travel
// in registers.
using ViewedFn = void (*)(const KernelDef& kernel, KeyWord key, const SyTensor* const* outs,
                          const SyValue* args, uint64_t counts);

// What a kernel that wants views gives beside its KernelDef; kept by whoever registers it.
struct ViewedKernel {
  ViewedFn fn = nullptr;
  // Of the device whose memory the views show; null: the host's alone.
  std::atomic<const Allocator*> own{nullptr};
};

// Data of a device without addresses lie at numbers that no pointer can be. x86-64: bit 56 set and
// those above clear, with 4 or with 5 levels of page tables (Intel SDM volume 1, section 3.3.7.1).
// aarch64: bit 55, which is set in the system's addresses alone; the byte above it is ignored (Arm
// ARM, D8.8.1, address tagging).
#if defined(__x86_64__)
inline constexpr int kNumberedDataBit = 56;
#else
inline constexpr int kNumberedDataBit = 55;
#endif

// Two words by one store, for calls of plugins cost what their stores cost. Of words that come from
// memory: computed ones take longer to meet in a vector register than to be stored apart.
SY_INLINE void StorePair(void* at, uint64_t low, uint64_t high) {
  using Pair __attribute__((vector_size(16), aligned(8), may_alias)) = uint64_t;
  *static_cast<Pair*>(at) = Pair{low, high};
}

// Two neighbours of four bytes, the lower half first.
SY_INLINE void StoreWord(void* at, uint64_t word) { std::memcpy(at, &word, sizeof word); }

namespace internal {

// What the views so far have in common is the host, its first byte and no offset, unless bits say
// no.
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
SY_INLINE void ShowHost(SyTensor& v, const Tensor& t, Shown& shown) {
  TensorImpl* x = t.impl();
  const KeyWord key = x->key;
  const uint32_t ndim = x->ndim;
  const auto word = [](const void* p) { return reinterpret_cast<uint64_t>(p); };
  StorePair(&v.data, word(x->storage->data), 0);  // and buffer
  StorePair(&v.byte_offset, 0, word(x->dims));
  StorePair(&v.strides, word(x->dims + ndim), static_cast<uint64_t>(x->numel));
  StoreWord(&v.ndim, ndim | (key & (kMaxDTypes - 1)) << 32);
  StoreWord(&v.device, kHostPlace);  // and index
  const uint64_t constant = x->storage->marks.load(std::memory_order_relaxed);
  v.flags = (x->flags & uint64_t{kContiguousFlag | kWrappedNumberFlag}) |
            (constant & StorageImpl::kConstant) * SY_TENSOR_CONSTANT;
  v.ref = x;
  shown.keys |= key ^ MakeKey(kHostRow, DType{});
  shown.offsets |= static_cast<uint64_t>(x->offset);
}

// Completes a view that ShowHost has filled, of a tensor elsewhere or not at its storage's start.
SY_API void ShowPlace(SyTensor& v, const Allocator* own);

// Completes views of which some are not of ShowHost's kind; undefined arguments become None.
SY_API void ShowOthers(std::span<SyTensor> views, std::span<SyValue> args, const Allocator* own);

// A value that is no tensor and no list of tensors or numbers crosses as it is.
SY_INLINE SyValue ShowValue(const Value& v) { return std::bit_cast<SyValue>(v); }

// An argument as a kernel that wants views gets it. next: room for one view more.
template <class T>
SY_INLINE SyValue ShowArgument(const T& a, [[maybe_unused]] SyTensor*& next,
                               [[maybe_unused]] Shown& shown) {
  if constexpr (std::is_same_v<T, Tensor>) {
    ShowHost(*next, a, shown);
    SyValue v;
    v.tag = SY_V_TENSOR;
    v.length = 0;
    v.u.tensor = next++;
    return v;
  } else {
    return ShowValue(Value(a));
  }
}

}  // namespace internal

// own: see ViewedKernel.
// For one tensor; t: defined.
inline void ShowTensor(SyTensor& v, const Tensor& t, const Allocator* own) {
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

#endif  // SWITCHYARD_OP_VIEWED_H_
