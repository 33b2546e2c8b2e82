#include "switchyard/core/literal.h"

#include <algorithm>
#include <cstring>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/transfer.h"

namespace sy {
namespace {

// Sizes of the list at `depth` and below must be the same everywhere.
void Measure(const TensorLiteral& l, size_t depth, std::vector<int64_t>& sizes, bool first) {
  if (l.is_list() && depth == kMaxRank) {
    Fail(ErrorCode::kInvalidArgument,
         {"tensor(): lists nest to at most ", kMaxRank, " levels, a tensor's dimensions"});
  }
  if (!l.is_list()) {
    if (depth != sizes.size()) {
      Fail(ErrorCode::kInvalidArgument,
           {"tensor(): a number stands beside a list at depth ", depth});
    }
    return;
  }
  const int64_t n = static_cast<int64_t>(l.list().size());
  if (first) sizes.push_back(n);
  if (depth >= sizes.size()) {
    Fail(ErrorCode::kInvalidArgument, {"tensor(): a list stands beside a number at depth ", depth});
  }
  if (sizes[depth] != n) {
    Fail(ErrorCode::kInvalidArgument,
         {"tensor(): lists at depth ", depth, " differ in length: ", sizes[depth], " and ", n});
  }
  bool first_child = first;
  for (const TensorLiteral& child : l.list()) {
    Measure(child, depth + 1, sizes, first_child);
    first_child = false;
  }
}

void Collect(const TensorLiteral& l, std::vector<Scalar>& numbers) {
  if (!l.is_list()) return numbers.push_back(l.number());
  for (const TensorLiteral& child : l.list()) Collect(child, numbers);
}

DType DTypeOfAll(const std::vector<Scalar>& numbers) {
  if (numbers.empty()) return DefaultDType();
  int highest = 0;  // bool, integer, floating, complex
  for (const Scalar& s : numbers) {
    highest = std::max(highest, s.is_complex()              ? 3
                                : s.is_floating()           ? 2
                                : s.kind() != Scalar::kBool ? 1
                                                            : 0);
  }
  const DType kinds[] = {DType::kBool, DType::kInt64, DefaultDType(), ComplexType(DefaultDType())};
  return kinds[highest];
}

}  // namespace

Tensor tensor(const TensorLiteral& literal, Optional<DType> dtype) {
  return internal::MakeTensor(literal, Options{.dtype = dtype});
}

namespace {

// What is made of numbers lies on the host at first.
Tensor Moved(Tensor host, const Options& o) {
  if (o.layout.value_or(Layout::kStrided) != Layout::kStrided)
    Fail(ErrorCode::kInvalidArgument, {"tensor(): expected the layout strided"});
  const Device device = o.device.value_or(DefaultDevice());
  if (o.pin_memory.value_or(false)) return PinnedCopy(host, PinningDevice());
  return device.type == kHost ? host : FromHost(host, device);
}

}  // namespace

namespace {

void Fill(const Tensor& host, const std::vector<Scalar>& numbers) {
  VisitDType<kAllTypes>(host.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* out = host.data<T>();
    for (const Scalar& s : numbers) *out++ = s.CheckedTo<T>();
  });
}

std::vector<Scalar> Numbers(const void* elements, size_t n, DType dtype) {
  return VisitDType<kAllTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Widened = std::conditional_t<std::is_same_v<T, ComplexHalf>, std::complex<float>, T>;
    std::vector<Scalar> numbers;
    for (size_t i = 0; i < n; ++i)
      numbers.emplace_back(Widened(static_cast<const T*>(elements)[i]));
    return numbers;
  });
}

}  // namespace

Tensor internal::MakeTensor(const TensorLiteral& literal, const Options& options) {
  std::vector<int64_t> sizes;
  Measure(literal, 0, sizes, true);
  std::vector<Scalar> numbers;
  Collect(literal, numbers);
  Tensor t = Tensor::Empty(IntSpan(sizes), options.dtype.value_or(DTypeOfAll(numbers)));
  Fill(t, numbers);
  return Moved(std::move(t), options);
}

Tensor internal::MakeTensor(const void* elements, size_t n, DType dtype, const Options& options) {
  Tensor t = Tensor::Empty({static_cast<int64_t>(n)}, options.dtype.value_or(dtype));
  if (t.dtype() == dtype) {
    if (n != 0) std::memcpy(t.data(), elements, t.nbytes());
  } else {
    Fill(t, Numbers(elements, n, dtype));
  }
  return Moved(std::move(t), options);
}

}  // namespace sy
