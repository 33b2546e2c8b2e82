// Activations that are others with fixed parameters.
#include <string_view>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet clamp, elu, gelu, gelu_tanh, glu;
}
namespace {

void Celu(Call call, const Tensor& out, const Tensor& self, const Scalar& alpha) {
  RunLoopsWith(loops::elu, call.dtype(), out, {&self},
               {alpha, Scalar(1), Scalar(1 / alpha.To<double>())});
}

// Source: G. Klambauer, T. Unterthiner, A. Mayr, S. Hochreiter, "Self-Normalizing Neural Networks",
// 2017.
void Selu(Call call, const Tensor& out, const Tensor& self) {
  RunLoopsWith(loops::elu, call.dtype(), out, {&self},
               {Scalar(1.6732632423543772848170429916717),
                Scalar(1.0507009873554804934193349852946), Scalar(1)});
}

void Gelu(Call call, const Tensor& out, const Tensor& self, std::string_view approximate) {
  RunLoops(approximate == "tanh" ? loops::gelu_tanh : loops::gelu, call.dtype(), out, self);
}

void Glu(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  dim = dim < 0 ? dim + self.dim() : dim;
  const int64_t second = self.storage_offset() + out.sizes()[dim] * self.strides()[dim];
  RunLoops(loops::glu, call.dtype(), out,
           self.AsStrided(out.sizes(), self.strides(), self.storage_offset()),
           self.AsStrided(out.sizes(), self.strides(), second));
}

void Hardtanh(Call call, const Tensor& out, const Tensor& self, const Scalar& min_val,
              const Scalar& max_val) {
  RunLoops(loops::clamp, call.dtype(), out, self, NumberTensor(min_val), NumberTensor(max_val));
}

void Relu6(Call call, const Tensor& out, const Tensor& self) {
  Hardtanh(call, out, self, Scalar(0), Scalar(6));
}

const Kernel celu{"celu", "cpu", loops::elu.dtypes, Celu};
const Kernel selu{"selu", "cpu", loops::elu.dtypes, Selu};
const Kernel gelu{"gelu", "cpu", loops::gelu.dtypes, Gelu};
const Kernel glu{"glu", "cpu", loops::glu.dtypes, Glu};
const Kernel hardtanh{"hardtanh", "cpu", loops::clamp.dtypes, Hardtanh};
const Kernel relu6{"relu6", "cpu", loops::clamp.dtypes, Relu6};

}  // namespace
}  // namespace sy::cpu
