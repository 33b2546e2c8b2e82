// What users ask of gradients, by name: requires_grad_, retain_grad, is_leaf, _version, …
//
//   call("requires_grad_", x);  call("_backward", loss, std::vector<Tensor>{});
// Source: ATen's VariableMethodsStub.
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/op/operator.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequiresGrad(Call, const Tensor& self, bool on) { requires_grad_(self, on); }
void RetainGrad(Call, const Tensor& self) { retain_grad(self); }
bool RetainsGrad(Call, const Tensor& self) {
  if (is_leaf(self)) return false;
  const autograd::Edge e = autograd::EdgeOf(autograd::CarrierOf(self));
  std::lock_guard lock(e.node->mutex);
  if (e.node->extras == nullptr) return false;
  for (const auto& [nr, g] : e.node->extras->retained) {
    if (nr == e.nr) return true;
  }
  return false;
}
bool IsLeaf(Call, const Tensor& self) { return is_leaf(self); }
int64_t Version(Call, const Tensor& self) { return version_of(self); }
int64_t OutputNr(Call, const Tensor& self) {
  return autograd::EdgeOf(autograd::CarrierOf(self)).nr;
}
Tensor Data(Call, const Tensor& self) { return detach(self); }
void Backward(Call, const Tensor& self, TensorList inputs, const Tensor& gradient,
              Optional<bool> retain_graph, bool create_graph) {
  const bool retain = retain_graph ? *retain_graph : create_graph;
  backward(self, gradient,
           {.retain_graph = retain, .create_graph = create_graph, .inputs = inputs});
}

}  // namespace

const Operator requires_grad_op{
    "requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)"};
const Operator retain_grad_op{"retain_grad(Tensor(a!) self) -> ()"};
const Operator retains_grad_op{"retains_grad(Tensor self) -> bool"};
const Operator is_leaf_op{"is_leaf(Tensor self) -> bool"};
const Operator version_op{"_version(Tensor self) -> int"};
const Operator output_nr_op{"output_nr(Tensor self) -> int"};
const Operator data_op{"data(Tensor self) -> Tensor"};
const Operator backward_op{
    "_backward(Tensor self, Tensor[] inputs, Tensor? gradient=None, bool? retain_graph=None, "
    "bool create_graph=False) -> ()"};
const Composite requires_grad_body{"requires_grad_", RequiresGrad};
const Composite retain_grad_body{"retain_grad", RetainGrad};
const Composite retains_grad_body{"retains_grad", RetainsGrad};
const Composite is_leaf_body{"is_leaf", IsLeaf};
const Composite version_body{"_version", Version};
const Composite output_nr_body{"output_nr", OutputNr};
const Composite data_body{"data", Data};
const Composite backward_body{"_backward", Backward};
const LayoutBody requires_grad_sparse{"requires_grad_", kAnySparse};
const LayoutBody retain_grad_sparse{"retain_grad", kAnySparse};
const LayoutBody retains_grad_sparse{"retains_grad", kAnySparse};
const LayoutBody is_leaf_sparse{"is_leaf", kAnySparse};
const LayoutBody output_nr_sparse{"output_nr", kAnySparse};
const LayoutBody data_sparse{"data", kAnySparse};
const LayoutBody backward_sparse{"_backward", kAnySparse};

}  // namespace sy
