// Products of matrices: by labels of dimensions, as einsum has them. A label of the result parts
// it; one that is summed over gives terms, which what is added to the product must be as well.
#include <algorithm>
#include <string>

#include "collective/sharded/plan_internal.h"
#include "switchyard/core/dtype.h"

namespace sy::sharded {
namespace {

using Text = std::string_view;

// labels: of the factors, and of the result. added: an operand that is added, or -1; its dimensions
// are the result's last ones.
struct Product {
  std::vector<std::pair<int, std::string>> factors;
  std::string result;
  int added = -1;
};

// Where `added` has the result's dimension j as it is, or -1.
int64_t AddedAt(const Plan& p, const Product& m, size_t j, int64_t size) {
  const auto k = static_cast<size_t>(m.added);
  const int64_t d = static_cast<int64_t>(j) - static_cast<int64_t>(m.result.size()) + p.dim(k);
  return d >= 0 && p.sizes(k)[static_cast<size_t>(d)] == size && size != 1 ? d : -1;
}

void Label(Plan& p, const Product& m, char label) {
  int64_t size = -1;
  for (const auto& [k, labels] : m.factors) {
    const size_t d = labels.find(label);
    if (d == labels.npos) continue;
    const int64_t n = p.sizes(static_cast<size_t>(k))[d];
    if (size >= 0 && size != n) return;  // the operator's to refuse
    size = n;
  }
  bool all_have_some = true;
  for (const auto& [k, labels] : m.factors) {
    const size_t d = labels.find(label);
    if (d == labels.npos) continue;
    const auto factor = static_cast<size_t>(k);
    p.in[factor] = Shard(static_cast<int64_t>(d));
    all_have_some = all_have_some && p.AllHaveSome(factor, static_cast<int64_t>(d));
  }
  const size_t j = m.result.find(label);
  Placement out = Partial();
  if (j != m.result.npos) {
    out = Shard(static_cast<int64_t>(j));
    if (m.added >= 0) {
      const int64_t d = AddedAt(p, m, j, size);
      if (d >= 0) p.in[static_cast<size_t>(m.added)] = Shard(d);
      // What is broadcast to a part without elements would have more than that.
      if (d < 0 && !all_have_some) {
        std::fill(p.in.begin(), p.in.end(), Placement{});
        return;
      }
    }
  } else if (m.added >= 0) {
    // Of a product without terms the operators make something else: self as it is, unconverted.
    if (!all_have_some) {
      std::fill(p.in.begin(), p.in.end(), Placement{});
      return;
    }
    p.in[static_cast<size_t>(m.added)] = out;
  }
  p.out[0] = out;
  p.Offer();
}

// linear: a sum of products of parts is the product.
void OfferProduct(Plan& p, const Product& m, bool linear = true) {
  for (const auto& [k, labels] : m.factors) {
    if (p.dim(static_cast<size_t>(k)) != static_cast<int64_t>(labels.size())) return;
  }
  std::string labels;
  for (const auto& f : m.factors) {
    for (const char c : f.second) {
      if (labels.find(c) == labels.npos) labels += c;
    }
  }
  for (const char c : labels) {
    const bool summed = m.result.find(c) == m.result.npos;
    if (summed && !linear) continue;
    // What is added is written where it is self: it has to be all of the result.
    if (summed && m.added >= 0 && p.operands[static_cast<size_t>(m.added)].written &&
        p.dim(static_cast<size_t>(m.added)) != static_cast<int64_t>(m.result.size()))
      continue;
    Label(p, m, c);
  }
  if (!linear) return;
  // A factor of terms.
  for (const auto& f : m.factors) {
    const auto k = static_cast<size_t>(f.first);
    const Placement from = p.from(k);
    if (!from.partial() || from.op != PartialOp::kSum) continue;
    if (!IsFloating(p.dtype(k)) && !IsComplex(p.dtype(k))) continue;
    p.in[k] = from;
    if (m.added >= 0) p.in[static_cast<size_t>(m.added)] = from;
    p.out[0] = from;
    p.Offer();
  }
}

int Of(const Plan& p, Text name) { return p.Find(name); }

void Mm(Plan& p) { OfferProduct(p, {{{Of(p, "self"), "ik"}, {Of(p, "mat2"), "kj"}}, "ij"}); }
void Bmm(Plan& p) { OfferProduct(p, {{{Of(p, "self"), "bik"}, {Of(p, "mat2"), "bkj"}}, "bij"}); }
void Addmm(Plan& p) {
  OfferProduct(p, {{{Of(p, "mat1"), "ik"}, {Of(p, "mat2"), "kj"}}, "ij", Of(p, "self")});
}
void AddmmActivation(Plan& p) {
  OfferProduct(p, {{{Of(p, "mat1"), "ik"}, {Of(p, "mat2"), "kj"}}, "ij", Of(p, "self")},
               /*linear=*/false);
}
// Scales are one number each, or a column and a row.
void ScaledMm(Plan& p) {
  Product m{{{Of(p, "self"), "ik"}, {Of(p, "mat2"), "kj"}}, "ij", Of(p, "bias")};
  const auto a = static_cast<size_t>(Of(p, "scale_a")), b = static_cast<size_t>(Of(p, "scale_b"));
  if (p.dim(a) == 2 && p.dim(b) == 2 && (p.sizes(a)[0] != 1 || p.sizes(b)[1] != 1)) {
    m.factors.emplace_back(static_cast<int>(a), "iu");
    m.factors.emplace_back(static_cast<int>(b), "vj");
  }
  OfferProduct(p, m, /*linear=*/false);
}
void Baddbmm(Plan& p) {
  OfferProduct(p, {{{Of(p, "batch1"), "bik"}, {Of(p, "batch2"), "bkj"}}, "bij", Of(p, "self")});
}
void Mv(Plan& p) { OfferProduct(p, {{{Of(p, "self"), "ik"}, {Of(p, "vec"), "k"}}, "i"}); }
void Addmv(Plan& p) {
  OfferProduct(p, {{{Of(p, "mat"), "ik"}, {Of(p, "vec"), "k"}}, "i", Of(p, "self")});
}
void Dot(Plan& p) { OfferProduct(p, {{{0, "k"}, {1, "k"}}, ""}); }
void Outer(Plan& p) { OfferProduct(p, {{{Of(p, "self"), "i"}, {Of(p, "vec2"), "j"}}, "ij"}); }
void Addr(Plan& p) {
  OfferProduct(p, {{{Of(p, "vec1"), "i"}, {Of(p, "vec2"), "j"}}, "ij", Of(p, "self")});
}
void Linear(Plan& p) {
  const int input = Of(p, "input"), weight = Of(p, "weight");
  if (p.dim(static_cast<size_t>(weight)) != 2 || p.dim(static_cast<size_t>(input)) == 0) return;
  std::string batch;
  for (int64_t d = 0; d + 1 < p.dim(static_cast<size_t>(input)); ++d)
    batch += static_cast<char>('A' + d);
  OfferProduct(p, {{{input, batch + "k"}, {weight, "jk"}}, batch + "j", Of(p, "bias")});
}

const RuleFor mm(Mm, {"mm"});
const RuleFor bmm(Bmm, {"bmm"});
const RuleFor addmm(Addmm, {"addmm"});
const RuleFor addmm_activation(AddmmActivation, {"_addmm_activation"});
const RuleFor scaled_mm(ScaledMm, {"_scaled_mm"});
const RuleFor baddbmm(Baddbmm, {"baddbmm"});
const RuleFor mv(Mv, {"mv"});
const RuleFor addmv(Addmv, {"addmv"});
const RuleFor dot(Dot, {"dot", "vdot"});
const RuleFor outer(Outer, {"ger", "outer"});
const RuleFor addr(Addr, {"addr"});
const RuleFor linear(Linear, {"linear"});

}  // namespace
}  // namespace sy::sharded
