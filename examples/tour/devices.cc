// Moving tensors between devices, and the device that has shapes and no data.

#include "switchyard/core/device_backend.h"
#include "tour.h"

namespace tour {

void Devices() {
  Print("# Devices");
  sy::Tensor y = sy::rand({2, 2});
  const sy::Device meta = sy::ParseDevice("meta");
  const sy::Tensor there = sy::to(y, y.dtype(), /*non_blocking=*/false);
  Print(there.is_same(y) ? "to() gives the same tensor where nothing changes" : "to() copied");
  const sy::Tensor shape = sy::empty({2, 3}, std::nullopt, std::nullopt, meta);
  Print(sy::matmul(shape, sy::t(shape)));
  try {
    sy::add(y, sy::empty({2, 2}, std::nullopt, std::nullopt, meta));
  } catch (const sy::Error& e) {
    Print("error: ", e.what());
  }
}

}  // namespace tour
