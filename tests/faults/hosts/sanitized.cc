// A program built with a sanitizer, against a library that was not: tensors made and freed on both
// sides, views, errors, kernels of the program's own, threads.

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"
#include "switchyard/ops.h"

namespace {

void TwiceShape(sy::ShapeContext& r, const sy::TensorBase& x) { r.OutputLike(x); }
void Twice(sy::Call, const sy::Tensor& out, const sy::Tensor& x) {
  for (int64_t i = 0; i < x.numel(); ++i) out.data<float>()[i] = 2 * x.data<float>()[i];
}
const sy::Operator twice_op{"host::twice(Tensor x) -> Tensor", TwiceShape, sy::kInPlace | sy::kOut};
const sy::Kernel twice_kernel{"host::twice", "cpu", sy::Bit(sy::DType::kFloat32), Twice};

int failures = 0;
void Expect(const char* what, const std::string& got, const std::string& expected) {
  if (got == expected) return;
  std::printf("%s: expected %s, got %s\n", what, expected.c_str(), got.c_str());
  ++failures;
}

void Calls() {
  const sy::Tensor a = sy::tensor({{4., 1.}, {1., 3.}});
  Expect("typed", sy::ToString(sy::add(a, a)), "tensor([[8., 2.],\n        [2., 6.]])");
  Expect("by string", sy::ToString(sy::call("mul", a, 2).tensor()),
         "tensor([[8., 2.],\n        [2., 6.]])");
  const sy::Tensor row = sy::select(a, 0, 1);
  sy::add_(row, 1);
  Expect("a view", sy::ToString(a), "tensor([[4., 1.],\n        [2., 4.]])");
  Expect("its own", sy::ToString(sy::call("host::twice", a).tensor()),
         "tensor([[8., 2.],\n        [4., 8.]])");
  Expect("matmul", sy::ToString(sy::matmul(a, a)), "tensor([[18.,  8.],\n        [16., 18.]])");
  Expect("cat", sy::ToString(sy::cat(std::vector<sy::Tensor>{row, row})),
         "tensor([2., 4., 2., 4.])");
  try {
    sy::add(a, sy::ones({3}));
    Expect("shapes", "no error", "an error");
  } catch (const sy::Error& e) {
    Expect("shapes", std::string(e.what()).substr(0, 3), "add");
  }
  std::vector<sy::Tensor> kept;
  for (int64_t i = 0; i < 500; ++i) kept.push_back(sy::ones({i % 7, 3}));
}

}  // namespace

int main() {
  Calls();
  std::vector<std::thread> threads;
  // Tensors that one thread makes and another frees.
  std::vector<sy::Tensor> made(4);
  threads.reserve(made.size());
  for (sy::Tensor& t : made) threads.emplace_back([&t] { t = sy::ones({100}); });
  for (std::thread& t : threads) t.join();
  Expect("from threads", sy::ToString(sy::sum(sy::cat(made))), "tensor(400.)");
  made.clear();
  Calls();
  if (failures == 0) std::puts("nothing found");
  return failures == 0 ? 0 : 1;
}
