#include "backends/cuda/engine/cublaslt.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "backends/cuda/driver/cublaslt.h"
#include "backends/cuda/engine/measured.h"
#include "backends/cuda/products.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/matmul_precision.h"
#include "switchyard/core/tensor.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Null where the library does not start on the device.
cublasLtHandle_t HandleOf(const LtTable& lt, const DeviceState& device) {
  static std::mutex mutex;
  static auto* handles = new std::map<int, cublasLtHandle_t>;
  std::lock_guard lock(mutex);
  const auto [it, added] = handles->try_emplace(device.index(), nullptr);
  if (!added) return it->second;
  if (const cublasStatus_t s = lt.Create(&it->second); s != CUBLAS_STATUS_SUCCESS) {
    it->second = nullptr;
    WarnOfOwnProducts(fmt::format("it does not start on {}: status {}", device.device().str(),
                                  static_cast<int>(s)));
  }
  return it->second;
}

cudaDataType_t TypeOf(DType d) {
  switch (d) {
    case DType::kFloat8E4M3FN:
      return CUDA_R_8F_E4M3;
    case DType::kFloat8E5M2:
      return CUDA_R_8F_E5M2;
    case DType::kFloat16:
      return CUDA_R_16F;
    case DType::kBFloat16:
      return CUDA_R_16BF;
    case DType::kFloat32:
      return CUDA_R_32F;
    case DType::kFloat64:
      return CUDA_R_64F;
    case DType::kComplex64:
      return CUDA_C_32F;
    default:
      return CUDA_C_64F;
  }
}
struct Sums {
  cudaDataType_t scale;
  cublasComputeType_t compute;
};
Sums SumsOf(DType d) {
  switch (d) {
    case DType::kFloat32:
      return {CUDA_R_32F, AllowTf32() ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F};
    case DType::kFloat64:
      return {CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case DType::kComplex64:
      return {CUDA_C_32F, CUBLAS_COMPUTE_32F};
    case DType::kComplex128:
      return {CUDA_C_64F, CUBLAS_COMPUTE_64F};
    default:
      return {CUDA_R_32F, CUBLAS_COMPUTE_32F};
  }
}

cublasLtEpilogue_t EpilogueOf(const LibraryProduct& p) {
  const bool adds = p.bias != nullptr;
  if (p.relu) return adds ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
  return adds ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

// The library's descriptions of a product.
class Description {
 public:
  Description(const LtTable& lt, const LibraryProduct& p) : lt_(lt) {
    const Sums sums = SumsOf(p.left_type);
    Note(lt_.MatmulDescCreate(&product, sums.compute, sums.scale));
    if (!good) return;
    Set(CUBLASLT_MATMUL_DESC_TRANSA, p.plan.left.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    Set(CUBLASLT_MATMUL_DESC_TRANSB, p.plan.right.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    if (const cublasLtEpilogue_t epilogue = EpilogueOf(p); epilogue != CUBLASLT_EPILOGUE_DEFAULT)
      Set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    if (p.bias != nullptr) Set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, TypeOf(p.bias_type));
    if (p.scales_are_vectors) {
      Set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
      Set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
    }
    if (p.fast_sums) Set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, int8_t{1});
    PointTo(p);
    left = LayoutOf(TypeOf(p.left_type), p.plan.left, p.batch, p.left_step);
    right = LayoutOf(TypeOf(p.right_type), p.plan.right, p.batch, p.right_step);
    result = LayoutOf(TypeOf(p.result_type), p.plan.result, p.batch, p.result_step);
  }
  ~Description() {
    for (cublasLtMatrixLayout_t l : {left, right, result}) {
      if (l != nullptr) lt_.MatrixLayoutDestroy(l);
    }
    if (product != nullptr) lt_.MatmulDescDestroy(product);
  }
  Description(const Description&) = delete;

  // Where this call's vectors and scales are.
  void PointTo(const LibraryProduct& p) {
    if (p.bias != nullptr) Set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias);
    if (p.left_scale != nullptr) Set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, p.left_scale);
    if (p.right_scale != nullptr) Set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, p.right_scale);
  }

  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t left = nullptr, right = nullptr, result = nullptr;
  bool good = true;

 private:
  void Note(cublasStatus_t s) { good = good && s == CUBLAS_STATUS_SUCCESS; }
  template <class T>
  void Set(cublasLtMatmulDescAttributes_t which, const T& value) {
    Note(lt_.MatmulDescSetAttribute(product, which, &value, sizeof value));
  }
  cublasLtMatrixLayout_t LayoutOf(cudaDataType_t type, const GemmFactor& f, int64_t batch,
                                  int64_t step) {
    cublasLtMatrixLayout_t layout = nullptr;
    Note(lt_.MatrixLayoutCreate(&layout, type, static_cast<uint64_t>(f.rows),
                                static_cast<uint64_t>(f.columns), f.ld));
    if (!good || batch == 1) return layout;
    const auto count = static_cast<int32_t>(batch);
    Note(lt_.MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                      sizeof count));
    Note(lt_.MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step,
                                      sizeof step));
    return layout;
  }
  const LtTable& lt_;
};

