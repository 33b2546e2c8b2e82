// Moving elements: copies of any strides, fills. Conversions between element types are left to the
// host, which does them on the same memory.

#include "kernels.h"
#include "layout.h"

namespace xnnpack {
namespace {

void CopyTensor(Call call, Tensor out, Tensor, Tensor source, bool) {
  if (source.dtype() != out.dtype()) throw Declined("only copies of one element type");
  if (source.view().device != out.view().device) throw Declined("only copies within the device");
  if (out.numel() == 0) return;
  // The source broadcasts.
  std::vector<int64_t> strides(static_cast<size_t>(out.dim()));
  const int64_t missing = out.dim() - source.dim();
  for (int64_t d = missing; d < out.dim(); ++d) {
    strides[static_cast<size_t>(d)] =
        source.size(d - missing) == 1 ? 0 : source.stride(d - missing);
  }
  CopyElements(call, out.sizes(), {out.data(), out.strides()}, {source.data(), strides},
               BytesOf(out.dtype()));
}

template <class T>
void FillWith(Tensor out, T v) {
  if (IsDense(out)) {
    std::fill_n(out.data<T>(), out.numel(), v);
  } else {
    ForEach([&](int64_t o) { out.data<T>()[o] = v; }, out);
  }
}

void Fill(Call, Tensor out, Tensor, Scalar value) {
  VisitAny(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_arithmetic_v<T>) {
      FillWith(out, value.To<T>());
    } else {
      T v{};
      SyTensor one = out.view();
      one.data = &v;
      const SyValue& given = value.value();
      if (given.tag == SY_V_COMPLEX) {
        const auto* parts = static_cast<const double*>(given.u.list);
        Store(Tensor(&one), 0, std::complex<double>(parts[0], parts[1]));
      } else {
        Store(Tensor(&one), 0, value.To<double>());
      }
      FillWith(out, v);
    }
  });
}

}  // namespace

void AddCopies(KernelList& all) {
  Add<CopyTensor>(all, "copy", SY_ANY_DTYPE);
  Add<Fill>(all, "fill.Scalar", SY_ANY_DTYPE);
}

}  // namespace xnnpack
