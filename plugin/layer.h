// Layers of plugins, as the dispatcher has them.
//
// One of a name lives for the process, registered under one number: tensors that carry it, and
// programs that know it, find that calls go through while its plugin is not loaded.
// Owns: itself, for the process.
// Threads: made, opened and closed by the loader under its lock; calls from any thread.
#ifndef PLUGIN_LAYER_H_
#define PLUGIN_LAYER_H_

#include <atomic>
#include <string>

#include "plugin/abi.h"
#include "switchyard/dispatcher/layers.h"

namespace sy::plugin {

class PluginLayer : public Layer {
 public:
  // The one of that name, which is made and registered, closed, when there is none. `def` has been
  // checked. slot: the plugin's. Errors: kRegistration where the name is another's, or stands at
  // another place since it was loaded first; kInvalidArgument when there is no room for layers.
  static PluginLayer& Of(const std::string& plugin, int slot, const SyLayerDef& def);

  void Open() noexcept { fn_.store(loaded_fn_, std::memory_order_release); }
  // Calls go through from here on.
  void Close() noexcept { fn_.store(nullptr, std::memory_order_release); }

  void OnCall(LayerCall& call) override;

 private:
  PluginLayer(std::string name, std::string plugin, int slot, int order)
      : name_(std::move(name)), plugin_(std::move(plugin)), slot_(slot), order_(order) {}

  const std::string name_, plugin_;
  const int slot_, order_;
  LayerId id_ = -1;
  SyLayerFn loaded_fn_ = nullptr;
  void* user_ = nullptr;
  std::atomic<SyLayerFn> fn_{nullptr};
};

}  // namespace sy::plugin

#endif  // PLUGIN_LAYER_H_
