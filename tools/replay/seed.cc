#include "tools/replay/call.h"

namespace sy::replay {

bool SeedDefaultGenerator(Device, uint64_t) { return false; }

}  // namespace sy::replay
