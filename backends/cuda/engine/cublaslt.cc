#include "backends/cuda/engine/cublaslt.h"

#include <cublasLt.h>

#include <array>
#include <map>
#include <mutex>

#include "backends/cuda/driver/library.h"
#include "backends/cuda/driver/switches.h"
#include "backends/cuda/products.h"
#include "switchyard/core/matmul_precision.h"
#include "switchyard/core/tensor.h"

namespace sy::cuda {
namespace {

#define SY_CUBLASLT_FUNCTIONS(X) \
  X(Create)                      \
  X(Matmul)                      \
  X(MatmulAlgoGetHeuristic)      \
  X(MatmulDescCreate)            \
  X(MatmulDescDestroy)           \
  X(MatmulDescSetAttribute)      \
  X(MatrixLayoutCreate)          \
  X(MatrixLayoutDestroy)         \
  X(MatrixLayoutSetAttribute)    \
  X(MatmulPreferenceCreate)      \
  X(MatmulPreferenceDestroy)     \
  X(MatmulPreferenceSetAttribute)

struct Table {
#define SY_CUBLASLT_MEMBER(name) decltype(&::cublasLt##name) name;
  SY_CUBLASLT_FUNCTIONS(SY_CUBLASLT_MEMBER)
#undef SY_CUBLASLT_MEMBER
  bool complete = false;

