// Sparse tensors: what they are held as, how they are printed, and what is refused. Results of
// operators are compared with PyTorch's in tests/conformance/layouts.
#include "switchyard/core/sparse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using testing::HasSubstr;

// [[0, 0, 3], [4, 0, 5]], with positions as PyTorch's documentation has them.
Tensor Coo() {
  return sparse_coo_tensor(tensor({{0, 1, 1}, {2, 0, 2}}), tensor({3., 4., 5.}), {2, 3});
}
Tensor Dense() { return tensor({{0., 0., 3.}, {4., 0., 5.}}); }
Tensor Twice() {  // the same position twice
  return sparse_coo_tensor(tensor({{0, 0, 1}, {1, 1, 0}}), tensor({1., 2., 3.}), {2, 2});
}
Tensor Hybrid() {
  return sparse_coo_tensor(tensor({{0, 1}}), tensor({{1., -1.}, {-1., 1.}}), {2, 2});
}

TEST(Sparse, HasSizesDTypeDeviceAndLayoutAndNoBytes) {
  const Tensor s = Coo();
  EXPECT_EQ(s.layout(), Layout::kSparse);
  EXPECT_TRUE(s.is_sparse() && !s.is_sparse_csr() && !s.is_strided());
  EXPECT_TRUE(SameSizes(s.sizes(), {{2, 3}}));
  EXPECT_TRUE(SameSizes(s.strides(), {{0, 0}}));
  EXPECT_EQ(s.dtype(), DType::kFloat32);
  EXPECT_FALSE(s.is_contiguous());
  EXPECT_EQ(s.data(), nullptr);
  EXPECT_EQ(_nnz(s), 3);
  EXPECT_EQ(sparse_dim(s), 2);
  EXPECT_EQ(dense_dim(s), 0);
  EXPECT_FALSE(is_coalesced(s));
  EXPECT_EQ(sparse_dim(Dense()), 0);
  EXPECT_EQ(dense_dim(Dense()), 2);
  EXPECT_EQ(Describe(s), "sparse_coo float32[2, 3] on cpu");
}

// Also where that was not said, and of parts that have one position left.
TEST(Sparse, OnePositionIsCoalesced) {
  const Tensor one = sparse_coo_tensor(tensor({{1}, {2}}), tensor({3.}), {3, 4});
  EXPECT_TRUE(is_coalesced(one));
  EXPECT_TRUE(is_coalesced(unsqueeze(one, 0)));
  EXPECT_EQ(ToString(values(one)), "tensor([3.])");
  EXPECT_TRUE(is_coalesced(select(Coo(), 0, 0)));
  EXPECT_FALSE(is_coalesced(select(Coo(), 0, 1)));
  EXPECT_FALSE(is_coalesced(call("_coalesced_", one, false).tensor()));
}

TEST(Sparse, IsPrintedAsByPyTorch) {
  EXPECT_EQ(ToString(Coo()), R"(tensor(indices=tensor([[0, 1, 1],
                       [2, 0, 2]]),
       values=tensor([3., 4., 5.]),
       size=(2, 3), nnz=3, layout=torch.sparse_coo))");
  EXPECT_EQ(ToString(to_sparse_csr(Coo())), R"(tensor(crow_indices=tensor([0, 1, 3]),
       col_indices=tensor([2, 0, 2]),
       values=tensor([3., 4., 5.]), size=(2, 3), nnz=3,
       layout=torch.sparse_csr))");
  EXPECT_EQ(ToString(to_sparse_csc(Coo())), R"(tensor(ccol_indices=tensor([0, 1, 1, 3]),
       row_indices=tensor([1, 0, 1]),
       values=tensor([4., 3., 5.]), size=(2, 3), nnz=3,
       layout=torch.sparse_csc))");
  EXPECT_EQ(ToString(to_sparse_bsr(eye(4), {2, 2})), R"(tensor(crow_indices=tensor([0, 1, 2]),
       col_indices=tensor([0, 1]),
       values=tensor([[[1., 0.],
                       [0., 1.]],

                      [[1., 0.],
                       [0., 1.]]]), size=(4, 4), nnz=2,
       layout=torch.sparse_bsr))");
  EXPECT_EQ(ToString(to(Coo(), DType::kFloat64)), R"(tensor(indices=tensor([[0, 1, 1],
                       [2, 0, 2]]),
       values=tensor([3., 4., 5.]),
       size=(2, 3), nnz=3, dtype=torch.float64, layout=torch.sparse_coo))");
  EXPECT_EQ(ToString(sparse_coo_tensor({2, 3})), R"(tensor(indices=tensor([], size=(2, 0)),
       values=tensor([], size=(0,)),
       size=(2, 3), nnz=0, layout=torch.sparse_coo))");
  EXPECT_EQ(ToString(sparse_coo_tensor(zeros({0, 2}, DType::kInt64), tensor({1, 2}), Ints({}))),
            R"(tensor(indices=tensor([], size=(0, 2)),
       values=tensor([1, 2]),
       size=(), nnz=2, layout=torch.sparse_coo))");
  EXPECT_EQ(ToString(Hybrid()), R"(tensor(indices=tensor([[0, 1]]),
       values=tensor([[ 1., -1.],
                      [-1.,  1.]]),
       size=(2, 2), nnz=2, layout=torch.sparse_coo))");
}

