// Rules of whole classes: element by element, along dimensions, on matrices, views, and what makes
// tensors like others.
#include <algorithm>
#include <string_view>

#include "switchyard/core/promotion.h"
#include "transforms/level_internal.h"
#include "transforms/rules/shared_internal.h"

namespace sy {

using transforms::NewArgs;
using transforms::WithRank;

void BatchPointwise(BatchCall& c) {
  NewArgs args(c);
  int64_t rank = 0;
  TypePromotion types;
  bool mixed = false;  // numbers with a batch gain a dimension, and would weigh more among dtypes
  const Tensor* first = nullptr;
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (c.args[i].tag == Tag::kMemoryFormat &&
        static_cast<MemoryFormat>(c.args[i].i) != MemoryFormat::kPreserve) {
      args[i] = Value(MemoryFormat::kContiguous);  // others are of four or five dimensions
    }
    if (c.args[i].tag != Tag::kTensor) continue;
    const Tensor& t = c.args[i].tensor();
    rank = std::max(rank, t.dim());
    types.Add(t);
    if (first == nullptr) first = &t;
    mixed = mixed || t.dtype() != first->dtype();
  }
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (c.args[i].tag != Tag::kTensor) continue;
    const Tensor& t = c.args[i].tensor();
    if (!c.batched(t)) continue;
    Tensor value = WithRank(c.value(t), rank);
    const bool written = c.op.schema().arguments[i].type.alias.write;
    if (mixed && !written && t.dim() == 0 && t.dtype() != DType::kBool &&
        t.dtype() != types.Result()) {
      value = to(value, types.Result());
    }
    args.Set(i, value);
  }
  c.Call(args);
}

namespace transforms {
namespace {

constexpr std::string_view kDimNames[] = {"dim",  "dims",  "dim0",   "dim1",       "dim2",
                                          "axis", "axis0", "source", "destination"};
// Of these an empty list is no dimension.
constexpr std::string_view kEmptyIsNone[] = {"any.dims", "all.dims", "flip"};

bool IsDim(std::string_view name) {
  return std::find(std::begin(kDimNames), std::end(kDimNames), name) != std::end(kDimNames);
}
bool EmptyIsNone(std::string_view op) {
  return std::find(std::begin(kEmptyIsNone), std::end(kEmptyIsNone), op) != std::end(kEmptyIsNone);
}

// Argument i, a dimension or a list of them, behind the batch.
void CountFromBack(const BatchCall& c, NewArgs& args, size_t i, int64_t rank) {
  const Argument& a = c.op.schema().arguments[i];
  if (!IsDim(a.name)) return;
  const Value& v = c.args[i];
  const int64_t end = std::max<int64_t>(rank, 1) + 1;  // kernels take no negative ones
  if (v.tag == Tag::kInt) return args.Set(i, FromBack(c, v.i, rank) + end);
  if (!a.type.list || a.type.kind == TypeKind::kTensor) return;
  std::vector<int64_t> dims;
  if (v.tag == Tag::kIntList && (v.len != 0 || EmptyIsNone(c.op.name()))) {
    dims.reserve(v.len);
    for (const int64_t d : v.list<int64_t>()) dims.push_back(FromBack(c, d, rank) + end);
  } else {
    for (int64_t d = 1; d < end; ++d) dims.push_back(d);
  }
  args.Set(i, std::move(dims));
}

}  // namespace
}  // namespace transforms

void BatchDims(BatchCall& c) {
  NewArgs args(c);
  const int64_t rank = c.rank(0);
  int tensors = 0;
  for (const Value& v : c.args) tensors += v.tag == Tag::kTensor;
  bool number = rank == 0;
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (c.args[i].tag == Tag::kTensor) {
      Tensor value = c.expanded(i);
      if (number && value.dim() == 1) value = unsqueeze(value, -1);
      args.Set(i, value);
    } else {
      transforms::CountFromBack(c, args, i, rank);
    }
  }
  c.Call(args);
  for (const Value& v : c.args) number = number && (v.tag != Tag::kTensor || v.tensor().dim() == 0);
  if (!number) return;
  for (size_t k = 0; k < c.results().size(); ++k) {
    if (c.results()[k].value().tag != Tag::kTensor) continue;
    const Tensor value = c.value(c.results()[k].tensor());
    if (value.dim() == 2) c.Set(k, select(value, 1, 0));
  }
}

