#include "switchyard/core/dlpack.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace sy {
namespace {

constexpr uint32_t kMajor = 1, kMinor = 1;

// --- Numbers of dlpack.h, some of which came after the oldest one that is served.

struct NamedDevice {
  std::string_view name;
  int code;
};
constexpr NamedDevice kDevices[] = {{"cpu", 1},      {"cuda", 2},  {"opencl", 4},  {"vulkan", 7},
                                    {"metal", 8},    {"rocm", 10}, {"oneapi", 14}, {"webgpu", 15},
                                    {"hexagon", 16}, {"maia", 17}};
constexpr int kCudaHost = 3, kRocmHost = 11, kExtension = 12, kCudaManaged = 13;
constexpr int kIndices = 256;  // of one row, in the id of an extension device

struct NamedType {
  DType dtype;
  uint8_t code, bits;
};
constexpr NamedType kTypes[] = {
    {DType::kBool, 6, 8},         {DType::kUInt8, 1, 8},         {DType::kInt8, 0, 8},
    {DType::kInt16, 0, 16},       {DType::kInt32, 0, 32},        {DType::kInt64, 0, 64},
    {DType::kUInt16, 1, 16},      {DType::kUInt32, 1, 32},       {DType::kUInt64, 1, 64},
    {DType::kFloat16, 2, 16},     {DType::kBFloat16, 4, 16},     {DType::kFloat32, 2, 32},
    {DType::kFloat64, 2, 64},     {DType::kComplex32, 5, 32},    {DType::kComplex64, 5, 64},
    {DType::kComplex128, 5, 128}, {DType::kFloat8E4M3FN, 10, 8}, {DType::kFloat8E5M2, 12, 8}};

DLDataType TypeOf(DType dtype) {
  for (const NamedType& t : kTypes) {
    if (t.dtype == dtype) return {t.code, t.bits, 1};
  }
  Fail(ErrorCode::kInvalidArgument, {"DLPack has no element type for ", dtype});
}

DType DTypeFrom(const DLDataType& given) {
  for (const NamedType& t : kTypes) {
    if (t.code == given.code && t.bits == given.bits && given.lanes == 1) return t.dtype;
  }
  Fail(ErrorCode::kInvalidArgument,
       {"a DLPack tensor of element type code ", int{given.code}, ", ", int{given.bits}, " bits, ",
        int{given.lanes}, " lanes: there is no such dtype"});
}

DLDevice DeviceTo(const Tensor& t) {
  const Device d = t.device();
  const int index = std::max<int>(d.index, 0);
  for (const NamedDevice& known : kDevices) {
    if (d.type.name() == known.name) return {static_cast<DLDeviceType>(known.code), index};
  }
  return {static_cast<DLDeviceType>(kExtension), d.type.row * kIndices + index};
}

Device DeviceFrom(const DLDevice& given) {
  int code = 0;  // read as the number that it is: other libraries know other types
  static_assert(sizeof(code) == sizeof(given.device_type));
  std::memcpy(&code, &given.device_type, sizeof(code));
  const auto index = static_cast<int16_t>(given.device_id % kIndices);
  if (code == 1 || code == kCudaHost || code == kRocmHost) return {kHost};
  if (code == kExtension) {
    const int row = given.device_id / kIndices;
    if (row > kHostRow && row < NumRows()) return {{static_cast<Row>(row)}, index};
  }
  for (const NamedDevice& known : kDevices) {
    if (known.code != (code == kCudaManaged ? 2 : code) || given.device_id < 0 ||
        given.device_id >= kIndices) {
      continue;
    }
    if (const DeviceType type = FindDeviceType(known.name); type.row != kNoRow)
      return {type, index};
    Fail(ErrorCode::kUnavailable,
         {"a DLPack tensor on ", known.name, ": there is no such device in this program"});
  }
  Fail(ErrorCode::kUnavailable, {"a DLPack tensor on a device of type ", code, " and id ",
                                 given.device_id, ": there is no such device in this program"});
}

// --- Exports

constinit std::array<std::atomic<int64_t>, kMaxRows> live_exports = {};

// What an exported tensor holds. Managed: with or without version.
template <class Managed>
struct Export {
  explicit Export(const Tensor& t) : tensor(t) {}
  Managed managed = {};
  Tensor tensor;
  std::vector<int64_t> sizes, strides;
  static void Delete(Managed* self) {
    auto* e = static_cast<Export*>(self->manager_ctx);
    const Row row = RowOfKey(e->tensor.key());
    delete e;
    live_exports[row].fetch_sub(1, std::memory_order_seq_cst);
  }
};

template <class Managed>
Managed* Exported(const Tensor& t) {
  if (!t.defined()) Fail(ErrorCode::kInvalidArgument, "an undefined tensor has no DLPack form");
  if (!HasBytes(t) && t.numel() != 0) {
    Fail(ErrorCode::kDataDependent,
         {"a tensor on ", t.device().str(), " has no data, hence no DLPack form"});
  }
  internal::RequireResolved(t, "a DLPack form");
  auto e = std::make_unique<Export<Managed>>(t);
  e->sizes.assign(t.sizes().begin(), t.sizes().end());
  e->strides.assign(t.strides().begin(), t.strides().end());
  for (size_t i = 0; i < e->sizes.size(); ++i) {
    if (e->sizes[i] < 2) e->strides[i] = 1;  // where readers differ on what contiguous means
  }
  size_t offset = 0;
  void* handle = t.data();
  if (!t.is_host() && handle != nullptr)
    handle = BackendOf(t.device().type).HandleOf(handle, &offset);
  e->managed.manager_ctx = e.get();
  e->managed.deleter = Export<Managed>::Delete;
  e->managed.dl_tensor = {.data = handle,
                          .device = DeviceTo(t),
                          .ndim = static_cast<int>(t.dim()),
                          .dtype = TypeOf(t.dtype()),
                          .shape = e->sizes.data(),
                          .strides = e->strides.data(),
                          .byte_offset = offset};
  live_exports[RowOfKey(t.key())].fetch_add(1, std::memory_order_seq_cst);
  return &e.release()->managed;
}

DLManagedTensorVersioned* ExportedVersioned(const Tensor& t) {
  auto* m = Exported<DLManagedTensorVersioned>(t);
  m->version = {kMajor, kMinor};
  return m;
}

// The data is there for everybody.
void Finish(const Tensor& t) {
  if (t.is_host() || !t.defined()) return;
  const Stream producer = CurrentStream(t.device());
  if (producer.impl() != nullptr) return producer.Synchronize();
  BackendOf(t.device().type).Synchronize(IndexOfKey(t.key()));
}

// --- Imports

struct Geometry {
  std::vector<int64_t> sizes, strides;
  size_t bytes;  // from the first element to the end of the last
};

Geometry GeometryOf(const DLTensor& d, DType dtype) {
  if (d.ndim < 0 || d.ndim > kMaxRank) {
    Fail(ErrorCode::kInvalidArgument,
         {"a DLPack tensor of ", d.ndim, " dimensions: expected at most ", kMaxRank});
  }
  Geometry g;
  g.sizes.assign(d.shape, d.shape + d.ndim);
  g.strides.resize(g.sizes.size());
  for (int64_t n : g.sizes) {
    if (n < 0) Fail(ErrorCode::kInvalidArgument, {"a DLPack tensor of sizes ", IntSpan(g.sizes)});
  }
  if (d.strides == nullptr) {  // before DLPack 1.2: contiguous
    ContiguousStrides(g.sizes, g.strides.data());
  } else {
    g.strides.assign(d.strides, d.strides + d.ndim);
  }
  for (int64_t s : g.strides) {
    if (s < 0)
      Fail(ErrorCode::kInvalidArgument,
           {"a DLPack tensor of strides ", IntSpan(g.strides), ": expected none below 0"});
  }
  const int64_t extent = StorageExtent(g.sizes, g.strides);
  g.bytes = static_cast<size_t>(CheckedProduct("FromDlpack", "the tensor in bytes", extent,
                                               static_cast<int64_t>(ItemSize(dtype))));
  if (d.byte_offset > static_cast<uint64_t>(INT64_MAX) - g.bytes) {
    Fail(ErrorCode::kInvalidArgument,
         {"a DLPack tensor that begins ", d.byte_offset, " bytes into its memory"});
  }
  if (d.data == nullptr && extent != 0) {
    Fail(ErrorCode::kInvalidArgument,
         {"a DLPack tensor of sizes ", IntSpan(g.sizes), " without memory"});
  }
  return g;
}

Tensor Imported(const DLTensor& d, std::function<void()> on_free) {
  const DType dtype = DTypeFrom(d.dtype);
  const Device device = DeviceFrom(d.device);
  const Geometry g = GeometryOf(d, dtype);
  char* data = static_cast<char*>(d.data);
  if (device.type == kHost)
    return Tensor::FromBlob(data == nullptr ? data : data + d.byte_offset, g.sizes, g.strides,
                            dtype, std::move(on_free));
  if (d.byte_offset % ItemSize(dtype) != 0) {
    Fail(ErrorCode::kInvalidArgument, {"a DLPack tensor of ", dtype, " that begins ", d.byte_offset,
                                       " bytes into its memory: expected whole elements"});
  }
  const KeyWord place = PlaceOf(device);
  const Tensor t(internal::NewWithoutBytes(WithDType(place, dtype), g.sizes, g.strides));
  StorageImpl& s = t.impl()->own;
  const auto adopted =
      BackendOf(device.type)
          .Adopt(data, d.byte_offset + g.bytes, IndexOfKey(place), std::move(on_free));
  s.data = adopted.allocation.data;
  s.context = adopted.allocation.context;
  s.allocator = adopted.allocator;
  s.nbytes = d.byte_offset + g.bytes;
  t.impl()->offset = static_cast<int64_t>(d.byte_offset / ItemSize(dtype));
  return t;
}

// Calls the deleter, where there is one, when nobody holds it any more.
template <class Managed>
std::shared_ptr<Managed> Held(Managed* m) {
  return {m, [](Managed* x) {
            if (x->deleter != nullptr) x->deleter(x);
          }};
}

}  // namespace

