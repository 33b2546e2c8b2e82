// A program that uses OpenBLAS, OpenMP and the environment itself finds them as it left them, and
// what it does to its OpenBLAS is not done to ours.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "switchyard/backends/cpu/init.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"
#include "tests/faults/child.h"

namespace {
std::atomic<int> environment_changes{0};
}  // namespace

// In place of the C library's.
extern "C" int setenv(const char*, const char*, int) noexcept { return ++environment_changes, 0; }
extern "C" int unsetenv(const char*) noexcept { return ++environment_changes, 0; }
extern "C" int putenv(char*) noexcept { return ++environment_changes, 0; }

namespace sy {
namespace {

struct HostsLibraries {
  void* const openblas = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_GLOBAL);
  void* const gomp = dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL);
  template <class F>
  F Get(void* library, const char* name) const {
    return reinterpret_cast<F>(dlsym(library, name));
  }
  int blas_threads() const { return Get<int (*)()>(openblas, "openblas_get_num_threads")(); }
  void SetBlasThreads(int n) const { Get<void (*)(int)>(openblas, "openblas_set_num_threads")(n); }
  int omp_threads() const { return Get<int (*)()>(gomp, "omp_get_max_threads")(); }
  void SetOmpThreads(int n) const { Get<void (*)(int)>(gomp, "omp_set_num_threads")(n); }
};

Tensor Spread(int64_t n, DType d) { return add(eye(n, d), 1. / static_cast<double>(n)); }

// Everything that our libraries compute, one large matrix with threads of OpenBLAS's own.
void UseLibraries() {
  cpu::Init();
  for (const DType d : {DType::kFloat32, DType::kFloat64, DType::kComplex64}) {
    matmul(Spread(300, d), Spread(300, d));
    linalg_inv(Spread(40, d));
  }
  linalg_lu_factor(Spread(1500, DType::kFloat32));
  convolution(ones({2, 16, 30, 30}), ones({16, 16, 3, 3}), Tensor(), {1, 1}, {0, 0}, {1, 1}, false,
              {0, 0}, 1);
}

TEST(HostTest, ItsSettingsAreUntouched) {
  const HostsLibraries host;
  ASSERT_NE(host.openblas, nullptr);
  SetNumThreads(2);
  for (const int threads : {3, 1}) {
    host.SetBlasThreads(threads);
    host.SetOmpThreads(threads + 4);
    UseLibraries();
    EXPECT_EQ(host.blas_threads(), threads);
    EXPECT_EQ(host.omp_threads(), threads + 4);
  }
  EXPECT_EQ(environment_changes, 0);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
}

TEST(HostTest, ALibraryThatItOpensLaterIsItsOwn) {
  UseLibraries();
  Dl_info hosts = {};
  void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr);
  ASSERT_NE(dladdr(dlsym(library, "cblas_sgemm"), &hosts), 0);
  EXPECT_EQ(std::strstr(hosts.dli_fname, "/proc/self"), nullptr);
  EXPECT_GT(reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"))(), 0);
}

// memfd_create fails from now on, as under some sandboxes.
void RefuseMemoryFiles() {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program = {4, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

TEST(HostTest, WhereNoCopyCanBeHadTheSharedLibraryComputesAndKeepsItsThreads) {
  const auto compute = []() -> std::string {
    RefuseMemoryFiles();
    const HostsLibraries host;
    host.SetBlasThreads(3);
    UseLibraries();
    const Tensor a = ones({300, 300});
    const bool right = *all(eq(matmul(a, a), 300)).data<bool>();
    if (!right) return "the product";
    return host.blas_threads() == 3 && environment_changes == 0 ? "" : "what is the host's";
  };
  const std::string wrong = testing::InChild(compute, 120);
  EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace sy