namespace transforms {
namespace {

// --- Element by element, but without the tag.

const Batching pointwise{{"copy_",
                          "fill.Scalar",
                          "constant_pad_nd",
                          "pixel_shuffle",
                          "pixel_unshuffle",
                          "_to_copy",
                          "clone",
                          "real",
                          "imag",
                          "view_as_real",
                          "view_as_complex",
                          "_conj",
                          "conj",
                          "resolve_conj",
                          "resolve_neg",
                          "conj_physical",
                          "empty_like",
                          "zeros_like",
                          "ones_like",
                          "full_like",
                          "native_dropout_backward",
                          "isin.Tensor_Scalar",
                          "lift_fresh_copy",
                          "zero",
                          "_conj_copy",
                          "view_as_real_copy",
                          "view_as_complex_copy",
                          "_neg_view_copy"},
                         BatchPointwise};

// What self is, all of which is replaced.
Tensor CopyOf(const Tensor& self, const Tensor& src, bool) {
  return clone(expand(to(src, self.dtype()), self.sizes()), MemoryFormat::kContiguous);
}
Tensor FillBy(const Tensor& self, const Tensor& value) { return CopyOf(self, value, false); }
Tensor MaskedFill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return where(mask, to(value, self.dtype()), self);
}
const Batching copy_rule{"copy", Decomposed(CopyOf)};
const Batching fill_rule{"fill.Tensor", Decomposed(FillBy)};
const Batching masked_fill_rule{"masked_fill.Tensor", Decomposed(MaskedFill)};

// Draws: an argument without a batch is the same for all, and the numbers are not.
void Draw(BatchCall& c) {
  NewArgs args(c);
  args.Set(0, c.expanded(0));
  int64_t rank = 0;
  for (const Value& v : c.args) {
    if (v.tag == Tag::kTensor) rank = std::max(rank, v.tensor().dim());
  }
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (c.args[i].tag == Tag::kTensor) args.Set(i, WithRank(c.expanded(i), rank));
  }
  c.Call(args);
}
const Batching draws{{"bernoulli",
                      "bernoulli.p",
                      "bernoulli.Tensor",
                      "normal.Tensor_Tensor",
                      "normal.Tensor_float",
                      "normal.float_Tensor",
                      "poisson",
                      "binomial",
                      "exponential",
                      "uniform",
                      "random",
                      "random.from",
                      "random.to",
                      "geometric",
                      "cauchy",
                      "log_normal",
                      "rand_like",
                      "randn_like",
                      "randint_like",
                      "randint_like.low_dtype",
                      "rand_like.generator",
                      "randn_like.generator"},
                     Draw};
void Multinomial(BatchCall& c) {
  if (c.rank(0) != 1) return Loop(c, false);
  NewArgs args(c);
  args.Set(0, c.expanded(0));
  c.Call(args);
}
const Batching multinomial_rule{"multinomial", Multinomial};

// --- Along dimensions.

const Batching along{{"sum.dim_IntList",
                      "nansum",
                      "mean.dim",
                      "amax",
                      "amin",
                      "prod.dim_int",
                      "all.dim",
                      "any.dim",
                      "all.dims",
                      "any.dims",
                      "std.correction",
                      "var.correction",
                      "std_mean.correction",
                      "var_mean.correction",
                      "linalg_vector_norm",
                      "count_nonzero.dim_IntList",
                      "cummax",
                      "cummin",
                      "cumprod",
                      "cumsum",
                      "logcumsumexp",
                      "max.dim",
                      "min.dim",
                      "median.dim",
                      "nanmedian.dim",
                      "mode",
                      "kthvalue",
                      "sort",
                      "sort.stable",
                      "topk",
                      "argsort",
                      "argsort.stable",
                      "softmax.int",
                      "log_softmax.int",
                      "special_softmax",
                      "special_log_softmax",
                      "_softmax",
                      "_log_softmax",
                      "_softmax_backward_data",
                      "_log_softmax_backward_data",
                      "flip",
                      "glu",
                      "glu_backward",
                      "gather",
                      "scatter.src",
                      "scatter.value",
                      "scatter.reduce",
                      "scatter.value_reduce",
                      "scatter_add",
                      "scatter_reduce.two",
                      "_fft_c2c",
                      "_fft_c2r",
                      "_fft_r2c",
                      "linalg_cross",
                      "segment_reduce",
                      "_segment_reduce_backward",
                      "hash_tensor"},
                     BatchDims};

