// One call of a plugin's kernel: the views it gets, on the stack, and what it asks the host for.
//
//   Frame f(call, record);            // fills SyCall, SyValue, SyTensor; nothing is counted
//   f.SetOuts(call.outs);
//   int32_t code = fn(&f);
//
// Usual calls (up to 12 arguments, no lists of tensors or numbers) allocate nothing.
// Owns: workspaces, results given by the kernel, copies of lists.
// Threads: one frame, one thread.
#ifndef PLUGIN_FRAME_H_
#define PLUGIN_FRAME_H_

#include <deque>
#include <memory>
#include <vector>

#include "plugin/abi.h"
#include "plugin/device.h"
#include "switchyard/registry/kernel.h"

namespace sy::plugin {

extern const SyHost kHostFunctions;

// Whose buffers and addresses a kernel may see. Words, not flags: compilers spill a byte and read a
// word back, which costs a stalled load for each view.
struct Viewer {
  const Allocator* own = nullptr;       // of the plugin's device that the call is on
  uintptr_t own_mask = 0;               // of its addresses: all bits where its memory has any
  uintptr_t host_mask = ~uintptr_t{0};  // 0 for shape rules, which see no data
};

// Two neighbours of 32 bits by one store: views cost what their stores cost.
SY_INLINE void StorePair(void* first, uint32_t low, uint32_t high) {
  const uint64_t both = low | uint64_t{high} << 32;
  std::memcpy(first, &both, sizeof(both));
}
static_assert(offsetof(SyTensor, dtype) == offsetof(SyTensor, ndim) + 4 &&
              offsetof(SyTensor, index) == offsetof(SyTensor, device) + 4 &&
              offsetof(SyValue, length) == offsetof(SyValue, tag) + 4);

SY_INLINE void FillView(SyTensor& v, const Tensor& t, const Viewer& viewer) {
  const TensorImpl* x = t.impl();
  const KeyWord key = x->key;
  const StorageImpl* s = x->storage;
  const auto data = reinterpret_cast<uintptr_t>(s->data);
  int64_t offset = x->offset;
  if (offset != 0) offset *= static_cast<int64_t>(ItemSize(DTypeOfKey(key)));
  v.ref = reinterpret_cast<SyTensorRef>(const_cast<TensorImpl*>(x));
  v.flags = x->flags & uint64_t{SY_TENSOR_CONTIGUOUS | SY_TENSOR_WRAPPED_NUMBER};
  v.sizes = x->dims;
  v.strides = x->dims + x->ndim;
  v.numel = x->numel;
  StorePair(&v.ndim, x->ndim, static_cast<uint32_t>(DTypeOfKey(key)));
  v.byte_offset = static_cast<uint64_t>(offset);
  const uintptr_t address = data == 0 ? 0 : data + static_cast<uintptr_t>(offset);
  if (RowOfKey(key) == kHostRow) {
    StorePair(&v.device, kHostRow, ~uint32_t{0});
    v.buffer = nullptr;
    v.data = reinterpret_cast<void*>(address & viewer.host_mask);
    return;
  }
  StorePair(&v.device, RowOfKey(key), static_cast<uint32_t>(IndexOfKey(key)));
  const bool own = s->allocator != nullptr && s->allocator == viewer.own;
  v.buffer = own ? &static_cast<const Device::Block*>(s->context)->buffer : nullptr;
  v.data = own ? reinterpret_cast<void*>(address & viewer.own_mask) : nullptr;
}
static_assert(kContiguousFlag == SY_TENSOR_CONTIGUOUS &&
              kWrappedNumberFlag == SY_TENSOR_WRAPPED_NUMBER);

// Boxed values as the ABI has them.
class Views {
 public:
  static constexpr size_t kInline = 12;
  SY_INLINE Views(std::span<const Value> args, const Viewer& viewer) : size_(args.size()) {
    const Value* v = args.data();
    const size_t n = args.size();
    if (n > kInline) [[unlikely]]
      MakeRoom();
    SyValue* out = values_;
    SyTensor* tensor = tensors_;
    for (size_t i = 0; i < n; ++i, ++v, ++out, ++tensor) {
      const Tag tag = v->tag;
      if (tag == Tag::kTensor) {
        FillView(*tensor, v->tensor(), viewer);
        StorePair(&out->tag, SY_V_TENSOR, 0);
        out->u.tensor = tensor;
      } else if (tag == Tag::kTensorList || tag == Tag::kScalarList) [[unlikely]] {
        FillList(*out, *v, viewer);
      } else {
        // Field by field, as they were written: one wide load would wait for the narrow stores.
        out->tag = static_cast<uint32_t>(tag);
        out->length = v->len;
        out->u.i = v->i;
      }
    }
  }
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;
  ~Views() {
    if (more_ != nullptr) [[unlikely]]
      DeleteMore();
  }
  const SyValue* data() const { return values_; }
  uint32_t size() const { return static_cast<uint32_t>(size_); }

