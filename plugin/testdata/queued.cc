// A device whose work is really done later, by a thread for each stream: what tests of streams,
// events, asynchronous copies and late failures need.
//
// Operators drive it: queued::hold stops its stream until queued::open is called, queued::fail
// fails when its turn comes, queued::lose loses the device, queued::counts says what the driver was
// asked for. QUEUED_FAULT names something that it does wrong, with copies slow enough for it to
// show.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

// --- What happens in the driver ---

const char* Fault() {
  static const char* const fault = std::getenv("QUEUED_FAULT");
  return fault;
}
bool Has(const char* fault) { return Fault() != nullptr && std::string(Fault()) == fault; }

enum Count {
  kEvents,
  kHostToDevice,
  kDeviceToHost,
  kFrees,
  kHostFrees,
  kStreams,
  kShared,
  kAdopted,
  kNumCounts
};
std::atomic<int64_t> counts[kNumCounts];
std::atomic<uint64_t> jobs_done{0};  // the clock of timed events: a job is a millisecond

std::mutex gate_mutex;
std::condition_variable gate;
int64_t held = 0, opened = 0;  // holds that wait; times that they were let go

std::atomic<bool> lost{false};

struct Stream {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void(Stream&)>> jobs;
  bool busy = false, ending = false;
  SyAsyncError failure = {};
  std::thread worker{[this] { Work(); }};

  void Push(std::function<void(Stream&)> job) {
    std::lock_guard lock(mutex);
    jobs.push_back(std::move(job));
    changed.notify_all();
  }
  void Work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return !jobs.empty() || ending; });
      if (jobs.empty()) return;
      const auto job = std::move(jobs.front());
      jobs.pop_front();
      busy = true;
      lock.unlock();
      job(*this);
      lock.lock();
      busy = false;
      changed.notify_all();
    }
  }
  void Settle() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return jobs.empty() && !busy; });
  }
  int32_t Wait(SyAsyncError* error) {
    Settle();
    std::lock_guard lock(mutex);
    if (failure.code == SY_OK || Has("hides failures")) return SY_OK;
    error->code = failure.code;
    error->sequence = Has("forgets the call") ? 0 : failure.sequence;
    std::memcpy(error->text, failure.text, sizeof(error->text));
    return failure.code;
  }
  ~Stream() {
    {
      std::lock_guard lock(mutex);
      ending = true;
      changed.notify_all();
    }
    worker.join();
  }
};
Stream& StreamOf(void* stream) { return *static_cast<Stream*>(stream); }

struct Event {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t recorded = 0, time = 0;
  std::set<uint64_t> reached;  // marks: of several streams, one may be reached before an older one

  void Reach(uint64_t which) {
    std::lock_guard lock(mutex);
    reached.insert(which);
    time = jobs_done.load();
    changed.notify_all();
  }
  void Wait(uint64_t which) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return which == 0 || reached.contains(which); });
  }
};
// The host's own; jobs that are queued keep theirs when it is destroyed.
using EventHandle = std::shared_ptr<Event>;
const EventHandle& EventOf(void* event) { return *static_cast<EventHandle*>(event); }

// --- The device ---

