// Every loop of every operator on every instruction set that the processor has, against the scalar
// row: the baseline's loop, one element at a time.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/engine/loop_kernel.h"
#include "switchyard/core/dtype.h"

namespace sy::cpu {
namespace {

constexpr size_t kMost = 300;  // elements: more than two vectors of bytes

// Where the last bits may depend on the instruction set: 4 units of each side. Formulas that
// subtract magnify that; there it holds of what they subtract, which is about 1 or the operand.
constexpr uint64_t kApproximateUnits = 8;

struct alignas(64) Buffer {
  char bytes[16 * (kMost + 1)];
};

// What is close to the edges of T, and random numbers.
template <class T>
T Sample(std::mt19937& random, bool not_zero) {
  if constexpr (requires { typename T::value_type; }) {
    const auto part = [&] { return Sample<typename T::value_type>(random, not_zero); };
    const auto re = part();
    return T(re, part());
  } else if constexpr (std::is_same_v<T, bool>) {
    return random() % 2 != 0;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr T kEdges[] = {0,
                            1,
                            2,
                            3,
                            static_cast<T>(-1),
                            std::numeric_limits<T>::max(),
                            std::numeric_limits<T>::min()};
    const T x = random() % 2 != 0 ? kEdges[random() % std::size(kEdges)]
                                  : static_cast<T>((uint64_t{random()} << 32) | random());
    return not_zero && x == 0 ? 1 : x;
  } else {
    constexpr float kEdges[] = {0.f,
                                -0.f,
                                1.f,
                                -1.f,
                                0.5f,
                                3.f,
                                1e-5f,
                                6e4f,
                                -1e30f,
                                1e-40f,
                                std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
    if (random() % 2 != 0) return static_cast<T>(kEdges[random() % std::size(kEdges)]);
    return static_cast<T>(std::normal_distribution<float>(0, 3)(random));
  }
}

void Fill(Buffer& b, DType d, uint32_t seed, bool not_zero) {
  std::mt19937 random(seed);
  VisitDType<kAllTypes>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, ComplexHalf>) {
      for (size_t i = 0; i < kMost; ++i) {
        const T x = Sample<T>(random, not_zero);
        std::memcpy(b.bytes + i * sizeof(T), &x, sizeof(T));
      }
    }
  });
}

// The distance of two floats in units of the last place; 0 for two NaN.
template <class T>
uint64_t Distance(T a, T b) {
  if (std::isnan(static_cast<double>(a)) && std::isnan(static_cast<double>(b))) return 0;
  using I = std::conditional_t<sizeof(T) == 8, int64_t,
                               std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;
  const auto ordered = [](T x) {
    const I i = std::bit_cast<I>(x);
    return i < 0 ? static_cast<int64_t>(std::numeric_limits<I>::min()) - i : int64_t{i};
  };
  const int64_t x = ordered(a), y = ordered(b);
  return x > y ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
               : static_cast<uint64_t>(y) - static_cast<uint64_t>(x);
}

template <class T>
uint64_t DistanceAt(const char* a, const char* b) {
  T x, y;
  std::memcpy(&x, a, sizeof(T));
  std::memcpy(&y, b, sizeof(T));
  if constexpr (requires { typename T::value_type; }) {
    return std::max(Distance(x.real(), y.real()), Distance(x.imag(), y.imag()));
  } else if constexpr (std::is_integral_v<T> || sizeof(T) == 1) {
    return std::memcmp(&x, &y, sizeof(T)) == 0 ? 0 : ~uint64_t{0};
  } else {
    return Distance(x, y);
  }
}

uint64_t LargestDistance(const char* a, const char* b, DType d, size_t n) {
  uint64_t most = 0;
  VisitDType<kAllTypes>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, ComplexHalf>) {
      for (size_t i = 0; i < n; ++i)
        most = std::max(most, DistanceAt<T>(a + i * sizeof(T), b + i * sizeof(T)));
    }
  });
  return most;
}

