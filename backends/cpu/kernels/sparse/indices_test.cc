// Indices that were written behind a sparse tensor's back: out of range they are clear errors
// wherever they are read, and rows that do not rise give what they stand for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "switchyard/core/literal.h"
#include "switchyard/core/sparse.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr int64_t kSide = 6;

// [6, 6], every row and column of which holds something.
Tensor Dense(DType d = DType::kFloat32) {
  const Tensor at = reshape(arange(kSide * kSide), {kSide, kSide});
  return to(mul(eq(remainder(at, 3), 0), add(at, 1)), d);
}
Tensor Sparse(Layout l, DType d = DType::kFloat32) {
  const std::vector<int64_t> blocks{2, 3};
  if (HasBlocks(l)) return to_sparse(Dense(d), l, IntSpan(blocks), std::nullopt);
  return to_sparse(Dense(d), l, std::nullopt, std::nullopt);
}
// With indices of 32 bits.
Tensor Narrow(const Tensor& t) {
  const SparseState& s = *FindSparse(t);
  return sparse_compressed_tensor(to(s.indices, DType::kInt32), to(s.plain_indices, DType::kInt32),
                                  s.values, t.sizes(), {.layout = s.layout});
}

struct Reader {
  std::string name;
  std::function<Tensor(const Tensor&)> call;
  bool of_blocks = true;
};
std::vector<Reader> Readers() {
  const auto like = [](const Tensor& s) { return Sparse(s.layout(), s.dtype()); };
  const auto strided = [](const Tensor& s) { return ones({kSide, 5}, s.dtype()); };
  return {
      {"mm", [=](const Tensor& s) { return mm(s, strided(s)); }},
      {"mm of turned",
       [=](const Tensor& s) {
         return mm(s, t(ones({5, kSide}, s.dtype())));
       }},
      {"mm from the right", [=](const Tensor& s) { return mm(t(strided(s)), s); }},
      {"mv", [=](const Tensor& s) { return mv(s, ones({kSide}, s.dtype())); }},
      {"mm as first", [=](const Tensor& s) { return mm(s, like(s)); }},
      {"mm as second", [=](const Tensor& s) { return mm(like(s), s); }},
      {"to_dense", [](const Tensor& s) { return to_dense(s); }},
      {"add", [=](const Tensor& s) { return add(s, like(s)); }, false},
      {"add to", [=](const Tensor& s) { return add(like(s), s); }, false},
      {"sub", [=](const Tensor& s) { return sub(s, like(s)); }, false},
  };
}

constexpr Layout kLayouts[] = {Layout::kSparseCsr, Layout::kSparseCsc, Layout::kSparseBsr,
                               Layout::kSparseBsc};
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(),
                  kMost = std::numeric_limits<int64_t>::max();

void Write(const Tensor& indices, int64_t at, int64_t value) {
  if (indices.dtype() == DType::kInt32) {
    indices.data<int32_t>()[at] = static_cast<int32_t>(value);
  } else {
    indices.data<int64_t>()[at] = value;
  }
}

void ExpectRefused(const std::function<Tensor(Layout)>& make) {
  for (const Layout l : kLayouts) {
    const Tensor right = make(l);
    const int64_t nnz = _nnz(right), rows = FindSparse(right)->indices.numel() - 1;
    struct Wrong {
      bool compressed;
      int64_t at, value;
    };
    const Wrong all[] = {{false, 0, -1},    {false, nnz - 1, kSide}, {false, 1, kLeast},
                         {false, 1, kMost}, {true, 1, -1},           {true, 1, nnz + 1},
                         {true, 1, kLeast}, {true, rows, nnz + 1},   {true, 0, 1},
                         {true, 1, nnz},    {true, rows, nnz - 1},   {true, 1, kMost}};
    for (const Reader& r : Readers()) {
      if (HasBlocks(l) && !r.of_blocks) continue;
      for (const Wrong& w : all) {
        const Tensor s = make(l);
        const SparseState& state = *FindSparse(s);
        const Tensor indices = w.compressed ? state.indices : state.plain_indices;
        if (indices.dtype() == DType::kInt32 && (w.value == kLeast || w.value == kMost)) continue;
        if (w.compressed && w.at == 1 && w.value == nnz && rows == 2) continue;  // all in the first
        r.call(s);  // what was right before
        Write(indices, w.at, w.value);
        try {
          r.call(s);
          ADD_FAILURE() << r.name << " of " << Name(l) << " took " << w.value << " at " << w.at
                        << (w.compressed ? " of compressed" : "");
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::kIndexOutOfRange) << r.name << " " << Name(l);
          EXPECT_THAT(e.message(), AnyOf(HasSubstr("is out of range for size"),
                                         HasSubstr("compressed indices fall at"),
                                         HasSubstr("must begin with 0 and end with nnz")))
              << r.name << " " << Name(l);
        }
      }
    }
  }
}

