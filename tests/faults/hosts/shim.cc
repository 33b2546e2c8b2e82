// What a host that knows nothing of C++ opens: Switchyard behind a few functions of C, linked with
// libswitchyard.so. Each answers "" or what went wrong.

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/plugin/load.h"

namespace {

#define SHIM extern "C" __attribute__((visibility("default")))

void Expect(const std::string& got, const std::string& expected) {
  if (got != expected) throw std::runtime_error("expected " + expected + ", got " + got);
}

template <class F>
const char* Answer(F f) {
  thread_local std::string text;
  try {
    f();
    text.clear();
  } catch (const std::exception& e) {
    text = e.what();
  }
  return text.c_str();
}

// Something of everything that opens a library, starts threads or keeps something for a thread.
void UseEverything() {
  const sy::Tensor a = sy::tensor({{4., 1.}, {1., 3.}});
  Expect(sy::ToString(sy::add(a, a)), "tensor([[8., 2.],\n        [2., 6.]])");
  Expect(sy::ToString(sy::call("add", a, 1).tensor()), "tensor([[5., 2.],\n        [2., 4.]])");
  Expect(sy::ToString(sy::matmul(a, a)), "tensor([[17.,  7.],\n        [ 7., 10.]])");
  Expect(sy::ToString(sy::linalg_det(a)), "tensor(11.)");
  const sy::Tensor big = sy::ones({300, 300});  // products and sums on several threads
  Expect(sy::ToString(sy::sum(sy::matmul(big, big))), "tensor(27000000.)");
  const sy::Tensor bfloat = sy::ones({64, 64}, sy::DType::kBFloat16);
  Expect(sy::ToString(sy::amax(sy::matmul(bfloat, bfloat))), "tensor(64., dtype=torch.bfloat16)");
  Expect(sy::ToString(sy::sum(sy::ones({1 << 20}))), "tensor(1048576.)");
  Expect(sy::ToString(sy::amax(sy::exp(sy::zeros({1 << 16})))), "tensor(1.)");
  sy::manual_seed(7);
  sy::call("uniform_", sy::zeros({100}));
  sy::linalg_svdvals(sy::ones({20, 20}));
  sy::call("fft_fft", sy::ones({12}));
  sy::call("sort", sy::ones({1000}));
  const sy::Outcome refused = sy::try_call("add", a, sy::ones({3}));
  if (refused) throw std::runtime_error("shapes that do not fit are added");
  Expect(sy::ToString(sy::empty({2}, {}, {}, sy::ParseDevice("meta"))),
         "tensor(..., device='meta', size=(2,))");
  sy::list_plugins();
}

}  // namespace

SHIM const char* shim_use() { return Answer(UseEverything); }

SHIM const char* shim_add() {
  return Answer([] { Expect(sy::ToString(sy::add(sy::ones({2}), 1)), "tensor([2., 2.])"); });
}

// Prints a tensor to the program's own stream.
SHIM const char* shim_print() {
  return Answer([] { std::cout << sy::tensor({1.5, 2.}) << "\n"; });
}
