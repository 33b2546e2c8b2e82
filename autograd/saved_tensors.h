// What becomes of tensors while they are kept for backward: packed when a call keeps them, unpacked
// when its formula asks for them.
//
//   const SavedTensorHooks hooks(
//       [](const Tensor& t) -> std::any { return WriteToDisk(t); },
//       [](const std::any& file) { return ReadFromDisk(std::any_cast<File>(file)); });
//   { const SavedOnHost lean;  loss = f(x); }    // device memory holds none of them
//
// Of hooks that nest the innermost alone is asked. They hold for calls that this thread records
// while they live; what was packed knows how to unpack itself afterwards. PyTorch's
// torch.autograd.graph.saved_tensors_hooks and save_on_cpu.
// Owns: the functions, as long as something is packed by them.
// Threads: pack runs in the recording thread, unpack in the one that runs backward.
// Errors: what the functions throw leaves the call or backward; kInvalidArgument where unpack gives
// an undefined tensor.
#ifndef SWITCHYARD_AUTOGRAD_SAVED_TENSORS_H_
#define SWITCHYARD_AUTOGRAD_SAVED_TENSORS_H_

#include <any>
#include <functional>
#include <memory>

#include "switchyard/core/tensor.h"

namespace sy {

namespace autograd {
struct PackFunctions;
}

class SY_API SavedTensorHooks {
 public:
  // Both run without recording, and must not write to the tensor.
  using Pack = std::function<std::any(const Tensor&)>;
  using Unpack = std::function<Tensor(const std::any&)>;
  SavedTensorHooks(Pack pack, Unpack unpack);
  ~SavedTensorHooks();
  SavedTensorHooks(const SavedTensorHooks&) = delete;

 private:
  std::shared_ptr<const autograd::PackFunctions> functions_;
  const std::shared_ptr<const autograd::PackFunctions>* outer_;  // what was asked before
};

// Copies on the host, which go back to where they were.
class SY_API SavedOnHost : public SavedTensorHooks {
 public:
  SavedOnHost();
};

}  // namespace sy

#endif  // SWITCHYARD_AUTOGRAD_SAVED_TENSORS_H_
