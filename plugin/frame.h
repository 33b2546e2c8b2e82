// One call of a plugin's kernel: the views it gets, on the stack, and what it asks the host for.
//
//   Views in(call.args, own);  // fills SyValue, SyTensor; nothing is counted
//   Frame f(record, *call.kernel, call.key, state, in.data(), outs, counts);
//   int32_t code = fn(&f);
//
// Typed calls have filled the views already (op/viewed.h). Usual calls (up to 12 arguments,
// no lists of tensors or numbers) allocate nothing.
// Owns: workspaces, results given by the kernel, copies of lists.
// Threads: one frame, one thread.
#ifndef PLUGIN_FRAME_H_
#define PLUGIN_FRAME_H_

#include <deque>
#include <memory>
#include <vector>

#include "plugin/abi.h"
#include "plugin/device.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/viewed.h"

namespace sy::plugin {

extern const SyHost kHostFunctions;

// What a plugin calls by call_operator. out: n_out owned references; none where it throws.
void CallOperator(SyOperator op, const SyValue* in, uint32_t n_in, SyTensorRef* out,
                  uint32_t n_out);

// A tensor of the ABI is counted as ours is.
SY_INLINE TensorImpl* ImplOf(SyTensorRef ref) { return static_cast<TensorImpl*>(ref); }
inline Tensor Shared(SyTensorRef ref) {
  ImplOf(ref)->refs.Increment();
  return Tensor(ImplOf(ref));
}

// Boxed values as the ABI has them.
class Views {
 public:
  static constexpr size_t kInline = 12;
  // own: of the plugin's device that the call is on, whose memory it may see.
  Views(std::span<const Value> args, const Allocator* own) : size_(args.size()) {
    const Value* v = args.data();
    const size_t n = args.size();
    if (n > kInline) [[unlikely]]
      MakeRoom();
    SyValue* out = values_;
    SyTensor* tensor = tensors_;
    for (size_t i = 0; i < n; ++i, ++v, ++out, ++tensor) {
      const Tag tag = v->tag;
      if (tag == Tag::kTensor) {
        ShowTensor(*tensor, v->tensor(), own);
        out->tag = SY_V_TENSOR;
        out->length = 0;
        out->u.tensor = tensor;
      } else if (tag == Tag::kTensorList || tag == Tag::kScalarList) [[unlikely]] {
        FillList(*out, *v, own);
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
  ~Views() = default;
  // For shape functions, which see no data.
  void HideData();
  const SyValue* data() const { return values_; }
  uint32_t size() const { return static_cast<uint32_t>(size_); }

 private:
  struct More;
  SY_COLD void MakeRoom();
  SY_COLD void FillList(SyValue& out, const Value& v, const Allocator* own);
  More& more();
  struct DeleteMore {
    SY_COLD void operator()(More* more) const;
  };

  size_t size_;
  std::unique_ptr<More, DeleteMore> more_;  // freed too where filling it fails
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
void* UserOf(const KernelRecord& r);  // see kernel.h

// counts: of args, of outs in the upper half.
struct Frame : SyCall {
  static constexpr size_t kMaxOuts = 8;

  // state: of the plugin's device that the call is on, null where it is on another's.
  SY_INLINE Frame(const KernelRecord& r, const KernelDef& k, KeyWord key_of_call, Device::State* s,
                  const SyValue* args, const SyTensor* const* outs, uint64_t counts)
      : kernel(k), key(key_of_call), state(s) {
    const auto dtype_of_key = static_cast<uint64_t>(DTypeOfKey(key));
    const auto index_of_key = static_cast<uint64_t>(static_cast<uint32_t>(IndexOfKey(key)));
    StoreWord(&size, sizeof(SyCall) | dtype_of_key << 32);
    StoreWord(&device, RowOfKey(key) | index_of_key << 32);
    host = &kHostFunctions;
    device_state = s == nullptr ? nullptr : s->device;
    stream = s == nullptr ? nullptr : s->CurrentStream(PlaceOfKey(key));
    user = UserOf(r);
    in = args;
    out = outs;
    StoreWord(&n_in, counts);
    // A text of a record, which ends with a zero.
    sequence = s == nullptr ? 0 : s->NumberCall(k.op.data());
    error = text.abi();
  }
  ~Frame() {
    if (asked != nullptr) [[unlikely]]
      Release();
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  // What the kernel has asked for; made at the first request.
  struct Asked {
    std::deque<SyBuffer> device_memory;
    std::deque<Tensor> host_memory;
    std::deque<SyBuffer> host_buffers;
    Tensor given[kMaxOuts];
    std::vector<std::shared_ptr<void>> held;  // states that were found
  };
  Asked& Ask() {
    if (asked == nullptr) asked = new Asked;
    return *asked;
  }
  void Release();

  const KernelRecord& record() const { return *static_cast<const KernelRecord*>(kernel.data); }

  const KernelDef& kernel;
  const KeyWord key;
  Device::State* const state;
  Asked* asked = nullptr;
  ErrorText text;
};

}  // namespace sy::plugin

#endif  // PLUGIN_FRAME_H_
