// Source of what is combined how: ATen/native/cpu/ScatterGatherKernel.cpp, IndexKernel.cpp and
// index_reduce in TensorAdvancedIndexing.cpp. Counts of mean are exact here, where ATen's are of
// the dtype that is averaged.
#include "backends/cpu/kernels/index/combine_elements.h"

#include <vector>

#include "backends/cpu/kernels/index/element_loops.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cpu {
namespace {

// --- Steps: what is in a place, what comes to it, alpha.

struct CopyStep {
  template <class T>
  static T Run(T, T b, T) {
    return b;
  }
};
struct AddStep {
  template <class T>
  static T Run(T a, T b, T) {
    if constexpr (std::is_same_v<T, bool>) {
      return a || b;
    } else if constexpr (kIsHalf<T>) {
      return T(static_cast<float>(a) + static_cast<float>(b));
    } else {
      return static_cast<T>(a + b);
    }
  }
};
struct AddScaledStep {
  template <class T>
  static T Run(T a, T b, T alpha) {
    if constexpr (std::is_same_v<T, bool>) {
      return a || (b && alpha);
    } else if constexpr (kIsHalf<T>) {
      return T(static_cast<float>(a) + static_cast<float>(alpha) * static_cast<float>(b));
    } else if constexpr (std::is_integral_v<T>) {  // below int, promotion would give a sign
      return static_cast<T>(a + uint64_t{alpha} * b);
    } else {
      return a + alpha * b;
    }
  }
};
struct MultiplyStep {
  template <class T>
  static T Run(T a, T b, T) {
    if constexpr (std::is_same_v<T, bool>) {
      return a && b;
    } else if constexpr (kIsHalf<T>) {
      return T(static_cast<float>(a) * static_cast<float>(b));
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(uint64_t{a} * b);
    } else {
      return a * b;
    }
  }
};
// NaN wins.
template <bool kLess>
struct ExtremeStep {
  template <class T>
  static T Run(T a, T b, T) {
    if constexpr (kIsHalf<T>) {
      const float x = static_cast<float>(a), y = static_cast<float>(b);
      return (kLess ? y < x : x < y) || y != y ? b : a;
    } else if constexpr (std::is_integral_v<T>) {
      return (kLess ? b < a : a < b) ? b : a;
    } else {
      return (kLess ? b < a : a < b) || b != b ? b : a;
    }
  }
};

// --- Runs of elements

using RunFn = void (*)(void* out, const void* source, const int64_t* index, const void* alpha,
                       Run run);  // by value: elements may be integers of its size

constexpr int64_t kFetchedLine = 1 << 14;  // bytes that stay in the first-level cache

// S: of the source, where it is not of the dtype T that is combined.
template <class T, class Step, class S = T>
void CombineRun(void* out, const void* source, const int64_t* index, const void* alpha, Run r) {
  T* to = static_cast<T*>(out) + r.moved;
  const S* from = static_cast<const S*>(source) + r.beside;
  const int64_t* at = index + r.index;
  const T factor = *static_cast<const T*>(alpha);
  if (r.index_stride == 0 && r.moved_stride == 1 && r.beside_stride == 1) {  // a row
    to += at[0] * r.dim_stride;
    if constexpr (std::is_same_v<Step, CopyStep>) {
      std::memcpy(to, from, static_cast<size_t>(r.size) * sizeof(T));
    } else {
      for (int64_t j = 0; j < r.size; ++j)
        to[j] = Step::Run(to[j], static_cast<T>(from[j]), factor);
    }
  } else if (r.index_stride == 0 && r.moved_stride == 1 && r.beside_stride == 0) {  // one number
    to += at[0] * r.dim_stride;
    const T number = static_cast<T>(from[0]);
    for (int64_t j = 0; j < r.size; ++j) to[j] = Step::Run(to[j], number, factor);
  } else if (r.moved_stride == 0 && r.dim_stride == 1 && r.index_stride == 1 &&
             r.beside_stride == 1) {
    // Places of one line in whatever order: what the cache has to fetch, it fetches in order.
    const int64_t bytes = r.size * static_cast<int64_t>(sizeof(T));
    for (int64_t b = 0; b < bytes && bytes <= kFetchedLine; b += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(to) + b, 1);
    for (int64_t j = 0; j < r.size; ++j) {
      T& place = to[at[j]];
      place = Step::Run(place, static_cast<T>(from[j]), factor);
    }
  } else {
    for (int64_t j = 0; j < r.size; ++j) {
      T& place = to[j * r.moved_stride + at[j * r.index_stride] * r.dim_stride];
      place = Step::Run(place, static_cast<T>(from[j * r.beside_stride]), factor);
    }
  }
}

// Integers are combined without a sign, which wraps; sums and products need no more of them than
// their size.
template <class Step>
RunFn ArithmeticRun(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return CombineRun<bool, Step>;
    case DType::kFloat16:
      return CombineRun<Half, Step>;
    case DType::kBFloat16:
      return CombineRun<BFloat16, Step>;
    case DType::kFloat32:
      return CombineRun<float, Step>;
    case DType::kFloat64:
      return CombineRun<double, Step>;
    case DType::kComplex64:
      return CombineRun<std::complex<float>, Step>;
    case DType::kComplex128:
      return CombineRun<std::complex<double>, Step>;
    default:
      break;
  }
  switch (ItemSize(dtype)) {
    case 1:
      return CombineRun<uint8_t, Step>;
    case 2:
      return CombineRun<uint16_t, Step>;
    case 4:
      return CombineRun<uint32_t, Step>;
    default:
      return CombineRun<uint64_t, Step>;
  }
}

