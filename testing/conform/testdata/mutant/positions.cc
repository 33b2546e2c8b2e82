// Elements at positions, and elsewhere.

#include <algorithm>
#include <string>

#include "testing/conform/testdata/mutant/mutant.h"

namespace mutant {
namespace {

// Throws unless the position is inside.
void Check(int64_t at, int64_t size) {
  if (at >= 0 && at < size) return;
  throw Error(SY_E_INVALID_VALUE, "no element " + std::to_string(at));
}
Position Along(Position at, size_t dim, int64_t i) {
  if (!at.empty()) at[dim] = i;
  return at;
}
size_t DimOf(Tensor x, int64_t dim, const char* fault) {
  return dim < 0 && Is(fault) ? 0 : Wrap(x, dim);
}
// Of an index with one dimension or none.
int64_t At(Tensor index, int64_t i, bool row_major = false) {
  return index.data<int64_t>()[index.dim() == 0 ? 0 : i * (row_major ? 1 : index.stride(0))];
}
int64_t SizeAlong(Tensor x, size_t d) { return x.dim() == 0 ? 1 : x.size(static_cast<int64_t>(d)); }

void IndexSelect(Call, Tensor out, Tensor x, int64_t dim, Tensor index) {
  if (index.dtype().code != SY_INT64) throw Declined("int32 positions");
  const size_t d = DimOf(x, dim, "index_select reads negative dims as 0");
  if (!Is("index_select moves what is outside inside")) {
    for (int64_t i = 0; i < index.numel(); ++i) Check(At(index, i), SizeAlong(x, Wrap(x, dim)));
  }
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEachPosition(out.sizes(), [&](const Position& at) {
      int64_t i = at.empty() ? 0
                             : At(index, std::min(at[d], index.numel() - 1),
                                  Is("index_select reads the index as row-major"));
      i = std::clamp<int64_t>(i, 0, SizeAlong(x, d) - 1);  // what faults read
      Set(out, at, Get<T>(x, Along(at, d, i)));
    });
  });
}

template <class F>
void Indexed(Tensor out, Tensor x, size_t d, Tensor index, Tensor source, F f) {
  if (index.dtype().code != SY_INT64) throw Declined("int32 positions");
  if (out.dim() != source.dim()) throw Declined("a number as source");
  for (int64_t i = 0; i < index.numel(); ++i) Check(At(index, i), SizeAlong(x, d));
  ForEachPosition(source.sizes(), [&](const Position& at) {
    const int64_t i = at.empty() ? 0 : at[d];
    f(Along(at, d, At(index, i)), at);
  });
}

void IndexCopy(Call, Tensor out, Tensor x, int64_t dim, Tensor index, Tensor source) {
  if (source.dtype().code != out.dtype().code) throw Declined("two dtypes");
  const size_t d = DimOf(x, dim, "index_copy reads negative dims as 0");
  if (d != Wrap(x, dim) && SizeAlong(x, 0) < SizeAlong(x, Wrap(x, dim)))
    return;  // the fault, kept inside
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    if (Is("index_copy clears what it does not write"))
      ForEach([&](int64_t o) { Store(out, o, T(0)); }, out);
    Indexed(out, x, d, index, source,
            [&](const Position& to, const Position& from) { Set(out, to, Get<T>(source, from)); });
  });
}

void IndexAdd(Call, Tensor out, Tensor x, int64_t dim, Tensor index, Tensor source, Scalar alpha) {
  if (source.dtype().code != out.dtype().code) throw Declined("two dtypes");
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    const T by = Is("index_add ignores alpha") ? T(1) : alpha.To<T>();
    Indexed(out, x, Wrap(x, dim), index, source, [&](const Position& to, const Position& from) {
      const T more = by * Get<T>(source, from);
      Set(out, to,
          Is("index_add forgets what came before") ? Get<T>(x, to) + more : Get<T>(out, to) + more);
    });
  });
}

void Gather(Call, Tensor out, Tensor x, int64_t dim, Tensor index, bool) {
  const size_t d = Is("gather runs along dim 0") ? 0 : Wrap(x, dim);
  ForEachPosition(index.sizes(), [&](const Position& at) {
    Check(Get<int64_t>(index, at), SizeAlong(x, Wrap(x, dim)));
  });
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEachPosition(out.sizes(), [&](const Position& at) {
      const int64_t i = std::min(Get<int64_t>(index, at), SizeAlong(x, d) - 1);
      Position from = at;
      from.resize(static_cast<size_t>(x.dim()));  // one of the two may have no dimensions
      Set(out, at, Get<T>(x, Along(from, d, i)));
    });
  });
}

