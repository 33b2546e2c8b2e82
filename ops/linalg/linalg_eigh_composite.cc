// linalg_eigvalsh by _linalg_eigh.

#include <string_view>
#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

Tensor Eigvalsh(Call call, const Tensor& self, std::string_view uplo) {
  RequireSquare(call.op(), self, "self");
  return std::get<0>(_linalg_eigh(self, uplo, false));
}
const Composite linalg_eigvalsh_body{"linalg_eigvalsh", Eigvalsh};

}  // namespace
}  // namespace sy
