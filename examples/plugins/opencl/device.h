// One OpenCL device: what the plugin's `open` makes and every other function gets.
//
//   Device& device = call.device<Device>();
//   device.context();                      one context per device
//   device.programs().Get(…);              what was compiled for it
//
// Owns: the context, the compiled programs, a queue for mapping; knows the others, which their
// creators own.
// Threads: any.
#ifndef OPENCL_DEVICE_H_
#define OPENCL_DEVICE_H_

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "handle.h"
#include "programs.h"
#include "queue.h"
#include "switchyard/c/plugin.h"

namespace opencl {

class Device {
 public:
  explicit Device(cl_device_id id);

  cl_context context() const { return context_.get(); }
  cl_device_id id() const { return id_; }
  ProgramCache& programs() { return programs_; }
  bool has_double() const { return has_double_; }
  // Least alignment in bytes that the device gives to every buffer.
  uint64_t alignment() const { return alignment_; }
  uint64_t total_bytes() const { return total_bytes_; }
  const std::string& hardware() const { return hardware_; }
  const std::string& driver() const { return driver_; }

  void Add(Queue* queue);
  void Remove(Queue* queue);
  // Buffers that the host has mapped, by the address it knows them by. Keeping one cannot fail.
  using Mapped = std::map<void*, Handle<cl_mem>>;
  void KeepMapped(Mapped::node_type buffer) noexcept;
  Mapped::node_type TakeMapped(void* address) noexcept;
  // For mapping and unmapping them: there as long as they are, so that giving one back, which may
  // not fail, need not make it.
  Queue& mapping() { return mapping_; }
  // Waits for all queues. The first failure of work that was queued goes to *error.
  int32_t Synchronize(SyAsyncError* error);

 private:
  cl_device_id id_;
  Handle<cl_context> context_;
  ProgramCache programs_;
  bool has_double_ = false;
  uint64_t alignment_ = 0, total_bytes_ = 0;
  std::string hardware_, driver_;
  std::mutex mutex_;
  std::vector<Queue*> queues_;
  Mapped mapped_;
  Queue mapping_;  // last: it is known to the rest
};

// The device's part of the plugin's table.
extern const SyDeviceFunctions kDeviceFunctions;

}  // namespace opencl

#endif  // OPENCL_DEVICE_H_
