// What operators of plugins state of their outputs: rules, and shape functions of version 1.0.
//
//   void ScaleRule(Rule& r, Tensor x, double) { r.Pointwise({x}); }
//
// Part of switchyard/c/plugin.hpp, which includes it.
// Owns: nothing: what is stated goes into the host's arrays.
// Threads: any; one rule, one thread.
// Errors: Error, which the host puts behind the operator's name.
#ifndef SWITCHYARD_C_RULE_HPP_
#define SWITCHYARD_C_RULE_HPP_

#include <initializer_list>
#include <vector>

#include "switchyard/c/arguments.hpp"

namespace sy::abi {

// What a shape function states: sizes and dtype of each output, in the schema's order.
//   void ScaleShape(Outputs& out, Tensor x, double) { out.Add(x.sizes(), x.dtype()); }
class Outputs {
 public:
  // n: what the schema returns.
  Outputs(SyMeta* out, uint32_t n) : out_(out), n_(n) {}
  // The next output; at most 64 sizes. Throws Error for one more than the schema returns.
  void Add(Span<const int64_t> sizes, DType dtype) {
    if (used_ == n_ || sizes.size() > 64) throw Error(SY_E_INTERNAL, "no such output");
    SyMeta& m = out_[used_++];
    std::copy(sizes.begin(), sizes.end(), m.sizes);
    m.ndim = static_cast<uint32_t>(sizes.size());
    m.dtype = dtype.code;
  }

 private:
  SyMeta* out_;
  uint32_t n_, used_ = 0;
};

// What a rule is asked, and states: sizes, strides, dtypes, what outputs start as, views, what is
// computed in.
//
//   void ScaleRule(Rule& r, Tensor x, double) { r.Pointwise({x}); }
//   void RowsRule(Rule& r, Tensor x, int64_t n) {       // "toy::rows(Tensor(a) x, int n) -> Tensor(a)"
//     if (n > x.size(0)) throw Error("there are not so many rows");
//     const int64_t sizes[] = {n, x.size(1)};
//     r.View(sizes, x.strides(), r.StorageOffset(x));
//   }
// A view ends with the rule. Functions throw Error where the host answers one.
class Rule {
 public:
  explicit Rule(SyRule* r) : r_(r) {}
  // SY_VARIANT_*: which variant was called; most rules do not ask.
  uint32_t variant() const { return r_->variant; }
  // Output 0 of a pointwise operator: operands broadcast and promote (SY_PROMOTE_*); undefined ones
  // do not count. Returned to be changed.
  SyOutput& Pointwise(std::initializer_list<Tensor> operands,
                      uint32_t promote = SY_PROMOTE_DEFAULT) const {
    std::vector<const SyTensor*> views;
    for (const Tensor& t : operands) views.push_back(t.defined() ? &t.view() : nullptr);
    Check(r_->state_pointwise(r_, views.data(), static_cast<uint32_t>(views.size()), promote));
    return Output(0);
  }
  // The next output, row-major; at most 64 sizes.
  SyOutput& Add(Span<const int64_t> sizes, DType dtype) {
    SyOutput& o = Output(used_++);
    if (sizes.size() > 64) throw Error("an output of more than 64 dimensions");
    std::copy(sizes.begin(), sizes.end(), o.sizes);
    o.ndim = static_cast<uint32_t>(sizes.size());
    o.dtype = dtype.code;
    return o;
  }
  // The next output, with strides; as many as sizes.
  SyOutput& Add(Span<const int64_t> sizes, Span<const int64_t> strides, DType dtype) {
    SyOutput& o = Add(sizes, dtype);
    std::copy(strides.begin(), strides.end(), o.strides);
    o.strided = 1;
    return o;
  }
  // The next output, as empty_like(t) lies.
  SyOutput& AddLike(Tensor t, DType dtype) {
    const uint32_t i = used_++;
    Check(r_->state_like(r_, i, &t.view(), dtype.code));
    return Output(i);
  }
  // The next output, which starts as a copy of an argument, and in place is that: for operators
  // that change some elements. argument: its position in the schema.
  SyOutput& AddStartsAs(Tensor t, int32_t argument) {
    SyOutput& o = Add(t.sizes(), t.dtype());
    o.starts_as = argument;
    return o;
  }
  // The result is a view of the first tensor argument; offset: from the start of its storage, in
  // elements.
  void View(Span<const int64_t> sizes, Span<const int64_t> strides, int64_t offset) const {
    if (sizes.size() != strides.size()) throw Error("a view with other strides than sizes");
    Check(r_->state_view(r_, static_cast<uint32_t>(sizes.size()), sizes.data(), strides.data(),
                         offset));
  }
  int64_t StorageOffset(Tensor t) const { return r_->storage_offset(&t.view()); }
  // By which the kernel is found; else it is output 0's.
  void ComputeIn(DType dtype) const { r_->compute_dtype = dtype.code; }
  // SY_OVERLAP_*: what is written and shares memory with an input.
  void SetOverlap(uint32_t policy) const { r_->overlap = policy; }
  // Output i, as it is stated so far.
  SyOutput& Output(uint32_t i) const {
    if (i >= r_->n_out) throw Error(SY_E_INTERNAL, "no such output");
    return *reinterpret_cast<SyOutput*>(reinterpret_cast<char*>(r_->out) + i * r_->output_stride);
  }
  // For what this class has no name for.
  SyRule* abi() const { return r_; }

 private:
  void Check(int32_t code) const {
    if (code != SY_OK) throw Error(code, r_->error->text);
  }
  SyRule* r_;
  uint32_t used_ = 0;
};

namespace internal {

// The SyRuleFn of a function void(Rule&, arguments…), which may throw Error as kernels do.
template <auto kFn, class Seq>
struct RuleOf;
template <class... A, void (*kFn)(Rule&, A...), size_t... I>
struct RuleOf<kFn, std::index_sequence<I...>> {
  static int32_t Run(SyRule* r) noexcept {
    return Guard(r->error, [&] {
      Rule rule(r);
      kFn(rule, From<internal::Plain<A>>::Value(r->in[I])...);
    });
  }
};
template <class... A>
std::index_sequence_for<A...> RuleIndicesOf(void (*)(Rule&, A...));

// The SyShapeFn of a function void(Outputs&, arguments…), which may throw Error as kernels do.
template <auto kFn, class Seq>
struct ShapeOf;
// Takes `in` apart by the shape function's parameter types; how many there are is the schema's
// word.
template <class... A, void (*kFn)(Outputs&, A...), size_t... I>
struct ShapeOf<kFn, std::index_sequence<I...>> {
  static int32_t Run(const SyValue* in, uint32_t, SyMeta* out, uint32_t n, void*,
                     SyError* error) noexcept {
    return Guard(error, [&] {
      Outputs outputs(out, n);
      kFn(outputs, From<internal::Plain<A>>::Value(in[I])...);
    });
  }
};
template <class... A>
std::index_sequence_for<A...> ShapeIndicesOf(void (*)(Outputs&, A...));
}  // namespace internal

}  // namespace sy::abi

#endif  // SWITCHYARD_C_RULE_HPP_
