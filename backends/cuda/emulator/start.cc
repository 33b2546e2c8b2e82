// Linked into a program: its cuda devices are the emulator's.

#include "backends/cuda/emulator/emulator.h"

namespace sy::cuda {
namespace {

[[maybe_unused]] const bool emulated = [] {
  EmulateCuda();
  return true;
}();

}  // namespace
}  // namespace sy::cuda