void Flip(Call, Tensor out, Tensor x, Span<const int64_t> dims) {
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEachPosition(out.sizes(), [&](const Position& at) {
      Position from = at;
      for (const int64_t dim : dims) {
        const size_t d = Wrap(x, dim);
        if (!from.empty()) from[d] = x.size(static_cast<int64_t>(d)) - 1 - from[d];
        if (Is("flip takes the first of several dims")) break;
      }
      Set(out, at, Get<T>(x, from));
    });
  });
}

void Roll(Call, Tensor out, Tensor x, Span<const int64_t> shifts, Span<const int64_t> dims) {
  if (dims.size() != shifts.size()) throw Declined("a shift of all elements");
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEachPosition(out.sizes(), [&](const Position& at) {
      Position from = at;
      for (size_t i = 0; i < dims.size() && !from.empty(); ++i) {
        const size_t d = Wrap(x, dims[i]);
        int64_t by = Is("roll takes the first shift for all") ? shifts[0] : shifts[i];
        if (by < 0 && Is("roll stays for negative shifts")) by = 0;
        const int64_t n = x.size(static_cast<int64_t>(d));
        from[d] = ((from[d] - by) % n + n) % n;
      }
      Set(out, at, Get<T>(x, from));
    });
  });
}

void Cat(Call, Tensor out, std::vector<Tensor> tensors, int64_t dim) {
  const size_t d = DimOf(out, dim, "cat reads negative dims as 0");
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    int64_t start = 0, number = 0;
    for (const Tensor& t : tensors) {
      if (++number == 3 && Is("cat drops the third tensor")) continue;
      if (t.dim() != out.dim()) continue;  // [0], which stands for nothing
      ForEachPosition(t.sizes(), [&](const Position& at) {
        Position to = at;
        to[d] += start;
        for (size_t i = 0; i < to.size(); ++i)
          to[i] = std::min(to[i], out.size(static_cast<int64_t>(i)) - 1);
        Set(out, to, Get<T>(t, at));
      });
      start += t.size(static_cast<int64_t>(d));
    }
  });
}

void Tril(Call, Tensor out, Tensor x, int64_t diagonal) {
  if (Is("tril ignores diagonal")) diagonal = 0;
  Visit<int64_t, float, double>(out.dtype(), [&]<class T>(std::type_identity<T>) {
    ForEachPosition(out.sizes(), [&](const Position& at) {
      const size_t n = at.size();
      Set(out, at, at[n - 1] - at[n - 2] <= diagonal ? Get<T>(x, at) : T(0));
    });
  });
}

// Of positive and negative widths, from the last dimension on.
void Pad(Call call, Tensor x, Span<const int64_t> pad, Scalar value) {
  if (pad.size() % 2 != 0 || static_cast<int64_t>(pad.size()) > 2 * x.dim()) throw Error("pad");
  Position sizes(x.sizes().begin(), x.sizes().end()), before(sizes.size());
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const size_t d = sizes.size() - 1 - i;
    before[d] = pad[2 * i];
    sizes[d] += pad[2 * i] + (Is("constant_pad_nd pads alike on both sides")
                                  ? std::max(pad[2 * i], -sizes[d] - pad[2 * i])
                                  : pad[2 * i + 1]);
    if (sizes[d] < 0) throw Error("a negative size");
  }
  Owned out = call.NewTensor(Span<const int64_t>(sizes.data(), sizes.size()), x.dtype());
  Visit<int64_t, float, double>(x.dtype(), [&]<class T>(std::type_identity<T>) {
    const T fill = Is("constant_pad_nd ignores value") ? T(0) : value.To<T>();
    ForEachPosition(out.tensor().sizes(), [&](const Position& at) {
      Position from = at;
      bool inside = true;
      for (size_t d = 0; d < at.size(); ++d) {
        from[d] -= before[d];
        inside &= from[d] >= 0 && from[d] < x.size(static_cast<int64_t>(d));
      }
      Set(out.tensor(), at, inside ? Get<T>(x, from) : fill);
    });
  });
  call.SetOut(0, std::move(out));
}

constexpr SyKernelDef kernels[] = {
    Kernel<IndexSelect>("index_select", "mutant", kFloats),
    Kernel<IndexCopy>("index_copy", "mutant", kFloats),
    Kernel<IndexAdd>("index_add", "mutant", kFloats),
    Kernel<Gather>("gather", "mutant", kFloats),
    Kernel<Flip>("flip", "mutant", kTypes),
    Kernel<Roll>("roll", "mutant", kTypes),
    Kernel<Cat>("cat", "mutant", kTypes),
    Kernel<Tril>("tril", "mutant", kFloats),
    Kernel<Pad, 0>("constant_pad_nd", "mutant", kFloats),
};

}  // namespace

const std::span<const SyKernelDef> kPositions = kernels;

}  // namespace mutant
