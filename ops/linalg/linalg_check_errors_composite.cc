// _linalg_check_errors on the host.
// Source: ATen/native/BatchLinearAlgebra.cpp, for what a number means to whom.
#include <algorithm>
#include <array>
#include <string_view>

#include "ops/checks.h"
#include "switchyard/core/transfer.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// What is wrong with a matrix, by a part of the name of who found it.
constexpr ::std::array<::std::array<::std::string_view, 2>, 8> kReasons = {{
    {"inv", " is singular: a diagonal element of its factor is 0"},
    {"solve", " is singular"},
    {"cholesky", " is not positive-definite: a leading minor is not positive"},
    {"eig", " is ill-conditioned, or has too many equal eigenvalues: there is no convergence"},
    {"svd", " is ill-conditioned, or has too many equal singular values: there is no convergence"},
    {"lstsq", " has not full rank"},
    {"lu_factor", " has a 0 on the diagonal of its factor, by which lu_solve would divide"},
    {"ldl", " has a 0 on the diagonal of its factor"},
}};

void CheckErrors(Call call, const Tensor& info, ::std::string_view api_name, bool is_matrix) {
  if (info.dtype() != DType::kInt32)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"info must be int32, got ", info.dtype()});
  if (!HasData(info)) return;
  const Tensor host = ToHost(contiguous(info));
  const int* first = host.data<int>();
  const int* bad = ::std::find_if(first, first + host.numel(), [](int i) { return i != 0; });
  if (bad == first + host.numel()) return;
  ::std::string_view reason = " is one of which it gives no reason";
  for (const auto& [name, text] : kReasons) {
    if (api_name.find(name) == ::std::string_view::npos) continue;
    reason = text;
    break;
  }
  if (*bad < 0) reason = " was given to it with an argument that is wrong";
  if (is_matrix)
    Fail(ErrorCode::kInvalidValue, call.op(), {api_name, ": the matrix", reason, " (", *bad, ")"});
  Fail(ErrorCode::kInvalidValue, call.op(),
       {api_name, ": matrix ", static_cast<int64_t>(bad - first), reason, " (", *bad, ")"});
}
const Composite check_errors_body{"_linalg_check_errors", CheckErrors};

}  // namespace
}  // namespace sy
