// An open shared object.
//
//   Object object(path, may_unmap);
//   object.Entry()(…);
//   const bool gone = object.Close();
//
// Owns: a handle of the dynamic linker's; the destructor closes it.
// Threads: under the loader's lock.
// Errors: kUnavailable when it cannot be opened, kRegistration when it has no entry point.
#ifndef PLUGIN_OBJECT_H_
#define PLUGIN_OBJECT_H_

#include <cfenv>
#include <memory>
#include <string>

#include "switchyard/c/plugin.h"

namespace sy::plugin {

// Plugins may be linked with code that changes the rounding of the thread that opens them
// (-ffast-math: flush to zero).
class KeepRounding {
 public:
  KeepRounding() { std::fegetenv(&before_); }
  ~KeepRounding() { std::fesetenv(&before_); }
  KeepRounding(const KeepRounding&) = delete;
  KeepRounding& operator=(const KeepRounding&) = delete;

 private:
  std::fenv_t before_;
};

class Object {
 public:
  Object(const std::string& path, bool may_unmap);
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  SyPluginEntry Entry() const;
  // Whether its code is out of memory. Allocates nothing.
  bool Close() noexcept;
  // It stays in memory for ever: somebody is in its code.
  void Keep() noexcept { handle_.release(); }

 private:
  struct CloseHandle {
    void operator()(void* handle) const;
  };
  const std::string path_;
  std::unique_ptr<void, CloseHandle> handle_;
  std::string name_;              // as the dynamic linker has it
  const void* inside_ = nullptr;  // an address of its own
};

}  // namespace sy::plugin

#endif  // PLUGIN_OBJECT_H_
