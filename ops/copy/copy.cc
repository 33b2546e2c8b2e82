// Copies `src` into self, converting its dtype and moving it between devices.
//   self: any sizes; src: sizes that expand to self's   →   self
//   non_blocking: may return before the copy is done, where a device can
// The functional variant returns a tensor like self with the values of src.
// Errors: kInvalidArgument when src does not expand to self, overlaps it in part, or self overlaps
// itself.
// Example: sy::copy_(x, y)
// Source: ATen copy_.
#include <algorithm>

#include "switchyard/core/transfer.h"
#include "switchyard/ops/shape_functions.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

void SameDeviceCopy(const Tensor& dst, const Tensor& src) {
  const OperatorEntry& copy = Registry::Global().CopyEntry();
  using TypedFn = void (*)(const OperatorEntry&, const Tensor&, const Tensor&, bool);
  reinterpret_cast<TypedFn>(copy.variant.load(std::memory_order_acquire))(copy, dst, src, false);
}

// Whether t's device converts and lays out by itself.
bool HasKernel(const Tensor& t) {
  Registry& registry = Registry::Global();
  return std::ranges::any_of(registry.Candidates(registry.CopyEntry(), t.key()),
                             [](const Candidate& c) { return c.usable; });
}

// Between devices: conversion, expansion and strides are the host's business, the devices move
// bytes, from one to the other where their drivers can. Memory that the host may touch is used
// where it lies.
void CopyAcross(Call, const Tensor& out, const Tensor&, const Tensor& given, bool non_blocking) {
  if (non_blocking && CopyNonBlocking(out, given)) return;
  if (CopyBetweenDevices(out, given)) return;
  Tensor src = given;
  if (out.device().type == src.device().type && HasBytes(out) && HasKernel(out)) {
    // Two devices of a kind: the one that sends converts, the one that receives lays out.
    src = Tensor::Empty(out.sizes(), out.dtype(), given.device());
    SameDeviceCopy(src, given);
    const bool dense = out.is_contiguous();
    const Tensor there = dense ? out : Tensor::Empty(out.sizes(), out.dtype(), out.device());
    if (CopyBetweenDevices(there, src)) return dense ? void() : SameDeviceCopy(out, there);
  }
  const Tensor shared = HostView(src);
  const Tensor from = shared.defined() ? shared : out.is_host() ? ToHost(src) : ToPinnedHost(src);
  if (const Tensor to = HostView(out); to.defined()) return SameDeviceCopy(to, from);
  if (!HasBytes(out)) return;
  const bool alike = out.dtype() == from.dtype() && SameSizes(out.sizes(), from.sizes()) &&
                     SameSizes(out.strides(), from.strides()) && out.is_non_overlapping_and_dense();
  if (alike) return CopyBack(out, from);
  // Gaps between out's elements belong to others.
  const Tensor staged = out.is_non_overlapping_and_dense()
                            ? Tensor::EmptyStrided(out.sizes(), out.strides(), out.dtype())
                            : ToHost(out);
  SameDeviceCopy(staged, from);
  CopyBack(out, staged);
}

KernelDef AcrossKernel() {
  KernelDef k;
  k.fn = reinterpret_cast<Fn>(&CopyAcross);
  k.op = "copy";
  k.file = __FILE__;
  return k;
}

void CopyShape(ShapeContext& r, const TensorBase& self, const TensorBase& src,
               bool /*non_blocking*/) {
  static const KernelDef kAcross = AcrossKernel();
  if (!IsExpandable(src.sizes(), self.sizes())) {
    r.Fail({"src of sizes ", src.sizes(), " does not expand to self's ", self.sizes()});
  }
  r.SetPlaceOf(self);
  OutputSpec& o = r.OutputLike(self);
  if (r.variant() == Variant::kOut) o.strides = nullptr;  // ATen resizes out= row-major here
  o.pointwise = true;
  r.SetOverlap(OverlapPolicy::kForbid);
  if (PlaceOfKey(self.key()) != PlaceOfKey(src.key())) r.UseKernel(kAcross);
}

}  // namespace

const Operator copy_op{
    "copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", CopyShape,
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
