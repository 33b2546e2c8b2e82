#include "backends/cuda/engine/dnn_graph.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "backends/cuda/driver/plan_cache.h"
#include "backends/cuda/engine/measured.h"
#include "backends/cuda/products.h"
#include "backends/cuda/runtime/relaxed_capture.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/tensor.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

cudnnDataType_t DnnTypeOf(DType d) {
  switch (d) {
    case DType::kFloat16:
      return CUDNN_DATA_HALF;
    case DType::kBFloat16:
      return CUDNN_DATA_BFLOAT16;
    case DType::kFloat64:
      return CUDNN_DATA_DOUBLE;
    default:
      return CUDNN_DATA_FLOAT;
  }
}

// --- Graphs

DnnGraph::~DnnGraph() {
  for (auto it = owned_.rbegin(); it != owned_.rend(); ++it) lib_.BackendDestroyDescriptor(*it);
}

DnnGraph::Descriptor DnnGraph::Make(cudnnBackendDescriptorType_t type) {
  Descriptor d = nullptr;
  const cudnnStatus_t made = lib_.BackendCreateDescriptor(type, &d);
  Note(made);
  if (made == CUDNN_STATUS_SUCCESS) owned_.push_back(d);
  return d;
}

DnnGraph::Descriptor DnnGraph::TensorOf(int64_t number, cudnnDataType_t type, const Sizes& sizes,
                                        const Sizes& strides, bool virtual_one, bool by_value) {
  constexpr int64_t kAlignment = 16;  // bytes, which RunDnn sees to
  const Descriptor d = Make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  Set(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, number);
  Set(d, CUDNN_ATTR_TENSOR_DATA_TYPE, type);
  Set(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kAlignment);
  Set(d, CUDNN_ATTR_TENSOR_DIMENSIONS, sizes);
  Set(d, CUDNN_ATTR_TENSOR_STRIDES, strides);
  if (virtual_one) Set(d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, true);
  if (by_value) Set(d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, true);
  Finalize(d);
  return d;
}

DnnGraph::Descriptor DnnGraph::Tensor(int64_t number, cudnnDataType_t type, const Sizes& sizes,
                                      const Sizes& strides) {
  return TensorOf(number, type, sizes, strides, false, false);
}
DnnGraph::Descriptor DnnGraph::Number(int64_t number, cudnnDataType_t type, size_t dims) {
  const Sizes ones(dims, 1);
  return TensorOf(number, type, ones, ones, false, true);
}
DnnGraph::Descriptor DnnGraph::Between(cudnnDataType_t type, const Sizes& sizes, Sizes strides) {
  constexpr int64_t kFirst = 1000;  // no graph has as many pointers
  int64_t step = 1;
  if (strides.empty()) {
    strides.resize(sizes.size());
    for (size_t i = sizes.size(); i-- > 0; step *= sizes[i]) strides[i] = step;
  }
  return TensorOf(kFirst + between_++, type, sizes, strides, true, false);
}

void DnnGraph::AddOperation(Descriptor d) {
  Finalize(d);
  operations_.push_back(d);
}

// --- Plans

namespace {

constexpr size_t kPlans = 1024;  // of a device
constexpr size_t kMostMeasured = 8;
constexpr int64_t kMostWorkspace = int64_t{1} << 30;  // bytes that a plan may work in

// What an engine may do to numbers.
struct Rules {
  bool rounds_factors, any_order;
};
Rules RulesFor(cudnnDataType_t type) {
  const bool wide = type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE;
  return {!wide || (type == CUDNN_DATA_FLOAT && AllowTf32()),
          !are_deterministic_algorithms_enabled()};
}

class Plans {
 public:
  // The device is the current one.
  Plans(const DnnTable& lib, DeviceState& device, cudnnHandle_t handle)
      : lib_(lib), device_(device), handle_(handle), graph_(lib) {}
  Plans(const Plans&) = delete;
  // What runs by them reads code that they own. Where that cannot be waited for, they stay.
  ~Plans() {
    if (device_.captures() != 0) return;
    const InUse on = device_.TryUse();
    if (!on || Driver().CtxSynchronize() != CUDA_SUCCESS) return;
    for (const One& p : all_) lib_.BackendDestroyDescriptor(p.plan);
  }