// All dimensions where none is given, and the result counts through them.
void Flattened(BatchCall& c) {
  const int at = c.op.schema().Find("dim");
  if (!c.args[static_cast<size_t>(at)].is_none()) return BatchDims(c);
  const Tensor value = c.value(0);
  NewArgs args(c);
  args.Set(0,
           reshape(value, {value.size(0), value.size(0) == 0 ? 1 : value.numel() / value.size(0)}));
  args.Set(static_cast<size_t>(at), int64_t{-1});
  c.Call(args);
  const int keep = c.op.schema().Find("keepdim");
  if (keep < 0 || c.args[static_cast<size_t>(keep)].i == 0) return;
  for (size_t k = 0; k < c.results().size(); ++k) {
    std::vector<int64_t> sizes(static_cast<size_t>(c.rank(0) + 1), 1);
    sizes[0] = value.size(0);
    c.Set(k, reshape(c.value(c.results()[k].tensor()), sizes));
  }
}
const Batching flattened{{"argmax", "argmin", "aminmax"}, Flattened};

void Roll(BatchCall& c) {
  if (c.args[2].len != 0) return BatchDims(c);
  const Tensor value = c.value(0);
  if (value.numel() == 0) return c.Set(0, clone(value));
  const Tensor flat = reshape(value, {value.size(0), -1});
  c.Set(0, reshape(roll(flat, c.args[1].list<int64_t>(), {1}), value.sizes()));
}
const Batching roll_rule{"roll", Roll};

// --- All elements of an example, by the same along dimensions.

Tensor Sum(const Tensor& x, Optional<DType> dtype) { return sum(x, IntSpan(), false, dtype); }
Tensor Prod(const Tensor& x, Optional<DType> dtype) { return prod(flatten(x), 0, false, dtype); }
Tensor Max(const Tensor& x) { return amax(x); }
Tensor Min(const Tensor& x) { return amin(x); }
Tensor Median(const Tensor& x) { return std::get<0>(median(flatten(x), 0)); }
Tensor NanMedian(const Tensor& x) { return std::get<0>(nanmedian(flatten(x), 0)); }
Tensor CountNonzero(const Tensor& x, std::optional<int64_t> dim) {
  if (dim) return count_nonzero(x, std::vector<int64_t>{*dim});
  return count_nonzero(x, std::vector<int64_t>{});
}
Tensor Any(const Tensor& x) { return any(flatten(x), 0); }
Tensor All(const Tensor& x) { return all(flatten(x), 0); }
Tensor MSort(const Tensor& x) { return std::get<0>(sort(x, 0)); }
const Batching sum_rule{"sum", Decomposed(Sum)};
const Batching prod_rule{"prod", Decomposed(Prod)};
const Batching max_rule{"max", Decomposed(Max)};
const Batching min_rule{"min", Decomposed(Min)};
const Batching median_rule{"median", Decomposed(Median)};
const Batching nanmedian_rule{"nanmedian", Decomposed(NanMedian)};
const Batching count_nonzero_rule{"count_nonzero", Decomposed(CountNonzero)};
const Batching any_rule{"any", Decomposed(Any)};
const Batching all_rule{"all", Decomposed(All)};
const Batching msort_rule{"msort", Decomposed(MSort)};

// The gradient of max, sort and the like: where the values were.
Tensor SelectingBackward(const Tensor& grad, int64_t dim, const Tensor& indices, IntSpan sizes,
                         bool keepdim) {
  const bool line_up = !keepdim && !sizes.empty();
  const Tensor g = line_up ? unsqueeze(grad, dim) : grad;
  return scatter(new_zeros(g, sizes), dim, line_up ? unsqueeze(indices, dim) : indices, g);
}
const Batching selecting_rule{"value_selecting_reduction_backward", Decomposed(SelectingBackward)};

// --- Matrices, and vectors of their numbers, in any leading dimensions.

// core: how many of an argument's last dimensions are a matrix's, or a vector's.
template <int... core>
void OnMatrices(BatchCall& c) {
  constexpr int kCore[] = {core...};
  NewArgs args(c);
  int64_t lead = 0;
  size_t at = 0;
  for (const Value& v : c.args) {
    if (v.tag == Tag::kTensor && at < std::size(kCore))
      lead = std::max(lead, v.tensor().dim() - kCore[at++]);
  }
  at = 0;
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (c.args[i].tag != Tag::kTensor || at >= std::size(kCore)) continue;
    const int n = kCore[at++];
    if (c.rank(i) < n) return BatchLoop(c);  // its error, for an example
    args.Set(i, WithRank(c.expanded(i), lead + n));
  }
  c.Call(args);
}
const Batching matrices{
    {"linalg_cholesky_ex", "linalg_eig", "linalg_eigh", "linalg_eigvals", "_linalg_eigh",
     "_linalg_svd", "linalg_svd", "linalg_lu_factor_ex", "linalg_ldl_factor_ex", "geqrf", "tril",
     "triu", "linalg_inv_ex", "_linalg_det", "_linalg_slogdet", "linalg_matrix_exp",
     "cholesky_inverse", "linalg_qr", "matrix_exp"},
    OnMatrices<2>};
