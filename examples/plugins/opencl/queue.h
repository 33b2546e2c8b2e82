// Streams and events: an in-order command queue each, and a marker's event.
//
//   queue.Submit(call.sequence(), "clEnqueueFillBuffer", [&](cl_event* done) {
//     return clEnqueueFillBuffer(queue.get(), …, done);
//   });
//
// A failure of queued work is known by the event of its command alone, so every command has one,
// and the queue keeps those that are not over. OpenCL offers callbacks for this as well; they may
// come after clFinish has returned, when the plugin may be gone, so this plugin uses none.
// Owns: a Queue its cl_command_queue and the events of what is queued; an Event its marker.
// Threads: any.
#ifndef OPENCL_QUEUE_H_
#define OPENCL_QUEUE_H_

#include <deque>
#include <mutex>

#include "error.h"
#include "handle.h"
#include "switchyard/c/plugin.h"

namespace opencl {

class Device;

class Queue {
 public:
  explicit Queue(Device& device);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  Device& device() { return device_; }
  cl_command_queue get() const { return queue_.get(); }

  // Queues what `enqueue` (a function of cl_event*) does and hands it to the device. sequence: of
  // the call of a kernel, 0 for others. name: of the OpenCL function, for errors.
  template <class F>
  void Submit(uint64_t sequence, const char* name, F&& enqueue) {
    Handle<cl_event> done;
    Check(enqueue(done.Out()), name);
    Keep(std::move(done), sequence);
  }
  // Bytes of a buffer, all of them like the pattern of 1, 2, 4, 8 or 16 bytes.
  void Fill(uint64_t sequence, cl_mem to, uint64_t offset, uint64_t bytes, const void* pattern,
            uint32_t pattern_bytes);
  void Copy(uint64_t sequence, cl_mem from, uint64_t from_offset, cl_mem to, uint64_t to_offset,
            uint64_t bytes);
  // Reads bytes when everything queued before is done. Blocks: for results that decide what happens
  // next, such as whether an index is out of range.
  void Read(cl_mem from, uint64_t offset, void* to, uint64_t bytes);
  // Whether everything is done.
  bool IsIdle();
  // Waits for everything. The first failure since the last call goes to *error.
  int32_t Synchronize(SyAsyncError* error);

 private:
  struct Command {
    Handle<cl_event> done;
    uint64_t sequence;
  };
  void Keep(Handle<cl_event> done, uint64_t sequence);
  void DropFinished();

  Device& device_;
  Handle<cl_command_queue> queue_;
  std::mutex mutex_;
  std::deque<Command> commands_;
  SyAsyncError failure_;  // the first; code SY_OK: none
};

inline Queue& QueueOf(sy::abi::Call call) { return *static_cast<Queue*>(call.stream()); }
// n words of 32 bits, each `word`, in memory that lives until what the call queues is done.
cl_mem FilledWorkspace(sy::abi::Call call, uint64_t n, uint32_t word);

// The stream and event functions of the table in device.cc.
int32_t StreamCreate(void* device, int32_t priority, void** out, SyError* error) noexcept;
void StreamDestroy(void* device, void* stream) noexcept;
int32_t StreamSynchronize(void* device, void* stream, SyAsyncError* error) noexcept;
int32_t StreamQuery(void* device, void* stream) noexcept;
int32_t EventCreate(void* device, uint32_t timed, void** out, SyError* error) noexcept;
void EventDestroy(void* device, void* event) noexcept;
int32_t EventRecord(void* device, void* event, void* stream) noexcept;
int32_t EventWait(void* device, void* event, void* stream) noexcept;
int32_t EventSynchronize(void* device, void* event, SyAsyncError* error) noexcept;
int32_t EventQuery(void* device, void* event) noexcept;
int32_t EventElapsed(void* device, void* from, void* to, uint64_t* nanoseconds) noexcept;

}  // namespace opencl

#endif  // OPENCL_QUEUE_H_