int32_t NumDevices(void*, int32_t* n, SyError*) noexcept {
  *n = 2;
  return SY_OK;
}
int32_t Open(void*, int32_t index, void** device, SyError* error) noexcept {
  lost = false;
  return Guard(error, [&] { *device = new int32_t{index}; });
}
void Close(void* device) noexcept { delete static_cast<int32_t*>(device); }
int32_t Properties(void*, SyDeviceProperties* out, SyError*) noexcept {
  out->capabilities = SY_DEVICE_ASYNC | SY_DEVICE_ADDRESSES;
  return SY_OK;
}
int32_t Allocate(void*, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
                 SyError*) noexcept {
  out->bytes = bytes;
  const uint64_t least = std::max<uint64_t>(alignment, sizeof(void*));  // posix_memalign's
  return posix_memalign(&out->handle, least, bytes) == 0 ? SY_OK : SY_E_OUT_OF_MEMORY;
}
void Free(void*, const SyBuffer* buffer, void* stream) noexcept {
  if (lost.load() && Has("frees nothing when lost")) std::abort();
  // What its next owner might do at once; given back now, a read could end the process instead.
  if (Has("frees at once")) std::memset(buffer->handle, 0xdd, buffer->bytes);
  const auto release = [memory = buffer->handle](Stream&) {
    std::free(memory);
    ++counts[kFrees];
  };
  Stream& queue = StreamOf(stream);
  try {
    queue.Push(release);
  } catch (const std::bad_alloc&) {
    queue.Settle();
    release(queue);
  }
}
int32_t Copy(void*, const SyCopy* copy, void* stream, SyError* error) noexcept {
  return Guard(error, [&] {
    const SyCopy& c = *copy;
    const void* from = c.source == nullptr ? c.host_source
                                           : static_cast<char*>(c.source->handle) + c.source_offset;
    void* to = c.destination == nullptr
                   ? c.host_destination
                   : static_cast<char*>(c.destination->handle) + c.destination_offset;
    if (c.kind == SY_COPY_HOST_TO_DEVICE) ++counts[kHostToDevice];
    if (c.kind == SY_COPY_DEVICE_TO_HOST) ++counts[kDeviceToHost];
    StreamOf(stream).Push([to, from, bytes = c.bytes](Stream&) {
      if (Fault() != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::memcpy(to, from, bytes);
    });
  });
}

// A job in each stream: the receiver's copies when the sender's has come to it, and the sender's
// goes on after that. QUEUED_BETWEEN: else the host takes another way.
int32_t CopyBetween(void*, void* from_stream, void*, void* to_stream, const SyCopy* copy,
                    SyError* error) noexcept {
  if (std::getenv("QUEUED_BETWEEN") == nullptr) return SY_E_UNSUPPORTED;
  return Guard(error, [&] {
    struct Meeting {
      std::promise<void> ready, done;
    };
    const auto meeting = std::make_shared<Meeting>();
    const SyCopy& c = *copy;
    const void* from = static_cast<char*>(c.source->handle) + c.source_offset;
    void* to = static_cast<char*>(c.destination->handle) + c.destination_offset;
    StreamOf(from_stream).Push([meeting](Stream&) {
      meeting->ready.set_value();
      meeting->done.get_future().wait();
    });
    StreamOf(to_stream).Push([meeting, from, to, bytes = c.bytes](Stream&) {
      meeting->ready.get_future().wait();
      std::memcpy(to, from, bytes);
      meeting->done.set_value();
    });
  });
}

int32_t StreamCreate(void*, int32_t, void** out, SyError* error) noexcept {
  return Guard(error, [&] {
    *out = new Stream;
    ++counts[kStreams];
  });
}
void StreamDestroy(void*, void* stream) noexcept {
  delete &StreamOf(stream);
  --counts[kStreams];
}
int32_t StreamSynchronize(void*, void* stream, SyAsyncError* error) noexcept {
  if (Has("does not wait for streams")) return SY_OK;
  return StreamOf(stream).Wait(error);
}
int32_t StreamQuery(void*, void* stream) noexcept {
  if (Has("is never done")) return SY_E_NOT_READY;
  Stream& s = StreamOf(stream);
  std::lock_guard lock(s.mutex);
  return s.jobs.empty() && !s.busy ? SY_OK : SY_E_NOT_READY;
}
int32_t EventCreate(void*, uint32_t, void** out, SyError* error) noexcept {
  return Guard(error, [&] {
    *out = new EventHandle(std::make_shared<Event>());
    ++counts[kEvents];
  });
}
void EventDestroy(void*, void* event) noexcept { delete static_cast<EventHandle*>(event); }
int32_t EventRecord(void*, void* event, void* stream) noexcept {
  return Guard(nullptr, [&] {
    const EventHandle& e = EventOf(event);
    std::lock_guard lock(e->mutex);
    StreamOf(stream).Push([e, which = e->recorded + 1](Stream&) { e->Reach(which); });
    ++e->recorded;
  });
}
int32_t EventWait(void*, void* event, void* stream) noexcept {
  if (Has("streams do not wait")) return SY_OK;
  return Guard(nullptr, [&] {
    const EventHandle& e = EventOf(event);
    std::lock_guard lock(e->mutex);
    StreamOf(stream).Push([e, which = e->recorded](Stream&) { e->Wait(which); });
  });
}
int32_t EventSynchronize(void*, void* event, SyAsyncError*) noexcept {
  Event& e = *EventOf(event);
  e.Wait(e.recorded);
  return SY_OK;
}
int32_t EventQuery(void*, void* event) noexcept {
  if (Has("is never done")) return SY_E_NOT_READY;
  Event& e = *EventOf(event);
  std::lock_guard lock(e.mutex);
  return e.recorded == 0 || e.reached.contains(e.recorded) ? SY_OK : SY_E_NOT_READY;
}
int32_t EventElapsed(void*, void* from, void* to, uint64_t* nanoseconds) noexcept {
  const uint64_t jobs = EventOf(to)->time - EventOf(from)->time;
  *nanoseconds = Has("clock") ? UINT64_MAX : jobs * 1000000;
  return SY_OK;
}
int32_t Share(void*, const SyBuffer* buffer, SyShare* out, SyError*) noexcept {
  if (out->kind != SY_SHARE_ADDRESS) return SY_E_UNSUPPORTED;
  out->address = buffer->handle;
  out->bytes = buffer->bytes;
  ++counts[kShared];
  return SY_OK;
}
void Unshare(void*, const SyBuffer*, const SyShare*) noexcept {}
int32_t Adopt(void*, const SyShare* share, SyBuffer* out, SyError*) noexcept {
  if (share->kind != SY_SHARE_ADDRESS) return SY_E_UNSUPPORTED;
  out->handle = share->address;
  out->bytes = share->bytes;
  ++counts[kAdopted];
  return SY_OK;
}
void Abandon(void*, const SyBuffer*) noexcept {}
int32_t HostAllocate(void*, uint64_t bytes, void** memory, SyError*) noexcept {
  *memory = std::malloc(bytes);
  return *memory == nullptr ? SY_E_OUT_OF_MEMORY : SY_OK;
}
void HostFree(void*, void* memory) noexcept {
  std::free(memory);
  ++counts[kHostFrees];
}

constexpr SyDeviceFunctions kFunctions = {
    .size = sizeof(SyDeviceFunctions),
    .reserved = 0,
    .count = NumDevices,
    .open = Open,
    .close = Close,
    .properties = Properties,
    .allocate = Allocate,
    .free = Free,
    .trim = nullptr,
    .memory_stats = nullptr,
    .copy = Copy,
    .synchronize = nullptr,  // the host waits for every stream
    .stream_create = StreamCreate,
    .stream_destroy = StreamDestroy,
    .stream_synchronize = StreamSynchronize,
    .event_create = EventCreate,
    .event_destroy = EventDestroy,
    .event_record = EventRecord,
    .event_wait = EventWait,
    .event_synchronize = EventSynchronize,
    .event_query = EventQuery,
    .event_elapsed = EventElapsed,
    .host_allocate = HostAllocate,
    .host_free = HostFree,
    .stream_query = StreamQuery,
    .share = Share,
    .unshare = Unshare,
    .adopt = Adopt,
    .abandon = Abandon,
    .attribute = nullptr,
    .set_option = nullptr,
    .warm_up = nullptr,
    .timing_start = nullptr,
    .timing_stop = nullptr,
    .copy_between = CopyBetween,
};

// --- Kernels: contiguous float32 of this device, all of one size ---

bool IsServed(Tensor t, Tensor out) {
  return t.view().device == out.view().device && t.dtype() == DType{SY_FLOAT32} &&
         t.is_contiguous() && t.numel() == out.numel();
}

void Run(Call call, std::function<void()> job) {
  StreamOf(call.stream()).Push([job = std::move(job)](Stream&) {
    job();
    ++jobs_done;
  });
}

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  if (!out.is_contiguous()) throw Declined();
  Run(call,
      [to = out.data<float>(), n = out.numel(), x = value.To<float>()] { std::fill_n(to, n, x); });
}

