#include "plugin/object.h"

#include <dlfcn.h>
#include <link.h>

#include "switchyard/core/error.h"

namespace sy::plugin {
namespace {

// noexcept: an exception of a static constructor must not unwind through the dynamic linker, which
// holds its lock. volatile: glibc declares that dlopen throws nothing, and compilers believe it.
void* OpenObject(const char* path, int flags) noexcept {
  void* (*volatile open)(const char*, int) = &dlopen;
  return open(path, flags);
}

}  // namespace

void Object::CloseHandle::operator()(void* handle) const { dlclose(handle); }

Object::Object(const std::string& path, bool may_unmap)
    : path_(path),
      handle_(OpenObject(path.c_str(), RTLD_NOW | RTLD_LOCAL | (may_unmap ? 0 : RTLD_NODELETE))) {
  if (handle_ == nullptr) {
    const char* why = dlerror();
    Fail(ErrorCode::kUnavailable, {"plugin '", path, "' cannot be opened: ",
                                   why == nullptr ? "the dynamic linker does not say why" : why});
  }
  link_map* map = nullptr;
  if (dlinfo(handle_.get(), RTLD_DI_LINKMAP, &map) == 0) {
    name_ = map->l_name;
    inside_ = map->l_ld;
  }
}

SyPluginEntry Object::Entry() const {
  void* entry = dlsym(handle_.get(), SY_PLUGIN_ENTRY_NAME);
  if (entry == nullptr) {
    Fail(ErrorCode::kRegistration,
         {"plugin '", path_, "': it exports no symbol ", SY_PLUGIN_ENTRY_NAME});
  }
  return reinterpret_cast<SyPluginEntry>(entry);
}

bool Object::Close() noexcept {
  handle_.reset();
  // By address: opening it once more, to see whether it is there, would need memory.
  Dl_info info;
  return dladdr(inside_, &info) == 0 || info.dli_fname == nullptr || name_ != info.dli_fname;
}

}  // namespace sy::plugin