DLManagedTensorVersioned* ToDlpack(const Tensor& t) {
  Finish(t);
  return ExportedVersioned(t);
}

DLManagedTensorVersioned* ToDlpack(const Tensor& t, const Stream& consumer) {
  if (!t.defined() || t.is_host() || consumer.impl() == nullptr) return ToDlpack(t);
  consumer.WaitStream(CurrentStream(t.device()));
  if (consumer.device() == t.device()) RecordStream(t, consumer);
  return ExportedVersioned(t);
}

DLManagedTensor* ToDlpackUnversioned(const Tensor& t) {
  Finish(t);
  return Exported<DLManagedTensor>(t);
}

Tensor FromDlpack(DLManagedTensorVersioned* taken) {
  const auto held = Held(taken);
  if (taken->version.major != kMajor) {  // nothing after `flags` is known
    Fail(ErrorCode::kInvalidArgument, {"a DLPack tensor of version ", taken->version.major, ".",
                                       taken->version.minor, ": expected ", kMajor, ".x"});
  }
  return Imported(taken->dl_tensor, [held] {});
}

Tensor FromDlpack(DLManagedTensor* taken) {
  const auto held = Held(taken);
  return Imported(taken->dl_tensor, [held] {});
}

int64_t LiveDlpackExports(DeviceType type) {
  return live_exports[type.row].load(std::memory_order_seq_cst);
}

}  // namespace sy
