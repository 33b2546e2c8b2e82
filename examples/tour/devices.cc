// Moving tensors between devices, the device that has shapes and no data, and an accelerator where
// there is one.

#include "tour.h"

namespace tour {

void Devices() {
  Print("# Devices");
  const sy::Tensor y = sy::rand({2, 2});
  Print(y.to(y.dtype()).is_same(y) ? "to() gives the same tensor where nothing changes"
                                   : "to() copied");
  const sy::Device meta = "meta";
  const sy::Tensor shape = sy::empty({2, 3}, meta);
  Print(sy::matmul(shape, sy::t(shape)));
  try {
    sy::add(y, sy::empty({2, 2}, {.device = meta}));
  } catch (const sy::Error& e) {
    Print("error: ", e.what());
  }
}

// The section of the introduction to tensors; what it prints depends on the machine.
void Accelerator() {
  Print("# Moving to an accelerator");
  if (!sy::HasAccelerator()) {
    Print("Sorry, CPU only.");
    return;
  }
  Print("We have an accelerator!");
  const sy::Device device = sy::CurrentAccelerator();
  Print("devices: ", sy::DeviceCount(device.type));
  const sy::Tensor random = sy::rand({2, 2}, device);
  Print(random);
  const sy::Device my_device = sy::HasAccelerator() ? sy::CurrentAccelerator() : sy::kCpu;
  Print("Device: ", my_device);
  const sy::Tensor x = sy::rand({2, 2}, {.device = my_device});
  Print(x);
  sy::Tensor y = sy::rand({2, 2});
  try {
    Print(x + y);
  } catch (const sy::Error& e) {
    Print("error: ", e.what());
  }
  y = y.to(my_device);
  Print((x + y).device());
}

}  // namespace tour
