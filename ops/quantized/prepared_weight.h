// What a device makes of a packed weight once, at its first use: the same elements as its products
// like them.
//
//   if (PreparedWeight* slot = FindPreparedWeight(weight)) slot->Get([&] { return … ; });
//
// The packers (packed_layers_composite.cc) freeze their weights and give them an empty slot.
// Owns: what was made, until the weight goes.
// Threads: any. Errors: those of what makes it.
#ifndef SWITCHYARD_OPS_QUANTIZED_PREPARED_WEIGHT_H_
#define SWITCHYARD_OPS_QUANTIZED_PREPARED_WEIGHT_H_

#include <atomic>
#include <memory>

#include "switchyard/core/attachment.h"
#include "switchyard/core/constant.h"

namespace sy {

class PreparedWeight : public Attachment {
 public:
  static constexpr AttachmentKind kKind{"prepared weight"};
  struct Made {
    virtual ~Made() = default;
  };
  ~PreparedWeight() override { delete made_.load(std::memory_order_relaxed); }

  // make: gives a std::unique_ptr<T>, T derived from Made; of several threads that make one, the
  // first one's is kept. One device's kernels alone call it for a weight, with one T.
  template <class T, class F>
  const T& Get(F make) {
    Made* made = made_.load(std::memory_order_acquire);
    if (made == nullptr) {
      std::unique_ptr<T> own = make();
      if (made_.compare_exchange_strong(made, own.get(), std::memory_order_acq_rel))
        made = own.release();
    }
    return *static_cast<const T*>(made);
  }

 private:
  std::atomic<Made*> made_ = nullptr;
};

// Null where there is none, or the elements may change.
inline PreparedWeight* FindPreparedWeight(const Tensor& weight) {
  return is_frozen(weight) ? Attached<PreparedWeight>(weight) : nullptr;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_QUANTIZED_PREPARED_WEIGHT_H_
