// Shape functions: what an operator file states once, and ShapeContext, which one writes its answer
// into.
//
//   void MmShape(ShapeContext& r, const TensorBase& self, const TensorBase& mat2) {
//     if (self.dim() != 2) r.Fail({"self must be a matrix, got sizes ", self.sizes()});
//     …
//     r.Output({self.size(0), mat2.size(1)}, self.dtype());
//   }
//
// A shape function checks every argument by its metadata and states the outputs: sizes, strides,
// dtype, device, which memory they may share. From it come the functional, in-place and out=
// variants, allocation on every device, and the meta device. A shape function sees no data and
// makes no tensor.
//
// An argument that a shape function takes by reference (int64_t& dim, IntSpan& dim,
// std::optional<IntSpan>& dim) reaches typed kernels as the shape function leaves it: dim =
// r.WrapDim(dim, self) wraps once for every device. A list is set to numbers that live as long as
// the shape function (Ints).
//
// A pointwise operator and a view:
//
//   void ModShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
//     r.Pointwise(self, other);
//   }
//   void ReverseDimsShape(ShapeContext& r, const TensorBase& self) {
//     const int64_t n = self.dim();
//     int64_t *sizes = r.Ints(n), *strides = r.Ints(n);
//     for (int64_t d = 0; d < n; ++d) sizes[d] = self.sizes()[n - 1 - d];
//     for (int64_t d = 0; d < n; ++d) strides[d] = self.strides()[n - 1 - d];
//     r.View({sizes, self.sizes().size()}, {strides, self.sizes().size()}, self.storage_offset());
//   }
// Owns: its outputs, and room for their sizes; arguments are borrowed.
// Threads: any, a ShapeContext lives on one stack.
// Errors: whatever the shape function throws.
#ifndef SWITCHYARD_OP_SHAPE_CONTEXT_H_
#define SWITCHYARD_OP_SHAPE_CONTEXT_H_

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor.h"
#include "switchyard/registry/key.h"
#include "switchyard/registry/operator_def.h"

namespace sy {

class OperatorEntry;
struct KernelDef;

// What may be done with written memory that an input also uses, other than being exactly that
// input. Operators start with kTemporary, pointwise ones with kForbid.
enum class OverlapPolicy : uint8_t {
  kTemporary,  // computed beside and copied: always right
  kForbid,     // an error, ATen's behaviour for pointwise operators and index_copy
};

// How operands of a pointwise operator find their common dtype, and what dtype the result has:
//
//              int64, int64   int64, float16   result
//   kDefault      int64           float16      the same
//   kFloat       float32          float16      the same
//   kCompare      int64           float16      bool
//   kSame         int64           float16      the same, in out= too
enum class Promote : uint8_t {
  kDefault,  // result: the common dtype
  kFloat,    // integers and bool compute in the default floating dtype
  kCompare,  // result: bool; out= and in place: whatever they are
  kSame,     // as kDefault, but out= must have the result's dtype (unary operators that are not
             // floating)
};

// What dtypes a given output (out=, in place) may have; the result is converted as it is stored.
enum class CastPolicy : uint8_t {
  kSame,  // the result's
  kCan,   // any of the result's category or a higher one
  kAny,
};

// One output as the shape function states it; a shape function may change what Output and the like
// have set.
struct OutputSpec {
  const int64_t* sizes;
  const int64_t* strides;  // null: row-major without gaps
  int32_t ndim;            // 0 … kMaxRank
  DType dtype;             // of the result; kernels compute in compute_dtype()
  CastPolicy cast;
  bool pointwise;  // element i depends on elements i of the inputs alone, so that it may be written
                   // where they are read
  int8_t starts_as;  // position among the tensor arguments of the input it starts as a copy of; -1:
                     // uninitialised
  int64_t offset;    // in the storage; of views only
  IntSpan size_span() const { return {sizes, static_cast<size_t>(ndim)}; }
};

// What a shape function writes its answer into: one object per call, on the stack. ATen's
// structured kernels have it as MetaBase: set_output is Output, TensorIterator's config is
// Pointwise.
class SY_API ShapeContext {
 public:
  // Room on the stack: more outputs, tensor arguments or lists of tensors do not compile.
  static constexpr int kMaxOutputs = 5;
  static constexpr int kMaxTensors = 12;
  static constexpr int kMaxLists = 2;

  ShapeContext(const OperatorEntry& op, Variant variant) : op_(op), variant_(variant) {}
  ShapeContext(const ShapeContext&) = delete;

