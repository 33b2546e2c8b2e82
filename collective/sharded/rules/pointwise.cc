// Element by element: a dimension that is sharded in one argument is in all that have it, and in
// the result. Terms go through what is linear in them.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "collective/sharded/plan_internal.h"
#include "switchyard/core/dtype.h"
#include "switchyard/dispatcher/classes.h"

namespace sy::sharded {
namespace {

using Text = std::string_view;
using internal::IsOneOf;

// Of terms in every argument.
constexpr Text kLinear[] = {"add",          "sub",           "rsub",           "neg",  "positive",
                            "clone",        "conj_physical", "_conj_physical", "copy", "negative",
                            "resolve_conj", "resolve_neg",   "copy_",          "add_", "sub_",
                            "neg_",         "sgn_terms"};
// Of terms in one of them.
constexpr Text kBilinear[] = {"mul", "mul_", "multiply"};
constexpr Text kLinearInFirst[] = {"div", "div_", "true_divide"};

int64_t RankOf(const Plan& p) {
  int64_t rank = 0;
  for (size_t k = 0; k < p.operands.size(); ++k) rank = std::max(rank, p.dim(k));
  return rank;
}

// The size that arguments have in a dimension of the result, counted from its end; -1 where they do
// not fit, which is the operator's to say.
int64_t SizeAt(const Plan& p, int64_t from_end) {
  int64_t size = 1;
  for (size_t k = 0; k < p.operands.size(); ++k) {
    if (p.dim(k) < from_end) continue;
    const int64_t n = p.sizes(k)[static_cast<size_t>(p.dim(k) - from_end)];
    if (n == 1) continue;
    if (size != 1 && size != n) return -1;
    size = n;
  }
  return size;
}

bool SameFloating(const Plan& p) {
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const bool scalar = p.operands[k].tensor->is_wrapped_number() || p.dim(k) == 0;
    if (!IsFloating(p.dtype(k)) && !IsComplex(p.dtype(k)) && !scalar) return false;
    if (p.dtype(k) != p.dtype(0) && !scalar) return false;
  }
  if (!p.metas.empty() && p.metas[0].dtype() != p.dtype(0)) return false;
  return IsFloating(p.dtype(0)) || IsComplex(p.dtype(0));
}

void OfTerms(Plan& p) {
  const Text name = p.op.schema().name;
  size_t terms = p.operands.size();
  for (size_t k = p.operands.size(); k-- > 0;) {
    if (IsSum(p.from(k))) terms = k;
  }
  if (terms == p.operands.size() || !SameFloating(p)) return;
  const Placement as = p.from(terms);
  const bool has_rounding = p.Argument("rounding_mode") != nullptr;
  if (IsOneOf(name, kLinear) && p.op.name() != "add.Scalar" && p.op.name() != "sub.Scalar" &&
      p.op.name() != "add_.Scalar" && p.op.name() != "sub_.Scalar" &&
      p.op.name() != "rsub.Scalar") {
    std::fill(p.in.begin(), p.in.end(), as);
  } else if (IsOneOf(name, kBilinear) ||
             (IsOneOf(name, kLinearInFirst) && terms == 0 && !has_rounding)) {
    p.in[terms] = as;
  } else {
    return;
  }
  // What is broadcast counts once in every term that it is added to, which is right for terms.
  std::fill(p.out.begin(), p.out.end(), as);
  p.Offer();
}

}  // namespace

void Pointwise(Plan& p) {
  const int64_t rank = RankOf(p);
  uint64_t tried = 0;
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Placement from = p.from(k);
    if (!from.sharded()) continue;
    const int64_t from_end = p.dim(k) - from.dim;
    if (tried >> from_end & 1) continue;
    tried |= uint64_t{1} << from_end;
    const int64_t size = SizeAt(p, from_end);
    if (size < 0 || size != p.sizes(k)[from.dim]) continue;
    if (size == 1 && p.operands[k].out) continue;  // no argument would have the part
    // What is written has all dimensions of the result.
    for (size_t j = 0; j < p.operands.size(); ++j) {
      const int64_t d = p.dim(j) - from_end;
      if (d >= 0 && p.sizes(j)[static_cast<size_t>(d)] == size && (size != 1 || j == k))
        p.in[j] = Shard(d);
    }
    std::fill(p.out.begin(), p.out.end(), Shard(rank - from_end));
    p.Offer();
  }
  OfTerms(p);
}