// The magnitude of an element, 0 if it is not finite.
double Magnitude(const char* p, DType d, size_t i) {
  return VisitDType<kAllTypes & ~Bit(DType::kComplex32)>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T x;
    std::memcpy(&x, p + i * sizeof(T), sizeof(T));
    double m = 0;
    if constexpr (requires { typename T::value_type; }) {
      m = static_cast<double>(std::abs(x));
    } else {
      m = std::abs(static_cast<double>(x));
    }
    return std::isfinite(m) ? m : 0;
  });
}

// Whether finite floats are as close as units of the last place of `scale` say.
bool AreClose(const char* a, const char* b, DType d, size_t i, double scale) {
  if (!IsFloating(d)) return false;
  return VisitDType<kFloatingTypes>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T x, y;
    std::memcpy(&x, a + i * sizeof(T), sizeof(T));
    std::memcpy(&y, b + i * sizeof(T), sizeof(T));
    const double unit = sizeof(T) == 8                ? 0x1p-52
                        : sizeof(T) == 4              ? 0x1p-23
                        : std::is_same_v<T, BFloat16> ? 0x1p-7
                                                      : 0x1p-10;
    return std::abs(static_cast<double>(x) - static_cast<double>(y)) <=
           static_cast<double>(kApproximateUnits) * unit * scale;
  });
}

class LoopsTest : public testing::Test {
 protected:
  void Prepare(const LoopSet& set, DType d) {
    const FormulaFacts& facts = set.formula->facts;
    const bool select = facts.signature == Signature::kSelect;
    const std::string_view type = set.formula->type();
    const bool divides = type == "sy::f::DivTrunc" || type == "sy::f::DivFloor";
    leaves_overflow_open_ = type == "sy::f::Fmod" || type == "sy::f::Remainder";
    in_[0] = select ? DType::kBool : d;
    in_[1] = in_[2] = d;
    out_ = select ? d : set.output[static_cast<int>(d)];
    for (int k = 0; k < 3; ++k) Fill(input_[k], in_[k], 7 + k, divides);
    Fill(params_, ParamType(d), 11, divides);
    inputs_ = facts.inputs;
    param_item_ = ItemSize(ParamType(d));
    Run(set.tables[kBaseline]->loops[static_cast<int>(d)], expected_, true, kMost, false);
  }
  void Run(Loop loop, Buffer& out, bool one_by_one, size_t n, bool stream) {
    for (size_t i = 0; i < (one_by_one ? n : 1); ++i) {
      char* in[3];
      for (int k = 0; k < 3; ++k) in[k] = input_[k].bytes + i * ItemSize(in_[k]);
      Call(loop, out.bytes + i * ItemSize(out_), in, one_by_one ? 1 : n, stream);
    }
  }
  // The first n elements are as expected.
  bool Agree(const Buffer& out, size_t n, bool approximate) const {
    for (size_t i = 0; i < n; ++i) {
      const char *a = out.bytes + i * ItemSize(out_), *b = expected_.bytes + i * ItemSize(out_);
      if (LargestDistance(a, b, out_, 1) <= (approximate ? kApproximateUnits : 0)) continue;
      if (leaves_overflow_open_ && QuotientOverflows(i)) continue;
      double scale = 1;
      for (int k = 0; k < inputs_; ++k)
        scale = std::max(scale, Magnitude(input_[k].bytes, in_[k], i));
      if (!approximate || !AreClose(out.bytes, expected_.bytes, out_, i, scale)) return false;
    }
    return true;
  }
  bool QuotientOverflows(size_t i) const {
    const double most = in_[0] == DType::kFloat64 ? std::numeric_limits<double>::max()
                                                  : std::numeric_limits<float>::max();
    const double a = Magnitude(input_[0].bytes, in_[0], i);
    const double b = Magnitude(input_[1].bytes, in_[1], i);
    return b > 0 && a / b >= most;
  }
  void Call(Loop loop, char* out, char* const* in, size_t n, bool stream) {
    void* p[1 + 3 + kMaxParams] = {out};
    for (int k = 0; k < inputs_; ++k) p[1 + k] = in[k];
    for (size_t k = 0; k < kMaxParams; ++k)
      p[1 + inputs_ + k] = params_.bytes + (k + kFirstParam) * param_item_;
    loop(p, n, stream);
  }