  // Which variant was called; most shape functions do not ask.
  Variant variant() const { return variant_; }
  std::string_view op() const;  // "add_.Tensor": the variant that was called
  // Throws, with the operator's name in front: "mm(): self must be a matrix, got sizes [3]".
  // Without a code kInvalidArgument.
  [[noreturn]] SY_COLD void Fail(ErrorCode code, std::initializer_list<Piece> pieces) const;
  [[noreturn]] SY_COLD void Fail(std::initializer_list<Piece> pieces) const {
    Fail(ErrorCode::kInvalidArgument, pieces);
  }
  // 0 … rank-1. Errors: kOutOfRange, naming the operator.
  int64_t WrapDim(int64_t dim, const TensorBase& t) const { return WrapDim(dim, t.dim()); }
  int64_t WrapDim(int64_t dim, int64_t rank) const {
    const int64_t n = rank == 0 ? 1 : rank;
    if (dim < -n || dim >= n) [[unlikely]]
      FailDim(dim, rank);
    return dim < 0 ? dim + n : dim;
  }
  // Room for n numbers that lives as long as the shape function: sizes and strides of outputs, 4
  // kMaxRank in all. Uninitialised. Errors: kInvalidArgument where there is no more.
  int64_t* Ints(int64_t n) {
    if (n > kScratch - used_) [[unlikely]]
      FailScratch();
    int64_t* p = scratch_ + used_;
    used_ += static_cast<int>(n);
    return p;
  }
  // The same, filled.
  IntSpan Copy(IntSpan values);

  // The i-th tensor given as out=; null in the other variants.
  const TensorBase* given_out(int i) const {
    return variant_ == Variant::kOut ? given_outs_[i] : nullptr;
  }

  // --- Outputs. `sizes` must outlive the shape function (an argument's, or Ints); the initializer
  // list and the vector are copied. The next output: row-major, uninitialised, to be changed by
  // whoever calls. Sizes are not
  // checked: negative or too large ones are refused where a tensor is made.
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
  // Sizes and dense strides as empty_like(t) gives them: the order of t's dimensions is kept.
  OutputSpec& OutputLike(const TensorBase& t) { return OutputLike(t, t.dtype()); }
  OutputSpec& OutputLike(const TensorBase& t, DType dtype);
  // Row-major, and starts as a copy of the operator's first tensor argument; in place it is that
  // argument. For operators that change some elements: index_copy, scatter.
  OutputSpec& OutputStartsAsSelf(const TensorBase& self);
  // The operator writes its first tensor argument and has no other variant: bernoulli_, normal_.
  OutputSpec& OutputInPlace(const TensorBase& self) {
    OutputSpec& o = Output(self.sizes(), self.dtype());
    o.starts_as = 0;
    return o;
  }
  // The result is a view of the first tensor argument. Sizes, strides: arguments' or Ints. offset:
  // in elements, from the start of the storage. That it lies within the storage is the shape
  // function's to see to.
  void View(IntSpan sizes, IntSpan strides, int64_t offset);

  // The view does not carry the layers of the tensor it is a view of.
  // For detach and the like.
  void DropLayers() { drop_layers_ = true; }
  bool drops_layers() const { return drop_layers_; }

  // --- Pointwise operators: broadcast, promote, find the device; states the output. Numbers are
  // 0-dim tensors by now. The output lies as the operands do, as TensorIterator has it.
  // Cost: a few compares for operands of one size, dtype and place without gaps.
  void Pointwise(const TensorBase& a, Promote promote = Promote::kDefault);
  void Pointwise(const TensorBase& a, const TensorBase& b, Promote promote = Promote::kDefault) {
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
    const TensorBase* operands[] = {&a, &b};
    PointwiseOf(operands, promote);
  }
  void Pointwise(std::initializer_list<const TensorBase*> operands,
                 Promote promote = Promote::kDefault) {
    PointwiseOf(std::span(operands.begin(), operands.size()), promote);
  }
  // The same of any number of operands, up to kMaxTensors. Operands that are undefined do not
  // count, but one is defined. Errors: kInvalidArgument for sizes that do not broadcast, devices
  // that differ, dtypes that do not promote.
  void PointwiseOf(std::span<const TensorBase* const> operands, Promote promote);
  // As Pointwise, of operands that keep their dtypes: the result, and the computation, are of
  // `dtype`. For operators that say themselves what they compute in (clamp, float_power).
  OutputSpec& PointwiseAs(DType dtype, std::initializer_list<const TensorBase*> operands) {
    return PointwiseAs(dtype, std::span(operands.begin(), operands.size()));
  }
  // converted_to: the dtype that operands are converted to first, which decides how they lie.
  OutputSpec& PointwiseAs(DType dtype, std::span<const TensorBase* const> operands,
                          std::optional<DType> converted_to = std::nullopt);

