// A plugin's tables, checked whole before anything of them is registered.
//
//   const Tables t = Validate(*entry(…), note);   // throws, or everything in it may be committed
//
// Owns: copies of the structs; texts stay the plugin's.
// Threads: under the loader's lock.
// Errors: kRegistration naming the plugin, the entry and what is wrong with it.
#ifndef PLUGIN_VALIDATE_H_
#define PLUGIN_VALIDATE_H_

#include <vector>

#include "plugin/abi.h"
#include "switchyard/dispatcher/packing.h"

namespace sy::plugin {

struct Tables {
  SyPlugin plugin;
  std::vector<SyDeviceDef> devices;
  std::vector<SyOperatorDef> operators;
  std::vector<SyKernelDef> kernels;  // those to register
  std::vector<uint8_t> accepted;     // of all kernels given: 0 where an optional one is skipped
  std::vector<PackingDef> packings;
  std::vector<SyLayerDef> layers;
  std::vector<SyGradientDef> gradients;
};

Tables Validate(const SyPlugin& given, const SyNote& note);

}  // namespace sy::plugin

#endif  // PLUGIN_VALIDATE_H_
