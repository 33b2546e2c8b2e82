// Steps of optimisers, one element at a time: a parameter, its gradient and what the optimiser
// keeps of it.
//
//   AdamStep::Prepare(k, step, pow(k.beta1, step), pow(k.beta2, step));   // once for a tensor
//   AdamStep::Run(p, g, average, square, largest, k);
//
//            with the gradient g, negative to maximise, and weight decay d
//   Sgd      g += d p; b = momentum b + (1 - dampening) g, at first b = g; p -= lr b, or, after
//            Nesterov, lr (g + momentum b)
//   Adam     g += d p, or, decoupled, p -= lr d p; m += (1 - beta1) (g - m);
//            v = beta2 v + (1 - beta2) g g;
//            p -= lr / (1 - beta1^t) m / (sqrt(v / (1 - beta2^t)) + eps)
//   Adagrad  g += d p; s += g g; p -= lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)
//
// Numbers are computed in double and rounded to the type of the elements, 16-bit floats in float.
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_OPTIMIZER_H_
#define SWITCHYARD_OPS_FORMULAS_OPTIMIZER_H_

#include "switchyard/ops/formulas/compare.h"

namespace sy::f {

// Tensors of a step: the parameter, the gradient, and three that the optimiser keeps at most.
inline constexpr int kStepTensors = 5;

// The numbers of all optimisers; each reads its own.
struct StepNumbers {
  double lr, weight_decay;
  double momentum, dampening;  // Sgd
  double beta1, beta2, eps;    // Adam; eps: Adagrad too
  double lr_decay;             // Adagrad
  double step_size, root;      // what Prepare makes of them
  bool maximize;               // go up the gradient
  bool nesterov, first;        // Sgd; first: no momentum is kept yet
  bool amsgrad, decoupled;     // Adam; decoupled: weights decay by themselves, as in AdamW
};

template <class V>
SY_FN V NumberOf(double x) {
  return V(static_cast<typename V::Element>(x));
}
// 0 of what is finite, else NaN: sums of these tell whether all was finite.
template <class V>
SY_FN V NanUnlessFinite(V x) {
  return x * V(typename V::Element(0));
}
// The gradient, as the step goes along it.
template <class V>
SY_FN V StepGradient(V p, V g, const StepNumbers& k, bool decays) {
  if (k.maximize) g = -g;
  return decays ? g + p * NumberOf<V>(k.weight_decay) : g;
}

// Keeps the momentum's buffer, unless the momentum is 0.
struct SgdStep {
  static SY_FN void Prepare(StepNumbers&, double, double, double) {}
  template <class V>
  static SY_FN void Run(V& p, V g, V& buffer, V&, V&, const StepNumbers& k) {
    g = StepGradient(p, g, k, k.weight_decay != 0);
    if (k.momentum != 0) {
      const V m = NumberOf<V>(k.momentum);
      buffer = k.first ? g : buffer * m + g * NumberOf<V>(1 - k.dampening);
      g = k.nesterov ? g + buffer * m : buffer;
    }
    p = p - g * NumberOf<V>(k.lr);
  }
};

// Keeps the average of gradients and of their squares, and, for amsgrad, the largest of these.
struct AdamStep {
  // power1, power2: of beta1 and beta2.
  static SY_FN void Prepare(StepNumbers& k, double, double power1, double power2) {
    k.step_size = k.lr / (1 - power1);
    k.root = sqrt(Num<double>(1 - power2)).v;
  }
  template <class V>
  static SY_FN void Run(V& p, V g, V& average, V& square, V& largest, const StepNumbers& k) {
    g = StepGradient(p, g, k, !k.decoupled && k.weight_decay != 0);
    if (k.decoupled && k.weight_decay != 0) p = p - p * NumberOf<V>(k.lr * k.weight_decay);
    const double weight = 1 - k.beta1;
    // From the nearer end, as lerp.
    average = weight < 0.5 ? average + (g - average) * NumberOf<V>(weight)
                           : g - (g - average) * NumberOf<V>(k.beta1);
    square = square * NumberOf<V>(k.beta2) + g * g * NumberOf<V>(1 - k.beta2);
    V s = square;
    if (k.amsgrad) s = largest = Maximum()(largest, square);
    p = p -
        average * NumberOf<V>(k.step_size) / (sqrt(s) / NumberOf<V>(k.root) + NumberOf<V>(k.eps));
  }
};

// Keeps the sum of squared gradients.
struct AdagradStep {
  static SY_FN void Prepare(StepNumbers& k, double step, double, double) {
    k.step_size = k.lr / (1 + (step - 1) * k.lr_decay);
  }
  template <class V>
  static SY_FN void Run(V& p, V g, V& sum, V&, V&, const StepNumbers& k) {
    g = StepGradient(p, g, k, k.weight_decay != 0);
    sum = sum + g * g;
    p = p - g * NumberOf<V>(k.step_size) / (sqrt(sum) + NumberOf<V>(k.eps));
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_OPTIMIZER_H_
