// The reference cases' JSON: texts of it, and numbers in it: plain, {"f": "nan"} and {"c": [re,
// im]}.
#ifndef TESTING_REPLAY_NUMBERS_H_
#define TESTING_REPLAY_NUMBERS_H_

#include <optional>
#include <string_view>

#include "switchyard/core/scalar.h"
#include "testing/replay/recorded.h"

namespace sy::replay {

// An object. Errors: Malformed for other texts, and for values nested deeper than a case's ever
// are: what reads them calls itself for each level.
Json ParseObject(std::string_view text);

// nullopt for what is no number. A bool is one. Errors: Malformed for a complex number of other
// than two parts.
std::optional<Scalar> AsScalar(const Json& j);
// Errors: Malformed for what is no integer or does not fit.
int64_t AsInteger(const Json& j);
// Whether j is an object with this key.
bool Has(const Json& j, const char* key);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_NUMBERS_H_
