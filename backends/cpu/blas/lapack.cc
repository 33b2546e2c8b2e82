#include "switchyard/backends/cpu/blas/lapack.h"

#include <string>

#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/core/error.h"
#include "switchyard/core/find_function.h"

namespace sy::cpu {
namespace {

template <class T>
constexpr char kLetter = 0;
template <>
constexpr char kLetter<float> = 's';
template <>
constexpr char kLetter<double> = 'd';
template <>
constexpr char kLetter<std::complex<float>> = 'c';
template <>
constexpr char kLetter<std::complex<double>> = 'z';

}  // namespace

template <class T>
bool LoadLapack(void* library, Lapack<T>& l) {
  const auto find = [&](const char* name, auto& f) {
    return FindFunction(library, (kLetter<T> + std::string(name) + '_').c_str(), f);
  };
  const auto either = [](const char* real, const char* complex) {
    return Lapack<T>::kComplex ? complex : real;
  };
  return find("potrf", l.potrf) && find("geqrf", l.geqrf) &&
         find(either("orgqr", "ungqr"), l.orgqr) && find(either("ormqr", "unmqr"), l.ormqr) &&
         find("getrf", l.getrf) && find("getrs", l.getrs) && find("trsm", l.trsm) &&
         find(either("syevd", "heevd"), l.syevd) && find("gesdd", l.gesdd) &&
         find("geev", l.geev) && find("sytrf", l.sytrf) && find("sytrs", l.sytrs) &&
         find(either("sytrf", "hetrf"), l.hetrf) && find(either("sytrs", "hetrs"), l.hetrs);
}

template <class T>
const Lapack<T>& Lapack<T>::GetOrFail(std::string_view op) {
  const OpenBlas& blas = OpenBlas::GetOrFail(op);
  if (!blas.has_lapack)
    Fail(ErrorCode::kUnavailable, op, {"needs LAPACK, which OpenBLAS here lacks"});
  if constexpr (std::is_same_v<T, float>)
    return blas.s;
  else if constexpr (std::is_same_v<T, double>)
    return blas.d;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return blas.c;
  else
    return blas.z;
}

template struct Lapack<float>;
template struct Lapack<double>;
template struct Lapack<std::complex<float>>;
template struct Lapack<std::complex<double>>;
template bool LoadLapack(void*, Lapack<float>&);
template bool LoadLapack(void*, Lapack<double>&);
template bool LoadLapack(void*, Lapack<std::complex<float>>&);
template bool LoadLapack(void*, Lapack<std::complex<double>>&);

}  // namespace sy::cpu
