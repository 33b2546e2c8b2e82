#include "backends/cuda/driver/library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Empty when there is none to look in.
const std::string& CudaHome() {
  static const std::string* home = [] {
    const char* text = secure_getenv("CUDA_HOME");
    if (text == nullptr || *text == '\0') return new std::string;
    if (*text == '/') return new std::string(text);
    Log(LogLevel::kWarning,
        fmt::format(
            "CUDA's libraries are not looked for in CUDA_HOME, '{}': it is not an absolute path",
            text));
    return new std::string;
  }();
  return *home;
}

}  // namespace

Library::Library(std::initializer_list<const char*> names) {
  std::vector<std::string> folders = {""};
  if (const std::string& home = CudaHome(); !home.empty()) {
    folders.push_back(home + "/lib64/");
    folders.push_back(home + "/lib/");  // as Python's packages have them
  }
  folders.emplace_back("/usr/local/cuda/lib64/");
  folders.emplace_back("/usr/local/nvidia/lib64/");  // where containers have the driver
  for (const std::string& folder : folders) {
    for (const char* name : names) {
      handle_ = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ != nullptr) {
        problem_.clear();
        return;
      }
      if (problem_.empty()) problem_ = dlerror();
    }
  }
}

void* Library::Find(const char* symbol) {
  void* found = dlsym(handle_, symbol);
  if (found == nullptr && problem_.empty()) problem_ = dlerror();
  return found;
}

}  // namespace sy::cuda
