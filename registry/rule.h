// Shape rules: what an operator file states once, and what a rule writes its answer into.
//
//   void MmRule(Rule& r, const Meta& self, const Meta& mat2) {
//     if (self.dim() != 2) r.Fail({"self must be a matrix, got sizes ", self.sizes()});
//     …
//     r.Output({self.size(0), mat2.size(1)}, self.dtype());
//   }
//
// A rule checks every argument by its metadata and states the outputs: sizes, strides, dtype,
// device, which memory they may share. From it come the functional, in-place and out= forms,
// allocation on every device, and the meta device. A rule sees no data and makes no tensor.
// Threads: any, a Rule lives on one stack.
// Errors: whatever the rule throws.
#ifndef SWITCHYARD_REGISTRY_RULE_H_
#define SWITCHYARD_REGISTRY_RULE_H_

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor.h"

namespace sy {

class OperatorEntry;
struct KernelDef;

enum class FormKind : uint8_t {
  kFunctional,   // returns new tensors
  kInPlace,      // writes its first argument and returns it: name_
  kOut,          // writes tensors given as keyword arguments
  kView,         // returns a view of its first argument
  kViewInPlace,  // changes the geometry of its first argument: squeeze_
  kDirect,       // no rule: kernels return the results
};

// What may be done with written memory that an input also uses, other than being exactly that
// input.
enum class OverlapPolicy : uint8_t {
  kTemporary,  // computed beside and copied: always right
  kForbid,     // an error, ATen's behaviour for pointwise operators and index_copy
};

// How operands of a pointwise operator find their common dtype, and what dtype the result has.
enum class Promote : uint8_t {
  kDefault,  // result: the common dtype
  kFloat,    // integers and bool compute in the default floating dtype
  kCompare,  // result: bool; out= and in place: whatever they are
  kSame,     // as kDefault, but out= must have the result's dtype (unary operators that are not
             // floating)
};

// What dtypes a given output (out=, in place) may have.
enum class CastPolicy : uint8_t {
  kSame,  // the result's
  kCan,   // any of the result's category or a higher one
  kAny,
};

struct OutputSpec {
  const int64_t* sizes;
  const int64_t* strides;  // null: row-major without gaps
  int32_t ndim;
  DType dtype;
  CastPolicy cast;
  bool pointwise;  // element i depends on elements i of the inputs alone, so that it may be written
                   // where they are read
  int8_t starts_as;  // position among the tensor arguments of the input it starts as a copy of; -1:
                     // uninitialised
  int64_t offset;    // in the storage; of views only
  IntSpan size_span() const { return {sizes, static_cast<size_t>(ndim)}; }
};

class SY_API Rule {
 public:
  static constexpr int kMaxOutputs = 5;
  static constexpr int kMaxTensors = 12;
  static constexpr int kMaxLists = 2;

  Rule(const OperatorEntry& op, FormKind form) : op_(op), form_(form) {}
  Rule(const Rule&) = delete;

  FormKind form() const { return form_; }
  std::string_view op() const;  // "add_.Tensor": the form that was called
  // Throws, with the operator's name in front.
  [[noreturn]] SY_COLD void Fail(ErrorCode code, std::initializer_list<Piece> pieces) const;
  [[noreturn]] SY_COLD void Fail(std::initializer_list<Piece> pieces) const {
    Fail(ErrorCode::kInvalidArgument, pieces);
  }
  // 0 … rank-1. Errors: kOutOfRange, naming the operator.
  int64_t WrapDim(int64_t dim, const Meta& t) const { return WrapDim(dim, t.dim()); }
  int64_t WrapDim(int64_t dim, int64_t rank) const {
    const int64_t n = rank == 0 ? 1 : rank;
    if (dim < -n || dim >= n) [[unlikely]]
      FailDim(dim, rank);
    return dim < 0 ? dim + n : dim;
  }
  // Room for n numbers that lives as long as the rule: sizes and strides of outputs.
  int64_t* Ints(int64_t n) {
    if (n > kScratch - used_) [[unlikely]]
      FailScratch();
    int64_t* p = scratch_ + used_;
    used_ += static_cast<int>(n);
    return p;
  }
  IntSpan Copy(IntSpan values);

