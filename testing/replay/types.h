// Type promotion as recorded: promote_types, can_cast and result_type.
//
// types.json: {"promote_types": {"a,b": dtype or null}, "can_cast": {"a,b": bool},
// "result_type": [[dtype, dims, dtype or "number:KIND", dims, result], …]}.
// Threads: any.
#ifndef TESTING_REPLAY_TYPES_H_
#define TESTING_REPLAY_TYPES_H_

#include <string>
#include <vector>

#include "testing/replay/recorded.h"

namespace sy::replay {

struct TypeOutcome {
  std::string what;  // "promote_types(uint8, int8)"
  std::string why;   // expected and got; "" when they agree
};
std::vector<TypeOutcome> CheckTypes(const Json& types);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_TYPES_H_
