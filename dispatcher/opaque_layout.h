// Opaque layouts: tensors whose bytes only their maker understands, as packed weights, blocked
// activations and block-quantised formats are.
//
//   class Blocked : public OpaqueLayout { … };     // how many bytes, Pack, Unpack, Call
//   Blocked blocked("mine::blocked", kHost);
//   RegisterLayout(&blocked);
//   Tensor w = ToLayout(weight, "mine::blocked");  // sizes and dtype of weight, bytes of blocked
//   sy::linear(x, w);                              // blocked.Call, or with w unpacked
//   Tensor back = ToStrided(w);
//
// Such a tensor has sizes, dtype and device, and no bytes that anything but its layout reaches: what
// needs an address, data, DLPack, files, printing, refuses it as it does one without data. A call
// with one goes to Call of the layout; what that does not serve goes on with strided copies of the
// arguments, which is counted. Results are strided unless Call makes others. ATen keeps such tensors
// as OpaqueTensorImpl, to_mkldnn and to_dense.
// Owns: a layer, from the first layout on; layouts stay the caller's.
// Threads: any; a layout's functions are called from any thread at the same time.
// Errors: kRegistration for a name that is taken, kNotFound for one that there is not;
// kNotImplemented for a call that would write to one; otherwise what the layout throws.
#ifndef SWITCHYARD_DISPATCHER_OPAQUE_LAYOUT_H_
#define SWITCHYARD_DISPATCHER_OPAQUE_LAYOUT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/core/device.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy {

class SY_API OpaqueLayout {
 public:
  // name: with a namespace, "mine::blocked". device: on which its tensors are.
  OpaqueLayout(std::string name, DeviceType device) : name_(std::move(name)), device_(device) {}
  OpaqueLayout(const OpaqueLayout&) = delete;
  virtual ~OpaqueLayout() = default;
  const std::string& name() const { return name_; }
  DeviceType device() const { return device_; }

  // How many bytes a tensor takes. Throws where there is none of these sizes or this dtype.
  virtual int64_t Bytes(IntSpan sizes, DType dtype) const = 0;
  // strided: row-major without gaps, on the device; bytes: uint8, of as many elements, there as
  // well. Both are done, or queued on the thread's current stream, when they return.
  virtual void Pack(const Tensor& strided, const Tensor& bytes) const = 0;
  virtual void Unpack(const Tensor& bytes, const Tensor& strided) const = 0;
  // Computes a call of which an argument has this layout, and fills the results, one for each of the
  // operator's. False: it does not serve it, and nothing is written.
  virtual bool Call(const OperatorEntry& /*op*/, std::span<const Value> /*args*/,
                    std::span<Result> /*results*/) const {
    return false;
  }

 private:
  const std::string name_;
  const DeviceType device_;
};

// The layout must live until it is unregistered.
SY_API void RegisterLayout(OpaqueLayout* layout);
// Errors: kBusy while tensors of it are alive, with their number.
SY_API void UnregisterLayout(OpaqueLayout* layout);
SY_API std::vector<const OpaqueLayout*> OpaqueLayouts();  // by name

// A copy of t, on the layout's kind of device, in that layout; t itself where it has it.
SY_API Tensor ToLayout(const Tensor& t, std::string_view layout);
// A row-major copy; t itself where it is strided.
SY_API Tensor ToStrided(const Tensor& t);
// Null of a strided tensor.
SY_API const OpaqueLayout* LayoutOf(const Tensor& t);
// Its bytes, for the layout itself: uint8, one dimension. Errors: kInvalidArgument of a strided one.
SY_API Tensor OpaqueBytes(const Tensor& t);

// Since the program began: calls that layouts served, and arguments that were unpacked for others.
struct LayoutCounts {
  uint64_t served, unpacked;
};
SY_API LayoutCounts CountLayouts();

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_OPAQUE_LAYOUT_H_