namespace {

// As self lies; terms have all sizes, so that each rank may make all of it.
void Like(Plan& p) {
  const Placement from = p.from(0);
  p.in[0] = from;
  if (from.sharded()) std::fill(p.out.begin(), p.out.end(), from);
  if (p.operands[0].written && from.partial()) {
    if (IsSum(from)) {  // terms of nothing are nothing
      std::fill(p.out.begin(), p.out.end(), from);
    } else {
      p.in[0] = {};
    }
  }
  p.Offer();
}

// Of lists: the tensors of one position, in each list.
void Foreach(Plan& p) {
  constexpr size_t kNone = SIZE_MAX;
  std::vector<size_t> firsts;  // by position: the first operand that is sharded
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Operand& o = p.operands[k];
    if (!o.in_list) continue;
    if (o.element >= firsts.size()) firsts.resize(o.element + 1, kNone);
    size_t& first = firsts[o.element];
    if (first == kNone && p.dim(k) != 0 && p.from(k).sharded()) first = k;
  }
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Operand& o = p.operands[k];
    const size_t first = o.in_list ? firsts[o.element] : kNone;
    if (first == kNone) continue;
    // Steps and numbers are the same everywhere; others have the sizes of the first.
    if (std::ranges::equal(p.sizes(k), p.sizes(first))) {
      p.in[k] = p.from(first);
    } else if (p.dim(k) != 0) {
      return;
    }
  }
  // Of several lists as results, one behind the other.
  for (size_t r = 0; r < p.out.size() && !firsts.empty(); ++r) {
    const size_t first = firsts[r % firsts.size()];
    if (first == kNone) continue;
    const Placement& at = p.from(first);
    const bool has = p.metas.empty() || p.metas[r].dim() > at.dim;  // steps have no dimensions
    if (has) p.out[r] = at;
  }
  p.Offer();
}

const RuleFor like(Like, {"empty_like", "zeros_like", "ones_like", "full_like", "zero"});
const RuleFor as_pointwise(Pointwise, {"clone", "_to_copy", "copy", "fill", "lift_fresh_copy",
                                       "resolve_conj", "resolve_neg", "conj_physical"});
const RuleFor foreach_rule(
    Foreach, {"_foreach_abs",       "_foreach_acos",      "_foreach_add",     "_foreach_addcdiv",
              "_foreach_addcmul",   "_foreach_asin",      "_foreach_atan",    "_foreach_ceil",
              "_foreach_clamp_max", "_foreach_clamp_min", "_foreach_copy",    "_foreach_cos",
              "_foreach_cosh",      "_foreach_div",       "_foreach_erf",     "_foreach_erfc",
              "_foreach_exp",       "_foreach_expm1",     "_foreach_floor",   "_foreach_frac",
              "_foreach_lerp",      "_foreach_lgamma",    "_foreach_log",     "_foreach_log10",
              "_foreach_log1p",     "_foreach_log2",      "_foreach_maximum", "_foreach_minimum",
              "_foreach_mul",       "_foreach_neg",       "_foreach_pow",     "_foreach_reciprocal",
              "_foreach_round",     "_foreach_rsqrt",     "_foreach_sigmoid", "_foreach_sign",
              "_foreach_sin",       "_foreach_sinh",      "_foreach_sqrt",    "_foreach_sub",
              "_foreach_tan",       "_foreach_tanh",      "_foreach_trunc",   "_foreach_zero",
              "_fused_sgd",         "_fused_adam",        "_fused_adamw",     "_fused_adagrad"});

}  // namespace

}  // namespace sy::sharded