TEST(Sparse, IsConvertedToEveryLayoutAndBack) {
  for (const DType d : {DType::kBool, DType::kUInt8, DType::kInt8, DType::kInt16, DType::kInt32,
                        DType::kInt64, DType::kFloat16, DType::kBFloat16, DType::kFloat32,
                        DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    const Tensor dense = to(tensor({{0, 0, 3, 0}, {4, 0, 5, 0}}), d);
    const Tensor all[] = {to_sparse(dense), to_sparse_csr(dense), to_sparse_csc(dense),
                          to_sparse_bsr(dense, {1, 2}), to_sparse_bsc(dense, {2, 2})};
    EXPECT_TRUE(equal(to_dense(to_sparse(dense, 1)), dense)) << d;
    for (const Tensor& s : all) {
      EXPECT_EQ(s.dtype(), d);
      EXPECT_TRUE(equal(to_dense(s), dense)) << d << " " << s;
      EXPECT_TRUE(equal(to_dense(to_sparse(s)), dense)) << s;
      EXPECT_TRUE(equal(to_dense(to_sparse_csr(s)), dense)) << s;
      EXPECT_TRUE(equal(to_dense(to_sparse_csc(s)), dense)) << s;
      EXPECT_TRUE(equal(to_dense(to_sparse_bsr(s, {2, 1})), dense)) << s;
    }
  }
}

TEST(Sparse, OfNothingAndOfNoDimensions) {
  EXPECT_EQ(_nnz(to_sparse(zeros({0, 3}))), 0);
  EXPECT_TRUE(equal(to_dense(to_sparse(zeros({0, 3}))), zeros({0, 3})));
  EXPECT_TRUE(equal(to_dense(to_sparse_csr(zeros({3, 0}))), zeros({3, 0})));
  EXPECT_TRUE(equal(to_dense(to_sparse(zeros({2, 2}))), zeros({2, 2})));
  const Tensor number = to_sparse(tensor(5.));
  EXPECT_EQ(_nnz(number), 1);
  EXPECT_TRUE(equal(to_dense(number), tensor(5.)));
  EXPECT_TRUE(equal(
      to_dense(coalesce(sparse_coo_tensor(zeros({0, 2}, DType::kInt64), tensor({1, 2}), Ints({})))),
      tensor(3)));
  EXPECT_TRUE(equal(mm(sparse_coo_tensor({2, 3}), ones({3, 4})), zeros({2, 4})));
  EXPECT_TRUE(equal(mm(to_sparse(zeros({2, 0})), ones({0, 4})), zeros({2, 4})));
  EXPECT_TRUE(equal(sum(sparse_coo_tensor({2, 3})), tensor(0.)));
}

TEST(Sparse, CoalescingSortsAndAdds) {
  const Tensor c = coalesce(Twice());
  EXPECT_TRUE(is_coalesced(c));
  EXPECT_TRUE(equal(indices(c), tensor({{0, 1}, {1, 0}})));
  EXPECT_TRUE(equal(values(c), tensor({3., 3.})));
  EXPECT_TRUE(coalesce(c).is_same(c));
  const Tensor truth = sparse_coo_tensor(tensor({{0, 0}, {1, 1}}), tensor({true, true}), {2, 2});
  EXPECT_TRUE(equal(values(coalesce(truth)), tensor({true})));
  EXPECT_TRUE(equal(to_dense(truth), tensor({{false, true}, {false, false}})));
  EXPECT_TRUE(equal(_values(Twice()), tensor({1., 2., 3.})));
}

TEST(Sparse, SharesWhatItWasMadeOf) {
  const Tensor v = tensor({3., 4., 5.});
  const Tensor s = sparse_coo_tensor(tensor({{0, 1, 1}, {2, 0, 2}}), v, {2, 3});
  v.at<float>(0) = 7;
  EXPECT_EQ(to_dense(s).at<float>(0, 2), 7);
  const Tensor copy = clone(s);
  v.at<float>(0) = 8;
  EXPECT_EQ(to_dense(copy).at<float>(0, 2), 7);
}

TEST(Sparse, WritesInPlaceAndToGivenTensors) {
  const Tensor s = coalesce(Coo());
  const Tensor other = s;  // another handle
  mul_(s, 2);
  EXPECT_TRUE(equal(to_dense(other), mul(Dense(), 2)));
  add_(s, Coo());
  EXPECT_TRUE(equal(to_dense(other), mul(Dense(), 3)));
  sin_(s);
  EXPECT_TRUE(allclose(to_dense(other), sin(mul(Dense(), 3))));
  zero_(s);
  EXPECT_EQ(_nnz(other), 0);
  const Tensor dense = ones({2, 3});
  add_(dense, Coo());
  EXPECT_TRUE(equal(dense, add(Dense(), 1)));
  const Tensor out = to_sparse(zeros({2, 3}));
  neg_out(out, Coo());
  EXPECT_TRUE(equal(to_dense(out), neg(Dense())));
  const Tensor product = empty({0});
  mm_out(product, Coo(), ones({3, 1}));
  EXPECT_TRUE(equal(product, tensor({{3.}, {9.}})));
}

TEST(Sparse, AFailingWriteLeavesWhatWas) {
  const Tensor s = to_sparse(eye(2, {.dtype = DType::kInt64}));
  EXPECT_THAT(MessageOf([&] { add_(s, to_sparse(eye(2))); }), HasSubstr("add_.Tensor"));
  EXPECT_TRUE(equal(to_dense(s), eye(2, {.dtype = DType::kInt64})));
  const Tensor strided = zeros({2, 3});
  EXPECT_THAT(MessageOf([&] { neg_out(strided, Coo()); }), HasSubstr("sparse_coo float32[2, 3]"));
  EXPECT_TRUE(equal(strided, zeros({2, 3})));
}

TEST(Sparse, WhatItCannotDoIsAClearError) {
  EXPECT_EQ(MessageOf([] { exp(Coo()); }),
            "exp(): not implemented for argument 'self', which is sparse_coo float32[2, 3] on cpu; "
            "to_dense() gives a strided tensor");
  EXPECT_EQ(CodeOf([] { exp(Coo()); }), ErrorCode::kNotImplemented);
  EXPECT_THAT(MessageOf([] { unsqueeze(to_sparse_csr(Coo()), 0); }),
              HasSubstr("gives a strided tensor; it is for sparse_coo"));
  EXPECT_THAT(MessageOf([] { view(Coo(), {6}); }), HasSubstr("view(): not implemented"));
  EXPECT_THAT(MessageOf([] { eq(ones({2, 3}), Coo()); }), HasSubstr("argument 'other'"));
  EXPECT_THAT(MessageOf([] { call("cos", Coo()); }), HasSubstr("cos(): not implemented"));
  EXPECT_THAT(MessageOf([] { Coo().at<float>(0, 0); }), HasSubstr("to_dense"));
  EXPECT_THAT(MessageOf([] { indices(Coo()); }), HasSubstr("uncoalesced"));
  EXPECT_THAT(MessageOf([] { indices(Dense()); }), HasSubstr("expected a sparse_coo tensor"));
  EXPECT_THAT(MessageOf([] { crow_indices(Coo()); }), HasSubstr("sparse_csr or sparse_bsr"));
  EXPECT_THAT(MessageOf([] { add(Coo(), Dense()); }), HasSubstr("use add(dense, sparse)"));
  EXPECT_THAT(MessageOf([] { add(ones({2, 1}), Coo()); }), HasSubstr("same sizes"));
  EXPECT_THAT(MessageOf([] { div(Coo(), Dense()); }), HasSubstr("0-dim strided divisor"));
  EXPECT_THAT(MessageOf([] { pow(Coo(), 0); }), HasSubstr("exponent of 0"));
  EXPECT_THAT(MessageOf([] { mm(Coo(), ones({2, 2})); }), HasSubstr("inner dimensions differ"));
  EXPECT_THAT(MessageOf([] { mm(Coo(), ones({3, 2}, DType::kFloat64)); }), HasSubstr("one dtype"));
  EXPECT_EQ(CodeOf([] {
              mm(to(Coo(), DType::kBool), ones({3, 2}, DType::kBool));
            }),
            ErrorCode::kNotImplemented);
}

TEST(Sparse, PositionsAndSizesAreChecked) {
  const Tensor i = tensor({{0, 1, 1}, {2, 0, 2}}), v = tensor({3., 4., 5.});
  EXPECT_THAT(MessageOf([&] {
                sparse_coo_tensor(i, v, {1, 3});
              }),
              HasSubstr("for dim 0, size is 1 but found index 1"));
  EXPECT_EQ(CodeOf([&] { sparse_coo_tensor(i, v, {1, 3}); }), ErrorCode::kIndexOutOfRange);
  EXPECT_THAT(MessageOf([&] {
                sparse_coo_tensor(sub(i, 1), v, {2, 3});
              }),
              HasSubstr("found negative index -1 for dim 0"));
  EXPECT_THAT(MessageOf([&] { sparse_coo_tensor(i, v, {2}); }),
              HasSubstr("len(size) = 1, sparse_dim = 2, dense_dim = 0"));
  EXPECT_THAT(MessageOf([&] {
                sparse_coo_tensor(i, slice(v, 0, 0, 2), {2, 3});
              }),
              HasSubstr("nnz from indices: 3, nnz from values: 2"));
  const Tensor crow = tensor({0, 1, 2}), col = tensor({0, 1}), two = tensor({1., 2.});
  EXPECT_EQ(_nnz(sparse_csr_tensor(crow, col, two, {2, 2})), 2);
  EXPECT_EQ(_nnz(sparse_csr_tensor(to(crow, DType::kInt32), to(col, DType::kInt32), two)), 2);
  EXPECT_THAT(MessageOf([&] {
                sparse_csr_tensor(tensor({0, 1, 3}), col, two, {2, 2});
              }),
              HasSubstr("end with nnz, 2"));
  EXPECT_THAT(MessageOf([&] {
                sparse_csr_tensor(crow, tensor({0, 5}), two, {2, 2});
              }),
              HasSubstr("col_indices must be 0 to 1"));
  EXPECT_THAT(MessageOf([&] {
                sparse_csr_tensor(tensor({0, 1}), col, two, {2, 2});
              }),
              HasSubstr("crow_indices must have 3 elements"));
  EXPECT_THAT(MessageOf([&] {
                sparse_csr_tensor(tensor({0, 2, 2}), tensor({1, 0}), two, {2, 2});
              }),
              HasSubstr("must rise"));
  EXPECT_THAT(MessageOf([&] {
                sparse_csr_tensor(crow, to(col, DType::kInt32), two, {2, 2});
              }),
              HasSubstr("both be int64 or both int32"));
  EXPECT_THAT(MessageOf([&] {
                sparse_csr_tensor(tensor({0, 2, 1}), tensor({0}), tensor({1.}), {2, 2});
              }),
              HasSubstr("must rise by"));
}

TEST(Sparse, ProductsAreThoseOfStridedMatrices) {
  manual_seed(1);
  for (const DType d : {DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBFloat16,
                        DType::kInt64, DType::kInt8, DType::kComplex64}) {
    const Tensor a = to(mul(randint(0, 2, {17, 9}), randint(-3, 4, {17, 9})), d),
                 b = to(randint(-3, 4, {9, 5}), d);
    const Tensor expected = mm(a, b);
    const Tensor layouts[] = {to_sparse(a), to_sparse_csr(a), to_sparse_csc(a)};
    for (const Tensor& s : layouts) {
      EXPECT_TRUE(equal(mm(s, b), expected)) << d << " " << s.layout();
      EXPECT_TRUE(equal(mm(s, t(contiguous(t(b)))), expected)) << d;  // strided columns
      EXPECT_TRUE(equal(mm(t(b), t(s)), t(expected))) << d << " " << s.layout();
      EXPECT_TRUE(equal(_sparse_mm(s, b), expected));
      const Tensor both = mm(s, to_sparse(b));
      EXPECT_EQ(both.layout(), s.is_sparse() ? Layout::kSparse : Layout::kSparseCsr);
      EXPECT_TRUE(equal(to_dense(both), expected)) << d << " " << s.layout();
      EXPECT_TRUE(equal(to_dense(mm(s, to_sparse_csc(b))), expected));
      EXPECT_TRUE(equal(mv(s, select(b, 1, 2)), select(expected, 1, 2)));
      EXPECT_TRUE(equal(matmul(s, b), expected));
    }
  }
}

TEST(Sparse, CallsByNameFindTheSameKernels) {
  const Tensor s = Coo(), c = to_sparse_csr(s);
  EXPECT_TRUE(is_coalesced(call("_coalesce", s).tensor()));
  const Tensor other = sparse_coo_tensor({1, 1});
  call("copy_sparse_to_sparse_", other, s);
  EXPECT_TRUE(equal(to_dense(other), Dense()));
  const Tensor masked = to_sparse(zeros({2, 3}));
  call("sparse_mask.out", ones({2, 3}), s, kw("out", masked));
  EXPECT_TRUE(equal(to_dense(masked), to(ne(Dense(), 0), DType::kFloat32)));
  const Tensor out = to_sparse_csr(zeros({2, 3}));
  call("sparse_sampled_addmm.out", c, ones({2, 2}), ones({2, 3}), kw("beta", 0), kw("out", out));
  EXPECT_TRUE(equal(to_dense(out), mul(ne(Dense(), 0), 2.)));
}

TEST(Sparse, OnMetaHasSizesAndNoElements) {
  const Tensor s = sparse_coo_tensor({2, 3}, {.device = "meta"});
  EXPECT_EQ(s.device(), Device(ParseDevice("meta")));
  EXPECT_EQ(_nnz(s), 0);
  EXPECT_TRUE(SameSizes(transpose(s, 0, 1).sizes(), {{3, 2}}));
  EXPECT_THAT(ToString(s), HasSubstr("indices=tensor(..., size=(2, 0))"));
}

TEST(Sparse, ProductsOfCompressedRowsAndAVectorAreThoseOfStridedOnes) {
  const Tensor dense =
      mul(sub(remainder(reshape(arange(31. * 45.), {31, 45}), 7), 3),
          to(eq(remainder(reshape(arange(31. * 45.), {31, 45}), 3), 0), DType::kFloat32));
  const Tensor x = sub(remainder(arange(45.), 11), 5);
  const Tensor csr = to_sparse_csr(dense);
  for (const DType d :
       {DType::kFloat32, DType::kFloat64, DType::kBFloat16, DType::kInt64, DType::kComplex64}) {
    const Tensor expected = to(mv(dense, x), d);
    EXPECT_TRUE(allclose(mv(to(csr, d), to(x, d)), expected)) << Name(d);
  }
  const Tensor narrow =
      sparse_csr_tensor(to(crow_indices(csr), DType::kInt32), to(col_indices(csr), DType::kInt32),
                        values(csr), {31, 45});
  EXPECT_TRUE(equal(mv(narrow, x), mv(dense, x)));
  EXPECT_TRUE(equal(mv(csr, slice(arange(90.), 0, 0, 90, 2)), mv(dense, mul(arange(45.), 2))));
  const Tensor broken = clone(csr);
  fill_(col_indices(broken), 45);
  EXPECT_THROW(mv(broken, x), Error);
}

}  // namespace
}  // namespace sy
