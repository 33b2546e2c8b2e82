#include "xnn.h"

namespace xnnpack {
namespace {

// What is neither XNNPACK's nor the caller's fault.
void Throw(xnn_status status) {
  switch (status) {
    case xnn_status_out_of_memory:
      throw Error(SY_E_OUT_OF_MEMORY, "XNNPACK: out of memory");
    case xnn_status_unsupported_hardware:
      throw Error(SY_E_UNSUPPORTED, "XNNPACK: this processor lacks what it needs");
    case xnn_status_uninitialized:
      throw Error(SY_E_INTERNAL, "XNNPACK: not initialised");
    default:
      throw Error(SY_E_INTERNAL, "XNNPACK: status " + std::to_string(status));
  }
}

}  // namespace

void Created(xnn_status status) {
  if (status == xnn_status_success) return;
  if (status == xnn_status_invalid_parameter) throw Declined("XNNPACK: invalid parameter");
  if (status == xnn_status_unsupported_parameter) throw Declined("XNNPACK: unsupported parameter");
  Throw(status);
}

void Computed(xnn_status status) {
  if (status != xnn_status_success) Throw(status);
}

}  // namespace xnnpack
