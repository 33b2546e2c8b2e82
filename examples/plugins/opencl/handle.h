// OpenCL's reference-counted objects, released where they go out of scope.
//
//   Handle<cl_event> e;
//   Check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, e.Out()), "clEnqueueMarkerWithWaitList");
//   clWaitForEvents(1, e.address());
//
// Owns: one reference. Threads: as a pointer.
#ifndef OPENCL_HANDLE_H_
#define OPENCL_HANDLE_H_

#include <CL/cl.h>

#include <utility>

namespace opencl {

inline void Release(cl_context h) { clReleaseContext(h); }
inline void Release(cl_command_queue h) { clReleaseCommandQueue(h); }
inline void Release(cl_mem h) { clReleaseMemObject(h); }
inline void Release(cl_event h) { clReleaseEvent(h); }
inline void Release(cl_program h) { clReleaseProgram(h); }
inline void Release(cl_kernel h) { clReleaseKernel(h); }

template <class T>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T owned) : handle_(owned) {}
  Handle(Handle&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  Handle& operator=(Handle&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~Handle() {
    if (handle_ != nullptr) Release(handle_);
  }
  T get() const { return handle_; }
  const T* address() const { return &handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  // For functions that give a reference by pointer; what was held is released.
  T* Out() {
    *this = Handle();
    return &handle_;
  }

 private:
  T handle_ = nullptr;
};

}  // namespace opencl

#endif  // OPENCL_HANDLE_H_