constexpr size_t kWorkspace = size_t{32} << 20;  // what the library asks for on Hopper
constexpr int kMostMeasured = 8;

// What the addresses of a batch's matrices are multiples of, as far as the library cares.
uint32_t AlignmentOf(const void* first, int64_t step, int64_t batch, DType d) {
  constexpr uint64_t kMost = 256;
  const uint64_t bits = kMost | reinterpret_cast<uintptr_t>(first) |
                        (batch == 1 ? 0 : static_cast<uint64_t>(step) * ItemSize(d));
  return static_cast<uint32_t>(bits & (~bits + 1));
}

using Key = std::array<int64_t, 28>;

// A product as it is put to the library, and how the library would do it: its own guess first.
struct Prepared {
  Prepared(const LtTable& lt, const LibraryProduct& p) : description(lt, p) {}
  Description description;
  std::mutex mutex;  // held where the description points to a call's memory
  std::vector<cublasLtMatmulHeuristicResult_t> ways;
  std::string key;                 // by which they are measured
  std::vector<std::string> names;  // of the ways
};
void Choose(const LtTable& lt, cublasLtHandle_t handle, const uint32_t (&alignments)[3], int most,
            Prepared& prepared) {
  const Description& d = prepared.description;
  cublasLtMatmulPreference_t preference = nullptr;
  if (!d.good || lt.MatmulPreferenceCreate(&preference) != CUBLAS_STATUS_SUCCESS) return;
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t which, const auto& value) {
    lt.MatmulPreferenceSetAttribute(preference, which, &value, sizeof value);
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspace);
  // Parts of a product that are added to the result as they come would come in any order.
  constexpr uint32_t kOrdered =
      CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
  if (are_deterministic_algorithms_enabled())
    prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, kOrdered);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignments[0]);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignments[1]);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignments[2]);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignments[2]);
  std::array<cublasLtMatmulHeuristicResult_t, kMostMeasured> offered{};
  int found = 0;
  const cublasStatus_t s =
      lt.MatmulAlgoGetHeuristic(handle, d.product, d.left, d.right, d.result, d.result, preference,
                                most, offered.data(), &found);
  lt.MatmulPreferenceDestroy(preference);
  for (int i = 0; s == CUBLAS_STATUS_SUCCESS && i < found; ++i) {
    if (offered[i].state == CUBLAS_STATUS_SUCCESS) prepared.ways.push_back(offered[i]);
  }
}

// The library says that an algorithm's bytes may be kept and used again by the same version of it.
std::string NameOf(const cublasLtMatmulAlgo_t& algorithm) {
  std::string name;
  for (uint64_t word : algorithm.data) name += fmt::format("{:x} ", word);
  return name;
}

Key KeyOf(const LibraryProduct& p, const uint32_t (&alignments)[3], int device, bool measures) {
  const auto number = [](auto x) { return static_cast<int64_t>(x); };
  Key key = {device,
             number(p.left_type) << 24 | number(p.right_type) << 16 | number(p.result_type) << 8 |
                 number(p.bias_type),
             AllowTf32(),
             p.batch,
             p.plan.k,
             p.left_step,
             p.right_step,
             p.result_step,
             alignments[0],
             alignments[1],
             alignments[2],
             are_deterministic_algorithms_enabled(),
             number(EpilogueOf(p)),
             (p.left_scale != nullptr) << 3 | (p.right_scale != nullptr) << 2 |
                 p.scales_are_vectors << 1 | int{p.fast_sums},
             measures};
  size_t at = 15;
  for (const GemmFactor* f : {&p.plan.left, &p.plan.right, &p.plan.result}) {
    for (int64_t x : {f->rows, f->columns, f->ld, int64_t{f->transposed}}) key[at++] = x;
  }
  return key;
}

