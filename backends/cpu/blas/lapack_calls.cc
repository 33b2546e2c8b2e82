#include "switchyard/backends/cpu/blas/lapack_calls.h"

#include <algorithm>
#include <string_view>

#include "switchyard/backends/cpu/blas/lapack_products.h"
#include "switchyard/backends/cpu/blas/lapack_reflectors.h"
#include "switchyard/core/find_function.h"

namespace sy::cpu {
namespace {

using Ilaenv = int (*)(const int* ispec, const char* name, const char* opts, const int* n1,
                       const int* n2, const int* n3, const int* n4, size_t name_size,
                       size_t opts_size);
Ilaenv own_ilaenv;

// How many reflectors make a block (ispec 1): twice as many as LAPACK thinks, for products' sake.
int BlockSize(const int* ispec, const char* name, const char* opts, const int* n1, const int* n2,
              const int* n3, const int* n4, size_t name_size, size_t opts_size) {
  constexpr std::string_view kReflectors[] = {"GEQRF", "GELQF", "ORGQR", "UNGQR", "ORGLQ",
                                              "UNGLQ", "ORMQR", "UNMQR", "ORMLQ", "UNMLQ"};
  constexpr int kBlock = 64, kFrom = 256;
  const std::string_view function(name + 1, name_size - 1);
  if (*ispec == 1 && std::min(*n1, *n2) >= kFrom &&
      std::find(std::begin(kReflectors), std::end(kReflectors), function) != std::end(kReflectors))
    return kBlock;
  return own_ilaenv(ispec, name, opts, n1, n2, n3, n4, name_size, opts_size);
}

template <class F>
Import Instead(const char* name, F* function) {
  return {name, reinterpret_cast<void*>(function)};
}

// The letter and the name: of real numbers, and of complex ones where they have another.
#define SY_CALLS(letter, T, symv, syr2k, org2r)                                              \
  Instead(#letter "gemm_", SharedGemm<T>), Instead(#letter "gemv_", SharedGemv<T>),          \
      Instead(#letter symv "_", SharedHemv<T>), Instead(#letter syr2k "_", SharedHer2k<T>),  \
      Instead(#letter "larfb_", SharedLarfb<T>), Instead(#letter "larft_", BlockedLarft<T>), \
      Instead(#letter "geqr2_", BlockedGeqr2<T>), Instead(#letter org2r "_", BlockedOrg2r<T>)

template <class T>
bool LoadOwn(void* library, std::string_view letter) {
  LibraryCalls<T>& own = LibraryCalls<T>::own;
  const auto find = [&](const char* real, const char* complex, auto& f) {
    const std::string name =
        std::string(letter) + (LibraryCalls<T>::kComplex ? complex : real) + "_";
    return FindFunction(library, name.c_str(), f);
  };
  return find("gemm", "gemm", own.gemm) && find("gemv", "gemv", own.gemv) &&
         find("symv", "hemv", own.hemv) && find("syr2k", "her2k", own.her2k) &&
         find("trmm", "trmm", own.trmm) && find("trmv", "trmv", own.trmv) &&
         find("larft", "larft", own.larft) && find("larfb", "larfb", own.larfb) &&
         find("geqr2", "geqr2", own.geqr2) && find("geqrt3", "geqrt3", own.geqrt3) &&
         find("org2r", "ung2r", own.org2r);
}

}  // namespace

std::vector<Import> LapackCalls() {
  return {
      SY_CALLS(s, float, "symv", "syr2k", "org2r"), SY_CALLS(d, double, "symv", "syr2k", "org2r"),
      SY_CALLS(c, std::complex<float>, "hemv", "her2k", "ung2r"),
      SY_CALLS(z, std::complex<double>, "hemv", "her2k", "ung2r"), Instead("ilaenv_", BlockSize)};
}

bool LoadLapackCalls(void* library) {
  return FindFunction(library, "ilaenv_", own_ilaenv) && LoadOwn<float>(library, "s") &&
         LoadOwn<double>(library, "d") && LoadOwn<std::complex<float>>(library, "c") &&
         LoadOwn<std::complex<double>>(library, "z");
}

}  // namespace sy::cpu
