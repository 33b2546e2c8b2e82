// Calls demo::softsign in its forms, and compares its numbers.

#include "demo/checking.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"

int main() {
  demo::Checker check;
  const sy::Tensor x = sy::tensor({-1., 0., 3.});
  check("functional", sy::ToString(sy::call("demo::softsign", x).tensor()),
        "tensor([-0.5000,  0.0000,  0.7500])");
  const sy::Tensor half = sy::tensor({-3., 7.}, sy::DType::kFloat16);
  sy::call("demo::softsign_", half);
  check("in place, float16", sy::ToString(half), "tensor([-0.7500,  0.8750], dtype=torch.float16)");
  check("integers", sy::ToString(sy::call("demo::softsign", sy::tensor({-1, 1})).tensor()),
        "tensor([-0.5000,  0.5000])");
  return check.status();
}
