// What padding and resampling pass back: each output's gradient is added to what it was made of,
// plane by plane in the order of outputs, so that results do not depend on threads.
#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/resample/resampler.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

template <class R>
struct Scatter {
  int64_t planes, inner;
  Taps<R> deep, high, wide;

  // parts: numbers of an element.
  template <class Plan>
  Scatter(const Plan& plan, int64_t parts)
      : planes(plan.planes),
        inner(plan.inner * parts),
        deep(plan.axis[0]),
        high(plan.axis[1]),
        wide(plan.axis[2]) {}

  // Numbers first … last - 1 of the innermost dimension, to a line of the inputs' width.
  void Spread(R* line, const R* from, int64_t first, int64_t last) const {
    const long long* span = wide.spans.data();
    // Neighbours are often of one input: summed beside it.
    if (inner == 1 && wide.most == 1 && wide.inputs > 1) {
      int64_t at = span[0];
      R sum(0);
      for (int64_t o = 0; o < wide.outputs; ++o, span += 2) {
        if (span[0] != at) {
          line[at] += sum;
          sum = R(0);
          at = span[0];
        }
        sum += from[o];
      }
      line[at] += sum;
      return;
    }
    if (inner == 1) {
      const R* w = wide.weights.data();
      for (int64_t o = 0; o < wide.outputs; ++o, w += wide.most, span += 2) {
        for (int64_t i = span[0]; i < span[1]; ++i) line[i] += w[i - span[0]] * from[o];
      }
      return;
    }
    for (int64_t o = 0; o < wide.outputs; ++o) {
      const R *w = wide.weight(o), *g = from + o * inner;
      for (int64_t i = wide.begin(o); i < wide.end(o); ++i, ++w) {
        R* to = line + i * inner;
        for (int64_t c = first; c < last; ++c) to[c] += *w * g[c];
      }
    }
  }
  void AddLine(R* to, const R* line, R weight, int64_t first, int64_t last) const {
    if (last - first == inner) {
      for (int64_t k = 0; k < wide.inputs * inner; ++k) to[k] += weight * line[k];
      return;
    }
    for (int64_t i = 0; i < wide.inputs; ++i) {
      for (int64_t c = first; c < last; ++c) to[i * inner + c] += weight * line[i * inner + c];
    }
  }
  void Plane(R* grad, const R* from, std::vector<R>& line, int64_t first, int64_t last) const {
    const int64_t n = wide.inputs * inner;
    for (int64_t i = 0; i < deep.inputs * high.inputs * wide.inputs; ++i)
      std::fill(grad + i * inner + first, grad + i * inner + last, R(0));
    for (int64_t z = 0; z < deep.outputs; ++z) {
      for (int64_t y = 0; y < high.outputs; ++y, from += wide.outputs * inner) {
        std::fill(line.begin(), line.end(), R(0));
        Spread(line.data(), from, first, last);
        for (int64_t i = deep.begin(z); i < deep.end(z); ++i) {
          for (int64_t j = high.begin(y); j < high.end(y); ++j) {
            const R weight = deep.weight(z)[i - deep.begin(z)] * high.weight(y)[j - high.begin(y)];
            AddLine(grad + (i * high.inputs + j) * n, line.data(), weight, first, last);
          }
        }
      }
    }
  }
  void Run(R* grad, const R* from) const {
    const int64_t inputs = deep.inputs * high.inputs * wide.inputs * inner,
                  outputs = deep.outputs * high.outputs * wide.outputs * inner;
    // Planes of many channels, of which there are few, in pieces of whole cache lines.
    const int64_t piece = inner >= 32 && planes < NumThreads() ? 16 : inner;
    const int64_t pieces = (inner + piece - 1) / piece;
    ParallelFor(planes * pieces, GrainOf((inputs + outputs) / pieces),
                [&](int64_t begin, int64_t end) {
                  std::vector<R> line(static_cast<size_t>(wide.inputs * inner));
                  for (int64_t p = begin; p < end; ++p) {
                    const int64_t plane = p / pieces, first = p % pieces * piece;
                    Plane(grad + plane * inputs, from + plane * outputs, line, first,
                          std::min(first + piece, inner));
                  }
                });
  }
};

// 16-bit floats, of borders: the sum rounds at every step, as ATen's does.
template <class E>
void AddHalves(const Padding& padding, E* grad, const E* from) {
  const Taps<float> deep(padding.axis[0]), high(padding.axis[1]), wide(padding.axis[2]);
  const int64_t inner = padding.inner, inputs = deep.inputs * high.inputs * wide.inputs * inner,
                outputs = deep.outputs * high.outputs * wide.outputs * inner;
  ParallelFor(padding.planes, GrainOf(inputs + outputs), [&](int64_t begin, int64_t end) {
    std::fill(grad + begin * inputs, grad + end * inputs, E(0.0f));
    const E* g = from + begin * outputs;
    for (int64_t p = begin; p < end; ++p) {
      for (int64_t zy = 0; zy < deep.outputs * high.outputs; ++zy) {
        const int64_t z = deep.begin(zy / high.outputs), y = high.begin(zy % high.outputs);
        E* row = grad + p * inputs + (z * high.inputs + y) * wide.inputs * inner;
        for (int64_t x = 0; x < wide.outputs; ++x, g += inner) {
          E* to = row + wide.begin(x) * inner;
          for (int64_t c = 0; c < inner; ++c)
            to[c] = E(static_cast<float>(to[c]) + static_cast<float>(g[c]));
        }
      }
    }
  });
}

// Complex numbers as two each.
template <class Plan>
void Distribute(const Plan& plan, const Tensor& grad, const Tensor& grad_output) {
  const DType d = WideOf(grad.dtype());
  const Tensor from = Dense(grad_output, d);
  const int64_t parts = Contains(kComplexTypes, d) ? 2 : 1;
  const bool wide = static_cast<int64_t>(ItemSize(d)) / parts == 8;
  IntoDense(grad, d, [&](const Tensor& to) {
    VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(
        wide ? DType::kFloat64 : DType::kFloat32, [&](auto tag) {
          using R = typename decltype(tag)::type;
          Scatter<R>(plan, parts)
              .Run(static_cast<R*>(to.data()), static_cast<const R*>(from.data()));
        });
  });
}

}  // namespace

void Resampler::PadBackward(Call, const Padding& padding, const Tensor& grad,
                            const Tensor& grad_output) {
  const DType d = grad.dtype();
  if (!Contains(kHalfTypes, d)) return Distribute(padding, grad, grad_output);
  const Tensor from = Dense(grad_output, d);
  IntoDense(grad, d, [&](const Tensor& to) {
    VisitDType<kHalfTypes>(d, [&](auto tag) {
      using E = typename decltype(tag)::type;
      AddHalves(padding, to.data<E>(), from.data<E>());
    });
  });
}

void Resampler::ResampleBackward(Call, const Resampling& plan, const Tensor& grad,
                                 const Tensor& grad_output) {
  Distribute(plan, grad, grad_output);
}

}  // namespace sy::cpu
