// A device of a plugin as a C++ class: SyDeviceFunctions filled from what the class has.
//
//   class Toy {
//    public:
//     explicit Toy(int32_t index);
//     void* Allocate(uint64_t bytes, uint64_t alignment, void* stream);
//     void Free(const SyBuffer& buffer, void* stream);
//     void Copy(const SyCopy& copy, void* stream);
//   };
//   constexpr SyDeviceFunctions kFunctions = DeviceFunctions<Toy>();
//   constexpr SyDeviceDef kDevices[] = {DeviceOf("toy", kFunctions)};
//
// One object for each index, made when it is first used. These three members a device must have;
// all others it may, under these names:
//
//   static int32_t Count()                                    how many there are; 1
//   void Properties(SyDeviceProperties& out)
//   SyBuffer AllocateBuffer(uint64_t, uint64_t, void*)        in Allocate's place: with a context
//   void Trim()                   void MemoryStats(SyMemoryStats& out)
//   void Synchronize(SyAsyncError& error)
//   void* StreamCreate(int32_t priority)                      void StreamDestroy(void*)
//   void StreamSynchronize(void*, SyAsyncError&)              bool StreamQuery(void*): done
//   void* EventCreate(bool timed)                             void EventDestroy(void*)
//   void EventRecord(void* event, void* stream)               void EventWait(void*, void* stream)
//   void EventSynchronize(void*, SyAsyncError&)               bool EventQuery(void*): happened
//   uint64_t EventElapsed(void* from, void* to): ns
//   void* HostAllocate(uint64_t)                              void HostFree(void*)
//   void Share(const SyBuffer&, SyShare&)                     void Unshare(const SyBuffer&, const SyShare&)
//   SyBuffer Adopt(const SyShare&)                            void Abandon(const SyBuffer&)
//   std::vector<std::pair<std::string, std::string>> Attributes()
//   bool SetOption(std::string_view key, std::string_view value): whether there is such an option
//   void WarmUp()                 void TimingStart()
//   std::vector<SyTimedWork> TimingStop()
//   static void CopyBetween(Device& from, void* from_stream, Device& to, void* to_stream, const SyCopy&)
//
// Streams and events come all together or not at all, as the C header says; what is missing there
// does not compile.
// Owns: the host owns the objects, through open and close.
// Threads: as the C header marks each function; most are called from any.
// Errors: members throw Error, std::bad_alloc or anything else; those that free must not throw.
#ifndef SWITCHYARD_C_DEVICE_HPP_
#define SWITCHYARD_C_DEVICE_HPP_

#include "switchyard/c/plugin.hpp"

namespace sy::abi {
namespace internal {

// Whether Op<D> is the type of anything: whether D has a member.
template <template <class> class Op, class D, class = void>
inline constexpr bool kHas = false;
template <template <class> class Op, class D>
inline constexpr bool kHas<Op, D, std::void_t<Op<D>>> = true;

// One for each member that a device may have.
template <class D>
using CountOf = decltype(D::Count());
template <class D>
using PropertiesOf = decltype(&D::Properties);
template <class D>
using AllocateBufferOf = decltype(&D::AllocateBuffer);
template <class D>
using TrimOf = decltype(&D::Trim);
template <class D>
using MemoryStatsOf = decltype(&D::MemoryStats);
template <class D>
using SynchronizeOf = decltype(&D::Synchronize);
template <class D>
using StreamCreateOf = decltype(&D::StreamCreate);
template <class D>
using StreamQueryOf = decltype(&D::StreamQuery);
template <class D>
using HostAllocateOf = decltype(&D::HostAllocate);
template <class D>
using ShareOf = decltype(&D::Share);
template <class D>
using AdoptOf = decltype(&D::Adopt);
template <class D>
using AttributesOf = decltype(&D::Attributes);
template <class D>
using SetOptionOf = decltype(&D::SetOption);
template <class D>
using WarmUpOf = decltype(&D::WarmUp);
template <class D>
using TimingStartOf = decltype(&D::TimingStart);
template <class D>
using CopyBetweenOf = decltype(&D::CopyBetween);

// The callbacks; those that a device lacks are never made.
template <class D>
struct DeviceCallbacks {
  static D& Of(void* device) { return *static_cast<D*>(device); }
  // A text of the plugin's, as far as there is room.
  template <size_t kN>
  static void Store(char (&to)[kN], std::string_view text) {
    SyError error = {sizeof(SyError), kN, to};
    WriteText(&error, text);
  }

