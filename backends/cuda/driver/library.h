// Shared libraries of NVIDIA's that are opened when they are first needed, so that a program with
// this backend starts on a machine that has none of them.
//
//   Library& lt = LibraryOf(Lib::kCublasLt);
//   if (!lt.open()) … lt.problem() …
//
// Owns: what is opened stays open for the process.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_LIBRARY_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_LIBRARY_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sy::cuda {

class Library {
 public:
  // The first of `names` that can be opened, by name, then in CUDA_HOME/lib64, CUDA_HOME/lib,
  // /usr/local/cuda/lib64 and /usr/local/nvidia/lib64, then where Python's packages have it:
  // nvidia/*/lib in the site-packages that this program's own library lies in, and in those of
  // VIRTUAL_ENV and CONDA_PREFIX. Variables count where they are absolute, and not in a process
  // with more rights than its user has.
  explicit Library(std::span<const std::string> names);
  explicit Library(std::string name) : Library(std::span<const std::string>(&name, 1)) {}
  bool open() const { return handle_ != nullptr; }
  // Where it was found.
  const std::string& path() const { return path_; }
  // Why it could not be opened.
  const std::string& problem() const { return problem_; }
  // Null, with a problem, where the library has no such function.
  void* Find(const char* symbol);

 private:
  void* handle_ = nullptr;
  std::string path_, problem_;
};

// Those of NVIDIA's that are used where they are found.
enum class Lib { kNvrtc, kCublasLt, kCublas, kCusolver, kCufft, kCudnn };
inline constexpr Lib kLibs[] = {Lib::kNvrtc,    Lib::kCublasLt, Lib::kCublas,
                                Lib::kCusolver, Lib::kCufft,    Lib::kCudnn};
std::string_view NameOf(Lib which);  // "cuBLASLt"
// Their files' names in the order in which they are looked for, for a driver of CUDA `major`: a
// driver serves libraries of its own CUDA and of older ones, from 12 on, and of no newer one.
std::vector<std::string> FilesOf(Lib which, int major);
// Opened at the first call.
Library& LibraryOf(Lib which);

// Folders of site-packages that have NVIDIA's libraries, below `site_packages`; sorted.
std::vector<std::string> PackagedFolders(const std::string& site_packages);

// CUB's headers, where a toolkit in CUDA_HOME or /usr/local/cuda has them.
struct CubHeaders {
  std::vector<std::string> folders;  // to look for headers in; empty: there are none
  int version = 0;                   // CUB_VERSION
};
const CubHeaders& FindCub();

}  // namespace sy::cuda

// The name under which a library exports a function that its header may rename: cuMemAlloc is
// cuMemAlloc_v2.
#define SY_CUDA_SYMBOL_TEXT(name) #name
#define SY_CUDA_SYMBOL(name) SY_CUDA_SYMBOL_TEXT(name)

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_LIBRARY_H_