TEST(SparseIndices, OutOfRangeAreRefusedWhereverTheyAreRead) {
  ExpectRefused([](Layout l) { return Sparse(l); });
  ExpectRefused([](Layout l) { return Sparse(l, DType::kInt64); });
}
TEST(SparseIndices, OutOfRangeAreRefusedIn32Bits) {
  ExpectRefused([](Layout l) { return Narrow(Sparse(l)); });
}

TEST(SparseIndices, OfCooAreCheckedByProducts) {
  for (const int64_t wrong : {int64_t{-1}, kSide, kLeast, kMost}) {
    for (const int64_t at : {0, 1}) {
      const Tensor s = to_sparse(Dense());
      indices(s).at<int64_t>(at, 2) = wrong;
      EXPECT_EQ(CodeOf([&] { mm(s, ones({kSide, 2})); }), ErrorCode::kIndexOutOfRange) << wrong;
      EXPECT_EQ(CodeOf([&] { mv(s, ones({kSide})); }), ErrorCode::kIndexOutOfRange) << wrong;
      EXPECT_EQ(CodeOf([&] { mm(to_sparse_csr(Dense()), s); }), ErrorCode::kIndexOutOfRange);
    }
  }
}

TEST(SparseIndices, PartsThatChangedTheirSizesAreRefused) {
  for (const Layout l : kLayouts) {
    for (const Reader& r : Readers()) {
      if (HasBlocks(l) && !r.of_blocks) continue;
      for (const int part : {0, 1, 2}) {
        const Tensor s = Sparse(l);
        const SparseState& state = *FindSparse(s);
        resize_(part == 0 ? state.indices : part == 1 ? state.plain_indices : state.values, {1});
        EXPECT_THROW(r.call(s), Error) << r.name << " " << Name(l) << " " << part;
      }
    }
  }
}

TEST(SparseIndices, RowsThatDoNotRiseStandForTheSame) {
  for (const Layout l : {Layout::kSparseCsr, Layout::kSparseCsc}) {
    for (const Reader& r : Readers()) {
      const Tensor s = Sparse(l), expected = r.call(Sparse(l));
      const SparseState& state = *FindSparse(s);
      const Tensor plain = state.plain_indices, held = state.values;  // the first two change places
      ASSERT_GE(state.indices.at<int64_t>(1), 2);
      index_copy_(plain, 0, tensor({0, 1}), index_select(plain, 0, tensor({1, 0})));
      index_copy_(held, 0, tensor({0, 1}), index_select(held, 0, tensor({1, 0})));
      const Tensor got = r.call(s);
      EXPECT_TRUE(equal(to_dense(got), to_dense(expected))) << r.name << " " << Name(l);
    }
  }
}

TEST(SparseIndices, APositionHeldTwiceIsASum) {
  for (const Layout l : {Layout::kSparseCsr, Layout::kSparseCsc}) {
    const Tensor s = Sparse(l);
    const Tensor plain = FindSparse(s)->plain_indices;
    plain.at<int64_t>(1) = plain.at<int64_t>(0);
    const Tensor dense = to_dense(s);
    EXPECT_TRUE(equal(sum(dense), sum(Dense()))) << Name(l);
    EXPECT_TRUE(equal(mm(s, eye(kSide)), dense)) << Name(l);
    EXPECT_TRUE(equal(mv(s, ones({kSide})), sum(dense, {1}))) << Name(l);
    EXPECT_TRUE(equal(to_dense(mm(s, Sparse(l))), mm(dense, Dense()))) << Name(l);
    EXPECT_TRUE(equal(to_dense(add(s, Sparse(l))), add(dense, Dense()))) << Name(l);
    EXPECT_TRUE(equal(to_dense(sub(Sparse(l), s)), sub(Dense(), dense))) << Name(l);
  }
}

TEST(SparseIndices, HaveNoGapsWhereTheyAreViews) {
  const Tensor s = to_sparse_csr(Dense());
  const auto spread = [](const Tensor& t) { return select(stack({t, t}, 1), 1, 0); };
  const Tensor v = sparse_csr_tensor(spread(crow_indices(s)), spread(col_indices(s)),
                                     spread(values(s)), {kSide, kSide});
  ASSERT_FALSE(col_indices(v).is_contiguous());
  for (const Reader& r : Readers())
    EXPECT_TRUE(equal(to_dense(r.call(v)), to_dense(r.call(s)))) << r.name;
}

}  // namespace
}  // namespace sy
