// For tests of kernels: the same call on the host and on cuda, compared.
//
//   TEST(AddTest, AddsInt64) { ExpectAsOnHost("add", a, b); }
//
// Where there is no driver the emulator stands for it (emulator/emulator.h).
#ifndef SWITCHYARD_BACKENDS_CUDA_TESTING_H_
#define SWITCHYARD_BACKENDS_CUDA_TESTING_H_

#include <gtest/gtest.h>

#include <cmath>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/emulator/emulator.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"

namespace sy::cuda {

inline const bool has_device = UseDeviceOrEmulator();

inline Device Cuda() { return ParseDevice("cuda:0"); }

template <class A>
const A& ToCuda(const A& a) {
  return a;
}
inline Tensor ToCuda(const Tensor& t) { return FromHost(t, Cuda()); }
inline std::vector<Tensor> ToCuda(const std::vector<Tensor>& list) {
  std::vector<Tensor> there;
  for (const Tensor& t : list) there.push_back(ToCuda(t));
  return there;
}

// Different numbers between -2 and 2, on the host.
inline Tensor Spread(std::vector<int64_t> sizes, DType dtype, int seed = 0) {
  const Tensor t = Tensor::Empty(sizes, DType::kFloat64);
  for (int64_t i = 0; i < t.numel(); ++i)
    t.data<double>()[i] = static_cast<double>((i * 37 + seed * 11) % 101 - 50) / 25;
  return call("to.dtype", t, dtype).take();
}

// Elements on the host, as complex numbers, in row-major order.
inline std::vector<std::complex<double>> Elements(const Tensor& t) {
  const Tensor wide = call("to.dtype", ToHost(t), DType::kComplex128).take();
  const Tensor dense = call("contiguous", wide).take();
  const auto* p = dense.data<std::complex<double>>();
  return {p, p + dense.numel()};
}

// tolerance: relative, of numbers below `least` as of that; 0: equal.
inline void ExpectClose(const Tensor& got, const Tensor& expected, double tolerance,
                        double least = 0.1) {
  ASSERT_EQ(got.dtype(), expected.dtype());
  ASSERT_TRUE(std::ranges::equal(got.sizes(), expected.sizes())) << Describe(got);
  const auto a = Elements(got), b = Elements(expected);
  const auto near = [&](double x, double y) {
    if (x == y || (std::isnan(x) && std::isnan(y))) return true;
    return std::abs(x - y) <= tolerance * std::max(least, std::max(std::abs(x), std::abs(y)));
  };
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(near(a[i].real(), b[i].real()) && near(a[i].imag(), b[i].imag()))
        << "element " << i << " is " << a[i] << ", on the host " << b[i];
  }
}

// One result.
template <class... A>
void ExpectAsOnHostWithin(double tolerance, std::string_view op, const A&... args) {
  const Tensor expected = call(op, args...).take();
  const Tensor got = call(op, ToCuda(args)...).take();
  EXPECT_EQ(got.device(), Cuda());
  ExpectClose(got, expected, tolerance);
}
template <class... A>
void ExpectAsOnHost(std::string_view op, const A&... args) {
  ExpectAsOnHostWithin(0, op, args...);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_TESTING_H_
