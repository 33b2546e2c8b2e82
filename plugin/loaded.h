// What is loaded, and what loading and unloading do with it. None of this allocates or throws: it
// is how a load that fails half-way, and an unload that cannot go on, are taken back.
//
// Owns: what is in the list, for the process. Records and devices live on after their plugin.
// Threads: under loader_mutex().
#ifndef PLUGIN_LOADED_H_
#define PLUGIN_LOADED_H_

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plugin/device.h"
#include "plugin/kernel.h"
#include "plugin/layer.h"
#include "plugin/object.h"
#include "switchyard/plugin/load.h"

namespace sy::plugin {

struct Loaded {
  PluginInfo info;
  int slot = 0;
  bool may_unmap = false;
  std::unique_ptr<Object> object;
  SyPlugin table = {};
  Registry* registry = nullptr;
  std::vector<Device*> devices;  // registered
  std::vector<OperatorRecord*> operators;
  std::vector<KernelRecord*> kernels;
  std::vector<std::string> packings;  // by name
  std::vector<PluginLayer*> layers;
  std::vector<std::string> gradients;  // of operators, by name
};

std::recursive_mutex& loader_mutex();
std::list<Loaded>& loaded();

// As the program sees it. (This one allocates.)
PluginInfo Describe(const Loaded& p);

// No call starts from here on; Resume takes that back.
void Close(Loaded& p) noexcept;
void Resume(Loaded& p) noexcept;
// Calls inside a plugin that is closed; waits a second for them, unless this thread is inside.
int64_t WaitForCalls(const Loaded& p) noexcept;
// Takes out of the registry what is in `devices`, `operators`, `kernels`, `packings` and
// `gradients`, and empties them.
void Deregister(Loaded& p) noexcept;

}  // namespace sy::plugin

#endif  // PLUGIN_LOADED_H_
