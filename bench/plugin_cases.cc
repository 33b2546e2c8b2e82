// What a plugin costs, case by case: NAME/cpu in the tree, NAME/kernel by a plugin's kernel for the
// host, NAME/device on a plugin's device, whose memory the host keeps. Kernels do nothing, so that
// what is measured is all of it the way to them; tensors have four elements.

#include <filesystem>

#include "bench/case.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"
#include "switchyard/plugin/load.h"

namespace bench {
namespace {

using sy::DType;
using sy::Tensor;

void OneShape(sy::ShapeContext& r, const sy::TensorBase& a) {
  r.OutputLike(a).pointwise = true;  // so that it is written in place
}
void TwoShape(sy::ShapeContext& r, const sy::TensorBase& a, const sy::TensorBase&) {
  r.OutputLike(a).pointwise = true;
}
const sy::Operator one{"bench::one(Tensor a) -> Tensor", OneShape, sy::kInPlace};
const sy::Operator two{"bench::two(Tensor a, Tensor b) -> Tensor", TwoShape,
                       sy::kInPlace | sy::kOut};

void One(sy::Call, const Tensor&, const Tensor&) {}
void Two(sy::Call, const Tensor&, const Tensor&, const Tensor&) {}
const sy::Kernel one_in_tree{"bench::one", "cpu", sy::Bit(DType::kFloat32), One};
const sy::Kernel two_in_tree{"bench::two", "cpu", sy::Bit(DType::kFloat32), Two};

constinit sy::Handle<void(const Tensor&)> one_in_place{"bench::one_"};
constinit sy::Handle<Tensor(const Tensor&, const Tensor&)> two_new{"bench::two"};
constinit sy::Handle<void(const Tensor&, const Tensor&)> two_in_place{"bench::two_"};
constinit sy::Handle<void(const Tensor&, const Tensor&, const Tensor&)> two_out{"bench::two.out"};

// Where tensors lie, and in which dtype the plugin (plugin/testdata/empty.cc) has a kernel there.
struct Place {
  sy::Device device;
  DType dtype;
  Tensor Four() const { return Tensor::Empty({4}, dtype, device); }
};
Place InTree() { return {{sy::kHost}, DType::kFloat32}; }
// Loaded once, for the process. Beside the program in the folder of what was built.
void Load() {
  static const sy::PluginInfo plugin =
      sy::load_plugin((std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() /
                       "plugin/testdata/libempty.so")
                          .string());
}
Place ByKernel(DType dtype = DType::kFloat64) {
  Load();
  return {{sy::kHost}, dtype};
}
Place OnDevice() {
  Load();
  return {sy::ParseDevice("malloc:0"), DType::kFloat32};
}

auto Empty(Place p) {
  return [p] { Keep(p.Four()); };
}
auto Functional(Place p) {
  return [a = p.Four(), b = p.Four()] { Keep(two_new(a, b)); };
}
auto InPlaceOfOne(Place p) {
  return [a = p.Four()] { one_in_place(a); };
}
auto InPlaceOfTwo(Place p) {
  return [a = p.Four(), b = p.Four()] { two_in_place(a, b); };
}
auto Out(Place p) {
  return [a = p.Four(), b = p.Four(), out = p.Four()] { two_out(a, b, out); };
}

const Case empty_cpu{"empty/cpu", [] { return Empty(InTree()); }};
const Case empty_device{"empty/device", [] { return Empty(OnDevice()); }};
const Case functional_cpu{"functional/cpu", [] { return Functional(InTree()); }};
const Case functional_kernel{"functional/kernel", [] { return Functional(ByKernel()); }};
const Case functional_device{"functional/device", [] { return Functional(OnDevice()); }};
const Case one_cpu{"in place, one tensor/cpu", [] { return InPlaceOfOne(InTree()); }};
const Case one_kernel{"in place, one tensor/kernel", [] { return InPlaceOfOne(ByKernel()); }};
const Case one_device{"in place, one tensor/device", [] { return InPlaceOfOne(OnDevice()); }};
const Case two_cpu{"in place/cpu", [] { return InPlaceOfTwo(InTree()); }};
const Case two_kernel{"in place/kernel", [] { return InPlaceOfTwo(ByKernel()); }};
const Case two_device{"in place/device", [] { return InPlaceOfTwo(OnDevice()); }};
const Case out_cpu{"out=/cpu", [] { return Out(InTree()); }};
const Case out_kernel{"out=/kernel", [] { return Out(ByKernel()); }};
const Case out_device{"out=/device", [] { return Out(OnDevice()); }};
const Case c_cpu{"out=, in C/cpu", [] { return Out(InTree()); }};
const Case c_kernel{"out=, in C/kernel", [] { return Out(ByKernel(DType::kInt64)); }};

}  // namespace
}  // namespace bench
