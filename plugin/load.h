// Plugins: devices, operators and kernels from shared objects, through the stable C ABI of
// switchyard/c/plugin.h.
//
//   load_plugin("/opt/toy/libtoy.so");              // or "toy", found by its manifest
//   Tensor x = ones({2, 3}, …, ParseDevice("toy"));
//   UnloadAnswer a = unload_plugin("toy");          // a.text == "busy: 1 tensor" while x lives
//
// A name is looked for in the caller's directories, then in those of SWITCHYARD_PLUGIN_PATH
// (separated by ':'; ignored in privileged processes): in each the manifest NAME.json, or the one
// that says "name": NAME. Nothing is loaded by itself, and the working directory is never looked
// in. An object is refused before any of its code runs when it is no plugin, serves another version
// of the ABI, was built with another sanitizer, contradicts its manifest, or may be changed by
// somebody else than root and the user whom the process runs as (docs/security.md). Whatever fails,
// memory that runs out included, the registry is as it was before.
// Owns: a loaded plugin stays until it is unloaded; text and results are the caller's.
// Threads: any; loading and unloading one at a time, calls go on meanwhile.
// Errors: kNotFound when there is no such file or plugin, kRegistration for what is wrong with a
// plugin, kUnavailable when it cannot be opened or refuses to serve.
#ifndef SWITCHYARD_PLUGIN_LOAD_H_
#define SWITCHYARD_PLUGIN_LOAD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/macros.h"

namespace sy {

// What a manifest says of a plugin, and, once it is loaded, what it has brought.
struct PluginInfo {
  std::string name, version, description;
  std::string library;   // path of the object
  std::string manifest;  // path; empty when there is none
  std::vector<std::string> devices, operators;
  bool loaded = false;
  int64_t kernels = 0;   // registered, while loaded
  int64_t declined = 0;  // calls that its kernels passed on to the next candidate, while loaded
  // The C++ runtime that the object was built for: "libstdc++.so.6", "linked in", "none" as far as
  // it tells. Another one than the program's is no obstacle: nothing of C++ crosses.
  std::string cxx_runtime;
  std::string problem;  // of a manifest that cannot be used; empty otherwise
};

struct PluginSearch {
  std::vector<std::string> directories;  // absolute
  bool environment = true;               // SWITCHYARD_PLUGIN_PATH, after `directories`
};

// An absolute path, or a name.
SY_API PluginInfo load_plugin(std::string_view path_or_name, const PluginSearch& search = {});

// What the manifests in the searched directories say, sorted by name; no object is opened.
SY_API std::vector<PluginInfo> list_plugins(const PluginSearch& search = {});

// What is loaded, in the order of loading.
SY_API std::vector<PluginInfo> loaded_plugins();

// How often plugins' kernels have served a call of this thread on their own device: what a call has
// added to it did not fall back, and was no view.
SY_API int64_t CallsServedByDevices();

// Why a plugin is still there: counts of what holds it. All 0 where it is gone.
struct UnloadAnswer {
  bool unloaded = false;
  bool unmapped = false;  // false where the object cannot be taken out of memory: `text` says so
  int64_t tensors = 0;    // blocks of its devices' memory that are alive
  int64_t bytes = 0;      // in them
  int64_t streams = 0;    // of its devices, default ones aside
  int64_t events = 0;
  int64_t exports = 0;  // of its tensors to other libraries, by DLPack
  int64_t calls = 0;    // of its kernels that have not returned
  std::string text;     // "unloaded", "busy: 3 tensors (96 bytes), 1 call"
};

// Takes out what the plugin has registered, when nothing of it is in use; what else there was for
// its keys is back. Calls inside are waited for, a second at most.
// Errors: kNotFound when no plugin of that name is loaded.
SY_API UnloadAnswer unload_plugin(std::string_view name);

}  // namespace sy

#endif  // SWITCHYARD_PLUGIN_LOAD_H_
