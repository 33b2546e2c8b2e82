// Shared libraries of NVIDIA's that are opened when they are first needed, so that a program with
// this backend starts on a machine that has none of them.
//
// Owns: what is opened stays open for the process.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_LIBRARY_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_LIBRARY_H_

#include <initializer_list>
#include <string>

namespace sy::cuda {

class Library {
 public:
  // The first of `names` that can be opened, by name, then in CUDA_HOME/lib64, CUDA_HOME/lib,
  // /usr/local/cuda/lib64 and /usr/local/nvidia/lib64. CUDA_HOME counts where it is absolute, and
  // not in a process with more rights than its user has.
  explicit Library(std::initializer_list<const char*> names);
  bool open() const { return handle_ != nullptr; }
  // Why it could not be opened.
  const std::string& problem() const { return problem_; }
  // Null, with a problem, where the library has no such function.
  void* Find(const char* symbol);

 private:
  void* handle_ = nullptr;
  std::string problem_;
};

}  // namespace sy::cuda

// The name under which a library exports a function that its header may rename: cuMemAlloc is
// cuMemAlloc_v2.
#define SY_CUDA_SYMBOL_TEXT(name) #name
#define SY_CUDA_SYMBOL(name) SY_CUDA_SYMBOL_TEXT(name)

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_LIBRARY_H_