  struct One {
    cudnnBackendDescriptor_t plan;
    int64_t workspace;
    std::string name;
  };
  const std::vector<One>& all() const { return all_; }
  // What the library offers, the best guess first; `most` of them.
  void Make(absl::FunctionRef<void(DnnGraph&)> build, const Rules& rules, size_t most) {
    build(graph_);
    const auto graph = graph_.Make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph_.Set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle_);
    graph_.SetMany(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                   static_cast<int64_t>(graph_.operations().size()), graph_.operations().data());
    graph_.Finalize(graph);
    for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
      if (!graph_.good() || !all_.empty()) return;
      Offered(graph, mode, rules, most);
    }
  }

 private:
  void Offered(cudnnBackendDescriptor_t graph, cudnnBackendHeurMode_t mode, const Rules& rules,
               size_t most) {
    DnnGraph asked(lib_);  // descriptors that are not needed afterwards
    const auto heuristics = asked.Make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    asked.Set(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    asked.Set(heuristics, CUDNN_ATTR_ENGINEHEUR_MODE, mode);
    asked.Finalize(heuristics);
    int64_t count = 0;
    if (!asked.good() || lib_.BackendGetAttribute(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                                  CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count,
                                                  nullptr) != CUDNN_STATUS_SUCCESS)
      return;
    std::vector<cudnnBackendDescriptor_t> configs;
    for (int64_t i = 0; i < count; ++i)
      configs.push_back(graph_.Make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
    int64_t got = 0;
    if (!graph_.good() || lib_.BackendGetAttribute(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                                   CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &got,
                                                   configs.data()) != CUDNN_STATUS_SUCCESS)
      return;
    for (int64_t i = 0; i < std::min(count, got) && all_.size() < most; ++i)
      Add(configs[static_cast<size_t>(i)], fmt::format("{}.{}", static_cast<int>(mode), i), rules);
  }

  // The plan of a configuration, where the rules allow it and the library has one.
  void Add(cudnnBackendDescriptor_t config, const std::string& place, const Rules& rules) {
    int64_t index = 0;
    if (!Allows(config, rules, &index)) return;
    One one{nullptr, 0, fmt::format("engine {} at {}", index, place)};
    if (lib_.BackendCreateDescriptor(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &one.plan) !=
        CUDNN_STATUS_SUCCESS)
      return;
    int64_t count = 0;
    const bool made =
        lib_.BackendSetAttribute(one.plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1,
                                 &handle_) == CUDNN_STATUS_SUCCESS &&
        lib_.BackendSetAttribute(one.plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                 &config) == CUDNN_STATUS_SUCCESS &&
        lib_.BackendFinalize(one.plan) == CUDNN_STATUS_SUCCESS &&
        lib_.BackendGetAttribute(one.plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                 CUDNN_TYPE_INT64, 1, &count,
                                 &one.workspace) == CUDNN_STATUS_SUCCESS;
    if (made && one.workspace <= kMostWorkspace) {
      all_.push_back(one);
    } else {
      lib_.BackendDestroyDescriptor(one.plan);
    }
  }

  bool Allows(cudnnBackendDescriptor_t config, const Rules& rules, int64_t* index) {
    DnnGraph asked(lib_);
    auto engine = asked.Make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    int64_t count = 0;
    std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes{};
    if (!asked.good() ||
        lib_.BackendGetAttribute(config, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                 1, &count, &engine) != CUDNN_STATUS_SUCCESS ||
        lib_.BackendGetAttribute(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1,
                                 &count, index) != CUDNN_STATUS_SUCCESS ||
        lib_.BackendGetAttribute(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                 CUDNN_TYPE_NUMERICAL_NOTE, CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &count,
                                 notes.data()) != CUDNN_STATUS_SUCCESS)
      return false;
    return std::none_of(notes.begin(), notes.begin() + std::clamp<int64_t>(count, 0, 10),
                        [&](cudnnBackendNumericalNote_t note) {
                          switch (note) {
                            case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
                              return true;
                            case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
                            case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
                              return !rules.rounds_factors;
                            case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
                              return !rules.any_order;
                            default:
                              return false;
                          }
                        });
  }

  const DnnTable& lib_;
  DeviceState& device_;
  const cudnnHandle_t handle_;
  DnnGraph graph_;
  std::vector<One> all_;
};

bool Execute(const DnnTable& lib, CudaStream& stream, cudnnHandle_t handle, const Plans::One& one,
             std::span<const void* const> data) {
  ::sy::Tensor workspace;
  if (one.workspace != 0)
    workspace = ::sy::Tensor::Empty({one.workspace}, DType::kUInt8, stream.state().device());
  void* const room = workspace.defined() ? workspace.data() : nullptr;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < data.size(); ++i) numbers.push_back(static_cast<int64_t>(i) + 1);
  DnnGraph of_call(lib);
  const auto pack = of_call.Make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  of_call.Set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, numbers);
  of_call.SetMany(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                  static_cast<int64_t>(data.size()), data.data());
  of_call.SetMany(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &room);
  of_call.Finalize(pack);
  return of_call.good() && lib.BackendExecute(handle, one.plan, pack) == CUDNN_STATUS_SUCCESS;
}

}  // namespace

bool RunDnn(std::string_view op, CudaStream& stream, DnnKey key, cudnnDataType_t type,
            absl::FunctionRef<void(DnnGraph&)> build, std::span<const void* const> data) {
  const DnnTable* lib = FindDnn();
  if (lib == nullptr) return false;
  for (const void* p : data) {
    if (reinterpret_cast<uintptr_t>(p) % 16 != 0) return false;
  }
  const InUse on = stream.state().Use();
  DnnHandle& h = DnnHandleOf(stream.state());
  if (h.failed) return false;
  std::lock_guard handle_lock(h.mutex);
  const Rules rules = RulesFor(type);
  const bool measures = MayMeasure(stream);
  key.insert(key.end(), {int64_t{type}, rules.rounds_factors, rules.any_order, measures});
  auto& cache = PlanCache<DnnKey, Plans>::Of(stream.state());
  std::lock_guard cache_lock(cache.mutex);
  const std::shared_ptr<Plans> plans = cache.Find(stream, key, kPlans, [&] {
    const RelaxedCapture relaxed;
    auto made = std::make_shared<Plans>(*lib, stream.state(), h.handle);
    made->Make(build, rules, measures ? kMostMeasured : 1);
    return made;
  });
  if (plans->all().empty() || lib->SetStream(h.handle, stream.handle()) != CUDNN_STATUS_SUCCESS)
    return false;
  const auto run = [&](size_t i) { return Execute(*lib, stream, h.handle, plans->all()[i], data); };
  Launching launching(stream, op);
  size_t chosen = 0;
  if (measures && plans->all().size() > 1) {
    std::string text = fmt::format("cuDNN {}:", lib->GetVersion());
    for (int64_t x : key) text += fmt::format(" {}", x);
    std::vector<std::string> names;
    for (const Plans::One& p : plans->all()) names.push_back(p.name);
    chosen = Fastest(stream, text, names, run);
  }
  if (!run(chosen)) return false;
  launching.Done();
  return true;
}

}  // namespace sy::cuda