template <class Step>
RunFn ExtremeRun(DType dtype) {
  return VisitDType<kRealOrBoolTypes>(
      dtype, [](auto tag) -> RunFn { return CombineRun<typename decltype(tag)::type, Step>; });
}

RunFn RunOf(Combine how, DType dtype, bool scaled) {
  switch (how) {
    case Combine::kCopy: {
      RunFn run = nullptr;
      VisitItem(ItemSize(dtype), [&](auto item) { run = CombineRun<decltype(item), CopyStep>; });
      return run;
    }
    case Combine::kAdd:
      return scaled ? ArithmeticRun<AddScaledStep>(dtype) : ArithmeticRun<AddStep>(dtype);
    case Combine::kMultiply:
      return ArithmeticRun<MultiplyStep>(dtype);
    case Combine::kMin:
      return ExtremeRun<ExtremeStep<true>>(dtype);
    default:
      return ExtremeRun<ExtremeStep<false>>(dtype);
  }
}

// 16-bit floats into float.
template <class Step>
RunFn WideRun(DType source) {
  return source == DType::kFloat16 ? CombineRun<float, Step, Half>
                                   : CombineRun<float, Step, BFloat16>;
}

// A number that lies wherever it is asked for.
Tensor Everywhere(const Scalar& number, DType dtype, IntSpan sizes) {
  const Tensor one = Tensor::Empty(IntSpan(), dtype);
  FillElements(one, number);
  const std::vector<int64_t> strides(sizes.size(), 0);
  return one.AsStrided(sizes, strides, 0);
}

Tensor Int64(const Tensor& index) {
  return index.dtype() == DType::kInt64 ? index : Dense(index, DType::kInt64);
}

// Whether 16-bit floats are combined in float, and rounded once.
bool SumsWide(Combine how, const Tensor& out, const Tensor& source, bool round_each) {
  return (how == Combine::kAdd || how == Combine::kMultiply) && !round_each &&
         Contains(kHalfTypes, out.dtype()) && Contains(kHalfTypes, source.dtype());
}

// out = sum / count, of each of its elements. Integers round down. Not inlined: its arrays of all
// dtypes would lie side by side on the stack.
template <class T>
SY_NOINLINE void DivideByCounts(const Tensor& out, const Tensor& counts) {
  Outer<2> all;
  for (int64_t d = out.dim() - 1; d >= 0; --d)
    all.Add(out.sizes()[d], {out.strides()[d], counts.strides()[d]});
  T* to = out.data<T>();
  const int64_t* count = counts.data<int64_t>();
  ParallelFor(all.count(), kElementGrain, [&](int64_t begin, int64_t end) {
    all.ForEach(begin, end, [&](const int64_t(&at)[2]) {
      T& place = to[at[0]];
      const int64_t n = count[at[1]];
      if (n <= 1) return;
      if constexpr (kIsHalf<T>) {
        place = T(static_cast<float>(place) / static_cast<float>(n));
      } else if constexpr (std::is_integral_v<T>) {
        const int64_t sum = static_cast<int64_t>(place);
        place = static_cast<T>(sum / n - (sum % n < 0));
      } else {
        place /= T(static_cast<double>(n));
      }
    });
  });
}

}  // namespace

