// LAPACK's ?syevd (?heevd), one matrix a thread. Nothing is written to the outputs until all
// matrices have converged.
#include "backends/cpu/kernels/linalg/matrices.h"
#include "switchyard/backends/common/checks.h"

namespace sy::cpu {
namespace {

// ?syevd of one size, and what one thread's calls of it work in.
template <class T>
class Syevd {
 public:
  using R = typename Lapack<T>::R;
  Syevd(std::string_view op, const Lapack<T>& lapack, int n, bool vectors, bool upper)
      : lapack_(lapack), n_(n), jobz_(vectors ? "V" : "N"), uplo_(upper ? "U" : "L") {
    T best{};
    R best_real{};
    int best_int = 0;
    Run(nullptr, nullptr, &best, -1, &best_real, -1, &best_int, -1);  // asks for the best lengths
    work_.resize(static_cast<size_t>(WorkLength(op, std::real(best))));
    rwork_.resize(static_cast<size_t>(WorkLength(op, best_real)));
    iwork_.resize(static_cast<size_t>(best_int));
  }
  // a: [n, n] by columns, becomes the vectors. Returns LAPACK's info: 0 when all is well.
  int operator()(T* a, R* values) {
    return Run(a, values, work_.data(), static_cast<int>(work_.size()), rwork_.data(),
               static_cast<int>(rwork_.size()), iwork_.data(), static_cast<int>(iwork_.size()));
  }

 private:
  int Run(T* a, R* values, T* work, int lwork, [[maybe_unused]] R* rwork,
          [[maybe_unused]] int lrwork, int* iwork, int liwork) {
    int info = 0;
    if constexpr (Lapack<T>::kComplex) {
      lapack_.syevd(jobz_, uplo_, &n_, a, &n_, values, work, &lwork, rwork, &lrwork, iwork, &liwork,
                    &info, 1, 1);
    } else {
      lapack_.syevd(jobz_, uplo_, &n_, a, &n_, values, work, &lwork, iwork, &liwork, &info, 1, 1);
    }
    return info;
  }

  const Lapack<T>& lapack_;
  const int n_;
  const char *const jobz_, *const uplo_;
  std::vector<T> work_;
  std::vector<R> rwork_;
  std::vector<int> iwork_;
};

void EighParts(Call call, const Tensor& out_values, const Tensor& out_vectors, const Tensor& self,
               std::string_view uplo, bool compute_v) {
  if (self.numel() == 0) return;
  const Tensor a = CopyByColumns(self),
               values = Tensor::Empty(out_values.sizes(), out_values.dtype());
  const int n = LapackSize(call, a.size(-1));
  std::vector<int> info(static_cast<size_t>(NumMatrices(a)));
  VisitLapack(call, a.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    ForEachMatrix(a, [&](int64_t begin, int64_t end) {
      Syevd<T> syevd(call.op(), lapack, n, compute_v, uplo == "U" || uplo == "u");
      for (int64_t i = begin; i < end; ++i)
        info[i] = syevd(MatrixAt<T>(a, i), VectorAt<typename Lapack<T>::R>(values, i));
    });
  });
  for (size_t i = 0; i < info.size(); ++i) {
    if (info[i] == 0) continue;
    FailConvergence(call.op(), "A", static_cast<int64_t>(i), Join({"LAPACK's info is ", info[i]}));
  }
  CopyElements(out_values, values);
  if (compute_v) CopyElements(out_vectors, a);
}

void Eigh(Call call, const Tensor& values, const Tensor& vectors, const Tensor& self,
          std::string_view uplo) {
  EighParts(call, values, vectors, self, uplo, true);
}

const Kernel kernel{"linalg_eigh", "cpu", kMatrixTypes, Eigh};
const Kernel parts_kernel{"_linalg_eigh", "cpu", kMatrixTypes, EighParts};

}  // namespace
}  // namespace sy::cpu
