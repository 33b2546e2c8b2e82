// Whether a call costs the same with many operators and many devices registered. The cases run in
// this order, each with what those before it registered.

#include <deque>
#include <string>
#include <vector>

#include "bench/case.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"
#include "switchyard/ops.h"

namespace bench {
namespace {

using sy::Tensor;

const sy::Operator nop_op{"bench::nop(Tensor a, Tensor b) -> ()"};
void Nop(sy::Call, const Tensor&, const Tensor&) {}
const sy::Kernel nop_kernel{"bench::nop", "cpu", sy::kAnyDType, Nop};

// Registers bench::op0, bench::op1, … up to n of them, and returns their names.
const std::deque<std::string>& Operators(size_t n) {
  static std::deque<std::string> names, schemas;
  static std::deque<sy::OperatorDef> operators;
  static std::deque<sy::KernelDef> kernels;
  sy::Registry& registry = sy::Registry::Global();
  while (names.size() < n) {
    names.push_back("bench::op" + std::to_string(names.size()));
    schemas.push_back(names.back() + "(Tensor a, Tensor b) -> ()");
    operators.push_back({sy::SchemaText::Of(schemas.back())});
    operators.back().file = __FILE__;
    registry.Add(operators.back());
    kernels.push_back(nop_kernel);
    kernels.back().op = names.back();
    kernels.back().op_hash = sy::HashName(names.back());
    registry.Add(kernels.back());
    sy::CallByName(names.back(), std::vector<sy::Value>{Tensor::Empty({1}, sy::DType::kFloat32),
                                                        Tensor::Empty({1}, sy::DType::kFloat32)});
  }
  return names;
}

auto HotName(size_t registered) {
  Operators(registered);
  return [a = sy::empty({1}), b = sy::empty({1})] { Keep(sy::call("bench::nop", a, b)); };
}
auto AllNames(size_t registered) {
  return [&names = Operators(registered), a = sy::empty({1}), b = sy::empty({1}), i = size_t{0},
          registered]() mutable {
    Keep(sy::call(names[i], a, b));
    i = i + 1 == registered ? 0 : i + 1;
  };
}

// A device whose tensors have no bytes.
class Shapes final : public sy::DeviceBackend {
 public:
  int Count(std::string*) override { return 1; }
  sy::Allocator* allocator() override { return nullptr; }
  void CopyFromHost(void*, const void*, size_t, int, sy::StreamHandle) override {}
  void CopyToHost(void*, const void*, size_t, int, sy::StreamHandle) override {}
  void CopyWithin(void*, const void*, size_t, int, sy::StreamHandle) override {}
};

constinit sy::Handle<void(const Tensor&, const Tensor&)> nop{"bench::nop"};

// The n-th of 40 devices registered beside the tree's, with a kernel each.
auto OnDevice(size_t n) {
  static std::deque<std::string> names;
  static std::deque<sy::KernelDef> kernels;
  static Shapes shapes;
  while (names.size() < 40) {
    names.push_back("dev" + std::to_string(names.size()));
    sy::RegisterDevice(names.back(), &shapes, "bench");
    kernels.push_back(nop_kernel);
    kernels.back().device = names.back().c_str();
    sy::Registry::Global().Add(kernels.back());
  }
  const sy::Device device = sy::ParseDevice(names[n - 1]);
  return [a = Tensor::Empty({1}, sy::DType::kFloat32, device),
          b = Tensor::Empty({1}, sy::DType::kFloat32, device)] { nop(a, b); };
}

const Case hot_100{"by_string, 100 operators", [] { return HotName(100); }};
const Case all_100{"by_string, all of 100 operators", [] { return AllNames(100); }};
const Case hot_1k{"by_string, 1000 operators", [] { return HotName(1000); }};
const Case all_1k{"by_string, all of 1000 operators", [] { return AllNames(1000); }};
const Case hot_10k{"by_string, 10000 operators", [] { return HotName(10000); }};
const Case all_10k{"by_string, all of 10000 operators", [] { return AllNames(10000); }};
const Case device_1{"typed, device 1 of 40", [] { return OnDevice(1); }};
const Case device_40{"typed, device 40 of 40", [] { return OnDevice(40); }};

}  // namespace
}  // namespace bench
