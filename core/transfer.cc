#include "switchyard/core/transfer.h"

#include <atomic>
#include <cstring>
#include <vector>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/shape.h"

namespace sy {

size_t SpannedBytes(const TensorBase& t) {
  return static_cast<size_t>(StorageExtent(t.sizes(), t.strides())) * t.itemsize();
}

namespace {

// Fills `host`, which lies as t does.
void CopyTo(const Tensor& host, const Tensor& t) {
  const size_t n = SpannedBytes(t);
  if (n != 0)
    BackendOf(t.device().type).CopyToHost(host.data(), t.data(), n, IndexOfKey(t.key()), nullptr);
}

// Of elements of n bytes, the sign: the last bit of the last byte, as machines are little-endian.
void FlipSign(unsigned char* element, size_t n) { element[n - 1] ^= 0x80; }

// The elements themselves, row-major, of a tensor on the host that shows others in memory.
Tensor WrittenOut(const Tensor& t, const Tensor& host) {
  const Tensor out = Tensor::Empty(t.sizes(), t.dtype());
  const size_t n = t.itemsize();
  auto* to = static_cast<unsigned char*>(out.data());
  const auto* from = static_cast<const unsigned char*>(host.data());
  std::vector<int64_t> at(t.sizes().size());
  for (int64_t i = 0; i < t.numel(); ++i, to += n) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d) offset += at[d] * host.strides()[d];
    std::memcpy(to, from + offset * static_cast<int64_t>(n), n);
    if (t.is_conj()) FlipSign(to, n);
    if (t.is_neg()) FlipSign(to, n);
    if (t.is_neg() && IsComplex(t.dtype())) FlipSign(to, n / 2);
    for (size_t d = at.size(); d > 0 && ++at[d - 1] == t.sizes()[d - 1]; --d) at[d - 1] = 0;
  }
  return out;
}

Tensor OnHost(const Tensor& t, const Tensor& host) {
  return t.is_conj() || t.is_neg() ? WrittenOut(t, host) : host;
}

}  // namespace

void internal::RequireResolved(const TensorBase& t, std::string_view what) {
  if (t.is_quantized()) {
    Fail(ErrorCode::kInvalidArgument,
         {what, ": ", Describe(t),
          " holds integers that stand for numbers; int_repr gives the integers, dequantize the "
          "numbers"});
  }
  if (!t.is_strided()) {
    Fail(ErrorCode::kInvalidArgument,
         {what, ": ", Describe(t), " is not strided; to_dense makes it so"});
  }
  if (!t.is_conj() && !t.is_neg()) return;
  Fail(ErrorCode::kInvalidArgument,
       {what, ": ", Describe(t), " is a view of ", t.is_conj() ? "conjugates" : "negatives",
        " of what lies in memory; ", t.is_conj() ? "resolve_conj" : "resolve_neg",
        " writes them out"});
}

namespace internal {
// Told of tensors that are about to be read here, without an operator whose layers would see them:
// results that are still being computed (collective/pending.cc) are waited for. Null: nobody asks.
extern SY_API std::atomic<void (*)(const Tensor&)> before_host_read;
std::atomic<void (*)(const Tensor&)> before_host_read{nullptr};
}  // namespace internal

Tensor ToHost(const Tensor& t) {
  if (!t.defined()) return t;
  if (auto* const told = internal::before_host_read.load(std::memory_order_acquire);
      told != nullptr) [[unlikely]]
    told(t);
  if (!HasBytes(t) && t.numel() != 0) {
    Fail(ErrorCode::kDataDependent,
         {Describe(t), " has no data to copy to the host",
          t.is_host() ? ": its elements are held elsewhere (packed, sharded)" : ""});
  }
  if (t.is_host()) return OnHost(t, t);
  Tensor host = Tensor::EmptyStrided(t.sizes(), t.strides(), t.dtype());
  CopyTo(host, t);
  return OnHost(t, host);
}

Tensor ToPinnedHost(const Tensor& t) {
  if (t.is_host() || !HasBytes(t) || BackendOf(t.device().type).pinned_allocator() == nullptr) {
    return ToHost(t);
  }
  Tensor host;
  try {
    host = EmptyStridedPinned(t.sizes(), t.strides(), t.dtype(), t.device());
  } catch (const Error&) {  // there is no more of it
    return ToHost(t);
  }
  CopyTo(host, t);
  return OnHost(t, host);
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

Tensor HostView(const Tensor& t) {
  if (t.is_host()) return t;
  // Without elements there may be no block behind the address.
  if (!HasBytes(t) || t.numel() == 0) return {};
  DeviceBackend& backend = BackendOf(t.device().type);
  void* data = backend.HostAddress(t.data());
  if (data == nullptr) return {};
  const Stream stream = CurrentStream(t.device());
  if (stream.impl() != nullptr) {
    stream.Synchronize();
  } else {
    backend.Synchronize(IndexOfKey(t.key()));
  }
  return Tensor::FromBlob(data, t.sizes(), t.strides(), t.dtype(), [t] {});
}

namespace {

// Whether copying is moving one run of bytes.
bool LieAlike(const Tensor& out, const Tensor& src) {
  return out.dtype() == src.dtype() && SameSizes(out.sizes(), src.sizes()) &&
         SameSizes(out.strides(), src.strides()) && out.is_non_overlapping_and_dense();
}

}  // namespace

bool CopyBetweenDevices(const Tensor& out, const Tensor& src) {
  if (out.is_host() || src.is_host() || !HasBytes(out) || !HasBytes(src) || !LieAlike(out, src)) {
    return false;
  }
  return BackendOf(out.device().type)
      .CopyFromDevice(out.data(), IndexOfKey(out.key()), BackendOf(src.device().type), src.data(),
                      IndexOfKey(src.key()), SpannedBytes(out));
}

bool CopyNonBlocking(const Tensor& out, const Tensor& src) {
  const Tensor& host = out.is_host() ? out : src;
  const Tensor& there = out.is_host() ? src : out;
  if (!IsPinned(host) || there.is_host() || !HasBytes(there) || !LieAlike(out, src)) return false;
  const Stream stream = CurrentStream(there.device());
  if (stream.impl() == nullptr) return false;
  DeviceBackend& backend = BackendOf(there.device().type);
  const size_t n = SpannedBytes(out);
  const int index = IndexOfKey(there.key());
  if (out.is_host()) {
    backend.CopyToHost(out.data(), src.data(), n, index, stream.impl());
  } else {
    backend.CopyFromHost(out.data(), src.data(), n, index, stream.impl());
  }
  RecordStream(host, stream);
  return true;
}

void CopyBack(const Tensor& t, const Tensor& host) {
  const size_t n = SpannedBytes(host);
  if (n == 0 || !HasBytes(t)) return;
  if (t.is_host()) {
    std::memmove(t.data(), host.data(), n);
  } else {
    BackendOf(t.device().type).CopyFromHost(t.data(), host.data(), n, IndexOfKey(t.key()), nullptr);
  }
}

}  // namespace sy
