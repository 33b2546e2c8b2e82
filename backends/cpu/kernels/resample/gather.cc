// Elements moved from where each comes from: padding, and the nearest element.
#include <cstring>
#include <vector>

#include "backends/cpu/kernels/resample/resampler.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// Elements of a row that come from one after another.
struct Run {
  int64_t to, from, count;
};

struct Sources {
  int64_t planes, inner;
  int64_t inputs[3], outputs[3];
  std::vector<int64_t> at[3];
  std::vector<Run> runs;  // of a row

  template <class Plan, class F>
  Sources(const Plan& plan, F source) : planes(plan.planes), inner(plan.inner) {
    for (int d = 0; d < 3; ++d) {
      inputs[d] = plan.axis[d].inputs;
      outputs[d] = plan.axis[d].outputs;
      at[d].resize(static_cast<size_t>(outputs[d]));
      for (int64_t o = 0; o < outputs[d]; ++o)
        at[d][static_cast<size_t>(o)] = source(plan.axis[d], o);
    }
    for (int64_t o = 0; o < outputs[2]; ++o) {
      const int64_t from = at[2][static_cast<size_t>(o)];
      if (!runs.empty() && runs.back().from + runs.back().count == from) {
        ++runs.back().count;
      } else {
        runs.push_back({o, from, 1});
      }
    }
  }

  template <class U>
  void Row(U* to, const U* from) const {
    const auto width = static_cast<size_t>(outputs[2]);
    if (inner == 1 && runs.size() * 4 > width) {
      const int64_t* x = at[2].data();
      for (size_t o = 0; o < width; ++o) to[o] = from[x[o]];
      return;
    }
    for (const Run& r : runs) {
      CopyRow(reinterpret_cast<char*>(to + r.to * inner),
              reinterpret_cast<const char*>(from + r.from * inner),
              r.count * inner * static_cast<int64_t>(sizeof(U)), false);
    }
  }
  template <class U>
  void Rows(U* to, const U* from) const {
    const int64_t wide = outputs[2] * inner, high = outputs[1], deep = outputs[0];
    ParallelFor(planes * deep * high, GrainOf(wide), [&](int64_t begin, int64_t end) {
      const U* last = nullptr;
      for (int64_t r = begin; r < end; ++r) {
        const int64_t plane = r / (deep * high), z = at[0][static_cast<size_t>(r / high % deep)],
                      y = at[1][static_cast<size_t>(r % high)];
        const U* row = from + ((plane * inputs[0] + z) * inputs[1] + y) * inputs[2] * inner;
        U* target = to + r * wide;
        if (row == last) {
          std::memcpy(static_cast<void*>(target), target - wide,
                      static_cast<size_t>(wide) * sizeof(U));
        } else {
          Row(target, row);
        }
        last = row;
      }
    });
  }
};

template <class Plan, class F>
void Move(const Plan& plan, const Tensor& out, const Tensor& self, F source) {
  const DType d = out.dtype();
  const Tensor in = Dense(self, d);
  const Sources sources(plan, source);
  IntoDense(out, d, [&](const Tensor& to) {
    VisitItem(to.itemsize(), [&](auto item) {
      using U = decltype(item);
      sources.Rows(static_cast<U*>(to.data()), static_cast<const U*>(in.data()));
    });
  });
}

}  // namespace

void Resampler::Pad(Call, const Padding& padding, const Tensor& out, const Tensor& self) {
  Move(padding, out, self,
       [](const f::PadAxis& a, int64_t o) -> int64_t { return f::PadSource(a, o); });
}

void Resampler::Gather(Call, const Resampling& plan, const Tensor& out, const Tensor& self) {
  const bool wide = out.dtype() == DType::kFloat64;
  Move(plan, out, self, [wide](const f::ResampleAxis& a, int64_t o) -> int64_t {
    return wide ? f::NearestSource<double>(a, o) : f::NearestSource<float>(a, o);
  });
}

}  // namespace sy::cpu
