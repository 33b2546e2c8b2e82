// LAPACK's ?gesdd, one matrix a thread. Matrices go through memory of the kernel's own: ?gesdd
// destroys its input, and nothing is written to the outputs until all matrices have converged.
// Source of the sizes of rwork and iwork: LAPACK's documentation of cgesdd; ATen's
// computeLRWorkDim.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "backends/cpu/kernels/linalg/matrices.h"
#include "switchyard/backends/common/checks.h"

namespace sy::cpu {
namespace {

// What is asked for besides the singular values.
enum class Vectors { kNone, kThin, kFull };

// ?gesdd of T, and what one thread's calls of it work in.
template <class T>
class Gesdd {
 public:
  using R = typename Lapack<T>::R;
  Gesdd(std::string_view op, const Lapack<T>& lapack, int m, int n, Vectors vectors)
      : lapack_(lapack),
        jobz_(vectors == Vectors::kFull   ? "A"
              : vectors == Vectors::kThin ? "S"
                                          : "N"),
        m_(m),
        n_(n),
        vt_rows_(vectors == Vectors::kFull ? n : std::min(m, n)),
        work_(op) {
    const size_t k = static_cast<size_t>(std::min(m, n)), l = static_cast<size_t>(std::max(m, n));
    iwork_.resize(8 * k);
    if (Lapack<T>::kComplex)
      rwork_.resize(std::max({7 * k, 5 * k * k + 5 * k, 2 * l * k + 2 * k * k + k}));
  }
  // a: [m, n] by columns, destroyed. Returns LAPACK's info: 0 when all is well.
  int operator()(T* a, T* u, R* s, T* vt) {
    int info = 0;
    work_.Run([&](T* work, const int* length) {
      if constexpr (Lapack<T>::kComplex) {
        lapack_.gesdd(jobz_, &m_, &n_, a, &m_, s, u, &m_, vt, &vt_rows_, work, length,
                      rwork_.data(), iwork_.data(), &info, 1);
      } else {
        lapack_.gesdd(jobz_, &m_, &n_, a, &m_, s, u, &m_, vt, &vt_rows_, work, length,
                      iwork_.data(), &info, 1);
      }
    });
    return info;
  }

 private:
  const Lapack<T>& lapack_;
  const char* const jobz_;
  const int m_, n_, vt_rows_;
  std::vector<int> iwork_;
  std::vector<R> rwork_;
  WorkSpace<T> work_;
};

constexpr int kHoldsNan = -4;  // ?gesdd's word for a NaN in its fourth argument, the matrix

// What ?gesdd need not see: with infinities it may not come to an end. kHoldsNan, 0 for finite
// numbers, else 1.
template <class T>
int NotFinite(const T* a, int64_t n) {
  using R = typename Lapack<T>::R;
  const R* x = reinterpret_cast<const R*>(a);
  const R* end = x + n * static_cast<int64_t>(sizeof(T) / sizeof(R));
  if (std::any_of(x, end, [](R r) { return std::isnan(r); })) return kHoldsNan;
  return std::any_of(x, end, [](R r) { return std::isinf(r); }) ? 1 : 0;
}

[[noreturn]] void FailConverge(Call call, int64_t i, int info) {
  const std::string why = info == kHoldsNan
                              ? "it holds NaN"
                              : std::to_string(info) + " superdiagonals did not become 0";
  FailConvergence(call.op(), "A", i, why);
}

void Decompose(Call call, const Tensor& out_u, const Tensor& out_s, const Tensor& out_vh,
               const Tensor& given, Vectors vectors) {
  if (given.numel() == 0) {
    if (vectors == Vectors::kNone) return;
    SetIdentity(out_u);
    return SetIdentity(out_vh);
  }
  const int m = LapackSize(call, given.size(-2)), n = LapackSize(call, given.size(-1));
  const Tensor a = CopyByColumns(given), s = Tensor::Empty(out_s.sizes(), out_s.dtype());
  Tensor u, vh;
  if (vectors != Vectors::kNone) {
    u = ByColumns(out_u.sizes(), a.dtype());
    vh = ByColumns(out_vh.sizes(), a.dtype());
  }
  std::vector<int> info(static_cast<size_t>(NumMatrices(a)));
  VisitLapack(call, a.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    const auto at = [](const Tensor& t, int64_t i) {
      return t.defined() ? MatrixAt<T>(t, i) : nullptr;
    };
    ForEachMatrix(a, [&](int64_t begin, int64_t end) {
      Gesdd<T> gesdd(call.op(), lapack, m, n, vectors);
      for (int64_t i = begin; i < end; ++i) {
        auto* values = VectorAt<typename Lapack<T>::R>(s, i);
        const int not_finite = NotFinite(at(a, i), int64_t{m} * n);
        if (not_finite == 0) {
          info[i] = gesdd(at(a, i), at(u, i), values, at(vh, i));
        } else if (not_finite == kHoldsNan) {
          info[i] = kHoldsNan;
        } else {
          constexpr auto kNan = std::numeric_limits<typename Lapack<T>::R>::quiet_NaN();
          std::fill_n(values, s.size(-1), kNan);
          for (const Tensor* t : {&u, &vh}) {
            if (t->defined()) std::fill_n(at(*t, i), t->size(-2) * t->size(-1), T(kNan));
          }
        }
      }
    });
  });
  for (size_t i = 0; i < info.size(); ++i) {
    if (info[i] != 0) FailConverge(call, static_cast<int64_t>(i), info[i]);
  }
  CopyElements(out_s, s);
  if (vectors == Vectors::kNone) return;
  CopyElements(out_u, u);
  CopyElements(out_vh, vh);
}

// driver: refused by the shape function.
void Svd(Call call, const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a,
         bool full_matrices, std::optional<std::string_view> /*driver*/) {
  Decompose(call, u, s, vh, a, full_matrices ? Vectors::kFull : Vectors::kThin);
}
void SvdParts(Call call, const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a,
              bool full_matrices, bool compute_uv, std::optional<std::string_view> /*driver*/) {
  Decompose(call, u, s, vh, a,
            !compute_uv     ? Vectors::kNone
            : full_matrices ? Vectors::kFull
                            : Vectors::kThin);
}

const Kernel kernel{"linalg_svd", "cpu", kMatrixTypes, Svd};
const Kernel parts_kernel{"_linalg_svd", "cpu", kMatrixTypes, SvdParts};

}  // namespace
}  // namespace sy::cpu
