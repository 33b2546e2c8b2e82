// Faults of the driver.

#include "examples/plugins/worker/device.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "testing/conform/testdata/late/late.h"

namespace late {
namespace {

using sy::abi::Guard;
using worker::Event;
using worker::kDevice;
using worker::Mark;

Event& EventOf(void* event) { return *static_cast<Event*>(event); }

int32_t AlwaysReady(void*, void*) noexcept { return SY_OK; }
int32_t NeverReady(void*, void*) noexcept { return SY_E_NOT_READY; }
int32_t NoWait(void*, void*, SyAsyncError*) noexcept { return SY_OK; }
int32_t Nothing(void*, void*, void*) noexcept { return SY_OK; }

std::mutex mutex;
std::map<void*, std::shared_ptr<Mark>> first_marks;  // of each event
std::set<const void*> gone;                          // streams

int32_t RecordFirst(void* device, void* event, void* stream) noexcept {
  const int32_t code = kDevice.event_record(device, event, stream);
  const std::lock_guard lock(mutex);
  first_marks.try_emplace(event, EventOf(event).mark());
  return code;
}
int32_t WaitFirst(void*, void* event, void* stream) noexcept {
  const std::lock_guard lock(mutex);
  if (const auto mark = first_marks[event])
    QueueOf(stream).Push(0, [mark] { mark->Wait(nullptr); });
  return SY_OK;
}

// What the next owner might do at once; given back now, a read could end the process instead.
void FreeAtOnce(void* device, const SyBuffer* buffer, void* stream) noexcept {
  std::memset(buffer->handle, 0xdd, buffer->bytes);
  kDevice.free(device, buffer, stream);
}

const char* Source(const SyCopy& c) {
  return c.source == nullptr ? static_cast<const char*>(c.host_source)
                             : static_cast<const char*>(c.source->handle) + c.source_offset;
}
char* Destination(const SyCopy& c) {
  return c.destination == nullptr
             ? static_cast<char*>(c.host_destination)
             : static_cast<char*>(c.destination->handle) + c.destination_offset;
}
void CopyNow(const SyCopy& c) { std::memcpy(Destination(c), Source(c), c.bytes); }

int32_t CopyToHostNow(void* device, const SyCopy* c, void* stream, SyError* error) noexcept {
  if (c->kind != SY_COPY_DEVICE_TO_HOST) return kDevice.copy(device, c, stream, error);
  CopyNow(*c);
  return SY_OK;
}
int32_t CopyWithinNow(void* device, const SyCopy* c, void* stream, SyError* error) noexcept {
  if (c->kind != SY_COPY_WITHIN_DEVICE) return kDevice.copy(device, c, stream, error);
  CopyNow(*c);
  return SY_OK;
}
int32_t CopyWithin(void* device, const SyCopy* c, void* stream, SyError* error) noexcept {
  return kDevice.copy(device, c, c->kind == SY_COPY_WITHIN_DEVICE ? first_stream : stream, error);
}
// The buffers are read when the turn comes, by when the caller has others in their place.
int32_t CopyByAddress(void* device, const SyCopy* c, void* stream, SyError* error) noexcept {
  if (c->kind != SY_COPY_WITHIN_DEVICE) return kDevice.copy(device, c, stream, error);
  return Guard(error, [&] {
    QueueOf(stream).Push(0, [to = c->destination, from = c->source, bytes = c->bytes,
                             to_offset = c->destination_offset, from_offset = c->source_offset] {
      std::memcpy(static_cast<char*>(to->handle) + to_offset,
                  static_cast<const char*>(from->handle) + from_offset, bytes);
    });
  });
}
int32_t CopyShort(void* device, const SyCopy* c, void* stream, SyError* error) noexcept {
  SyCopy shorter = *c;
  if (c->kind == SY_COPY_WITHIN_DEVICE && c->bytes > 1) --shorter.bytes;
  return kDevice.copy(device, &shorter, stream, error);
}

// Jobs of a stream that went look whether it did.
int32_t CopyUnlessGone(void*, const SyCopy* c, void* stream, SyError* error) noexcept {
  return Guard(error, [&] {
    QueueOf(stream).Push(0, [to = Destination(*c), from = Source(*c), bytes = c->bytes, stream] {
      {
        const std::lock_guard lock(mutex);
        if (gone.contains(stream)) return;
      }
      std::memcpy(to, from, bytes);
    });
  });
}
void DestroyStream(void* device, void* stream) noexcept {
  {
    const std::lock_guard lock(mutex);
    gone.insert(stream);
  }
  kDevice.stream_destroy(device, stream);
  const std::lock_guard lock(mutex);
  gone.erase(stream);
}

int32_t CreateStream(void* device, int32_t priority, void** out, SyError* error) noexcept {
  const int32_t code = kDevice.stream_create(device, priority, out, error);
  if (first_stream == nullptr) first_stream = *out;
  return code;
}
void ForgetStream(void* device, void* stream) noexcept {
  if (first_stream == stream) first_stream = nullptr;
  kDevice.stream_destroy(device, stream);
}

// Waits, and tells less than it should.
int32_t HideFailure(void* device, void* stream, SyAsyncError*) noexcept {
  SyAsyncError unread = {};
  unread.size = sizeof(unread);
  kDevice.stream_synchronize(device, stream, &unread);
  return SY_OK;
}
int32_t HideEventFailure(void* device, void* event, SyAsyncError*) noexcept {
  SyAsyncError unread = {};
  unread.size = sizeof(unread);
  kDevice.event_synchronize(device, event, &unread);
  return SY_OK;
}
int32_t ForgetCall(void* device, void* stream, SyAsyncError* error) noexcept {
  const int32_t code = kDevice.stream_synchronize(device, stream, error);
  error->sequence = 0;
  return code;
}

int32_t ElapsedBackwards(void* device, void* from, void* to, uint64_t* nanoseconds) noexcept {
  return kDevice.event_elapsed(device, to, from, nanoseconds);
}

}  // namespace

SyDeviceFunctions DeviceWithFault() {
  SyDeviceFunctions f = kDevice;
  f.stream_create = CreateStream;
  f.stream_destroy = ForgetStream;
  if (Is("event_query is always ready")) f.event_query = AlwaysReady;
  if (Is("event_query is never ready")) f.event_query = NeverReady;
  if (Is("stream_query is always ready")) f.stream_query = AlwaysReady;
  if (Is("event_wait does nothing")) f.event_wait = Nothing;
  if (Is("event_wait waits for the first record")) {
    f.event_record = RecordFirst;
    f.event_wait = WaitFirst;
  }
  if (Is("event_record does nothing")) f.event_record = Nothing;
  if (Is("event_synchronize returns at once")) f.event_synchronize = NoWait;
  if (Is("stream_synchronize returns at once")) f.stream_synchronize = NoWait;
  if (Is("free gives back at once")) f.free = FreeAtOnce;
  if (Is("copies to the host run at once")) f.copy = CopyToHostNow;
  if (Is("copies within run at once")) f.copy = CopyWithinNow;
  if (Is("copies within run on the first stream")) f.copy = CopyWithin;
  if (Is("copies keep the address of their buffers")) f.copy = CopyByAddress;
  if (Is("copies within leave a byte out")) f.copy = CopyShort;
  if (Is("stream_destroy drops what is queued")) {
    f.copy = CopyUnlessGone;
    f.stream_destroy = DestroyStream;
  }
  if (Is("failures are not told")) {
    f.stream_synchronize = HideFailure;
    f.event_synchronize = HideEventFailure;
  }
  if (Is("failures forget their call")) f.stream_synchronize = ForgetCall;
  if (Is("event_elapsed runs backwards")) f.event_elapsed = ElapsedBackwards;
  return f;
}

}  // namespace late
