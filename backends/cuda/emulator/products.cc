#include "backends/cuda/emulator/products.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "backends/cuda/driver/cublaslt.h"
#include "backends/cuda/emulator/emulator.h"
#include "backends/cuda/emulator/rounding.h"
#include "backends/cuda/emulator/solver.h"
#include "switchyard/core/half.h"

namespace sy::cuda {
namespace {

using C = std::complex<double>;
using Status = cublasStatus_t;

int calls = 0;

struct Layout {
  cudaDataType_t type;
  int64_t rows, columns, ld;
  int32_t batch = 1;
  int64_t step = 0;
};
struct Product {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  cublasOperation_t transposes[2] = {CUBLAS_OP_N, CUBLAS_OP_N};
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  cudaDataType_t bias_type = cudaDataType_t(-1);
  const float* scales[2] = {};
  cublasLtMatmulMatrixScale_t modes[2] = {CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F,
                                          CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F};
  bool adds_bias() const { return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
};
Layout& Of(cublasLtMatrixLayout_t l) { return *reinterpret_cast<Layout*>(l); }
Product& Of(cublasLtMatmulDesc_t d) { return *reinterpret_cast<Product*>(d); }

// --- Numbers in memory

// f(T()) with a type's elements.
template <class F>
auto WithType(cudaDataType_t type, F f) {
  switch (type) {
    case CUDA_R_8F_E4M3:
      return f(Float8E4M3FN());
    case CUDA_R_8F_E5M2:
      return f(Float8E5M2());
    case CUDA_R_16F:
      return f(Half());
    case CUDA_R_16BF:
      return f(BFloat16());
    case CUDA_R_64F:
      return f(double());
    case CUDA_C_32F:
      return f(std::complex<float>());
    case CUDA_C_64F:
      return f(C());
    default:
      return f(float());
  }
}
template <class T>
C Wide(T x) {
  if constexpr (requires { x.real(); }) {
    return C(x);
  } else {
    return static_cast<double>(
        static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(x));
  }
}
template <class T>
T Narrow(C x) {
  if constexpr (requires(T t) { t.real(); }) {
    return T(x);
  } else if constexpr (std::is_same_v<T, double>) {
    return x.real();
  } else {
    return T(static_cast<float>(x.real()));
  }
}
C Read(cudaDataType_t type, const void* p, int64_t i) {
  return WithType(type, [&](auto zero) { return Wide(static_cast<const decltype(zero)*>(p)[i]); });
}
void Write(cudaDataType_t type, void* p, int64_t i, C x) {
  WithType(type,
           [&](auto zero) { static_cast<decltype(zero)*>(p)[i] = Narrow<decltype(zero)>(x); });
}
size_t SizeOf(cudaDataType_t type) {
  return WithType(type, [](auto zero) { return sizeof zero; });
}
bool Is8Bits(cudaDataType_t type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
// From the first to the last element.
size_t ExtentOf(const Layout& l) {
  return static_cast<size_t>((l.batch - 1) * l.step + (l.columns - 1) * l.ld + l.rows) *
         SizeOf(l.type);
}

// --- What is served

bool Serves(const Product& p, const Layout& a, const Layout& b, const Layout& c, const Layout& d) {
  const bool ta = p.transposes[0] == CUBLAS_OP_T, tb = p.transposes[1] == CUBLAS_OP_T;
  const int64_t k = ta ? a.rows : a.columns;
  if ((ta ? a.columns : a.rows) != d.rows || (tb ? b.rows : b.columns) != d.columns ||
      (tb ? b.columns : b.rows) != k || c.rows != d.rows || c.columns != d.columns ||
      c.type != d.type)
    return false;
  for (const Layout* l : {&a, &b, &c, &d}) {
    if (l->ld < l->rows || l->batch != d.batch) return false;
  }
  if (p.adds_bias() && p.bias == nullptr) return false;
  if (!Is8Bits(a.type)) {
    const bool widens = (a.type == CUDA_R_16F || a.type == CUDA_R_16BF) && d.type == CUDA_R_32F;
    return a.type == b.type && (a.type == d.type || widens) && p.scales[0] == nullptr &&
           p.scales[1] == nullptr && (!p.adds_bias() || p.bias_type == d.type);
  }
  const cudaDataType_t bias = d.type == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
  return Is8Bits(b.type) && !(a.type == CUDA_R_8F_E5M2 && b.type == CUDA_R_8F_E5M2) && ta && !tb &&
         k % 16 == 0 && d.rows % 16 == 0 && a.ld % 16 == 0 && b.ld % 16 == 0 &&
         p.compute == CUBLAS_COMPUTE_32F &&
         (d.type == CUDA_R_32F || d.type == CUDA_R_16F || d.type == CUDA_R_16BF) &&
         (!p.adds_bias() || p.bias_type == bias);
}

void Multiply(const Product& p, const Layout& a, const Layout& b, const Layout& d, C alpha, C beta,
              const void* left, const void* right, void* result) {
  const bool ta = p.transposes[0] == CUBLAS_OP_T, tb = p.transposes[1] == CUBLAS_OP_T;
  const bool rounds = p.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const auto factor = [&](cudaDataType_t type, const void* data, int64_t i) {
    const C x = Read(type, data, i);
    return rounds ? C(ToTf32(x.real())) : x;
  };
  const auto scale = [&](int side, int64_t i) -> double {
    if (p.scales[side] == nullptr) return 1;
    const bool vector = p.modes[side] == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
    return p.scales[side][vector ? i : 0];
  };
  const int64_t inner = ta ? a.rows : a.columns;
  for (int64_t n = 0; n < d.batch; ++n) {
    for (int64_t j = 0; j < d.columns; ++j) {
      for (int64_t i = 0; i < d.rows; ++i) {
        C sum = 0;
        for (int64_t k = 0; k < inner; ++k) {
          sum += factor(a.type, left, n * a.step + (ta ? k + i * a.ld : i + k * a.ld)) *
                 factor(b.type, right, n * b.step + (tb ? j + k * b.ld : k + j * b.ld));
        }
        const int64_t at = n * d.step + i + j * d.ld;
        sum *= alpha * scale(0, i) * scale(1, j);
        if (beta != C(0)) sum += beta * Read(d.type, result, at);
        if (p.adds_bias()) sum += Read(p.bias_type, p.bias, i);
        if ((p.epilogue & CUBLASLT_EPILOGUE_RELU) != 0) sum = std::max(0.0, sum.real());
        Write(d.type, result, at, sum);
      }
    }
  }
}

// --- The library's functions

Status Create(cublasLtHandle_t* handle) {
  static int here;
  *handle = reinterpret_cast<cublasLtHandle_t>(&here);
  return CUBLAS_STATUS_SUCCESS;
}
size_t GetVersion() { return 130000; }
Status DescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t compute, cudaDataType_t scale) {
  *d = reinterpret_cast<cublasLtMatmulDesc_t>(new Product{compute, scale});
  return CUBLAS_STATUS_SUCCESS;
}
Status DescDestroy(cublasLtMatmulDesc_t d) {
  delete &Of(d);
  return CUBLAS_STATUS_SUCCESS;
}
Status DescSet(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which, const void* value,
               size_t bytes) {
  Product& p = Of(desc);
  const auto take = [&](auto& to) {
    if (bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&to, value, sizeof to);
    return CUBLAS_STATUS_SUCCESS;
  };
  int8_t fast;
  switch (which) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return take(p.transposes[0]);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return take(p.transposes[1]);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return take(p.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return take(p.bias);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return take(p.bias_type);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return take(p.scales[0]);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return take(p.scales[1]);
    case CUBLASLT_MATMUL_DESC_A_SCALE_MODE:
      return take(p.modes[0]);
    case CUBLASLT_MATMUL_DESC_B_SCALE_MODE:
      return take(p.modes[1]);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return take(fast);
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}
Status LayoutCreate(cublasLtMatrixLayout_t* l, cudaDataType type, uint64_t rows, uint64_t columns,
                    int64_t ld) {
  *l = reinterpret_cast<cublasLtMatrixLayout_t>(
      new Layout{type, static_cast<int64_t>(rows), static_cast<int64_t>(columns), ld});
  return CUBLAS_STATUS_SUCCESS;
}
Status LayoutDestroy(cublasLtMatrixLayout_t l) {
  delete &Of(l);
  return CUBLAS_STATUS_SUCCESS;
}
Status LayoutSet(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t which, const void* value,
                 size_t bytes) {
  if (which == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT && bytes == sizeof(int32_t)) {
    std::memcpy(&Of(l).batch, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  if (which == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET && bytes == sizeof(int64_t)) {
    std::memcpy(&Of(l).step, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}
Status PreferenceCreate(cublasLtMatmulPreference_t* p) {
  static cublasLtMatmulPreferenceOpaque_t here;
  *p = &here;
  return CUBLAS_STATUS_SUCCESS;
}
Status PreferenceDestroy(cublasLtMatmulPreference_t) { return CUBLAS_STATUS_SUCCESS; }
Status PreferenceSet(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void*,
                     size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

constexpr size_t kWorkspace = 512;
Status Heuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                 cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                 cublasLtMatmulPreference_t, int most, cublasLtMatmulHeuristicResult_t* results,
                 int* count) {
  *count = 0;
  if (!Serves(Of(desc), Of(a), Of(b), Of(c), Of(d))) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (*count = 0; *count < std::min(most, 2); ++*count) {
    cublasLtMatmulHeuristicResult_t& r = results[*count];
    r = {};
    r.algo.data[0] = static_cast<uint64_t>(*count) + 1;
    r.workspaceSize = kWorkspace;
    r.state = CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_SUCCESS;
}

Status Matmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha, const void* left,
              cublasLtMatrixLayout_t a, const void* right, cublasLtMatrixLayout_t b,
              const void* beta, const void* addend, cublasLtMatrixLayout_t c, void* result,
              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t* algorithm, void* room,
              size_t room_bytes, cudaStream_t s) {
  const auto stream = reinterpret_cast<CUstream>(s);
  const Product p = Of(desc);
  if (!Serves(p, Of(a), Of(b), Of(c), Of(d)) || addend != result || algorithm == nullptr ||
      algorithm->data[0] == 0 || room_bytes < kWorkspace)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto lies = [&](const void* data, size_t bytes) {
    return LiesOnDevice(stream, data, bytes);
  };
  if (!lies(left, ExtentOf(Of(a))) || !lies(right, ExtentOf(Of(b))) ||
      !lies(result, ExtentOf(Of(d))) || !lies(room, kWorkspace))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (p.adds_bias() && !lies(p.bias, static_cast<size_t>(Of(d).rows) * SizeOf(p.bias_type)))
    return CUBLAS_STATUS_INVALID_VALUE;
  const int64_t lines[] = {Of(d).rows, Of(d).columns};
  for (int side = 0; side < 2; ++side) {
    const bool vector = p.modes[side] == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
    const auto bytes = static_cast<size_t>(vector ? lines[side] : 1) * sizeof(float);
    if (p.scales[side] != nullptr && !lies(p.scales[side], bytes))
      return CUBLAS_STATUS_INVALID_VALUE;
  }
  ++calls;
  QueueOnHost(stream, [=, la = Of(a), lb = Of(b), ld = Of(d), x = Read(p.scale, alpha, 0),
                       y = Read(p.scale, beta, 0)] {
    std::memset(room, 0xff, kWorkspace);
    Multiply(p, la, lb, ld, x, y, left, right, result);
  });
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

int EmulatedProductCalls() { return calls; }

void EmulateProducts() {
  UseLt({Create, GetVersion, Matmul, Heuristic, DescCreate, DescDestroy, DescSet, LayoutCreate,
         LayoutDestroy, LayoutSet, PreferenceCreate, PreferenceDestroy, PreferenceSet});
}

}  // namespace sy::cuda