 private:
  struct More;
  SY_COLD void MakeRoom();
  SY_COLD void FillList(SyValue& out, const Value& v, const Viewer& viewer);
  SY_COLD void DeleteMore();
  More& more();

  size_t size_;
  More* more_ = nullptr;
  SyValue* values_ = inline_values_;
  SyTensor* tensors_ = inline_tensors_;
  SyValue inline_values_[kInline];    // uninitialised past size_
  SyTensor inline_tensors_[kInline];  // written where the value is a tensor
};

// What the other side gives, as our values. Tensors of an argument list live in `held`.
struct ReceivedValues {
  std::deque<std::vector<Tensor>> tensor_lists;
  std::deque<std::vector<Scalar>> scalar_lists;
  std::vector<Value> values;
  // Errors: kInvalidArgument for tags that do not exist.
  ReceivedValues(const SyValue* in, uint32_t n);
};

struct KernelRecord;

// All bits where the device's memory has addresses.
inline uintptr_t AddressMask(const Device::State* s) {
  const bool has = s != nullptr && (s->capabilities & SY_DEVICE_ADDRESSES) != 0;
  return has ? ~uintptr_t{0} : 0;
}

struct Frame : SyCall {
  static constexpr size_t kMaxOuts = 8;

  // own: the plugin's device of the call, null with a null state where it is another's.
  SY_INLINE Frame(const BoxedCall& c, const KernelRecord& r, Device* own,
                  Device::State* state_of_device)
      : call(c),
        record(r),
        state(state_of_device),
        viewer{own, AddressMask(state_of_device), ~uintptr_t{0}},
        views(c.args, viewer) {
    size = sizeof(SyCall);
    dtype = static_cast<uint32_t>(DTypeOfKey(c.key));
    SyCall::device = RowOfKey(c.key);
    index = IndexOfKey(c.key);
    host = &kHostFunctions;
    device_state = state == nullptr ? nullptr : state->device;
    stream = state == nullptr ? nullptr : state->CurrentStream(PlaceOfKey(c.key));
    in = views.data();
    n_in = views.size();
    out = out_pointers;
    n_out = 0;
    error = text.abi();
  }
  ~Frame() {
    if (asked != nullptr) [[unlikely]]
      Release();
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  SY_INLINE void AddOut(const Tensor& t) {
    FillView(out_tensors[n_out], t, viewer);
    out_pointers[n_out] = &out_tensors[n_out];
    ++n_out;
  }
  void AddUnknownOuts(uint32_t n) {
    for (; n_out < n; ++n_out) out_pointers[n_out] = nullptr;
  }

  // What the kernel has asked for; made at the first request.
  struct Asked {
    std::deque<SyBuffer> device_memory;
    std::deque<Tensor> host_memory;
    std::deque<SyBuffer> host_buffers;
    Tensor given[kMaxOuts];
  };
  Asked& Ask() {
    if (asked == nullptr) asked = new Asked;
    return *asked;
  }
  void Release();

  const BoxedCall& call;
  const KernelRecord& record;
  Device::State* const state;
  const Viewer viewer;
  Asked* asked = nullptr;
  Views views;
  ErrorText text;
  const SyTensor* out_pointers[kMaxOuts];
  SyTensor out_tensors[kMaxOuts];
};

}  // namespace sy::plugin

#endif  // PLUGIN_FRAME_H_
