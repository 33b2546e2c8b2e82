// Programs, compiled at the first call that needs them and kept for the device's life.
//
//   Program& p = device.programs().Get("add.Tensor f32", [&] { return Source(…); });
//   Launch(p, "flat").Buffer(out).Value(n)….Run(call, n);
//
// One program per (operator, dtypes): the key names both. A program's kernels are made when they
// are first launched. Drivers keep compiled programs on disk, so this cache does not.
// Owns: programs and kernels.
// Threads: any. A kernel's arguments are part of the kernel, so a Launch holds it until it has run.
// Errors: SY_E_INTERNAL with the compiler's log when a program does not build.
#ifndef OPENCL_PROGRAMS_H_
#define OPENCL_PROGRAMS_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "handle.h"
#include "switchyard/c/plugin.hpp"

namespace opencl {

class Queue;

struct CompiledKernel {
  Handle<cl_kernel> kernel;
  bool launched = false;
  std::mutex mutex;
};

class Program {
 public:
  explicit Program(Handle<cl_program> built) : program_(std::move(built)) {}
  CompiledKernel& Get(const char* name);

 private:
  Handle<cl_program> program_;
  std::mutex mutex_;
  std::map<std::string, CompiledKernel, std::less<>> kernels_;
};

class ProgramCache {
 public:
  ProgramCache(cl_context context, cl_device_id id, std::string options)
      : context_(context), id_(id), options_(std::move(options)) {}

  // make_source: called when there is no program for the key yet; gives OpenCL C.
  template <class F>
  Program& Get(const std::string& key, F&& make_source) {
    std::lock_guard lock(mutex_);
    std::unique_ptr<Program>& p = programs_[key];
    if (p == nullptr) p = Build(key, make_source());
    return *p;
  }

 private:
  std::unique_ptr<Program> Build(const std::string& key, const std::string& source);

  cl_context context_;
  cl_device_id id_;
  const std::string options_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Program>> programs_;
};

// One launch: arguments in the order of the kernel's parameters, then Run.
class Launch {
 public:
  Launch(Program& program, const char* kernel);
  // memory null: a null pointer in the kernel.
  Launch& Buffer(cl_mem memory);
  Launch& Bytes(const void* value, size_t size);
  template <class T>
  Launch& Value(const T& value) {
    return Bytes(&value, sizeof(value));
  }
  // A struct of 64-bit words.
  Launch& Struct(const std::vector<int64_t>& words) {
    return Bytes(words.data(), words.size() * sizeof(int64_t));
  }
  // Queues it for at least n work items, in groups of kGroup. Kernels do nothing past n.
  void Run(sy::abi::Call call, uint64_t n);
  // The same for a grid of whole groups. dims: 1 to 3. groups: in each; group: items in each.
  void RunGroups(sy::abi::Call call, int dims, const size_t* groups, const size_t* group);

  // Items of a group. Every device takes 256 but for some that are no GPU and no CPU; fixed, since
  // compilers that specialise for it (PoCL) then compile once.
  static constexpr size_t kGroup = 256;

 private:
  CompiledKernel& kernel_;
  std::unique_lock<std::mutex> lock_;
  cl_uint next_ = 0;
};

}  // namespace opencl

#endif  // OPENCL_PROGRAMS_H_
