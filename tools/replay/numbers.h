// Numbers in the reference cases' JSON: plain, {"f": "nan"} and {"c": [re, im]}.
#ifndef TOOLS_REPLAY_NUMBERS_H_
#define TOOLS_REPLAY_NUMBERS_H_

#include <optional>

#include "switchyard/core/scalar.h"
#include "tools/replay/recorded.h"

namespace sy::replay {

// nullopt for what is no number. A bool is one.
std::optional<Scalar> AsScalar(const Json& j);
// Whether j is an object with this key.
bool Has(const Json& j, const char* key);

}  // namespace sy::replay

#endif  // TOOLS_REPLAY_NUMBERS_H_
