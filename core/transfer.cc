#include "switchyard/core/transfer.h"

#include <cstring>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/shape.h"

namespace sy {

size_t SpannedBytes(const Meta& t) {
  return static_cast<size_t>(StorageExtent(t.sizes(), t.strides())) * t.itemsize();
}

Tensor ToHost(const Tensor& t) {
  if (t.is_host() || !t.defined()) return t;
  if (t.data() == nullptr && t.numel() != 0) {
    Fail(ErrorCode::kDataDependent,
         {"a tensor on ", t.device().str(), " has no data to copy to the host"});
  }
  Tensor host = Tensor::EmptyStrided(t.sizes(), t.strides(), t.dtype());
  const size_t n = SpannedBytes(t);
  if (n != 0)
    BackendOf(t.device().type).CopyToHost(host.data(), t.data(), n, IndexOfKey(t.key()), nullptr);
  return host;
}

Scalar ReadNumber(const Tensor& t) {
  const Tensor host = ToHost(t);
  return VisitDType<kAllTypes>(host.dtype(), [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::type;
    const T x = *static_cast<const T*>(host.data());
    if constexpr (std::is_same_v<T, ComplexHalf>) {
      return Scalar(std::complex<float>(x));
    } else if constexpr (std::is_integral_v<T> || requires { typename T::value_type; }) {
      return Scalar(x);
    } else {
      return Scalar(static_cast<double>(x));
    }
  });
}

Tensor FromHost(const Tensor& host, Device device) {
  if (device.type == kHost || !host.defined()) return host;
  Tensor t = Tensor::EmptyStrided(host.sizes(), host.strides(), host.dtype(), device);
  CopyBack(t, host);
  return t;
}

void CopyBack(const Tensor& t, const Tensor& host) {
  const size_t n = SpannedBytes(host);
  if (n == 0 || t.data() == nullptr) return;
  if (t.is_host()) {
    std::memmove(t.data(), host.data(), n);
  } else {
    BackendOf(t.device().type).CopyFromHost(t.data(), host.data(), n, IndexOfKey(t.key()), nullptr);
  }
}

}  // namespace sy