  // SWITCHYARD_CUDA_LIBRARIES=0: this backend's own kernels alone.
  Table() {
    if (SwitchedOff("SWITCHYARD_CUDA_LIBRARIES")) return;
    Library library({"libcublasLt.so.13", "libcublasLt.so"});
    if (!library.open()) return;
    complete = true;
#define SY_CUBLASLT_FIND(name)                                                           \
  name = reinterpret_cast<decltype(name)>(library.Find(SY_CUDA_SYMBOL(cublasLt##name))); \
  complete = complete && name != nullptr;
    SY_CUBLASLT_FUNCTIONS(SY_CUBLASLT_FIND)
#undef SY_CUBLASLT_FIND
  }
};
const Table& Lib() {
  static const Table* table = new Table;
  return *table;
}

// Null where the library does not start on the device.
cublasLtHandle_t HandleOf(const DeviceState& device) {
  static std::mutex mutex;
  static auto* handles = new std::map<int, cublasLtHandle_t>;
  std::lock_guard lock(mutex);
  const auto [it, added] = handles->try_emplace(device.index(), nullptr);
  if (added && Lib().Create(&it->second) != CUBLAS_STATUS_SUCCESS) it->second = nullptr;
  return it->second;
}

struct Types {
  cudaDataType_t data, scale;
  cublasComputeType_t compute;
};
Types TypesOf(DType d) {
  switch (d) {
    case DType::kFloat16:
      return {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::kBFloat16:
      return {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::kFloat32:
      return {CUDA_R_32F, CUDA_R_32F,
              AllowTf32() ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F};
    case DType::kFloat64:
      return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case DType::kComplex64:
      return {CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F};
    default:
      return {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F};
  }
}

// The library's descriptions of a product.
class Description {
 public:
  explicit Description(const LibraryProduct& p) {
    const Types t = TypesOf(p.dtype);
    const auto set = [&](cublasLtMatmulDescAttributes_t which, const GemmFactor& f) {
      const cublasOperation_t op = f.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
      Note(Lib().MatmulDescSetAttribute(product, which, &op, sizeof op));
    };
    Note(Lib().MatmulDescCreate(&product, t.compute, t.scale));
    if (!good) return;
    set(CUBLASLT_MATMUL_DESC_TRANSA, p.plan.left);
    set(CUBLASLT_MATMUL_DESC_TRANSB, p.plan.right);
    left = LayoutOf(t.data, p.plan.left, p.batch, p.left_step);
    right = LayoutOf(t.data, p.plan.right, p.batch, p.right_step);
    result = LayoutOf(t.data, p.plan.result, p.batch, p.result_step);
  }
  ~Description() {
    for (cublasLtMatrixLayout_t l : {left, right, result}) {
      if (l != nullptr) Lib().MatrixLayoutDestroy(l);
    }
    if (product != nullptr) Lib().MatmulDescDestroy(product);
  }
  Description(const Description&) = delete;

  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t left = nullptr, right = nullptr, result = nullptr;
  bool good = true;

 private:
  void Note(cublasStatus_t s) { good = good && s == CUBLAS_STATUS_SUCCESS; }
  cublasLtMatrixLayout_t LayoutOf(cudaDataType_t type, const GemmFactor& f, int64_t batch,
                                  int64_t step) {
    cublasLtMatrixLayout_t layout = nullptr;
    Note(Lib().MatrixLayoutCreate(&layout, type, static_cast<uint64_t>(f.rows),
                                  static_cast<uint64_t>(f.columns), f.ld));
    if (!good || batch == 1) return layout;
    const auto count = static_cast<int32_t>(batch);
    Note(Lib().MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                        sizeof count));
    Note(Lib().MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step,
                                        sizeof step));
    return layout;
  }
};

constexpr size_t kWorkspace = size_t{32} << 20;  // what the library asks for on Hopper

// What the addresses of a batch's matrices are multiples of, as far as the library cares.
uint32_t AlignmentOf(const void* first, int64_t step, int64_t batch, DType d) {
  constexpr uint64_t kMost = 256;
  const uint64_t bits = kMost | reinterpret_cast<uintptr_t>(first) |
                        (batch == 1 ? 0 : static_cast<uint64_t>(step) * ItemSize(d));
  return static_cast<uint32_t>(bits & (~bits + 1));
}

// A product as it is put to the library, and how the library would do it.
struct Prepared {
  explicit Prepared(const LibraryProduct& p) : description(p) {}
  Description description;
  bool serves = false;
  cublasLtMatmulAlgo_t algorithm = {};
  size_t workspace = 0;
};
void Choose(cublasLtHandle_t handle, const uint32_t (&alignments)[3], Prepared& prepared) {
  const Description& d = prepared.description;
  cublasLtMatmulPreference_t preference = nullptr;
  if (!d.good || Lib().MatmulPreferenceCreate(&preference) != CUBLAS_STATUS_SUCCESS) return;
  const auto prefer = [preference](cublasLtMatmulPreferenceAttributes_t which, const auto& value) {
    Lib().MatmulPreferenceSetAttribute(preference, which, &value, sizeof value);
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspace);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignments[0]);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignments[1]);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignments[2]);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignments[2]);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const cublasStatus_t s = Lib().MatmulAlgoGetHeuristic(
      handle, d.product, d.left, d.right, d.result, d.result, preference, 1, &best, &found);
  Lib().MatmulPreferenceDestroy(preference);
  prepared.serves = s == CUBLAS_STATUS_SUCCESS && found == 1 && best.state == CUBLAS_STATUS_SUCCESS;
  prepared.algorithm = best.algo;
  prepared.workspace = best.workspaceSize;
}

// Once for each shape.
const Prepared& PreparedFor(cublasLtHandle_t handle, const LibraryProduct& p, int device) {
  using Key = std::array<int64_t, 23>;
  static std::mutex mutex;
  static auto* all = new std::map<Key, Prepared>;
  const uint32_t alignments[] = {AlignmentOf(p.left, p.left_step, p.batch, p.dtype),
                                 AlignmentOf(p.right, p.right_step, p.batch, p.dtype),
                                 AlignmentOf(p.result, p.result_step, p.batch, p.dtype)};
  Key key = {device,        static_cast<int64_t>(p.dtype),
             AllowTf32(),   p.batch,
             p.plan.k,      p.left_step,
             p.right_step,  p.result_step,
             alignments[0], alignments[1],
             alignments[2]};
  size_t at = 11;
  for (const GemmFactor* f : {&p.plan.left, &p.plan.right, &p.plan.result}) {
    for (int64_t x : {f->rows, f->columns, f->ld, int64_t{f->transposed}}) key[at++] = x;
  }
  std::lock_guard lock(mutex);
  const auto [it, added] = all->try_emplace(key, p);
  if (added) Choose(handle, alignments, it->second);
  return it->second;
}

}  // namespace

void SetAllowTf32(bool allow) { set_float32_matmul_precision(allow ? "high" : "highest"); }
bool AllowTf32() { return internal::MayRoundFactors(); }

bool RunLibraryProduct(const LibraryProduct& p, CudaStream& stream) {
  if (p.batch > INT32_MAX || !Lib().complete) return false;
  const InUse on = stream.state().Use();
  const cublasLtHandle_t handle = HandleOf(stream.state());
  if (handle == nullptr) return false;
  const Prepared& prepared = PreparedFor(handle, p, stream.state().index());
  if (!prepared.serves) return false;
  const Description& d = prepared.description;
  Tensor workspace;
  if (prepared.workspace != 0) {
    workspace = Tensor::Empty({static_cast<int64_t>(prepared.workspace)}, DType::kUInt8,
                              stream.state().device());
  }
  return Lib().Matmul(handle, d.product, &p.alpha, p.left, d.left, p.right, d.right, &p.beta,
                      p.result, d.result, p.result, d.result, &prepared.algorithm,
                      workspace.defined() ? workspace.data() : nullptr, prepared.workspace,
                      reinterpret_cast<cudaStream_t>(stream.handle())) == CUBLAS_STATUS_SUCCESS;
}

}  // namespace sy::cuda