void CombineElements(Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                     const Tensor& source, const CombineOptions& options) {
  if (index.numel() == 0) return;
  const DType dtype = out.dtype();
  if (SumsWide(how, out, source, options.round_each)) {
    const Tensor wide = Dense(out, DType::kFloat32);
    CombineElements(how, wide, dim, index, source, options);
    return CopyElements(out, wide);
  }
  const Tensor at = Int64(index);
  const bool scaled = how == Combine::kAdd && !options.alpha.is_one();
  const bool widens = source.dtype() != dtype;
  const RunFn run = !widens                ? RunOf(how, dtype, scaled)
                    : how == Combine::kAdd ? WideRun<AddStep>(source.dtype())
                                           : WideRun<MultiplyStep>(source.dtype());
  alignas(16) char alpha[16] = {};
  if (scaled) {
    VisitDType<kCombineTypes>(dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T value = options.alpha.To<T>();
      std::memcpy(alpha, &value, sizeof(T));
    });
  }
  void* to = out.data();
  const void* from = source.data();
  const int64_t* positions = at.data<int64_t>();
  // Whole rows are added by the loop of add, which uses all of the processor's instructions.
  const bool has_loop = how == Combine::kAdd && !scaled && !widens &&
                        Contains(kFormula<f::Add>.facts.dtypes, dtype) && dtype != DType::kBool;
  const Loop add_row =
      has_loop ? kLoops<f::Add>.tables[ActiveIsa()]->loops[static_cast<int>(dtype)] : nullptr;
  const int64_t item = static_cast<int64_t>(out.itemsize());
  ForEachRun(at, dim, out, source, /*keep_order=*/true, [&](const Run& r) {
    const bool row = r.index_stride == 0 && r.moved_stride == 1 && r.beside_stride == 1;
    if (add_row == nullptr || !row) return run(to, from, positions, alpha, r);
    char* place = static_cast<char*>(to) + (r.moved + positions[r.index] * r.dim_stride) * item;
    const char* beside = static_cast<const char*>(from) + r.beside * item;
    void* const p[] = {place, place, const_cast<char*>(beside)};
    add_row(p, static_cast<size_t>(r.size), false);
  });
}

void CombineNumber(Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                   const Scalar& number) {
  if (index.numel() == 0) return;
  CombineElements(how, out, dim, index, Everywhere(number, out.dtype(), index.sizes()));
}

void ReduceElements(std::string_view reduce, const Tensor& out, int64_t dim, const Tensor& index,
                    const Tensor& source, bool include_self, bool round_each) {
  if (index.numel() == 0) return;
  const DType dtype = out.dtype();
  const Combine how = CombineOf(reduce);
  // Everything that needs memory comes before the first thing that is written.
  const Tensor at = Int64(index);
  const Tensor to = SumsWide(how, out, source, round_each) ? Dense(out, DType::kFloat32) : out;
  const Tensor identity =
      include_self ? Tensor() : Everywhere(IdentityOf(how, dtype), to.dtype(), at.sizes());
  const bool mean = reduce == "mean";
  const Tensor counts = mean ? Tensor::Empty(out.sizes(), DType::kInt64) : Tensor();
  if (mean) {
    FillElements(counts, include_self ? 1 : 0);
    CombineNumber(Combine::kAdd, counts, dim, at, 1);
  }
  if (!include_self) CombineElements(Combine::kCopy, to, dim, at, identity);
  CombineElements(how, to, dim, at, source, {.round_each = round_each});
  if (!to.is_same(out)) CopyElements(out, to);
  if (!mean) return;
  VisitDType<kNumberTypes>(
      dtype, [&](auto tag) { DivideByCounts<typename decltype(tag)::type>(out, counts); });
}

}  // namespace sy::cpu