// Once for each shape.
Prepared& PreparedFor(const LtTable& lt, cublasLtHandle_t handle, const LibraryProduct& p,
                      int device, bool measures) {
  static std::mutex mutex;
  static auto* all = new std::map<Key, Prepared>;
  const uint32_t alignments[] = {AlignmentOf(p.left, p.left_step, p.batch, p.left_type),
                                 AlignmentOf(p.right, p.right_step, p.batch, p.right_type),
                                 AlignmentOf(p.result, p.result_step, p.batch, p.result_type)};
  const Key key = KeyOf(p, alignments, device, measures);
  std::lock_guard lock(mutex);
  const auto [it, added] = all->try_emplace(key, lt, p);
  Prepared& prepared = it->second;
  if (!added) return prepared;
  Choose(lt, handle, alignments, measures ? kMostMeasured : 1, prepared);
  if (!measures) return prepared;
  prepared.key = fmt::format("cuBLASLt {}:", lt.GetVersion());
  for (size_t i = 1; i < key.size(); ++i) prepared.key += fmt::format(" {}", key[i]);
  for (const auto& way : prepared.ways) prepared.names.push_back(NameOf(way.algo));
  return prepared;
}

// Of any type of number.
bool IsZero(const Immediate& number) {
  return std::ranges::all_of(number.bytes, [](auto byte) { return byte == 0; });
}

}  // namespace

void SetAllowTf32(bool allow) { set_float32_matmul_precision(allow ? "high" : "highest"); }
bool AllowTf32() { return internal::MayRoundFactors(); }

bool RunLibraryProduct(std::string_view op, CudaStream& stream, const LibraryProduct& p) {
  const LtTable* lt = FindLt();
  if (p.batch > INT32_MAX || lt == nullptr) return false;
  const InUse on = stream.state().Use();
  const cublasLtHandle_t handle = HandleOf(*lt, stream.state());
  if (handle == nullptr) return false;
  // What is added to its own result cannot be done over and over.
  const bool measures = MayMeasure(stream) && IsZero(p.beta);
  Prepared& prepared = PreparedFor(*lt, handle, p, stream.state().index(), measures);
  if (prepared.ways.empty()) return false;
  Description& d = prepared.description;
  std::unique_lock<std::mutex> pointing;
  if (p.bias != nullptr || p.left_scale != nullptr || p.right_scale != nullptr) {
    pointing = std::unique_lock(prepared.mutex);
    d.PointTo(p);
  }
  cublasStatus_t done = CUBLAS_STATUS_SUCCESS;
  const auto run = [&](size_t i) {
    const cublasLtMatmulHeuristicResult_t& way = prepared.ways[i];
    Tensor workspace;
    if (way.workspaceSize != 0) {
      workspace = Tensor::Empty({static_cast<int64_t>(way.workspaceSize)}, DType::kUInt8,
                                stream.state().device());
    }
    done = lt->Matmul(handle, d.product, &p.alpha, p.left, d.left, p.right, d.right, &p.beta,
                      p.result, d.result, p.result, d.result, &way.algo,
                      workspace.defined() ? workspace.data() : nullptr, way.workspaceSize,
                      reinterpret_cast<cudaStream_t>(stream.handle()));
    return done == CUBLAS_STATUS_SUCCESS;
  };
  Launching launching(stream, op);
  if (run(measures ? Fastest(stream, prepared.key, prepared.names, run) : 0)) {
    launching.Done();
    return true;
  }
  WarnOfOwnProducts(fmt::format("it refuses a product of {} by {} by {} with status {}",
                                p.plan.result.rows, p.plan.result.columns, p.plan.k,
                                static_cast<int>(done)));
  return false;
}

}  // namespace sy::cuda
