// Calls demo::softsign in its variants, and compares its numbers:  check_softsign [DEVICE]

#include "demo/checking.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"

int main(int argc, char** argv) {
  const sy::Device device = sy::ParseDevice(argc > 1 ? argv[1] : "cpu");
  const auto to = [](const sy::Tensor& t, sy::Device d) {
    return sy::call("to.device", t, d, t.dtype()).take();
  };
  const auto text = [&](const sy::Tensor& t) {
    return sy::ToString(to(t, sy::ParseDevice("cpu")));
  };
  demo::Checker check;
  const sy::Tensor x = to(sy::tensor({-1., 0., 3.}), device);
  check("functional", text(sy::call("demo::softsign", x).tensor()),
        "tensor([-0.5000,  0.0000,  0.7500])");
  const sy::Tensor half = to(sy::tensor({-3., 7.}, sy::DType::kFloat16), device);
  sy::call("demo::softsign_", half);
  check("in place, float16", text(half), "tensor([-0.7500,  0.8750], dtype=torch.float16)");
  const sy::Tensor integers = to(sy::tensor({-1, 1}), device);
  check("integers", text(sy::call("demo::softsign", integers).tensor()),
        "tensor([-0.5000,  0.5000])");
  sy::requires_grad_(x);
  sy::backward(sy::call("sum", sy::call("demo::softsign", x).tensor()).tensor());
  check("gradient", text(sy::grad_of(x)), "tensor([0.2500, 1.0000, 0.0625])");
  return check.status();
}