  static int32_t Count(void*, int32_t* n, SyError* reason) noexcept {
    return Guard(reason, [&] { *n = D::Count(); });
  }
  static int32_t Open(void*, int32_t index, void** device, SyError* error) noexcept {
    return Guard(error, [&] { *device = new D(index); });
  }
  static void Close(void* device) noexcept { delete &Of(device); }
  static int32_t Properties(void* device, SyDeviceProperties* out, SyError* error) noexcept {
    return Guard(error, [&] { Of(device).Properties(*out); });
  }
  static int32_t Allocate(void* device, uint64_t bytes, uint64_t alignment, void* stream,
                          SyBuffer* out, SyError* error) noexcept {
    return Guard(error, [&] {
      if constexpr (kHas<AllocateBufferOf, D>) {
        *out = Of(device).AllocateBuffer(bytes, alignment, stream);
      } else {
        out->handle = Of(device).Allocate(bytes, alignment, stream);
        out->bytes = bytes;
      }
    });
  }
  static void Free(void* device, const SyBuffer* buffer, void* stream) noexcept {
    Of(device).Free(*buffer, stream);
  }
  static int32_t Trim(void* device) noexcept {
    return Guard(nullptr, [&] { Of(device).Trim(); });
  }
  static int32_t MemoryStats(void* device, SyMemoryStats* out) noexcept {
    return Guard(nullptr, [&] { Of(device).MemoryStats(*out); });
  }
  static int32_t Copy(void* device, const SyCopy* copy, void* stream, SyError* error) noexcept {
    return Guard(error, [&] { Of(device).Copy(*copy, stream); });
  }
  // Waits report a failure of earlier work in *error, and answer its code.
  template <class F>
  static int32_t Wait(SyAsyncError* error, F f) noexcept {
    SyError text = {sizeof(SyError), sizeof(error->text), error->text};
    const int32_t code = Guard(&text, f);
    return code == SY_OK ? error->code : code;
  }
  static int32_t Synchronize(void* device, SyAsyncError* error) noexcept {
    return Wait(error, [&] { Of(device).Synchronize(*error); });
  }
  static int32_t StreamCreate(void* device, int32_t priority, void** out, SyError* error) noexcept {
    return Guard(error, [&] { *out = Of(device).StreamCreate(priority); });
  }
  static void StreamDestroy(void* device, void* stream) noexcept {
    Of(device).StreamDestroy(stream);
  }
  static int32_t StreamSynchronize(void* device, void* stream, SyAsyncError* error) noexcept {
    return Wait(error, [&] { Of(device).StreamSynchronize(stream, *error); });
  }
  static int32_t StreamQuery(void* device, void* stream) noexcept {
    bool done = false;
    const int32_t code = Guard(nullptr, [&] { done = Of(device).StreamQuery(stream); });
    return code == SY_OK && !done ? SY_E_NOT_READY : code;
  }
  static int32_t EventCreate(void* device, uint32_t timed, void** out, SyError* error) noexcept {
    return Guard(error, [&] { *out = Of(device).EventCreate(timed != 0); });
  }
  static void EventDestroy(void* device, void* event) noexcept { Of(device).EventDestroy(event); }
  static int32_t EventRecord(void* device, void* event, void* stream) noexcept {
    return Guard(nullptr, [&] { Of(device).EventRecord(event, stream); });
  }
  static int32_t EventWait(void* device, void* event, void* stream) noexcept {
    return Guard(nullptr, [&] { Of(device).EventWait(event, stream); });
  }
  static int32_t EventSynchronize(void* device, void* event, SyAsyncError* error) noexcept {
    return Wait(error, [&] { Of(device).EventSynchronize(event, *error); });
  }
  static int32_t EventQuery(void* device, void* event) noexcept {
    bool happened = false;
    const int32_t code = Guard(nullptr, [&] { happened = Of(device).EventQuery(event); });
    return code == SY_OK && !happened ? SY_E_NOT_READY : code;
  }
  static int32_t EventElapsed(void* device, void* from, void* to, uint64_t* ns) noexcept {
    return Guard(nullptr, [&] { *ns = Of(device).EventElapsed(from, to); });
  }
  static int32_t HostAllocate(void* device, uint64_t bytes, void** memory,
                              SyError* error) noexcept {
    return Guard(error, [&] { *memory = Of(device).HostAllocate(bytes); });
  }
  static void HostFree(void* device, void* memory) noexcept { Of(device).HostFree(memory); }
  static int32_t Share(void* device, const SyBuffer* buffer, SyShare* out,
                       SyError* error) noexcept {
    return Guard(error, [&] { Of(device).Share(*buffer, *out); });
  }
  static void Unshare(void* device, const SyBuffer* buffer, const SyShare* share) noexcept {
    Of(device).Unshare(*buffer, *share);
  }
  static int32_t Adopt(void* device, const SyShare* share, SyBuffer* out, SyError* error) noexcept {
    return Guard(error, [&] { *out = Of(device).Adopt(*share); });
  }
  static void Abandon(void* device, const SyBuffer* adopted) noexcept {
    Of(device).Abandon(*adopted);
  }
  static int32_t Attribute(void* device, uint32_t i, SyAttribute* out, SyError* error) noexcept {
    return Guard(error, [&] {
      const auto all = Of(device).Attributes();
      if (i >= all.size()) throw Error(SY_E_NOT_FOUND, "");
      Store(out->key, all[i].first);
      Store(out->value, all[i].second);
    });
  }
  static int32_t SetOption(void* device, const char* key, const char* value,
                           SyError* error) noexcept {
    return Guard(error, [&] {
      if (!Of(device).SetOption(key, value)) throw Error(SY_E_NOT_FOUND, "no such option");
    });
  }
  static int32_t WarmUp(void* device, SyError* error) noexcept {
    return Guard(error, [&] { Of(device).WarmUp(); });
  }
  static int32_t TimingStart(void* device, SyError* error) noexcept {
    return Guard(error, [&] { Of(device).TimingStart(); });
  }
  static int32_t TimingStop(void* device,
                            void (*take)(const SyTimedWork* work, void* context) noexcept,
                            void* context, SyError* error) noexcept {
    return Guard(error, [&] {
      for (const SyTimedWork& work : Of(device).TimingStop()) take(&work, context);
    });
  }
  static int32_t CopyBetween(void* from, void* from_stream, void* to, void* to_stream,
                             const SyCopy* copy, SyError* error) noexcept {
    return Guard(error, [&] { D::CopyBetween(Of(from), from_stream, Of(to), to_stream, *copy); });
  }
};

}  // namespace internal

// The table of a device class.
template <class D>
constexpr SyDeviceFunctions DeviceFunctions() {
  using C = internal::DeviceCallbacks<D>;
  using internal::kHas;
  SyDeviceFunctions f{};
  f.size = sizeof(SyDeviceFunctions);
  f.open = C::Open;
  f.close = C::Close;
  f.allocate = C::Allocate;
  f.free = C::Free;
  f.copy = C::Copy;
  if constexpr (kHas<internal::CountOf, D>) f.count = C::Count;
  if constexpr (kHas<internal::PropertiesOf, D>) f.properties = C::Properties;
  if constexpr (kHas<internal::TrimOf, D>) f.trim = C::Trim;
  if constexpr (kHas<internal::MemoryStatsOf, D>) f.memory_stats = C::MemoryStats;
  if constexpr (kHas<internal::SynchronizeOf, D>) f.synchronize = C::Synchronize;
  if constexpr (kHas<internal::StreamCreateOf, D>) {
    f.stream_create = C::StreamCreate;
    f.stream_destroy = C::StreamDestroy;
    f.stream_synchronize = C::StreamSynchronize;
    f.event_create = C::EventCreate;
    f.event_destroy = C::EventDestroy;
    f.event_record = C::EventRecord;
    f.event_wait = C::EventWait;
    f.event_synchronize = C::EventSynchronize;
    f.event_query = C::EventQuery;
    f.event_elapsed = C::EventElapsed;
  }
  if constexpr (kHas<internal::StreamQueryOf, D>) f.stream_query = C::StreamQuery;
  if constexpr (kHas<internal::HostAllocateOf, D>) {
    f.host_allocate = C::HostAllocate;
    f.host_free = C::HostFree;
  }
  if constexpr (kHas<internal::ShareOf, D>) {
    f.share = C::Share;
    f.unshare = C::Unshare;
  }
  if constexpr (kHas<internal::AdoptOf, D>) {
    f.adopt = C::Adopt;
    f.abandon = C::Abandon;
  }
  if constexpr (kHas<internal::AttributesOf, D>) f.attribute = C::Attribute;
  if constexpr (kHas<internal::SetOptionOf, D>) f.set_option = C::SetOption;
  if constexpr (kHas<internal::WarmUpOf, D>) f.warm_up = C::WarmUp;
  if constexpr (kHas<internal::TimingStartOf, D>) {
    f.timing_start = C::TimingStart;
    f.timing_stop = C::TimingStop;
  }
  if constexpr (kHas<internal::CopyBetweenOf, D>) f.copy_between = C::CopyBetween;
  return f;
}

}  // namespace sy::abi

#endif  // SWITCHYARD_C_DEVICE_HPP_
