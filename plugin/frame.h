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

// Whose buffers and addresses a kernel may see.
struct Viewer {
  const Allocator* own = nullptr;  // of the plugin's device that the call is on
  bool addresses = false;          // its memory has addresses
  bool host_data = true;           // false for shape rules
};

SY_INLINE void FillView(SyTensor& v, const Tensor& t, const Viewer& viewer) {
  const TensorImpl* x = t.impl();
  const StorageImpl* s = x->storage;
  const Row row = RowOfKey(x->key);
  const bool own = s->allocator != nullptr && s->allocator == viewer.own;
  const int64_t offset = x->offset * static_cast<int64_t>(ItemSize(x->dtype()));
  const bool visible = row == kHostRow ? viewer.host_data : own && viewer.addresses;
  v.data = visible && s->data != nullptr ? static_cast<char*>(s->data) + offset : nullptr;
  v.buffer = own ? &static_cast<const Device::Block*>(s->context)->buffer : nullptr;
  v.byte_offset = static_cast<uint64_t>(offset);
  v.sizes = x->dims;
  v.strides = x->dims + x->ndim;
  v.numel = x->numel;
  v.ndim = x->ndim;
  v.dtype = static_cast<uint32_t>(x->dtype());
  v.device = row;
  v.index = row == kHostRow ? -1 : IndexOfKey(x->key);
  v.flags = x->flags & (SY_TENSOR_CONTIGUOUS | SY_TENSOR_WRAPPED_NUMBER);
  v.ref = reinterpret_cast<SyTensorRef>(const_cast<TensorImpl*>(x));
}
static_assert(kContiguousFlag == SY_TENSOR_CONTIGUOUS &&
              kWrappedNumberFlag == SY_TENSOR_WRAPPED_NUMBER);

// Boxed values as the ABI has them.
class Views {
 public:
  static constexpr size_t kInline = 12;
  Views(std::span<const Value> args, const Viewer& viewer) : size_(args.size()) {
    if (size_ > kInline) [[unlikely]]
      MakeRoom();
    for (size_t i = 0; i < size_; ++i) {
      const Value& v = args[i];
      SyValue& out = values()[i];
      if (v.tag == Tag::kTensor) {
        FillView(tensors()[i], v.tensor(), viewer);
        out.tag = SY_V_TENSOR;
        out.length = 0;
        out.u.tensor = &tensors()[i];
      } else if (v.tag == Tag::kTensorList || v.tag == Tag::kScalarList) [[unlikely]] {
        FillList(out, v, viewer);
      } else {
        static_assert(sizeof(Value) == sizeof(SyValue));
        std::memcpy(&out, &v, sizeof(out));
      }
    }
  }
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;
  ~Views() {
    if (more_ != nullptr) [[unlikely]]
      DeleteMore();
  }
  const SyValue* data() { return values(); }
  uint32_t size() const { return static_cast<uint32_t>(size_); }

 private:
  struct More;
  SyValue* values() { return values_; }
  SyTensor* tensors() { return tensors_; }
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

struct Frame : SyCall {
  static constexpr size_t kMaxOuts = 8;

  Frame(const BoxedCall& c, const KernelRecord& r, Device::State* state_of_device,
        const Viewer& seen)
      : call(c), record(r), state(state_of_device), viewer(seen), views(c.args, seen) {
    size = sizeof(SyCall);
    dtype = static_cast<uint32_t>(DTypeOfKey(c.key));
    SyCall::device = RowOfKey(c.key);
    index = IndexOfKey(c.key);
    host = &kHostFunctions;
    device_state = state == nullptr ? nullptr : state->device;
    stream = state == nullptr ? nullptr : state->stream;
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

  void AddOut(const Tensor& t) {
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
