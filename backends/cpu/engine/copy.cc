#include "switchyard/backends/cpu/engine/copy.h"

#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/backends/cpu/parallel.h"

namespace sy::cpu {
namespace {

// The loop is the last step of the conversion, what comes before it happens on the way in.
LoopCall CopyCall(DType from, DType to) {
  const Conversion conversion(from, to);
  const int last = conversion.num_steps() - 1;
  LoopCall call;
  call.loop = last < 0 ? ActiveHelpers().copy[SizeIndex(ItemSize(to))] : conversion.step(last);
  call.common[0] = call.in_loop[0] = to;
  call.common[1] = call.in_loop[1] = last < 0 ? from : conversion.step_from(last);
  return call;
}

SY_NOINLINE void CopyAny(const Tensor& out, const Tensor& src) {
  Iteration it(out.sizes());
  it.Add(out);
  it.Add(src);
  CopyElements(it);
}

void FillContiguous(char* data, DType dtype, const char* value, int64_t n) {
  const size_t item = ItemSize(dtype);
  const auto fill = ActiveHelpers().fill[SizeIndex(item)];
  const bool stream =
      n * static_cast<int64_t>(item) > kStreamBytes && reinterpret_cast<uintptr_t>(data) % 64 == 0;
  // Each thread starts at a cache line: so many elements at a time.
  const int64_t line = 64 / static_cast<int64_t>(item);
  ParallelFor((n + line - 1) / line, kGrain / line, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * line, last = end * line < n ? end * line : n;
    fill(data + first * static_cast<int64_t>(item), value, static_cast<size_t>(last - first),
         stream);
    if (stream) __builtin_ia32_sfence();
  });
}

}  // namespace

void CopyElements(const Tensor& out, const Tensor& src) {
  const TensorImpl *o = out.impl(), *s = src.impl();
  const int64_t n = o->numel;
  if (((o->key ^ s->key) & (kMaxDTypes - 1)) == 0 && n == s->numel &&
      (o->flags & s->flags & kContiguousFlag) != 0 && n < internal::kSmall) [[likely]] {
    void* const p[] = {o->data(), s->data()};
    return ActiveHelpers().copy[SizeIndex(ItemSize(o->dtype()))](p, static_cast<size_t>(n), false);
  }
  CopyAny(out, src);
}

void CopyElements(Iteration& it) {
  RunLoop(CopyCall(it.operands[1].dtype, it.operands[0].dtype), it);
}

void FillElements(const Tensor& out, const Scalar& value) {
  const DType dtype = out.dtype();
  alignas(16) char element[16];
  VisitDType<kAllTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T x = value.To<T>();
    __builtin_memcpy(element, &x, sizeof x);
  });
  if (out.is_contiguous()) [[likely]]
    return FillContiguous(static_cast<char*>(out.data()), dtype, element, out.numel());
  Iteration it(out.sizes());
  it.Add(out);
  it.AddScalar(element, dtype);
  if (it.numel() == 0) return;
  for (int d = 0; d < it.rank; ++d) {  // the same element again and again
    if (it.operands[0].strides[d] == 0) it.sizes[d] = 1;
  }
  it.Coalesce();
  const int64_t item = static_cast<int64_t>(ItemSize(dtype));
  if (it.rank == 1 && (it.operands[0].strides[0] == item || it.sizes[0] == 1))
    return FillContiguous(it.operands[0].data, dtype, element, it.sizes[0]);
  RunLoop(CopyCall(dtype, dtype), it);
}

bool HasZero(const Tensor& t, DType dtype) {
  const bool direct = t.dtype() == dtype && t.is_contiguous();
  const Tensor values = direct ? t : Tensor::Empty(t.sizes(), dtype);
  if (!direct) CopyElements(values, t);
  return ActiveHelpers().has_zero[SizeIndex(ItemSize(dtype))](values.data(),
                                                              static_cast<size_t>(t.numel()));
}

}  // namespace sy::cpu