const Batching with_vector{{"linalg_householder_product", "orgqr", "lu_unpack"}, OnMatrices<2, 1>};
const Batching two_matrices{
    {"linalg_solve_triangular", "cdist", "_cdist_forward", "cholesky_solve"}, OnMatrices<2, 2>};
// Of each example's matrices.
void CheckErrors(BatchCall& c) {
  NewArgs args(c);
  args.Set(0, c.value(0));
  args[2] = Value(false);
  c.Call(args);
}
const Batching check_errors_rule{"_linalg_check_errors", CheckErrors};
const Batching cdist_backward_rule{"_cdist_backward", OnMatrices<2, 2, 2, 2>};
const Batching factor_and_right{{"ormqr", "linalg_lu_solve", "linalg_ldl_solve"},
                                OnMatrices<2, 1, 2>};

// The right side is vectors, one for each matrix, or matrices.
void Lstsq(BatchCall& c) {
  const IntSpan a = c.args[0].tensor().sizes(), b = c.args[1].tensor().sizes();
  if (a.size() < 2 || b.size() + 1 != a.size()) return OnMatrices<2, 2>(c);
  NewArgs args(c);
  args.Set(0, c.expanded(0));
  args.Set(1, c.expanded(1));
  c.Call(args);
}
const Batching lstsq_rule{"linalg_lstsq", Lstsq};

// --- Views.

// Views along dimensions have rules of their own, so that gradients go through their formulas.
void ViewAlong(BatchCall& c) {
  const int64_t rank = c.rank(0);
  if (!c.batched(0) || rank == 0) return BatchView(c);
  NewArgs args(c);
  args.Set(0, c.value(0));
  for (size_t i = 1; i < c.args.size(); ++i) CountFromBack(c, args, i, rank);
  c.Call(args);
}
const Batching along_views{{"select.int", "slice.Tensor", "transpose.int", "diagonal",
                            "movedim.int", "movedim.intlist", "unflatten.int", "narrow"},
                           ViewAlong};

void Permute(BatchCall& c) {
  const IntSpan given = c.args[1].list<int64_t>();
  if (static_cast<int64_t>(given.size()) != c.rank(0)) return BatchView(c);  // its error
  std::vector<int64_t> dims = {0};
  for (const int64_t d : given) dims.push_back(FromBack(c, d, c.rank(0)) + c.rank(0) + 1);
  c.Set(0, permute(c.value(0), dims));
}
const Batching permute_rule{"permute", Permute};

void Unsqueeze(BatchCall& c) {
  c.Set(0, unsqueeze(c.value(0), FromBack(c, c.args[1].i, c.rank(0) + 1)));
}
const Batching unsqueeze_rule{"unsqueeze", Unsqueeze};

void T(BatchCall& c) {
  if (c.rank(0) > 2) return BatchView(c);  // its error
  const Tensor value = c.value(0);
  c.Set(0, c.rank(0) == 2 ? transpose(value, 1, 2) : alias(value));
}
const Batching t_rule{"t", T};

void Squeeze(BatchCall& c) {
  std::vector<int64_t> dims;
  const Tensor value = c.value(0);
  for (int64_t d = 1; d < value.dim(); ++d) {
    if (value.size(d) == 1) dims.push_back(d);
  }
  c.Set(0, squeeze(value, dims));
}
const Batching squeeze_rule{"squeeze", Squeeze};

void Expand(BatchCall& c) {
  const IntSpan sizes = c.args[1].list<int64_t>();
  const auto rank = static_cast<int64_t>(sizes.size());
  const int64_t missing = rank - c.rank(0);
  if (missing < 0 || std::any_of(sizes.begin(), sizes.begin() + std::max<int64_t>(missing, 0),
                                 [](int64_t s) { return s < 0; })) {
    return BatchView(c);  // its error
  }
  c.Set(0, expand(WithRank(c.value(0), rank), Joined(c.batch_size(), sizes)));
}
const Batching expand_rule{"expand", Expand};

