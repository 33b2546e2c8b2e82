// Weighted sums of neighbours: rows are added up first, then the elements of what that gives.
#include <vector>

#include "backends/cpu/kernels/resample/resampler.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

template <class R>
void AddScaled(R* to, const R* from, R weight, int64_t n, bool first) {
  if (first) {
    for (int64_t i = 0; i < n; ++i) to[i] = weight * from[i];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] += weight * from[i];
  }
}

template <class R>
struct Sums {
  int64_t planes, inner;
  Taps<R> deep, high, wide;

  explicit Sums(const Resampling& plan)
      : planes(plan.planes),
        inner(plan.inner),
        deep(plan.axis[0]),
        high(plan.axis[1]),
        wide(plan.axis[2]) {}

  // The inputs' rows that output row `r` is made of, added up.
  void AddRows(R* line, const R* in, int64_t r) const {
    const int64_t n = wide.inputs * inner, y = r % high.outputs,
                  z = r / high.outputs % deep.outputs, plane = r / (high.outputs * deep.outputs);
    bool first = true;
    for (int64_t i = deep.begin(z); i < deep.end(z); ++i) {
      for (int64_t j = high.begin(y); j < high.end(y); ++j) {
        const R weight = deep.weight(z)[i - deep.begin(z)] * high.weight(y)[j - high.begin(y)];
        AddScaled(line, in + ((plane * deep.inputs + i) * high.inputs + j) * n, weight, n, first);
        first = false;
      }
    }
    if (first) std::fill_n(line, n, R(0));
  }
  void AddElements(R* out, const R* line) const {
    if (inner == 1) {
      for (int64_t o = 0; o < wide.outputs; ++o) {
        const R *x = line + wide.begin(o), *w = wide.weight(o);
        const int64_t count = wide.end(o) - wide.begin(o);
        R sum(0);
        for (int64_t t = 0; t < count; ++t) sum += w[t] * x[t];
        out[o] = sum;
      }
      return;
    }
    for (int64_t o = 0; o < wide.outputs; ++o, out += inner) {
      const R* w = wide.weight(o);
      const int64_t begin = wide.begin(o), end = wide.end(o);
      for (int64_t i = begin; i < end; ++i)
        AddScaled(out, line + i * inner, w[i - begin], inner, i == begin);
      if (begin == end) std::fill_n(out, inner, R(0));
    }
  }
  void Run(R* out, const R* in) const {
    const int64_t rows = planes * deep.outputs * high.outputs,
                  cost = wide.inputs * deep.most * high.most + wide.outputs * wide.most;
    ParallelFor(rows, GrainOf(cost * inner), [&](int64_t begin, int64_t end) {
      std::vector<R> line(static_cast<size_t>(wide.inputs * inner));
      for (int64_t r = begin; r < end; ++r) {
        AddRows(line.data(), in, r);
        AddElements(out + r * wide.outputs * inner, line.data());
      }
    });
  }
};

}  // namespace

void Resampler::Resample(Call, const Resampling& plan, const Tensor& out, const Tensor& self) {
  const DType d = WideOf(out.dtype());
  const Tensor in = Dense(self, d);
  IntoDense(out, d, [&](const Tensor& to) {
    VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(d, [&](auto tag) {
      using R = typename decltype(tag)::type;
      Sums<R>(plan).Run(to.data<R>(), in.data<R>());
    });
  });
}

}  // namespace sy::cpu
