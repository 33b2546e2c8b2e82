#include "testing/replay/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/format/format.h"
#include "switchyard/core/transfer.h"
#include "testing/replay/elements.h"
#include "testing/replay/numbers.h"

namespace sy::replay {
namespace {

bool IsNaN(std::complex<double> c) { return std::isnan(c.real()) || std::isnan(c.imag()); }

template <class T>
bool ElementsAgree(const T& got, const T& expected, Tolerance t) {
  if constexpr (std::is_integral_v<T>) {
    return got == expected;
  } else {
    return Close(Widen(got), Widen(expected), t);
  }
}

// "[1, 2]": where the n-th element of these sizes is.
std::string Position(IntSpan sizes, int64_t n) {
  std::vector<int64_t> at(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    at[i] = n % sizes[i];
    n /= sizes[i];
  }
  return fmt::format("{}", IntSpan(at));
}

template <class T>
std::string CompareElements(const Tensor& got, const RecordedTensor& expected, Tolerance least) {
  const Tolerance own = ToleranceOf(expected.dtype);
  const Tolerance t = {std::max(own.rtol, least.rtol), std::max(own.atol, least.atol),
                       least.nan_is_any};
  const T* p = static_cast<const T*>(got.data());
  const char* q = expected.bytes.data();
  int64_t n = 0, wrong = 0, first = 0;
  T first_got{}, first_expected{};
  ForEachOffset(got.sizes(), got.strides(), [&](int64_t offset) {
    T want;
    std::memcpy(&want, q, sizeof(T));
    q += sizeof(T);
    if (!ElementsAgree(p[offset], want, t) && wrong++ == 0) {
      first = n;
      first_got = p[offset];
      first_expected = want;
    }
    ++n;
  });
  if (wrong == 0) return "";
  return fmt::format("expected {} at {}, got {} ({} of {} elements differ)",
                     Scalar(Widen(first_expected)), Position(expected.sizes, first),
                     Scalar(Widen(first_got)), wrong, n);
}

}  // namespace

Tolerance ToleranceOf(DType d) {
  switch (RealType(d)) {
    case DType::kFloat16:
      return {1e-3, 1e-5};
    case DType::kBFloat16:
      return {1.6e-2, 1e-5};
    case DType::kFloat32:
      return {1.3e-6, 1e-5};
    case DType::kFloat64:
      return {1e-7, 1e-7};
    default:
      return {0, 0};
  }
}

bool Close(double got, double expected, Tolerance t) {
  if (got == expected || (std::isnan(expected) && (std::isnan(got) || t.nan_is_any))) return true;
  const double distance = std::abs(got - expected);
  return std::isfinite(distance) && distance <= t.atol + t.rtol * std::abs(expected);
}

bool Close(std::complex<double> got, std::complex<double> expected, Tolerance t) {
  if (got == expected || (IsNaN(got) && IsNaN(expected))) return true;
  // Where a part is infinite there is no distance: each part for itself.
  if (Close(got.real(), expected.real(), t) && Close(got.imag(), expected.imag(), t)) return true;
  const double distance = std::abs(got - expected);
  return std::isfinite(distance) && distance <= t.atol + t.rtol * std::abs(expected);
}

std::string CompareMetadata(const TensorBase& got, const RecordedTensor& expected) {
  if (!got.defined())
    return fmt::format("expected {}, got an undefined tensor", Describe(expected));
  if (got.dtype() != expected.dtype)
    return fmt::format("expected dtype {}, got {}", expected.dtype, got.dtype());
  if (!SameSizes(got.sizes(), expected.sizes))
    return fmt::format("expected sizes {}, got {}", IntSpan(expected.sizes), got.sizes());
  if (got.numel() == 0) return "";
  for (size_t i = 0; i < expected.sizes.size(); ++i) {
    if (expected.sizes[i] != 1 && got.strides()[i] != expected.strides[i]) {
      return fmt::format("expected strides {} for sizes {}, got {}", IntSpan(expected.strides),
                         got.sizes(), got.strides());
    }
  }
  return "";
}

std::string CompareContents(const Tensor& got, const RecordedTensor& expected, Tolerance least) {
  const Tensor host = ToHost(got);
  if (host.numel() == 0) return "";
  if (host.is_contiguous() &&
      std::memcmp(host.data(), expected.bytes.data(), expected.bytes.size()) == 0) {
    return "";
  }
  return VisitDType<kAllTypes>(expected.dtype, [&](auto tag) {
    return CompareElements<typename decltype(tag)::type>(host, expected, least);
  });
}

std::string CompareTensor(const Tensor& got, const RecordedTensor& expected, Tolerance least) {
  std::string why = CompareMetadata(got, expected);
  return why.empty() ? CompareContents(got, expected, least) : why;
}

std::string CompareNumber(const Value& got, const Json& expected) {
  bool agree = false;
  if (expected.is_string()) {
    agree = got.tag == Tag::kString && got.text() == expected.get_ref<const std::string&>();
  } else if (got.tag == Tag::kDType && expected.is_number_integer()) {
    agree = DTypeFromATen(expected.get<int64_t>()) == static_cast<DType>(got.i);
  } else if (const std::optional<Scalar> want = AsScalar(expected)) {
    constexpr TagMask kNumbers =
        Bit(Tag::kBool) | Bit(Tag::kInt) | Bit(Tag::kUInt) | Bit(Tag::kDouble) | Bit(Tag::kComplex);
    if ((kNumbers & Bit(got.tag)) != 0 && got.scalar().kind() == want->kind()) {
      agree = want->is_complex() || want->is_floating()
                  ? Close(got.scalar().To<std::complex<double>>(), want->To<std::complex<double>>(),
                          ToleranceOf(DType::kFloat32))
                  : got.scalar() == *want;
    }
  } else {
    agree = expected.is_null() && got.is_none();
  }
  return agree ? "" : fmt::format("expected {}, got {}", expected.dump(), got.str());
}

}  // namespace sy::replay