  static constexpr size_t kFirstParam = 2;  // any
  DType in_[3], out_;
  bool leaves_overflow_open_;  // NaN by lanes, a remainder by single elements: see f::Fmod
  int inputs_;
  size_t param_item_;
  Buffer input_[3], params_, expected_;
};

template <class F>
void ForEachLoop(F f) {
  for (const LoopKernel* k = LoopKernel::First(); k != nullptr; k = k->next()) {
    const LoopSet& set = k->loops();
    if (kNumIsas > 1 && set.tables[0] == set.tables[kNumIsas - 1])
      continue;  // scalars, on all of them
    for (int d = 0; d < kNumDTypes; ++d) {
      const DType dtype = static_cast<DType>(d);
      if (!Contains(set.direct, dtype) || dtype == DType::kComplex32) continue;
      for (int isa = 0; isa <= BestIsa(); ++isa) f(set, dtype, static_cast<Isa>(isa));
    }
  }
}

std::string Where(const LoopSet& l, DType d, Isa isa) {
  return std::string(l.formula->type()) + " " + std::string(Name(d)) + " " + Name(isa);
}

TEST_F(LoopsTest, EveryInstructionSetGivesWhatScalarsGive) {
  int loops = 0;
  ForEachLoop([&](const LoopSet& l, DType d, Isa isa) {
    SCOPED_TRACE(Where(l, d, isa));
    Prepare(l, d);
    ++loops;
    const Loop loop = l.tables[isa]->loops[static_cast<int>(d)];
    for (const size_t n : {1, 3, 17, 63, 64, 65, 200, 300}) {
      Buffer out{};
      Run(loop, out, false, n, false);
      EXPECT_TRUE(Agree(out, n, l.approximate)) << n;
      EXPECT_EQ(out.bytes[n * ItemSize(out_)], 0) << "past the end, n = " << n;
    }
  });
  EXPECT_GT(loops, 100);
}

TEST_F(LoopsTest, StreamedResultsAreTheSame) {
  ForEachLoop([&](const LoopSet& l, DType d, Isa isa) {
    SCOPED_TRACE(Where(l, d, isa));
    Prepare(l, d);
    const Loop loop = l.tables[isa]->loops[static_cast<int>(d)];
    Buffer out{}, streamed{};
    Run(loop, out, false, 299, false);
    Run(loop, streamed, false, 299, true);
    EXPECT_EQ(LargestDistance(out.bytes, streamed.bytes, out_, 299), 0u);  // but for NaN's sign
    EXPECT_EQ(streamed.bytes[299 * ItemSize(out_)], 0) << "past the end";
  });
}

TEST_F(LoopsTest, AResultMayReplaceTheInputItIsMadeOf) {
  ForEachLoop([&](const LoopSet& l, DType d, Isa isa) {
    SCOPED_TRACE(Where(l, d, isa));
    Prepare(l, d);
    if (out_ != in_[2]) return;
    const Loop loop = l.tables[isa]->loops[static_cast<int>(d)];
    for (const size_t n : {5, 70, 299}) {
      Buffer out{};
      Run(loop, out, false, n, false);
      for (int k = 0; k < 3; ++k) {
        if (in_[k] != d) continue;
        Buffer both = input_[k];
        char* in[] = {input_[0].bytes, input_[1].bytes, input_[2].bytes};
        in[k] = both.bytes;
        Call(loop, both.bytes, in, n, false);
        EXPECT_EQ(std::memcmp(&out, &both, n * ItemSize(d)), 0) << "input " << k << ", n = " << n;
      }
    }
  });
}

}  // namespace
}  // namespace sy::cpu
