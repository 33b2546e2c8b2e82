// What kernels of plugins keep between calls: packed constants, plans, tuned choices.
//
//   if (void* packed = FindState(frame, key)) …        // SyHost::find_state
//   else KeepState(frame, key, made, destroy)          // SyHost::keep_state
//
// Kept by kernel, place, the bytes of the key, and the constants that it names: each by storage,
// offset, dtype, sizes and strides. An entry goes with any of its constants, with the plugin, or,
// where it has none and the kernel keeps many, when it was not used for longest; what a call has
// found stays until that call is over.
// Owns: the states, which the plugin's `destroy` takes back.
// Threads: any.
// Errors: kInvalidArgument for an argument that is no constant.
#ifndef PLUGIN_STATE_H_
#define PLUGIN_STATE_H_

#include "plugin/frame.h"

namespace sy::plugin {

// Null where there is none.
void* FindState(Frame& f, const SyStateKey& key);
// What is kept from here on: `state`, or another thread's, which was first. On an error `state` is
// still the caller's.
void* KeepState(Frame& f, const SyStateKey& key, void* state, void (*destroy)(void*) noexcept);
// All that a kernel keeps is destroyed. No call of it is inside.
void DropStates(const KernelRecord& kernel) noexcept;

}  // namespace sy::plugin

#endif  // PLUGIN_STATE_H_
