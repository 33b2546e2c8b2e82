#include "switchyard/backends/cpu/engine/reduce.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>

#include "backends/cpu/engine/reduce_plan.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

template <class T, class F>
void ForEach(void* s, int64_t n, F f) {
  T* x = static_cast<T*>(s);
  for (int64_t i = 0; i < n; ++i) x[i] = f(x[i]);
}

// n states of sums, float32, float64 or complex, or of moments, each of `count` elements.
void Finish(const ReduceFinish& finish, void* const* s, const StateParts& parts, int64_t n,
            int64_t count) {
  constexpr DTypeMask kWide = Mask(DType::kFloat32, DType::kFloat64);
  const double p = finish.parameter;
  switch (finish.kind) {
    case ReduceFinish::kNothing:
      return;
    case ReduceFinish::kMean:
      return VisitDType<kWide | kComplexTypes>(parts.dtypes[0], [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T divisor(static_cast<double>(count));
        ForEach<T>(s[0], n, [=](T x) { return x / divisor; });
      });
    case ReduceFinish::kSquareRoot:
    case ReduceFinish::kRoot:
      return VisitDType<kWide>(parts.dtypes[0], [&](auto tag) {
        using T = typename decltype(tag)::type;
        if (finish.kind == ReduceFinish::kSquareRoot)
          return ForEach<T>(s[0], n, [](T x) { return std::sqrt(x); });
        ForEach<T>(s[0], n, [p](T x) { return std::pow(x, static_cast<T>(1 / p)); });
      });
    case ReduceFinish::kVariance:
    case ReduceFinish::kDeviation: {
      constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
      const double rest = std::max(0.0, static_cast<double>(count) - p);
      if (count == 0) ForEach<double>(s[0], n, [](double) { return kNaN; });
      return ForEach<double>(s[1], n, [&](double squares) {
        const double variance = count == 0 ? kNaN : squares / rest;
        return finish.kind == ReduceFinish::kDeviation ? std::sqrt(variance) : variance;
      });
    }
  }
}

// From this many strips on, each is reduced in one go; below, the reduced range is split as well.
// Numbers of tasks, not threads: what is computed must not depend on those.
constexpr int64_t kManyStrips = 64;
constexpr int64_t kMaxTasks = 256;

class Reducer {
 public:
  Reducer(const ReducePlan& plan, const ReduceSet& set, DType dtype, const ReduceFinish& finish)
      : plan_(plan),
        loops_(set.tables[ActiveIsa()]->loops[static_cast<int>(dtype)]),
        parts_(set.parts[static_cast<int>(dtype)]),
        finish_(finish) {
    for (int k = 0; k < parts_.num_parts; ++k) {
      part_at_[k] = slot_bytes_;
      slot_bytes_ += (plan.strip * static_cast<int64_t>(ItemSize(parts_.dtypes[k])) + 63) & ~63;
    }
    for (int k = 0; k < plan.num_outputs; ++k) {
      out_ways_[k] = Conversion(parts_.dtypes[plan.outputs[k].part], plan.outputs[k].dtype);
    }
  }

  void Run() const {
    const int64_t work = plan_.strip * plan_.count;
    int64_t chunks = 1;
    if (plan_.num_strips < kManyStrips) {
      // Two for each grain, as there are few: threads get more equal shares.
      chunks = std::min({plan_.num_blocks, work / kGrain * 2, kMaxTasks / plan_.num_strips});
      chunks = work < 2 * kGrain ? 1 : std::max<int64_t>(chunks, 1);
    }
    const int64_t each = (plan_.num_blocks + chunks - 1) / chunks;
    if (each > 0) chunks = (plan_.num_blocks + each - 1) / each;
    if (chunks <= 1) return RunStrips(work);
    RunChunks(chunks, each);
  }

 private:
  using State = void* [kMaxParts];

