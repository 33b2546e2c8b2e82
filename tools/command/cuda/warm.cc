// switchyard cuda warm: compiles the kernels that most programs use into the disk cache, so that
// their first calls do not wait for the compiler. It needs NVRTC, and no device.

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/plan/pointwise_source.h"
#include "backends/cuda/plan/reduce_plan.h"
#include "backends/cuda/properties.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/kernels.h"
#include "switchyard/backends/cuda/formula.h"
#include "switchyard/core/error.h"
#include "switchyard/ops/formulas/reduce.h"
#include "tools/command/extension.h"

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
      for (int lanes : {0, 32, 256}) {
        const int each = lanes == 0 ? 0 : static_cast<int>(16 / ItemSize(d));
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
    if (k == nullptr)
      Fail(ErrorCode::kInvalidArgument, {"switchyard cuda warm: there is no formula '", name, "'"});
  }
  for (const FormulaKernel* k = FormulaKernel::First(); k != nullptr; k = k->next()) {
    const auto is_this = [&](const std::string& name) { return IsNamed(k->formula(), name); };
    if (only.empty() || std::ranges::any_of(only, is_this)) f(k->formula());
  }
}

// only: names of formulas; none: all.
void Warm(std::string architecture, const std::vector<std::string>& only) {
  const std::string folder = DiskCache::DefaultFolder();
  if (folder.empty()) {
    Fail(ErrorCode::kUnavailable,
         "there is nowhere to keep kernels: SWITCHYARD_CUDA_CACHE is empty, or there is no HOME");
  }
  if (architecture.empty()) {
    const Properties& p = GetProperties(0);
    architecture = ArchitectureFor(p.major, p.minor);
  }
  std::vector<std::string> sources;
  ForEachFormula(only, [&](const FormulaDef& f) {
    ForEachOf(f.dtypes() & kUsual,
              [&](DType d) { sources.push_back(PointwiseSource(ContiguousSpec(f, d))); });
  });
  if (only.empty()) {
    AddConversions(sources);
    AddReductions(sources);
  }
  for (const std::string& text : sources) ImageOf({text, architecture});
  std::cout << sources.size() << " kernels for " << architecture << " in " << folder << "\n";
}

const command::Extension extension{[](CLI::App& app) {
  CLI::App* cuda = app.add_subcommand("cuda", "What the cuda backend offers");
  cuda->require_subcommand(1);
  static std::string architecture;
  static std::vector<std::string> only;
  CLI::App* warm = cuda->add_subcommand("warm", "Compile the usual kernels into the disk cache");
  warm->add_option("--arch", architecture, "For which device, as sm_90; else for the first one");
  warm->add_option("--formula", only, "Only those of this one, as Add; repeatable");
  warm->callback([] { Warm(architecture, only); });
}};

}  // namespace
}  // namespace sy::cuda
