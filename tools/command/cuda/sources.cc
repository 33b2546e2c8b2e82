#include "tools/command/cuda/sources.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>

#include "backends/cuda/plan/pointwise_source.h"
#include "backends/cuda/plan/reduce_plan.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/kernels.h"
#include "switchyard/backends/cuda/formula.h"
#include "switchyard/core/error.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

constexpr DTypeMask kUsual =
    Mask(DType::kFloat32, DType::kFloat16, DType::kBFloat16, DType::kInt64, DType::kBool);

template <class F>
void ForEachOf(DTypeMask dtypes, F f) {
  for (int i = 0; i < kNumDTypes; ++i) {
    if (const auto d = static_cast<DType>(i); Contains(dtypes, d)) f(d);
  }
}

// Contiguous operands of one dtype, in vectors of 16 bytes.
PointwiseSpec ContiguousSpec(const FormulaDef& f, DType d) {
  const DType in = d, truth = DType::kBool;
  const DType* memory[kMaxOperands] = {nullptr, &in, &in, &in};
  if (f.facts.signature == Signature::kSelect) memory[1] = &truth;
  const DType out = SpecOf(f, d, memory, false).types[0].common;
  memory[0] = &out;
  PointwiseSpec spec = SpecOf(f, d, memory, false);
  size_t widest = 1;
  for (int k = 0; k < spec.num_operands; ++k) {
    spec.layout.stride_kinds[k] = HostStrideKind::kFull;
    widest = std::max(widest, ItemSize(spec.types[static_cast<size_t>(k)].memory));
  }
  spec.layout.flat = true;
  spec.layout.each = static_cast<int>(16 / widest);
  return spec;
}

// Copies, from one dtype to another or as they are.
void AddConversions(std::vector<std::string>& sources) {
  ForEachOf(kUsual, [&](DType from) {
    ForEachOf(kUsual, [&](DType to) {
      PointwiseSpec spec = MoveSpec(to, from);
      spec.layout.flat = true;
      spec.layout.each = static_cast<int>(16 / std::max(ItemSize(to), ItemSize(from)));
      for (int k = 0; k < spec.num_operands; ++k)
        spec.layout.stride_kinds[k] = HostStrideKind::kFull;
      sources.push_back(PointwiseSource(spec));
    });
  });
}

// Rows, and all of a tensor, whose elements lie side by side.
void AddReductions(std::vector<std::string>& sources) {
  const auto add = [&](const Reduction& r, ReduceFinish::Kind finish) {
    ForEachOf(kUsual & kFloatingTypes, [&](DType d) {
      for (int lanes : {32, 256}) {
        const int each = static_cast<int>(16 / ItemSize(d));
        sources.push_back(ReduceSource(r, finish, d, d, d, DType::kInt64, {lanes, each, false}));
      }
    });
  };
  add(kReduction<f::Sum>, ReduceFinish::kNothing);
  add(kReduction<f::Sum>, ReduceFinish::kMean);
  add(kReduction<f::Max>, ReduceFinish::kNothing);
  add(kReduction<f::Min>, ReduceFinish::kNothing);
}

// Add, or sy::f::Add.
bool IsNamed(const FormulaDef& f, std::string_view name) {
  const std::string_view type = f.type();
  return type == name || type.substr(type.rfind(':') + 1) == name;
}

// only: names of formulas; none: all.
template <class F>
void ForEachFormula(const std::vector<std::string>& only, F f) {
  for (const std::string& name : only) {
    const FormulaKernel* k = FormulaKernel::First();
    while (k != nullptr && !IsNamed(k->formula(), name)) k = k->next();
    if (k == nullptr) Fail(ErrorCode::kInvalidArgument, {"there is no formula '", name, "'"});
  }
  for (const FormulaKernel* k = FormulaKernel::First(); k != nullptr; k = k->next()) {
    const auto is_this = [&](const std::string& name) { return IsNamed(k->formula(), name); };
    if (only.empty() || std::ranges::any_of(only, is_this)) f(k->formula());
  }
}

}  // namespace

std::vector<std::string> UsualSources(const std::vector<std::string>& only) {
  std::vector<std::string> sources;
  ForEachFormula(only, [&](const FormulaDef& f) {
    ForEachOf(f.dtypes() & kUsual,
              [&](DType d) { sources.push_back(PointwiseSource(ContiguousSpec(f, d))); });
  });
  if (only.empty()) {
    AddConversions(sources);
    AddReductions(sources);
  }
  return sources;
}

std::vector<std::string> SourcesLike(const std::string& folder, int* of_others) {
  std::vector<std::string> sources;
  for (const std::string& key : DiskCache(folder).Keys()) {
    const std::optional<KeptSource> kept = SourceOfKey(key);
    if (!kept) continue;
    if (kept->headers == HeadersOf(kept->source.text)) {
      sources.push_back(kept->source.text);
    } else {
      ++*of_others;
    }
  }
  return sources;
}

void ForEachSideBySide(size_t n, const std::function<void(size_t)>& f) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < n;) {
      try {
        f(i);
      } catch (...) {
        next.store(n);
        std::lock_guard lock(mutex);
        if (failure == nullptr) failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (size_t t = 1; t < std::min<size_t>(n, std::thread::hardware_concurrency()); ++t)
    others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace sy::cuda
