// Operators that look along some dimensions, which must be whole, and do the same along others.
#include <algorithm>

#include "collective/sharded/plan_internal.h"

namespace sy::sharded {
namespace {

using Text = std::string_view;

// All arguments and results that have self's dimensions are parted alike, along any but `whole`.
void Along(Plan& p, uint64_t whole) {
  uint64_t tried = whole;
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Placement from = p.from(k);
    if (!from.sharded() || p.dim(k) != p.dim(0) || (tried >> from.dim & 1) != 0) continue;
    tried |= uint64_t{1} << from.dim;
    bool fits = true;
    for (size_t j = 0; j < p.operands.size(); ++j) {
      fits = fits && p.dim(j) == p.dim(0) && p.sizes(j)[from.dim] == p.sizes(0)[from.dim];
    }
    for (const Tensor& m : p.metas) {
      fits = fits && m.defined() && m.dim() == p.dim(0) && m.size(from.dim) == p.sizes(0)[from.dim];
    }
    if (!fits) continue;
    std::fill(p.in.begin(), p.in.end(), from);
    std::fill(p.out.begin(), p.out.end(), from);
    p.Offer();
  }
}

// Along `dim` or `dims`; where none is given it is what the schema says, or all.
void AlongDim(Plan& p) {
  const Text name = p.Argument("dim") != nullptr ? "dim" : "dims";
  Along(p, p.Dims(name, p.dim(0)));
}
void AlongLastTwo(Plan& p) {
  const int64_t rank = p.dim(0);
  if (rank < 2) return;
  Along(p, uint64_t{3} << (rank - 2));
}

// Tensors of a list one behind the other; those of one dimension without elements fit everywhere.
void Cat(Plan& p) {
  const int64_t rank = p.metas.empty() ? p.dim(0) : p.metas[0].dim();
  const uint64_t dim = p.Dims("dim", rank);
  uint64_t tried = dim;
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Placement from = p.from(k);
    if (from.partial() && from.op == PartialOp::kSum && p.metas.size() == 1 &&
        p.metas[0].dtype() == p.dtype(k) && (tried >> 63 & 1) == 0) {
      tried |= uint64_t{1} << 63;
      std::fill(p.in.begin(), p.in.end(), from);
      p.out[0] = from;
      p.Offer();
    }
    if (!from.sharded() || p.dim(k) != rank || (tried >> from.dim & 1) != 0) continue;
    tried |= uint64_t{1} << from.dim;
    bool fits = true;
    for (size_t j = 0; j < p.operands.size(); ++j) {
      const bool nothing = p.dim(j) == 1 && p.sizes(j)[0] == 0 && rank != 1;
      fits = fits && (nothing || p.dim(j) == rank);
      if (!nothing) p.in[j] = from;
    }
    if (!fits) {
      std::fill(p.in.begin(), p.in.end(), Placement{});
      continue;
    }
    p.out[0] = from;
    p.Offer();
  }
}

const RuleFor along_dim(AlongDim, {"_softmax",
                                   "_log_softmax",
                                   "_softmax_backward_data",
                                   "_log_softmax_backward_data",
                                   "_safe_softmax",
                                   "cumsum",
                                   "cumprod",
                                   "logcumsumexp",
                                   "cummax",
                                   "cummin",
                                   "sort",
                                   "argsort",
                                   "topk",
                                   "flip",
                                   "roll",
                                   "_fft_c2c",
                                   "_fft_r2c",
                                   "_fft_c2r",
                                   "glu",
                                   "glu_backward",
                                   "linalg_cross",
                                   "cross",
                                   "cumprod_backward",
                                   "cummaxmin_backward",
                                   "msort"});
const RuleFor along_last_two(AlongLastTwo,
                             {"tril", "triu", "linalg_cholesky_ex", "cholesky", "linalg_inv_ex",
                              "linalg_matrix_exp", "linalg_householder_product", "cholesky_inverse",
                              "linalg_solve_triangular", "cholesky_solve"});
const RuleFor cat(Cat, {"cat", "concat", "concatenate"});

}  // namespace
}  // namespace sy::sharded
