// LAPACK's ?geev, one matrix a thread. Of real matrices it gives the parts of the eigenvalues, and
// of a pair that are conjugates one vector's parts in two columns. Nothing is written to the
// outputs until all matrices have converged.
#include <cmath>
#include <complex>

#include "backends/cpu/kernels/linalg/matrices.h"
#include "switchyard/backends/common/checks.h"

namespace sy::cpu {
namespace {

// ?geev of one size, and what one thread's calls of it work in.
template <class T>
class Geev {
 public:
  using R = typename Lapack<T>::R;
  using C = std::complex<R>;
  Geev(std::string_view op, const Lapack<T>& lapack, int n, bool vectors)
      : lapack_(lapack),
        n_(n),
        size_(static_cast<size_t>(n)),
        jobvr_(vectors ? "V" : "N"),
        values_(2 * size_),
        vectors_(vectors ? size_ * size_ : 0),
        rwork_(Lapack<T>::kComplex ? 2 * size_ : 0),
        work_(op) {}

  // a: [n, n] by columns, destroyed; vectors: [n, n] by columns, or null. Returns LAPACK's info: 0
  // when all is well.
  int operator()(T* a, C* values, C* vectors) {
    int info = 0;
    const int one = 1;
    T* const right = vectors_.data();
    work_.Run([&](T* work, const int* length) {
      if constexpr (Lapack<T>::kComplex) {
        lapack_.geev("N", jobvr_, &n_, a, &n_, values_.data(), nullptr, &one, right, &n_, work,
                     length, rwork_.data(), &info, 1, 1);
      } else {
        lapack_.geev("N", jobvr_, &n_, a, &n_, values_.data(), values_.data() + n_, nullptr, &one,
                     right, &n_, work, length, &info, 1, 1);
      }
    });
    if (info == 0) Give(values, vectors);
    return info;
  }

 private:
  void Give(C* values, C* vectors) const {
    if constexpr (Lapack<T>::kComplex) {
      std::copy_n(values_.begin(), size_, values);
      std::copy(vectors_.begin(), vectors_.end(), vectors);
    } else {
      for (size_t j = 0; j < size_; ++j) values[j] = {values_[j], values_[size_ + j]};
      for (size_t j = 0; j < size_ && !vectors_.empty(); ++j) {
        const bool pair = values[j].imag() != 0;
        for (size_t i = 0; i < size_; ++i) {
          const C v(vectors_[j * size_ + i], pair ? vectors_[(j + 1) * size_ + i] : R{});
          vectors[j * size_ + i] = v;
          if (pair) vectors[(j + 1) * size_ + i] = std::conj(v);
        }
        if (pair) ++j;
      }
    }
  }

  const Lapack<T>& lapack_;
  const int n_;
  const size_t size_;
  const char* const jobvr_;
  std::vector<T> values_, vectors_;
  std::vector<R> rwork_;
  WorkSpace<T> work_;
};

template <class T>
void RequireFinite(Call call, const Tensor& a) {
  const T* const p = a.data<T>();
  for (int64_t i = 0; i < a.numel(); ++i) {
    if (std::isfinite(std::real(p[i])) && std::isfinite(std::imag(p[i]))) continue;
    FailNotFinite(call.op(), i / (a.size(-1) * a.size(-1)));
  }
}

// out_vectors: null where they are not asked for.
void Decompose(Call call, const Tensor& out_values, const Tensor* out_vectors, const Tensor& self) {
  if (self.numel() == 0) return;
  const Tensor a = CopyByColumns(self),
               values = Tensor::Empty(out_values.sizes(), out_values.dtype()),
               vectors = out_vectors ? ByColumns(self.sizes(), out_values.dtype()) : Tensor();
  const int n = LapackSize(call, a.size(-1));
  std::vector<int> info(static_cast<size_t>(NumMatrices(a)));
  VisitLapack(call, a.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    using C = typename Geev<T>::C;
    RequireFinite<T>(call, a);
    ForEachMatrix(a, [&](int64_t begin, int64_t end) {
      Geev<T> geev(call.op(), lapack, n, out_vectors != nullptr);
      for (int64_t i = begin; i < end; ++i) {
        info[i] = geev(MatrixAt<T>(a, i), VectorAt<C>(values, i),
                       out_vectors ? MatrixAt<C>(vectors, i) : nullptr);
      }
    });
  });
  for (size_t i = 0; i < info.size(); ++i) {
    if (info[i] == 0) continue;
    FailConvergence(call.op(), "self", static_cast<int64_t>(i),
                    Join({"LAPACK's info is ", info[i]}));
  }
  CopyElements(out_values, values);
  if (out_vectors) CopyElements(*out_vectors, vectors);
}

void Eig(Call call, const Tensor& values, const Tensor& vectors, const Tensor& self) {
  Decompose(call, values, &vectors, self);
}
void Eigvals(Call call, const Tensor& values, const Tensor& self) {
  Decompose(call, values, nullptr, self);
}

const Kernel eig_kernel{"linalg_eig", "cpu", kMatrixTypes, Eig};
const Kernel eigvals_kernel{"linalg_eigvals", "cpu", kMatrixTypes, Eigvals};

}  // namespace
}  // namespace sy::cpu
