#include "backends/cuda/driver/library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace sy::cuda {

Library::Library(std::initializer_list<const char*> names) {
  std::vector<std::string> folders = {""};
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0') {
    folders.push_back(std::string(home) + "/lib64/");
    folders.push_back(std::string(home) + "/lib/");  // as Python's packages have them
  }
  folders.emplace_back("/usr/local/cuda/lib64/");
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