  // A thread's memory: a stack of states on which blocks combine pairwise.
  struct Workspace {
    Workspace(const Reducer& r, int64_t blocks) : slot_bytes(r.slot_bytes_) {
      const int64_t slots = std::bit_width(static_cast<uint64_t>(blocks)) + 1;
      if (slots * slot_bytes > static_cast<int64_t>(sizeof few)) {
        many = std::make_unique<char[]>(static_cast<size_t>(slots * slot_bytes) + 64);
        const auto at = reinterpret_cast<uintptr_t>(many.get());
        memory = many.get() + (-at & 63);
      }
    }
    char* slot(int64_t i) { return memory + i * slot_bytes; }

    int64_t slot_bytes;
    alignas(64) char few[kBlockBytes];
    char* memory = few;
    std::unique_ptr<char[]> many;
    Buffers<1> buffers;
  };

  void PartsAt(char* slot, State& s) const {
    for (int k = 0; k < kMaxParts; ++k) s[k] = slot + part_at_[k];
  }
  void RunStrips(int64_t work) const;
  void RunChunks(int64_t chunks, int64_t each) const;
  void ReduceStrip(int64_t strip, int64_t begin, int64_t end, char* result, Workspace& w) const;
  void Store(int64_t strip, char* slot, OperandBuffer& buffer) const;

  const ReducePlan& plan_;
  const ReduceLoops& loops_;
  const StateParts& parts_;
  const ReduceFinish& finish_;
  int64_t part_at_[kMaxParts] = {};
  int64_t slot_bytes_ = 0;  // of a strip's states
  Conversion out_ways_[kMaxReduceOutputs];
};

void Reducer::RunStrips(int64_t work) const {
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, work));
  ParallelFor(plan_.num_strips, grain, [this](int64_t begin, int64_t end) {
    Workspace w(*this, plan_.num_blocks);
    for (int64_t strip = begin; strip < end; ++strip) {
      ReduceStrip(strip, 0, plan_.num_blocks, w.slot(0), w);
      Store(strip, w.slot(0), w.buffers.operand[0]);
    }
  });
}

void Reducer::RunChunks(int64_t chunks, int64_t each) const {
  const int64_t tasks = plan_.num_strips * chunks;
  const auto bytes = static_cast<size_t>(tasks * slot_bytes_);
  const std::unique_ptr<char[]> memory(new char[bytes + 64]);
  char* const states = memory.get() + (-reinterpret_cast<uintptr_t>(memory.get()) & 63);
  const auto end_of = [&](int64_t chunk) { return std::min(plan_.num_blocks, (chunk + 1) * each); };
  ParallelFor(tasks, 1, [&](int64_t begin, int64_t end) {
    Workspace w(*this, each);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t chunk = task % chunks;
      ReduceStrip(task / chunks, chunk * each, end_of(chunk), states + task * slot_bytes_, w);
    }
  });
  ParallelFor(plan_.num_strips, 1, [&](int64_t begin, int64_t end) {
    Buffers<1> buffers;
    for (int64_t strip = begin; strip < end; ++strip) {
      char* const first = states + strip * chunks * slot_bytes_;
      for (int64_t gap = 1; gap < chunks; gap *= 2) {
        for (int64_t i = 0; i + gap < chunks; i += 2 * gap) {
          State a, b;
          PartsAt(first + i * slot_bytes_, a);
          PartsAt(first + (i + gap) * slot_bytes_, b);
          const auto count = [&](int64_t from, int64_t to) {
            return static_cast<double>(plan_.ElementsBefore(end_of(std::min(to, chunks) - 1)) -
                                       plan_.ElementsBefore(from * each));
          };
          loops_.combine(a, b, static_cast<size_t>(plan_.StripSize(strip)), count(i, i + gap),
                         count(i + gap, i + 2 * gap));
        }
      }
      Store(strip, first, buffers.operand[0]);
    }
  });
}

