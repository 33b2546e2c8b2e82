// LAPACK's ?gesdd, one matrix a thread. Matrices go through memory of the kernel's own: ?gesdd
// destroys its input, and nothing is written to the outputs until all matrices have converged.
// Source of the sizes of rwork and iwork: LAPACK's documentation of cgesdd; ATen's
// computeLRWorkDim.
#include <algorithm>
#include <climits>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

constexpr DTypeMask kSvdTypes = kComplexTypes | Mask(DType::kFloat32, DType::kFloat64);
constexpr int64_t kGrain = 1 << 12;  // elements of matrices worth a thread

// ?gesdd of T, and what one thread's calls of it work in. R: the type of T's parts.
template <class T, class R>
class Gesdd {
 public:
  Gesdd(const OpenBlas& blas, int64_t m, int64_t n, bool full)
      : blas_(blas),
        jobz_(full ? 'A' : 'S'),
        m_(static_cast<int>(m)),
        n_(static_cast<int>(n)),
        vt_rows_(static_cast<int>(full ? n : std::min(m, n))) {
    const size_t k = static_cast<size_t>(std::min(m, n)), l = static_cast<size_t>(std::max(m, n));
    iwork_.resize(8 * k);
    if (kComplex) rwork_.resize(std::max(5 * k * k + 5 * k, 2 * l * k + 2 * k * k + k));
    T best{};
    Run(nullptr, nullptr, nullptr, nullptr, &best);  // asks for the best length
    lwork_ = static_cast<int>(std::real(best));
    work_.resize(static_cast<size_t>(lwork_));
  }
  // a: [m, n] by columns, destroyed. Returns LAPACK's info: 0 when all is well.
  int operator()(T* a, T* u, R* s, T* vt) { return Run(a, u, s, vt, work_.data()); }

 private:
  static constexpr bool kComplex = !std::is_same_v<T, R>;

  int Run(T* a, T* u, R* s, T* vt, T* work) {
    int info = 0;
    if constexpr (kComplex) {
      Function()(&jobz_, &m_, &n_, a, &m_, s, u, &m_, vt, &vt_rows_, work, &lwork_, rwork_.data(),
                 iwork_.data(), &info, 1);
    } else {
      Function()(&jobz_, &m_, &n_, a, &m_, s, u, &m_, vt, &vt_rows_, work, &lwork_, iwork_.data(),
                 &info, 1);
    }
    return info;
  }
  auto Function() const {
    if constexpr (std::is_same_v<T, float>) {
      return blas_.sgesdd;
    } else if constexpr (std::is_same_v<T, double>) {
      return blas_.dgesdd;
    } else if constexpr (std::is_same_v<R, float>) {
      return blas_.cgesdd;
    } else {
      return blas_.zgesdd;
    }
  }

  const OpenBlas& blas_;
  const char jobz_;
  const int m_, n_, vt_rows_;
  int lwork_ = -1;
  std::vector<int> iwork_;
  std::vector<R> rwork_;
  std::vector<T> work_;
};

// Sizes and dtype of t; each matrix by columns, one after the other.
Tensor ByColumns(const Tensor& t) {
  std::vector<int64_t> strides(t.sizes().size());
  const int64_t rows = t.size(-2);
  strides[strides.size() - 2] = 1;
  strides[strides.size() - 1] = rows;
  int64_t stride = rows * t.size(-1);
  for (int64_t d = t.dim() - 3; d >= 0; --d) {
    strides[d] = stride;
    stride *= t.sizes()[d];
  }
  return Tensor::EmptyStrided(t.sizes(), strides, t.dtype());
}

// Of matrices without elements: their singular vectors are the unit vectors.
void SetIdentity(const Tensor& t) {
  const int64_t rows = t.size(-2), columns = t.size(-1);
  const Tensor eye = Tensor::Empty({rows, columns}, DType::kBool);
  for (int64_t i = 0; i < eye.numel(); ++i) eye.data<bool>()[i] = i / columns == i % columns;
  CopyElements(t, eye);
}

[[noreturn]] void FailConverge(Call call, int64_t i, int info) {
  // ?gesdd says -4 for a NaN in its fourth argument, the matrix.
  const std::string why =
      info < 0 ? "it holds NaN" : std::to_string(info) + " superdiagonals did not become 0";
  Fail(ErrorCode::kInvalidValue, {call.op(), "(): matrix ", i, " of A did not converge: ", why});
}

template <class T, class R>
void Decompose(Call call, const Tensor& out_u, const Tensor& out_s, const Tensor& out_vh,
               const Tensor& a, bool full) {
  const int64_t m = a.size(-2), n = a.size(-1), k = std::min(m, n);
  if (std::max(m, n) > INT_MAX) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): sizes of A must be below 2^31 for LAPACK, got ", a.sizes()});
  }
  const OpenBlas& blas = OpenBlas::GetOrFail(call.op());
  const Tensor work = ByColumns(a), u = ByColumns(out_u), vh = ByColumns(out_vh),
               s = Tensor::Empty(out_s.sizes(), out_s.dtype());
  CopyElements(work, a);
  const int64_t batch = a.numel() / (m * n);
  std::vector<int> info(static_cast<size_t>(batch));
  ParallelFor(batch, std::max<int64_t>(1, kGrain / (m * n)), [&](int64_t begin, int64_t end) {
    Gesdd<T, R> gesdd(blas, m, n, full);
    for (int64_t i = begin; i < end; ++i) {
      info[i] = gesdd(work.data<T>() + i * m * n, u.data<T>() + i * m * (full ? m : k),
                      s.data<R>() + i * k, vh.data<T>() + i * (full ? n : k) * n);
    }
  });
  for (int64_t i = 0; i < batch; ++i) {
    if (info[i] != 0) FailConverge(call, i, info[i]);
  }
  CopyElements(out_u, u);
  CopyElements(out_s, s);
  CopyElements(out_vh, vh);
}

// driver: refused by the rule.
void Svd(Call call, const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a,
         bool full_matrices, std::optional<std::string_view> /*driver*/) {
  if (a.numel() == 0) {
    SetIdentity(u);
    SetIdentity(vh);
    return;
  }
  VisitDType<kSvdTypes>(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    Decompose<T, decltype(std::abs(T{}))>(call, u, s, vh, a, full_matrices);
  });
}

const Kernel kernel{"linalg_svd", "cpu", kSvdTypes, Svd};

}  // namespace
}  // namespace sy::cpu