  // --- What is computed where. The dtype by which a kernel is found; that of the first output
  // unless set. Pointwise sets the one that operands promote to.
  void SetComputeDType(DType d) { compute_ = d; }
  // Of a pointwise operator, what its operands promote to, also before output dtypes are changed.
  DType compute_dtype() const { return compute_; }
  // For operators that have no tensor to take it from; without a device the default one. Errors: as
  // PlaceOf's.
  void SetDevice(Optional<Device> device) { place_ = PlaceOrDefault(device); }
  // The outputs lie in pinned host memory (PinningDevice of core/accelerator.h); instead of
  // SetDevice.
  // For creation with pin_memory.
  void PinOutputs() { pinned_ = true; }
  bool pins_outputs() const { return pinned_; }
  // Instead of the kernel in the table: the shape function knows better (copies between devices).
  // It must live as long as the process.
  void UseKernel(const KernelDef& kernel) { kernel_ = &kernel; }
  // Where that of one argument decides, whatever the others'.
  // For copy_, whose source may lie elsewhere.
  void SetPlaceOf(const TensorBase& t) { place_ = PlaceOfKey(t.key()); }
  // The outputs need no values (empty): they are allocated and that is all.
  void ComputeNothing() { kernel_ = &kNothing; }
  // Instead of what Pointwise has set, after it.
  void SetOverlap(OverlapPolicy policy) { overlap_ = policy; }
  // What is written may overlap itself: every element is given the same value.
  void AllowSelfOverlap() { allow_self_overlap_ = true; }

  // --- For the variants (op/variants.h).
  // The tensors and lists among them, for their place and for overlaps.
  template <class... A>
  SY_INLINE void SetArguments(const A&... a) {
    static_assert((0 + ... + std::is_base_of_v<TensorBase, A>) <= kMaxTensors &&
                      (0 + ... + std::is_same_v<TensorList, A>) <= kMaxLists,
                  "too many tensors for a shape function");
    (SetArgument(a), ...);
  }
  void SetGivenOuts(const Tensor* const* outs) { given_outs_ = outs; }
  int num_outputs() const { return num_outputs_; }
  OutputSpec& output(int i) { return outputs_[i]; }
  // The variant that was called.
  const OperatorEntry& entry() const { return op_; }
  const KernelDef* kernel() const { return kernel_; }
  OverlapPolicy overlap() const { return overlap_; }
  bool allows_self_overlap() const { return allow_self_overlap_; }
  bool has_place() const { return place_ != 0; }
  // Row, index and compute dtype: the key of the computation.
  // Errors: kInvalidArgument where tensors lie on different devices and the shape function has not
  // said which counts.
  KeyWord ComputeKey() {
    if (!has_place()) FindPlace();
    return place_ | static_cast<KeyWord>(compute_);
  }
  // In the order of the arguments; undefined ones too.
  std::span<const TensorBase* const> tensors() const {
    return {tensors_, static_cast<size_t>(num_tensors_)};
  }
  bool has_lists() const { return num_lists_ != 0; }
  // f(tensor) for every tensor of every list.
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
  SY_INLINE void SetArgument(const TensorBase& t) { tensors_[num_tensors_++] = &t; }
  SY_INLINE void SetArgument(TensorList l) { lists_[num_lists_++] = {l.data(), l.size()}; }
  template <class T>
  requires(!std::is_base_of_v<TensorBase, T>) SY_INLINE void SetArgument(const T&) {}
  void FindPlace();  // the one device of all tensor arguments
  [[noreturn]] SY_COLD void FailDim(int64_t dim, int64_t rank) const;
  [[noreturn]] SY_COLD void FailScratch() const;

  const OperatorEntry& op_;
  const KernelDef* kernel_ = nullptr;
  KeyWord place_ = 0;  // 0: not known yet
  int used_ = 0;
  int8_t num_outputs_ = 0, num_tensors_ = 0, num_lists_ = 0;
  bool drop_layers_ = false, allow_self_overlap_ = false, pinned_ = false;
  Variant variant_;
  OverlapPolicy overlap_ = OverlapPolicy::kTemporary;
  DType compute_ = DType::kBool;
  // Not initialised: written before they are read.
  const Tensor* const* given_outs_;
  const TensorBase* tensors_[kMaxTensors];
  struct List {
    const Tensor* data;
    size_t size;
  };
  List lists_[kMaxLists];
  OutputSpec outputs_[kMaxOutputs];
  int64_t scratch_[kScratch];
};

// What the shape function of a pointwise operator takes in a ShapeContext's place, and nothing more
// than one: element i of every output depends on elements i of the inputs alone, which broadcast.
// The operator carries OperatorTag::kPointwise.
//
//   void AddShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other,
//                 const Scalar& alpha) {
//     r.Pointwise(self, other);
//     …
class PointwiseContext : public ShapeContext {
 public:
  using ShapeContext::ShapeContext;
};

}  // namespace sy

#endif  // SWITCHYARD_OP_SHAPE_CONTEXT_H_