// Blocks begin … end - 1 of a strip. States of 1, 2, 4, … blocks wait on a stack for their equals.
void Reducer::ReduceStrip(int64_t strip, int64_t begin, int64_t end, char* result,
                          Workspace& w) const {
  const auto n = static_cast<size_t>(plan_.StripSize(strip));
  State first;
  PartsAt(result, first);
  if (begin == end) return loops_.empty(first, n);
  ReducePlan::Cursor at(plan_, strip, begin);
  int64_t depth = 0, elements[64];
  // Slot 0 is the result.
  const auto slot = [&](int64_t i, State& s) { PartsAt(i == 0 ? result : w.slot(i), s); };
  const auto merge = [&] {
    State a, b;
    slot(depth - 2, a);
    slot(depth - 1, b);
    loops_.combine(a, b, n, static_cast<double>(elements[depth - 2]),
                   static_cast<double>(elements[depth - 1]));
    elements[depth - 2] += elements[depth - 1];
    --depth;
  };
  for (int64_t block = begin; block < end; ++block, at.Next()) {
    State s;
    slot(depth, s);
    const ReduceBlock b = at.Load(w.buffers.operand[0]);
    (plan_.along ? loops_.along : loops_.across)(s, b);
    elements[depth++] = at.depth();
    for (int64_t i = block - begin; (i & 1) != 0; i >>= 1) merge();
  }
  while (depth > 1) merge();
}

void Reducer::Store(int64_t strip, char* slot, OperandBuffer& buffer) const {
  const int64_t n = plan_.StripSize(strip);
  State s;
  PartsAt(slot, s);
  Finish(finish_, s, parts_, n, plan_.count);
  for (int k = 0; k < plan_.num_outputs; ++k) {
    const int64_t stride = plan_.outputs[k].stride;
    char* const out = plan_.OutputAt(strip, k);
    const Conversion& c = out_ways_[k];
    // Conversion takes turns between the buffers; it reads the states before it writes.
    const char* from =
        c.Run(s[plan_.outputs[k].part], static_cast<size_t>(n), buffer.result, buffer.scratch);
    const auto item = static_cast<int64_t>(c.to_size());
    if (stride == item || n == 1) {
      CopyContiguous(out, from, n * item, false);
    } else {
      ActiveHelpers().scatter[SizeIndex(c.to_size())](out, stride, from, static_cast<size_t>(n));
    }
  }
}

// Few contiguous elements that need no conversion, to one.
bool ReduceFew(const ReduceSet& set, DType dtype, const Tensor& self,
               std::initializer_list<ReduceOutput> outputs, const ReduceFinish& finish) {
  const int d = static_cast<int>(dtype);
  const int64_t n = self.numel();
  if (n == 0 || n > internal::kSmallReduction || self.dtype() != dtype || set.reads[d] != dtype ||
      !self.is_contiguous())
    return false;
  if (outputs.begin()->tensor->numel() != 1) return false;
  alignas(16) char value[16], other[16], one[16], two[16];
  void* const s[] = {value, other};
  const ReduceBlock block{self.data(), 0, 1, static_cast<size_t>(n), 0, 1};
  set.tables[ActiveIsa()]->loops[d].along(s, block);
  const StateParts& parts = set.parts[d];
  Finish(finish, s, parts, 1, n);
  for (const ReduceOutput& o : outputs) {
    const Conversion c(parts.dtypes[o.part], o.tensor->dtype());
    std::memcpy(o.tensor->data(), c.Run(s[o.part], 1, one, two), c.to_size());
  }
  return true;
}

}  // namespace

void internal::ReduceSlow(const ReduceSet& set, DType dtype, const Tensor& self, uint64_t mask,
                          std::initializer_list<ReduceOutput> outputs, const ReduceFinish& finish) {
  if (outputs.begin()->tensor->numel() == 0) return;
  if (ReduceFew(set, dtype, self, outputs, finish)) return;
  const ReducePlan plan(set, dtype, self, mask, outputs);
  Reducer(plan, set, dtype, finish).Run();
}

}  // namespace sy::cpu
