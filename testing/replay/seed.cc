#include "switchyard/core/generator.h"
#include "testing/replay/call.h"

namespace sy::replay {

bool SeedDefaultGenerator(Device device, uint64_t seed) {
  DefaultGenerator(device).manual_seed(seed);
  return true;
}

}  // namespace sy::replay
