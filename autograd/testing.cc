#include "switchyard/autograd/testing.h"

#include <cmath>
#include <complex>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy {
namespace autograd {
SY_API int64_t LiveNodes();
}
namespace {

bool IsChecked(const Tensor& t) {
  return t.defined() && (t.dtype() == DType::kFloat64 || t.dtype() == DType::kComplex128);
}

// Numbers between 0.5 and 2.5, the same at each run.
Tensor Direction(const Tensor& like, double phase) {
  const int64_t n = like.numel();
  const Tensor at = add(arange(n, DType::kFloat64), phase);
  Tensor d = add(sin(mul(at, 1.7)), 1.5);
  if (IsComplex(like.dtype())) d = complex(d, cos(mul(at, 0.9)));
  return reshape(to(d, like.dtype()), like.sizes());
}

// The sum of the real parts of conj(direction) · result.
Tensor Total(const std::vector<Tensor>& results) {
  Tensor total;
  double phase = 0.3;
  for (const Tensor& r : results) {
    phase += 1;
    if (!IsChecked(r)) continue;
    Tensor part = sum(mul(Direction(r, phase), r));
    if (IsComplex(part.dtype())) part = sum(select(view_as_real(part), 0, 0));
    total = total.defined() ? add(total, part) : part;
  }
  return total;
}

double Number(const Tensor& t) { return item(t).To<double>(); }

std::vector<Tensor> Leaves(const std::vector<Tensor>& inputs) {
  std::vector<Tensor> leaves;
  leaves.reserve(inputs.size());
  for (const Tensor& t : inputs) {
    leaves.push_back(IsChecked(t) ? clone(detach(t), MemoryFormat::kContiguous) : t);
  }
  return leaves;
}

}  // namespace

int64_t LiveNodes() { return autograd::LiveNodes(); }

void GradCheck(const GradFunction& f, std::vector<Tensor> inputs, const GradCheckOptions& options) {
  const std::vector<Tensor> x = Leaves(inputs);
  std::vector<Tensor> wanted;
  std::vector<size_t> positions;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!IsChecked(x[i])) continue;
    requires_grad_(x[i]);
    wanted.push_back(x[i]);
    positions.push_back(i);
  }
  const Tensor total = Total(f(x));
  if (!total.defined()) return;
  std::vector<Tensor> analytic(wanted.size());
  if (requires_grad(total)) analytic = grad({&total, 1}, wanted, {}, {.allow_unused = true});
  const NoGrad off;
  for (size_t k = 0; k < wanted.size(); ++k) {
    const Tensor g = analytic[k].defined() ? contiguous(resolve_neg(resolve_conj(analytic[k])))
                                           : zeros_like(wanted[k]);
    const bool is_complex = IsComplex(wanted[k].dtype());
    const int64_t n = wanted[k].numel() * (is_complex ? 2 : 1);
    auto* element = static_cast<double*>(wanted[k].data());
    const auto* found = static_cast<const double*>(g.data());
    for (int64_t i = 0; i < n; ++i) {
      const double old = element[i];
      element[i] = old + options.step;
      const double above = Number(Total(f(x)));
      element[i] = old - options.step;
      const double below = Number(Total(f(x)));
      element[i] = old;
      const double numeric = (above - below) / (2 * options.step);
      const double error = std::abs(numeric - found[i]);
      if (error <= options.atol + options.rtol * std::abs(numeric)) continue;
      Fail(ErrorCode::kInvalidArgument,
           {"the gradient by input ", int64_t(positions[k]), ", element ", i, ", is ", found[i],
            ", by differences ", numeric});
    }
  }
}

void GradGradCheck(const GradFunction& f, std::vector<Tensor> inputs,
                   const GradCheckOptions& options) {
  const GradFunction first = [&](TensorList x) {
    std::vector<Tensor> wanted, copies(x.begin(), x.end());
    const bool recording = is_grad_enabled();
    const EnableGrad on;
    for (Tensor& t : copies) {
      if (!IsChecked(t)) continue;
      if (!requires_grad(t)) t = requires_grad_(detach(t));
      wanted.push_back(t);
    }
    const Tensor total = Total(f(copies));
    std::vector<Tensor> found;
    if (!total.defined() || !requires_grad(total)) return found;
    for (Tensor& g :
         grad({&total, 1}, wanted, {}, {.create_graph = recording, .allow_unused = true})) {
      if (g.defined()) found.push_back(std::move(g));
    }
    return found;
  };
  GradCheck(first, std::move(inputs), options);
}

void GradCheckTwice(const std::function<Tensor(TensorList)>& f, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> wide;
  wide.reserve(inputs.size());
  for (const Tensor& t : inputs) {
    wide.push_back(t.dtype() == DType::kFloat32 ? to(t, DType::kFloat64) : t);
  }
  const GradFunction one = [&](TensorList x) { return std::vector<Tensor>{f(x)}; };
  GradCheck(one, wide);
  GradGradCheck(one, wide);
}

}  // namespace sy