void Add(Call call, Tensor out, Tensor a, Tensor b, Scalar alpha) {
  for (const Tensor& t : {out, a, b}) {
    if (t.data() == nullptr || !IsServed(t, out)) throw Declined();
  }
  Run(call, [to = out.data<float>(), x = a.data<float>(), y = b.data<float>(), n = out.numel(),
             by = alpha.To<float>()] {
    for (int64_t i = 0; i < n; ++i) to[i] = x[i] + by * y[i];
  });
}

// x   →   x, by way of memory that lives as long as the job
void Twice(Call call, Tensor out, Tensor x) {
  if (!IsServed(x, out)) throw Declined();
  auto* room =
      static_cast<float*>(call.Workspace(static_cast<uint64_t>(x.numel()) * sizeof(float)).handle);
  Run(call, [to = out.data<float>(), from = x.data<float>(), n = x.numel(), room] {
    for (int64_t i = 0; i < n; ++i) room[i] = 2 * from[i];
    std::copy_n(room, n, to);
  });
}

// x   →   4 x, by two calls of the host.
void Quadruple(Call call, Tensor x) {
  const SyValue in[] = {Boxed(x.view())};
  const Ref twice = call.Run("queued::twice", in);
  const SyTensor view = call.View(twice);
  const SyValue again[] = {Boxed(view)};
  call.SetOut(0, call.Run("queued::twice", again));
}