// Sizes of which one may be -1.
std::vector<int64_t> Inferred(IntSpan sizes, int64_t numel) {
  std::vector<int64_t> all(sizes.begin(), sizes.end());
  int64_t others = 1;
  for (const int64_t s : all) others *= s == -1 ? 1 : s;
  for (int64_t& s : all) {
    if (s == -1 && others != 0) s = numel / others;
  }
  return all;
}
void View(BatchCall& c) {
  const IntSpan sizes = c.args[1].list<int64_t>();
  const std::vector<int64_t> all = Inferred(sizes, c.args[0].tensor().numel());
  int64_t numel = 1;
  for (const int64_t s : all) numel *= s;
  if (numel != c.args[0].tensor().numel()) return BatchView(c);  // its error
  c.Set(0, view(c.value(0), Joined(c.batch_size(), all)));
}
const Batching view_rule{"view", View};

void Detach(BatchCall& c) { c.Set(0, detach(c.value(0))); }
const Batching detach_rule{"detach", Detach};
void Alias(BatchCall& c) { c.Set(0, alias(c.value(0))); }
const Batching alias_rule{"alias", Alias};

// The geometry of an example, with the batch's stride in front.
void AsStrided(BatchCall& c) {
  const Tensor value = c.value(0);
  const int64_t offset =
      c.args[3].is_none() ? c.args[0].tensor().storage_offset() : c.args[3].scalar().To<int64_t>();
  c.Set(0, as_strided(value, Joined(c.batch_size(), c.args[1].list<int64_t>()),
                      Joined(value.stride(0), c.args[2].list<int64_t>()), offset));
}
const Batching as_strided_rule{"as_strided", AsStrided};

// What views and windows pass back: the sizes of what they are of, then dimensions of these.
void OfSizes(BatchCall& c) {
  const IntSpan sizes = c.args[1].list<int64_t>();
  NewArgs args(c);
  args.Set(0, c.value(0));
  args.Set(1, Joined(c.batch_size(), sizes));
  for (size_t i = 2; i < c.args.size(); ++i)
    CountFromBack(c, args, i, static_cast<int64_t>(sizes.size()));
  c.Call(args);
}
const Batching of_sizes{
    {"select_backward", "slice_backward", "diagonal_backward", "unfold_backward"}, OfSizes};

// A part of self is replaced.
void WithPart(BatchCall& c) {
  NewArgs args(c);
  args.Set(0, c.expanded(0));
  args.Set(1, c.expanded(1));
  for (size_t i = 2; i < c.args.size(); ++i) CountFromBack(c, args, i, c.rank(0));
  c.Call(args);
}
const Batching with_part{{"select_scatter", "slice_scatter", "diagonal_scatter"}, WithPart};

// --- New ones, as large for each example: they may be written.

void New(BatchCall& c) {
  NewArgs args(c);
  args.Set(0, c.value(0));
  args.Set(1, Joined(c.batch_size(), c.args[1].list<int64_t>()));
  c.Call(args);
}
const Batching new_rule{{"new_empty", "new_zeros", "new_ones", "new_full"}, New};

void NewStrided(BatchCall& c) {
  const IntSpan sizes = c.args[1].list<int64_t>(), strides = c.args[2].list<int64_t>();
  int64_t reach = 1;
  for (size_t d = 0; d < sizes.size(); ++d)
    reach += std::max<int64_t>(sizes[d] - 1, 0) * strides[d];
  NewArgs args(c);
  args.Set(0, c.value(0));
  args.Set(1, Joined(c.batch_size(), sizes));
  args.Set(2, Joined(reach, strides));
  c.Call(args);
}
const Batching new_strided_rule{"new_empty_strided", NewStrided};

void Repeat(BatchCall& c) {
  const IntSpan repeats = c.args[1].list<int64_t>();
  if (static_cast<int64_t>(repeats.size()) < c.rank(0)) return BatchLoop(c);  // its error
  c.Set(0, repeat(WithRank(c.value(0), static_cast<int64_t>(repeats.size())), Joined(1, repeats)));
}
const Batching repeat_rule{"repeat", Repeat};

// --- Lists.

void Cat(BatchCall& c) {
  const TensorList list = c.args[0].list<Tensor>();
  int64_t rank = 0;
  for (const Tensor& t : list) rank = std::max(rank, t.dim());
  std::vector<Tensor> values;
  values.reserve(list.size());
  for (const Tensor& t : list) {
    const bool nothing = t.dim() == 1 && t.numel() == 0 && rank > 1;  // may stand beside any
    if (!nothing) values.push_back(c.expanded(t));
  }
  c.Set(0, cat(values, FromBack(c, c.args[1].i, rank)));
}
const Batching cat_rule{{"cat", "concat", "concatenate"}, Cat};

}  // namespace
}  // namespace transforms
}  // namespace sy