  // The i-th tensor given as out=; null in the other forms.
  const Meta* given_out(int i) const { return form_ == FormKind::kOut ? given_outs_[i] : nullptr; }

  // --- Outputs. `sizes` must outlive the rule (an argument's, or Ints); the initializer list
  // and the vector are copied.
  OutputSpec& Output(IntSpan sizes, DType dtype) {
    OutputSpec& o = outputs_[num_outputs_++];
    o.sizes = sizes.data();
    o.strides = nullptr;
    o.ndim = static_cast<int32_t>(sizes.size());
    o.dtype = dtype;
    o.cast = CastPolicy::kSame;
    o.pointwise = false;
    o.starts_as = -1;
    if (num_outputs_ == 1) compute_ = dtype;
    return o;
  }
  OutputSpec& Output(std::initializer_list<int64_t> sizes, DType dtype) {
    return Output(Copy(IntSpan(sizes.begin(), sizes.size())), dtype);
  }
  OutputSpec& Output(const std::vector<int64_t>& sizes, DType dtype) {
    return Output(Copy(IntSpan(sizes)), dtype);
  }
  // Sizes and dense strides as empty_like(t) gives them.
  OutputSpec& OutputLike(const Meta& t) { return OutputLike(t, t.dtype()); }
  OutputSpec& OutputLike(const Meta& t, DType dtype);
  // Row-major, and starts as a copy of the operator's first tensor argument; in place it is that
  // argument.
  OutputSpec& OutputStartsAsSelf(const Meta& self);
  // The operator writes its first tensor argument and has no other form.
  OutputSpec& OutputInPlace(const Meta& self) {
    OutputSpec& o = Output(self.sizes(), self.dtype());
    o.starts_as = 0;
    return o;
  }
  // The result is a view of the first tensor argument. Sizes, strides: arguments' or Ints.
  void View(IntSpan sizes, IntSpan strides, int64_t offset);

  // The view does not carry the layers of the tensor it is a view of.
  void DropLayers() { drop_layers_ = true; }
  bool drops_layers() const { return drop_layers_; }

  // --- Pointwise operators: broadcast, promote, find the device; states the output. Numbers are
  // 0-dim tensors by now.
  void Pointwise(const Meta& a, Promote promote = Promote::kDefault);
  void Pointwise(const Meta& a, const Meta& b, Promote promote = Promote::kDefault) {
    const TensorImpl *x = a.impl(), *y = b.impl();
    const bool easy = promote == Promote::kDefault && ((x->key ^ y->key) & kPlaceMask) == 0 &&
                      x->ndim == y->ndim && (x->flags & y->flags & kContiguousFlag) != 0;
    if (easy && SameDims(x, y)) [[likely]] {
      OutputSpec& o = Output(IntSpan(x->dims, x->ndim), x->dtype());
      o.cast = CastPolicy::kCan;
      o.pointwise = true;
      place_ = PlaceOfKey(x->key);
      overlap_ = OverlapPolicy::kForbid;
      return;
    }
    const Meta* operands[] = {&a, &b};
    PointwiseOf(operands, promote);
  }
  void Pointwise(std::initializer_list<const Meta*> operands, Promote promote = Promote::kDefault) {
    PointwiseOf(std::span(operands.begin(), operands.size()), promote);
  }
  // Operands that are undefined do not count. Errors: sizes that do not broadcast, devices that
  // differ.
  void PointwiseOf(std::span<const Meta* const> operands, Promote promote);
  // As Pointwise, of operands that keep their dtypes: the result, and the computation, are of
  // `dtype`.
  OutputSpec& PointwiseAs(DType dtype, std::initializer_list<const Meta*> operands) {
    return PointwiseAs(dtype, std::span(operands.begin(), operands.size()));
  }
  // converted_to: the dtype that operands are converted to first, which decides how they lie.
  OutputSpec& PointwiseAs(DType dtype, std::span<const Meta* const> operands,
                          std::optional<DType> converted_to = std::nullopt);