void Hold(Call call, Tensor, Tensor) {
  Run(call, [] {
    std::unique_lock lock(gate_mutex);
    ++held;
    gate.wait(lock, [before = opened] { return opened != before; });
  });
}
// Lets everything go on that is held, once as many streams are as x says.
void Unhold(Call, Tensor, Tensor x) {
  const auto wanted = static_cast<int64_t>(x.data<float>()[0]);
  while (true) {
    std::lock_guard lock(gate_mutex);
    if (held < wanted) continue;
    held = 0;
    ++opened;
    gate.notify_all();
    return;
  }
}

void Fail(Call call, int32_t code, const char* text) {
  StreamOf(call.stream()).Push([sequence = call.abi()->sequence, code, text](Stream& s) {
    std::lock_guard lock(s.mutex);
    s.failure.code = code;
    s.failure.sequence = sequence;
    std::strcpy(s.failure.text, text);
    lost = code == SY_E_DEVICE_LOST;
  });
}
void FailLater(Call call, Tensor, Tensor) { Fail(call, SY_E_ASYNC, "the queue has stumbled"); }
void Lose(Call call, Tensor, Tensor) {
  Fail(call, Has("works on when lost") ? SY_E_ASYNC : SY_E_DEVICE_LOST, "the cable is out");
}

// x: any   →   [8], what the driver was asked for since it was loaded
void CountsShape(Outputs& outputs, Tensor) {
  const int64_t sizes[] = {kNumCounts};
  outputs.Add(sizes, {SY_INT64});
}
void Counts(Call, Tensor out, Tensor) {
  for (int i = 0; i < kNumCounts; ++i) out.data<int64_t>()[i] = counts[i].load();
}
void SameShape(Outputs& outputs, Tensor x) { outputs.Add(x.sizes(), x.dtype()); }

constexpr uint64_t kFloat = SY_BIT(SY_FLOAT32);
constexpr SyOperatorDef kOperators[] = {
    Operator<SameShape>("queued::twice(Tensor x) -> Tensor"),
    Operator("queued::quadruple(Tensor x) -> Tensor"),
    Operator<SameShape>("queued::hold(Tensor x) -> Tensor"),
    Operator<SameShape>("queued::open(Tensor x) -> Tensor"),
    Operator<SameShape>("queued::fail(Tensor x) -> Tensor"),
    Operator<SameShape>("queued::lose(Tensor x) -> Tensor"),
    Operator<CountsShape>("queued::counts(Tensor x) -> Tensor"),
};
constexpr SyKernelDef kKernels[] = {
    Kernel<Fill>("fill.Scalar", "queued", kFloat),
    Kernel<Add>("add.Tensor", "queued", kFloat),
    Kernel<Twice>("queued::twice", "queued", kFloat),
    Kernel<Quadruple, 0>("queued::quadruple", "queued", kFloat),
    Kernel<Hold>("queued::hold", "queued", kFloat),
    Kernel<Unhold>("queued::open", "cpu", kFloat),
    Kernel<FailLater>("queued::fail", "queued", kFloat),
    Kernel<Lose>("queued::lose", "queued", kFloat),
    Kernel<Counts>("queued::counts", "cpu", SY_ANY_DTYPE),
};
constexpr SyDeviceDef kDevices[] = {DeviceOf("queued", kFunctions)};
constexpr SyPlugin kPlugin = MakePlugin("queued", "1.0", kDevices, kOperators, kKernels);

}  // namespace

SY_PLUGIN(kPlugin, "queued")
