#include "queue.h"

#include "device.h"

namespace opencl {
namespace {

using sy::abi::Guard;

// So many commands may be queued before finished ones are looked for.
constexpr size_t kCommandsKept = 128;

// CL_COMPLETE, CL_RUNNING and so on, or a negative error.
cl_int StatusOf(cl_event e) {
  cl_int status = CL_QUEUED;
  const cl_int code =
      clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  return code == CL_SUCCESS ? status : code;
}

void Describe(cl_int status, uint64_t sequence, SyAsyncError* out) {
  out->size = sizeof(*out);
  out->code = ToAbi(status) == SY_E_DEVICE_LOST ? SY_E_DEVICE_LOST : SY_E_ASYNC;
  out->sequence = sequence;
  SyError text{sizeof(SyError), sizeof(out->text), out->text};
  sy::abi::WriteText(&text, "a queued command ended with " + NameOf(status));
}

// A marker, replaced when the event is recorded again. Null: never recorded, which counts as over.
struct Event {
  std::mutex mutex;
  Handle<cl_event> marker;

  // A reference of its own, so that nobody waits under the lock.
  Handle<cl_event> Get() {
    std::lock_guard lock(mutex);
    if (marker) clRetainEvent(marker.get());
    return Handle<cl_event>(marker.get());
  }
};
Event& EventOf(void* event) { return *static_cast<Event*>(event); }
Queue& QueueOf(void* stream) { return *static_cast<Queue*>(stream); }

}  // namespace

// --- Queues

Queue::Queue(Device& device) : device_(device), failure_{} {
  cl_int code = CL_SUCCESS;
  // In order, as no flag asks for the contrary. Profiling gives event_elapsed its times.
  queue_ =
      Handle(clCreateCommandQueue(device.context(), device.id(), CL_QUEUE_PROFILING_ENABLE, &code));
  Check(code, "clCreateCommandQueue");
  device_.Add(this);
}

Queue::~Queue() { device_.Remove(this); }

void Queue::Keep(Handle<cl_event> done, uint64_t sequence) {
  try {
    {
      std::lock_guard lock(mutex_);
      commands_.push_back({std::move(done), sequence});
      if (commands_.size() >= kCommandsKept) DropFinished();
    }
    // Without it a driver may hold commands back until somebody waits for them.
    Check(clFlush(queue_.get()), "clFlush");
  } catch (...) {
    // Who is told of a failure takes memory back that the command, which is queued, may still use.
    clFinish(queue_.get());
    throw;
  }
}

void Queue::DropFinished() {
  while (!commands_.empty()) {
    const cl_int status = StatusOf(commands_.front().done.get());
    if (status > CL_COMPLETE) return;
    if (status < 0 && failure_.code == SY_OK) {
      Describe(status, commands_.front().sequence, &failure_);
    }
    commands_.pop_front();
  }
}

void Queue::Fill(uint64_t sequence, cl_mem to, uint64_t offset, uint64_t bytes, const void* pattern,
                 uint32_t pattern_bytes) {
  Submit(sequence, "clEnqueueFillBuffer", [&](cl_event* done) {
    return clEnqueueFillBuffer(get(), to, pattern, pattern_bytes, offset, bytes, 0, nullptr, done);
  });
}

void Queue::Copy(uint64_t sequence, cl_mem from, uint64_t from_offset, cl_mem to,
                 uint64_t to_offset, uint64_t bytes) {
  Submit(sequence, "clEnqueueCopyBuffer", [&](cl_event* done) {
    return clEnqueueCopyBuffer(get(), from, to, from_offset, to_offset, bytes, 0, nullptr, done);
  });
}

cl_mem FilledWorkspace(sy::abi::Call call, uint64_t n, uint32_t word) {
  cl_mem memory = static_cast<cl_mem>(call.Workspace(n * sizeof(word)).handle);
  QueueOf(call).Fill(call.abi()->sequence, memory, 0, n * sizeof(word), &word, sizeof(word));
  return memory;
}

void Queue::Read(cl_mem from, uint64_t offset, void* to, uint64_t bytes) {
  Check(clEnqueueReadBuffer(get(), from, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
}

bool Queue::IsIdle() {
  std::lock_guard lock(mutex_);
  DropFinished();
  return commands_.empty();
}

int32_t Queue::Synchronize(SyAsyncError* error) {
  const cl_int code = clFinish(queue_.get());
  std::lock_guard lock(mutex_);
  DropFinished();
  if (failure_.code == SY_OK && code != CL_SUCCESS) Describe(code, 0, &failure_);
  if (failure_.code == SY_OK) return SY_OK;
  if (error != nullptr) *error = failure_;
  return std::exchange(failure_, {}).code;
}

int32_t StreamCreate(void* device, int32_t, void** out, SyError* error) noexcept {
  return Guard(error, [&] { *out = new Queue(*static_cast<Device*>(device)); });
}

void StreamDestroy(void*, void* stream) noexcept { delete static_cast<Queue*>(stream); }

int32_t StreamSynchronize(void*, void* stream, SyAsyncError* error) noexcept {
  return QueueOf(stream).Synchronize(error);
}

int32_t StreamQuery(void*, void* stream) noexcept {
  return QueueOf(stream).IsIdle() ? SY_OK : SY_E_NOT_READY;
}

// --- Events

int32_t EventCreate(void*, uint32_t, void** out, SyError* error) noexcept {
  return Guard(error, [&] { *out = new Event; });
}

void EventDestroy(void*, void* event) noexcept { delete static_cast<Event*>(event); }

int32_t EventRecord(void*, void* event, void* stream) noexcept {
  return Guard(nullptr, [&] {
    Event& e = EventOf(event);
    Queue& queue = QueueOf(stream);
    Handle<cl_event> marker;
    Check(clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, marker.Out()),
          "clEnqueueMarkerWithWaitList");
    // OpenCL asks for it before another queue waits for the event (section 5.13).
    Check(clFlush(queue.get()), "clFlush");
    std::lock_guard lock(e.mutex);
    e.marker = std::move(marker);
  });
}

int32_t EventWait(void*, void* event, void* stream) noexcept {
  return Guard(nullptr, [&] {
    const Handle<cl_event> marker = EventOf(event).Get();
    if (!marker) return;
    QueueOf(stream).Submit(0, "clEnqueueBarrierWithWaitList", [&](cl_event* done) {
      return clEnqueueBarrierWithWaitList(QueueOf(stream).get(), 1, marker.address(), done);
    });
  });
}

int32_t EventSynchronize(void*, void* event, SyAsyncError* error) noexcept {
  const Handle<cl_event> marker = EventOf(event).Get();
  if (!marker) return SY_OK;
  const cl_int code = clWaitForEvents(1, marker.address());
  if (code == CL_SUCCESS) return SY_OK;
  SyAsyncError failure{};
  Describe(code, 0, &failure);
  if (error != nullptr) *error = failure;
  return failure.code;
}

int32_t EventQuery(void*, void* event) noexcept {
  const Handle<cl_event> marker = EventOf(event).Get();
  const cl_int status = marker ? StatusOf(marker.get()) : CL_COMPLETE;
  if (status > CL_COMPLETE) return SY_E_NOT_READY;
  return status == CL_COMPLETE ? SY_OK : SY_E_ASYNC;
}

int32_t EventElapsed(void*, void* from, void* to, uint64_t* nanoseconds) noexcept {
  return Guard(nullptr, [&] {
    cl_ulong ends[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      const Handle<cl_event> marker = EventOf(i == 0 ? from : to).Get();
      if (!marker) throw sy::abi::Error("both events must have been recorded");
      Check(clGetEventProfilingInfo(marker.get(), CL_PROFILING_COMMAND_END, sizeof(ends[i]),
                                    &ends[i], nullptr),
            "clGetEventProfilingInfo");
    }
    *nanoseconds = ends[1] > ends[0] ? ends[1] - ends[0] : 0;
  });
}

}  // namespace opencl
