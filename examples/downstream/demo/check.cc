// Calls demo::rms_norm in every way, and compares its numbers:  check [SHARED_OBJECT]
// With an argument, the operator is in that object, which is loaded while the program runs.

#include <dlfcn.h>

#include <iostream>
#include <string>

#include "demo/checking.h"
#include "demo/rms_norm.h"
#include "switchyard/switchyard.h"

namespace {

demo::Checker check;

// Mean squares of the rows: 12.5 and 1250; 3 / sqrt(12.5) = 0.84853, 4 / sqrt(12.5) = 1.13137.
sy::Tensor X(sy::DType dtype) { return sy::tensor({{3., 4.}, {30., 40.}}, dtype); }
sy::Tensor Weight(sy::DType dtype) { return sy::tensor({1., 2.}, dtype); }

void CheckEveryDType() {
  const std::string rows = "tensor([[0.8485, 2.2627],\n        [0.8485, 2.2627]]";
  for (sy::DType d : {sy::DType::kFloat32, sy::DType::kFloat64}) {
    const std::string suffix = d == sy::DType::kFloat32 ? ")" : ", dtype=torch.float64)";
    check(sy::Name(d), sy::ToString(demo::rms_norm(X(d), Weight(d), 0.)), rows + suffix);
  }
  // The nearest of 8 and of 11 bits.
  check("bfloat16",
        sy::ToString(demo::rms_norm(X(sy::DType::kBFloat16), Weight(sy::DType::kBFloat16), 0.)),
        "tensor([[0.8477, 2.2656],\n        [0.8477, 2.2656]], dtype=torch.bfloat16)");
  check("float16",
        sy::ToString(demo::rms_norm(X(sy::DType::kFloat16), Weight(sy::DType::kFloat16), 0.)),
        "tensor([[0.8486, 2.2637],\n        [0.8486, 2.2637]], dtype=torch.float16)");
}

void CheckEveryWay() {
  const sy::Tensor x = X(sy::DType::kFloat64), weight = Weight(sy::DType::kFloat64);
  // 3 / sqrt(12.5 + 12.5) = 0.6, 30 / sqrt(1250 + 12.5) = 0.84432.
  const std::string expected =
      "tensor([[0.6000, 1.6000],\n        [0.8443, 2.2515]], dtype=torch.float64)";
  check("typed", sy::ToString(demo::rms_norm(x, weight, 12.5)), expected);
  check("by string", sy::ToString(sy::call("demo::rms_norm", x, weight, 12.5).tensor()), expected);

  const sy::Value arguments[] = {sy::Value(x), sy::Value(weight), sy::Value(12.5)};
  sy::Result result[1];
  sy::CallBoxed(sy::FindOverload("demo::rms_norm", arguments), arguments, result);
  check("boxed", sy::ToString(result[0].tensor()), expected);

  const sy::Tensor out = sy::zeros({2, 2}, sy::DType::kFloat64);
  sy::call("demo::rms_norm.out", sy::t(x), weight, sy::kw("out", sy::t(out)));
  // Columns of x: 3 / sqrt((9 + 900) / 2) = 0.14072.
  check("out=, transposed", sy::ToString(out),
        "tensor([[0.1407, 0.1407],\n        [2.8144, 2.8144]], dtype=torch.float64)");

  const sy::Tensor meta = sy::empty({5, 2}, {}, {}, sy::ParseDevice("meta"));
  const sy::Tensor meta_weight = sy::empty({2}, {}, {}, sy::ParseDevice("meta"));
  check("on meta", sy::ToString(demo::rms_norm(meta, meta_weight, 0.)),
        "tensor(..., device='meta', size=(5, 2))");
}

void CheckErrors() {
  try {
    demo::rms_norm(X(sy::DType::kFloat32), sy::ones({3}), 0.);
    check("a weight of another size", "no error", "an error");
  } catch (const sy::Error& e) {
    check("a weight of another size", e.what(),
          "demo::rms_norm(): weight must have the size of x's rows, [2], got [3]");
  }
}

}  // namespace

int main(int argc, char** argv) {
  check("before", sy::ToString(sy::add(sy::ones({2}), sy::ones({2}))), "tensor([2., 2.])");
  if (argc > 1 && dlopen(argv[1], RTLD_NOW) == nullptr) {
    std::cerr << dlerror() << "\n";
    return 1;
  }
  CheckEveryDType();
  CheckEveryWay();
  CheckErrors();
  return check.status();
}
