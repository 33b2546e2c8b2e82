// A device whose work is done later, by a thread for each stream. Its memory is the host's, which
// the program may not look into while a job writes it: no SY_DEVICE_HOST_VISIBLE. Nor is there
// SY_DEVICE_FORK_SAFE: the child of a fork has none of the threads.

#include "device.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "queue.h"
#include "switchyard/c/plugin.hpp"

namespace worker {
namespace {

using sy::abi::Error;
using sy::abi::Guard;

Queue& QueueOf(void* stream) { return *static_cast<Queue*>(stream); }
Event& EventOf(void* event) { return *static_cast<Event*>(event); }

int32_t Properties(void*, SyDeviceProperties* out, SyError*) noexcept {
  out->capabilities = SY_DEVICE_ASYNC | SY_DEVICE_ADDRESSES;
  out->hardware = "a thread for each stream";
  return SY_OK;
}

int32_t Allocate(void*, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
                 SyError* error) noexcept {
  return Guard(error, [&] {
    if (bytes > UINT64_MAX - alignment) throw Error(SY_E_OUT_OF_MEMORY, "too many bytes");
    out->handle = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (out->handle == nullptr) throw Error(SY_E_OUT_OF_MEMORY, "the host's memory is used up");
    out->bytes = bytes;
  });
}

// In the stream's order: what is queued may use the block still.
void Free(void*, const SyBuffer* buffer, void* stream) noexcept {
  try {
    QueueOf(stream).Push(0, [block = buffer->handle] { std::free(block); });
  } catch (const std::bad_alloc&) {
    QueueOf(stream).Wait(nullptr);
    std::free(buffer->handle);
  }
}

int32_t Copy(void*, const SyCopy* copy, void* stream, SyError* error) noexcept {
  return Guard(error, [&] {
    const SyCopy& c = *copy;  // ends with this call, buffers too
    const void* from = c.source == nullptr
                           ? c.host_source
                           : static_cast<const char*>(c.source->handle) + c.source_offset;
    void* to = c.destination == nullptr
                   ? c.host_destination
                   : static_cast<char*>(c.destination->handle) + c.destination_offset;
    QueueOf(stream).Push(0, [to, from, n = c.bytes] { std::memcpy(to, from, n); });
  });
}

int32_t StreamCreate(void*, int32_t, void** out, SyError* error) noexcept {
  return Guard(error, [&] { *out = new Queue; });
}
void StreamDestroy(void*, void* stream) noexcept { delete &QueueOf(stream); }
int32_t StreamSynchronize(void*, void* stream, SyAsyncError* error) noexcept {
  return QueueOf(stream).Wait(error);
}
int32_t StreamQuery(void*, void* stream) noexcept {
  return QueueOf(stream).IsDone() ? SY_OK : SY_E_NOT_READY;
}

int32_t EventCreate(void*, uint32_t, void** out, SyError* error) noexcept {
  return Guard(error, [&] { *out = new Event; });
}
void EventDestroy(void*, void* event) noexcept { delete &EventOf(event); }
int32_t EventRecord(void*, void* event, void* stream) noexcept {
  return Guard(nullptr, [&] { EventOf(event).Record(QueueOf(stream)); });
}
int32_t EventWait(void*, void* event, void* stream) noexcept {
  return Guard(nullptr, [&] {
    if (const auto mark = EventOf(event).mark())
      QueueOf(stream).Push(0, [mark] { mark->Wait(nullptr); });
  });
}
int32_t EventSynchronize(void*, void* event, SyAsyncError* error) noexcept {
  const auto mark = EventOf(event).mark();
  return mark == nullptr ? SY_OK : mark->Wait(error);
}
int32_t EventQuery(void*, void* event) noexcept {
  const auto mark = EventOf(event).mark();
  return mark == nullptr || mark->IsReached() ? SY_OK : SY_E_NOT_READY;
}
int32_t EventElapsed(void*, void* from, void* to, uint64_t* nanoseconds) noexcept {
  const auto time = EventOf(to).mark()->time() - EventOf(from).mark()->time();
  *nanoseconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
  return SY_OK;
}

}  // namespace

// What is left out is null: one device, which needs no opening; the host waits for every stream
// where it waits for the device.
const SyDeviceFunctions kDevice = [] {
  SyDeviceFunctions f = {};
  f.size = sizeof(f);
  f.properties = Properties;
  f.allocate = Allocate;
  f.free = Free;
  f.copy = Copy;
  f.stream_create = StreamCreate;
  f.stream_destroy = StreamDestroy;
  f.stream_synchronize = StreamSynchronize;
  f.stream_query = StreamQuery;
  f.event_create = EventCreate;
  f.event_destroy = EventDestroy;
  f.event_record = EventRecord;
  f.event_wait = EventWait;
  f.event_synchronize = EventSynchronize;
  f.event_query = EventQuery;
  f.event_elapsed = EventElapsed;
  return f;
}();

}  // namespace worker