  // --- What is computed where.
  void SetComputeDType(DType d) { compute_ = d; }
  DType compute_dtype() const { return compute_; }
  // For operators that have no tensor to take it from.
  void SetDevice(Optional<Device> device) {
    place_ = device ? PlaceOf(*device) : default_place.load(std::memory_order_relaxed);
  }
  // The outputs lie in pinned host memory (PinningDevice of core/accelerator.h); instead of
  // SetDevice.
  void PinOutputs() { pinned_ = true; }
  bool pins_outputs() const { return pinned_; }
  // Instead of the kernel in the table: the rule knows better (copies between devices).
  void UseKernel(const KernelDef& kernel) { kernel_ = &kernel; }
  // Where that of one argument decides, whatever the others'.
  void SetPlaceOf(const Meta& t) { place_ = PlaceOfKey(t.key()); }
  // The outputs need no values (empty).
  void ComputeNothing() { kernel_ = &kNothing; }
  void SetOverlap(OverlapPolicy policy) { overlap_ = policy; }
  // What is written may overlap itself: every element is given the same value.
  void AllowSelfOverlap() { allow_self_overlap_ = true; }

  // --- For the forms (registry/forms.h).
  template <class... A>
  SY_INLINE void SetArguments(const A&... a) {
    static_assert((0 + ... + std::is_base_of_v<Meta, A>) <= kMaxTensors &&
                      (0 + ... + std::is_same_v<TensorList, A>) <= kMaxLists,
                  "too many tensors for a shape rule");
    (SetArgument(a), ...);
  }
  void SetGivenOuts(const Tensor* const* outs) { given_outs_ = outs; }
  int num_outputs() const { return num_outputs_; }
  OutputSpec& output(int i) { return outputs_[i]; }
  const OperatorEntry& entry() const { return op_; }
  const KernelDef* kernel() const { return kernel_; }
  OverlapPolicy overlap() const { return overlap_; }
  bool allows_self_overlap() const { return allow_self_overlap_; }
  bool has_place() const { return place_ != 0; }
  // Row, index and compute dtype: the key of the computation.
  KeyWord ComputeKey() {
    if (!has_place()) FindPlace();
    return place_ | static_cast<KeyWord>(compute_);
  }
  std::span<const Meta* const> tensors() const {
    return {tensors_, static_cast<size_t>(num_tensors_)};
  }
  bool has_lists() const { return num_lists_ != 0; }
  template <class F>
  void ForEachListed(F f) const {
    for (int i = 0; i < num_lists_; ++i) {
      for (size_t k = 0; k < lists_[i].size; ++k) f(lists_[i].data[k]);
    }
  }

 private:
  static constexpr int kScratch = 4 * kMaxRank;
  static const KernelDef kNothing;

  static bool SameDims(const TensorImpl* a, const TensorImpl* b) {
    for (int i = 0; i < a->ndim; ++i) {
      if (a->dims[i] != b->dims[i]) return false;
    }
    return true;
  }
  SY_INLINE void SetArgument(const Meta& t) { tensors_[num_tensors_++] = &t; }
  SY_INLINE void SetArgument(TensorList l) { lists_[num_lists_++] = {l.data(), l.size()}; }
  template <class T>
  requires(!std::is_base_of_v<Meta, T>) SY_INLINE void SetArgument(const T&) {}
  void FindPlace();  // the one device of all tensor arguments
  void AddPlace(const Meta& t);
  // Errors name operator, arguments and devices.
  [[noreturn]] SY_COLD void FailPlace(const Meta& a, const Meta& b) const;
  [[noreturn]] SY_COLD void FailDim(int64_t dim, int64_t rank) const;
  [[noreturn]] SY_COLD void FailScratch() const;

  const OperatorEntry& op_;
  const KernelDef* kernel_ = nullptr;
  KeyWord place_ = 0;  // 0: not known yet
  int used_ = 0;
  int8_t num_outputs_ = 0, num_tensors_ = 0, num_lists_ = 0;
  bool drop_layers_ = false, allow_self_overlap_ = false, pinned_ = false;
  FormKind form_;
  OverlapPolicy overlap_ = OverlapPolicy::kTemporary;
  DType compute_ = DType::kBool;
  // Not initialised: written before they are read.
  const Tensor* const* given_outs_;
  const Meta* tensors_[kMaxTensors];
  struct List {
    const Tensor* data;
    size_t size;
  };
  List lists_[kMaxLists];
  OutputSpec outputs_[kMaxOutputs];
  int64_t scratch_[kScratch];
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_RULE_H_
