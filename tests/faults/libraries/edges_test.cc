// Operands that end where memory ends: nothing is read past them, although kernels of libraries
// would. The page behind each operand may not be touched.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <deque>

#include "switchyard/core/generator.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"
#include "tests/faults/long.h"

namespace sy {
namespace {

constexpr size_t kPage = 4096;

// Memory before (or behind) a page that nobody may touch.
class Guarded {
 public:
  explicit Guarded(size_t bytes)
      : inner_((bytes + kPage - 1) / kPage * kPage),
        memory_(static_cast<char*>(mmap(nullptr, inner_ + 2 * kPage, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(memory_, kPage, PROT_NONE);
    mprotect(memory_ + kPage + inner_, kPage, PROT_NONE);
  }
  ~Guarded() { munmap(memory_, inner_ + 2 * kPage); }
  Guarded(const Guarded&) = delete;
  char* begin() const { return memory_ + kPage; }
  char* end() const { return begin() + inner_; }

 private:
  const size_t inner_;
  char* const memory_;
};

// t's elements at the end of memory, or at its beginning, with t's strides or as asked.
class AtTheEdge {
 public:
  explicit AtTheEdge(bool end) : end_(end) {}
  Tensor operator()(const Tensor& t, std::vector<int64_t> strides = {}) {
    if (strides.empty()) strides.assign(t.strides().begin(), t.strides().end());
    int64_t last = 0;
    for (int64_t d = 0; d < t.dim(); ++d) last += (t.size(d) - 1) * strides[static_cast<size_t>(d)];
    const size_t bytes = static_cast<size_t>(last + 1) * t.itemsize();
    const Guarded& g = memory_.emplace_back(bytes);
    const Tensor there =
        Tensor::FromBlob(end_ ? g.end() - bytes : g.begin(), t.sizes(), strides, t.dtype());
    copy_(there, t);
    return there;
  }

 private:
  const bool end_;
  std::deque<Guarded> memory_;
};

Tensor Numbers(const Ints& sizes, DType d) {
  const Tensor t = randn(sizes, DType::kFloat64);
  return IsComplex(d) ? to(complex(t, flip(t, {0})), d) : to(t, d);
}

constexpr DType kDTypes[] = {DType::kFloat32, DType::kFloat64, DType::kComplex64,
                             DType::kComplex128};
std::vector<int64_t> Sides() {
  return testing::IsLong() ? std::vector<int64_t>{1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12,
                                                  13, 15, 16, 17, 23, 31, 32, 33, 48, 65}
                           : std::vector<int64_t>{1, 2, 3, 5, 8, 17};
}

class EdgesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SetNumThreads(1);
    manual_seed(0);
  }
};

TEST_F(EdgesTest, ProductsOfMatricesReadNothingPastThem) {
  for (const DType d : kDTypes) {
    for (const int64_t m : Sides()) {
      for (const int64_t n : Sides()) {
        for (const int64_t k : Sides()) {
          for (const bool end : {true, false}) {
            const Tensor a = Numbers({m, k}, d), b = Numbers({k, n}, d), c = matmul(a, b);
            AtTheEdge edge(end);
            const Tensor out = edge(zeros({m, n}, d));
            for (const bool turned : {false, true}) {
              const Tensor x = turned ? edge(a, {1, m}) : edge(a);
              const Tensor y = turned ? edge(b, {1, k}) : edge(b, {n + 3, 1});
              mm_out(out, x, y);
              EXPECT_TRUE(allclose(out, c, 1e-3, 1e-3));
            }
          }
        }
      }
    }
  }
}

TEST_F(EdgesTest, ProductsWithVectorsReadNothingPastThem) {
  for (const DType d : kDTypes) {
    for (const int64_t m : Sides()) {
      for (const int64_t k : Sides()) {
        for (const int64_t stride : {1, 2, 3, 7}) {
          for (const bool end : {true, false}) {
            const Tensor a = Numbers({m, k}, d), v = Numbers({k}, d), c = mv(a, v);
            const Tensor w = Numbers({k}, d), inner = dot(v, w);
            AtTheEdge edge(end);
            const Tensor x = edge(v, {stride}), out = edge(zeros({m}, d), {stride});
            for (const Tensor& matrix : {edge(a), edge(a, {1, m}), edge(a, {k + 3, 1})}) {
              mv_out(out, matrix, x);
              EXPECT_TRUE(allclose(out, c, 1e-3, 1e-3));
            }
            EXPECT_TRUE(allclose(dot(x, edge(w, {stride})), inner, 1e-3, 1e-3));
            EXPECT_TRUE(allclose(dot(x, edge(w)), inner, 1e-3, 1e-3));
          }
        }
      }
    }
  }
}

TEST_F(EdgesTest, FactorisationsReadNothingPastTheirMatrices) {
  for (const DType d : kDTypes) {
    for (const int64_t n : Sides()) {
      for (const bool end : {true, false}) {
        AtTheEdge edge(end);
        const Tensor a = Numbers({n, n}, d);
        const Tensor positive =
            edge(add(matmul(a, conj_physical(transpose(a, 0, 1))), eye(n, d), n));
        const Tensor by_columns = edge(a, {1, n}), other = edge(Numbers({n, 3}, d), {1, n});
        const auto room = [&] { return edge(zeros({n, n}, d), {1, n}); };  // as LAPACK has it
        linalg_cholesky_out(room(), positive);
        linalg_inv_out(room(), positive);
        linalg_eigh(positive);
        linalg_eigh_out(edge(zeros({n}, RealType(d))), room(), positive);
        linalg_svd(by_columns);
        linalg_qr_out(room(), room(), by_columns);
        linalg_eig(by_columns);
        linalg_lu_factor_out(room(), edge(zeros({n}, DType::kInt32)), positive);
        linalg_solve_out(edge(zeros({n, 3}, d), {1, n}), positive, other);
        linalg_solve_triangular_out(edge(zeros({n, 3}, d), {1, n}), positive, other, true);
      }
    }
  }
}

}  // namespace
}  // namespace sy
