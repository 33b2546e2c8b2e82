// Random numbers: element i takes the words of the generator's stream that the host's kernels give
// it, whatever the launch looks like (core/philox_generator.h).
//
// Source: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (Philox
// 4x32-10); what becomes of the words: ATen/core/TransformationHelper.h, and normal_kernel of
// ATen/native/cpu/DistributionTemplates.h.
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_RANDOM_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_RANDOM_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

struct Words {
  unsigned w[4];
};
// The words of N counters, side by side: rounds share their keys, and none waits for another.
template <int N>
SY_FN void PhiloxEach(UInt64 seed, const UInt64 (&counters)[N], Words (&all)[N]) {
  unsigned k0 = static_cast<unsigned>(seed), k1 = static_cast<unsigned>(seed >> 32);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    all[i] = {{static_cast<unsigned>(counters[i]), static_cast<unsigned>(counters[i] >> 32), 0, 0}};
  }
#pragma unroll
  for (int round = 0; round < 10; ++round) {
#pragma unroll
    for (int i = 0; i < N; ++i) {
      unsigned(&c)[4] = all[i].w;
      const unsigned high0 = __umulhi(0xD2511F53u, c[0]), low0 = 0xD2511F53u * c[0];
      const unsigned high1 = __umulhi(0xCD9E8D57u, c[2]), low1 = 0xCD9E8D57u * c[2];
      c[0] = high1 ^ c[1] ^ k0;
      c[2] = high0 ^ c[3] ^ k1;
      c[1] = low1;
      c[3] = low0;
    }
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}
SY_FN Words Philox(UInt64 seed, UInt64 counter) {
  Words words[1];
  PhiloxEach<1>(seed, {counter}, words);
  return words[0];
}
// In a captured graph seed and counters are what StartReplay has left.
SY_FN RandomArgs Started(const RandomArgs& given) {
  RandomArgs args = given;
  if (args.state != nullptr) {
    args.seed = args.state[0];
    args.offset += args.state[1];
    args.tail += args.state[1];
  }
  return args;
}
SY_FN void StartReplay(const StartArgs& args) {
  if (ThreadIndex() != 0) return;
  args.state[0] = args.seed;
  args.state[1] = args.offset;
}

template <class T, int N>
SY_FN bool LiesAsPack(const T* p) {
  return reinterpret_cast<UInt64>(p) % sizeof(Pack<T, N>) == 0;
}
// Writes those of N numbers whose places, from `at` on, lie before `end`.
template <class T, int N>
SY_FN void Put(void* out, long long at, long long end, const Pack<T, N>& x) {
  T* to = static_cast<T*>(out) + at;
  if (at + N <= end && LiesAsPack<T, N>(to)) {
    *reinterpret_cast<Pack<T, N>*>(to) = x;
    return;
  }
  for (int j = 0; j < N && at + j < end; ++j) to[j] = x.v[j];
}

// Numbers in [0, 1): 53 bits of two words; 24 of one; 11 or 8 for 16-bit floats.
SY_FN double UniformDouble(const unsigned* w) {
  const UInt64 bits = static_cast<UInt64>(w[0]) << 32 | w[1];
  return static_cast<double>(static_cast<Int64>(bits & ((1ull << 53) - 1))) * 0x1p-53;
}
template <class T>
SY_FN auto UniformOf(const unsigned* w) {
  if constexpr (kSameType<T, double>) {
    return UniformDouble(w);
  } else {
    constexpr unsigned kSteps = kSameType<T, Float16>    ? 1u << 11
                                : kSameType<T, BFloat16> ? 1u << 8
                                                         : 1u << 24;
    return static_cast<float>(w[0] & (kSteps - 1)) / static_cast<float>(kSteps);
  }
}
template <class T>
inline constexpr int kUniformWords = kSameType<T, double> ? 2 : 1;

// --- What becomes of kWords words.
template <class T>
struct Uniform {
  static constexpr int kWords = kUniformWords<T>;
  static SY_FN T Of(const unsigned* w, const RandomArgs& args) {
    if constexpr (kSameType<T, double>) {
      return ::fma(UniformDouble(w), args.b, args.a);
    } else {
      return Convert<T>(
          ::fmaf(UniformOf<T>(w), static_cast<float>(args.b), static_cast<float>(args.a)));
    }
  }
};
// With probability a.
template <class T>
struct Bernoulli {
  static constexpr int kWords = 2;
  static SY_FN T Of(const unsigned* w, const RandomArgs& args) {
    return Convert<T>(UniformDouble(w) < args.a ? 1 : 0);
  }
};
// from + v mod count, of words as one integer; count 0: 2^64.
template <class T, int kNumWords>
struct Integers {
  static constexpr int kWords = kNumWords;
  static SY_FN T Of(const unsigned* w, const RandomArgs& args) {
    UInt64 v = w[0];
    if constexpr (kWords == 2) v = static_cast<UInt64>(w[0]) << 32 | w[1];
    if (args.count != 0) v %= args.count;
    return Convert<T>(static_cast<Int64>(v + static_cast<UInt64>(args.from)));
  }
};

// Source of the next three: ATen/core/TransformationHelper.h.
template <class T>
struct Cauchy {  // a: median, b: sigma
  static constexpr int kWords = 2;
  static SY_FN T Of(const unsigned* w, const RandomArgs& args) {
    constexpr double kPi = 3.14159265358979323846;
    return Convert<T>(::fma(args.b, ::tan(kPi * (UniformDouble(w) - 0.5)), args.a));
  }
};
template <class T>
struct Exponential {  // a: -1 / lambda
  static constexpr int kWords = 2;
  static SY_FN T Of(const unsigned* w, const RandomArgs& args) {
    return Convert<T>(args.a * ::log1p(-UniformDouble(w)));
  }
};
template <class T>
struct Geometric {  // a: log(1 - p)
  static constexpr int kWords = 2;
  static SY_FN T Of(const unsigned* w, const RandomArgs& args) {
    const double trials = ::ceil(::log(UniformDouble(w)) / args.a);
    if constexpr (kIsFloat<T> || kIsHalf<T>) {
      return Convert<T>(trials);
    } else {
      return static_cast<T>(FloatToInt64(trials));
    }
  }
};

template <class T, class Of>
SY_FN void FillRandom(const RandomArgs& given) {
  constexpr int kEach = 4 / Of::kWords;  // numbers of a counter
  const long long first = ThreadIndex() * kEach;
  if (first >= given.n) return;
  const RandomArgs args = Started(given);
  const Words words = Philox(args.seed, args.offset + static_cast<UInt64>(ThreadIndex()));
  Pack<T, kEach> x;
#pragma unroll
  for (int j = 0; j < kEach; ++j) x.v[j] = Of::Of(words.w + j * Of::kWords, args);
  Put(args.out, first, args.n, x);
}

// --- Normal numbers, in blocks of 16: u[j] and u[j + 8] give radius and angle of a pair, which
// becomes numbers j and j + 8.

template <class T>
struct TwoNormals {
  T first, second;
};

// Of float: by the processor's own functions, whose absolute errors are at most 2^-22 (lg2 on
// [1/2, 1]), 2^-21 (sin, cos within half a turn) and relative 2^-23 (sqrt). Source: PTX ISA.
SY_FN float QuickLog2(float x) {
#if defined(SY_EMULATED)
  return ::log2f(x);
#else
  float r;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#endif
}
SY_FN float QuickSqrt(float x) {
#if defined(SY_EMULATED)
  return ::sqrtf(x);
#else
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#endif
}
SY_FN void QuickSinCos(float x, float& sine, float& cosine) {
#if defined(SY_EMULATED)
  sine = ::sinf(x);
  cosine = ::cosf(x);
#else
  asm("sin.approx.ftz.f32 %0, %1;" : "=f"(sine) : "f"(x));
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(cosine) : "f"(x));
#endif
}
// sqrt(-2 log(1 - u)), 0 <= u < 1. Where lg2 has few digits left, -2 log(1 - u) / u by a polynomial
// fitted at Chebyshev's points of [0, 1/4]; relative error 2^-23.
SY_FN float QuickRadius(float u) {
  constexpr float kMinusTwoLn2 = -1.3862943611f;
  float p = 0.6799044013f;
  p = ::fmaf(p, u, 0.2876372510f);
  p = ::fmaf(p, u, 0.5156410336f);
  p = ::fmaf(p, u, 0.6657095551f);
  p = ::fmaf(p, u, 1.0000211000f);
  p = ::fmaf(p, u, 1.9999998808f);
  const float far = QuickLog2(1.f - u) * kMinusTwoLn2;
  return QuickSqrt(u < 0.25f ? p * u : far);
}
// Of a pair in [0, 1): by the cosine, and by the sine.
template <class T, class U>
SY_FN TwoNormals<T> NormalsOf(U u, U v, const RandomArgs& args) {
  if constexpr (kSameType<T, double>) {
    const double radius = ::sqrt(-2 * ::log(1 - u));
    double sine, cosine;
    ::sincospi(2 * v, &sine, &cosine);
    return {::fma(radius * cosine, args.b, args.a), ::fma(radius * sine, args.b, args.a)};
  } else {  // rounded after each step
    const auto round = [](float x) { return ToFloat(FromFloat<T>(x)); };
    constexpr double kTwoPi = 6.283185307179586477;
    const float mean = round(static_cast<float>(args.a)), std = round(static_cast<float>(args.b));
    const float log = round(::logf(round(1 - round(u))));
    const float radius = round(::sqrtf(round(-2 * log)));
    const float angle = round(static_cast<float>(kTwoPi * static_cast<double>(round(v))));
    const auto number = [&](float x) {
      return FromFloat<T>(round(round(radius * round(x)) * std) + mean);
    };
    return {number(::cosf(angle)), number(::sinf(angle))};
  }
}
// Of the words of both, the same.
template <class T>
SY_FN TwoNormals<T> NormalsOfWords(const unsigned* radius, const unsigned* angle,
                                   const RandomArgs& args) {
  if constexpr (kSameType<T, float>) {
    const float mean = static_cast<float>(args.a), std = static_cast<float>(args.b);
    const float r = QuickRadius(UniformOf<float>(radius)) * std;
    float sine, cosine;  // of the 24 bits as a fraction of a turn, between -1/2 and 1/2
    QuickSinCos(static_cast<float>(static_cast<int>(*angle << 8)) * 0x1.921fb6p-30f, sine, cosine);
    return {::fmaf(r, cosine, mean), ::fmaf(r, sine, mean)};
  } else {
    return NormalsOf<T>(UniformOf<T>(radius), UniformOf<T>(angle), args);
  }
}
// n >= 16. A thread computes what comes of a counter, and of the one for the same places 8 further
// on, kNormalRounds times. The last 16, where n is no multiple of them, come from words of their
// own.
inline constexpr int kNormalRounds = 2;
template <class T>
SY_FN void FillNormal(const RandomArgs& given) {
  constexpr int kWords = kUniformWords<T>, kEach = 4 / kWords, kThreads = 8 / kEach;
  const RandomArgs args = Started(given);
  const long long blocks = args.n / 16, stride = ThreadCount() / kThreads;
  const bool has_tail = args.n % 16 != 0;
  const int part = static_cast<int>(ThreadIndex() % kThreads);
  // All counters first: as many multiplications as there are run side by side.
  UInt64 counters[2 * kNormalRounds];
#pragma unroll
  for (int round = 0; round < kNormalRounds; ++round) {
    const long long block = ThreadIndex() / kThreads + round * stride;
    counters[2 * round] =
        (block == blocks ? args.tail : args.offset + static_cast<UInt64>(block) * 2 * kThreads) +
        static_cast<UInt64>(part);
    counters[2 * round + 1] = counters[2 * round] + kThreads;
  }
  Words words[2 * kNormalRounds];
  PhiloxEach(args.seed, counters, words);
  const auto make = [&](int round, Pack<T, kEach>& first, Pack<T, kEach>& second) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const TwoNormals<T> two = NormalsOfWords<T>(words[2 * round].w + j * kWords,
                                                  words[2 * round + 1].w + j * kWords, args);
      first.v[j] = two.first;
      second.v[j] = two.second;
    }
  };
  // What the tail writes it writes alone.
  const long long whole = has_tail ? args.n - 16 : args.n;
  const long long last = ThreadIndex() / kThreads + (kNormalRounds - 1) * stride;
  if ((last + 1) * 16 <= whole && LiesAsPack<T, kEach>(static_cast<T*>(args.out))) {
    T* to = static_cast<T*>(args.out) + ThreadIndex() / kThreads * 16 + part * kEach;
#pragma unroll
    for (int round = 0; round < kNormalRounds; ++round, to += stride * 16) {
      Pack<T, kEach> first, second;
      make(round, first, second);
      *reinterpret_cast<Pack<T, kEach>*>(to) = first;
      *reinterpret_cast<Pack<T, kEach>*>(to + 8) = second;
    }
    return;
  }
#pragma unroll
  for (int round = 0; round < kNormalRounds; ++round) {
    const long long block = ThreadIndex() / kThreads + round * stride;
    if (block >= blocks + (has_tail ? 1 : 0)) return;
    const bool is_tail = block == blocks;
    Pack<T, kEach> first, second;
    make(round, first, second);
    const long long end = is_tail ? args.n : whole;
    const long long at = (is_tail ? args.n - 16 : block * 16) + part * kEach;
    Put(args.out, at, end, first);
    Put(args.out, at + 8, end, second);
  }
}
// n < 16: pairs of a counter each, one after the other. kExp: their exponentials.
template <class T, int kExp>
SY_FN void FillFewNormal(const RandomArgs& given) {
  const long long i = ThreadIndex();
  if (i >= given.n) return;
  const RandomArgs args = Started(given);
  const Words words = Philox(args.seed, args.offset + static_cast<UInt64>(i) / 2);
  const double radius = ::sqrt(-2 * ::log1p(-UniformDouble(words.w + 2)));
  const double angle = 6.283185307179586477 * UniformDouble(words.w);
  const double x = radius * (i % 2 == 0 ? ::cos(angle) : ::sin(angle));
  const double y = ::fma(x, args.b, args.a);
  static_cast<T*>(args.out)[i] = Convert<T>(kExp ? ::exp(y) : y);
}

// --- Numbers drawn by elements of `in`.

// Truths with the probabilities that `in` holds: of double by 53 bits, else by 24.
template <class T, class P>
SY_FN void FillBernoulli(const RandomArgs& given) {
  constexpr int kWords = kUniformWords<P>, kEach = 4 / kWords;
  const long long first = ThreadIndex() * kEach;
  if (first >= given.n) return;
  const RandomArgs args = Started(given);
  const Words words = Philox(args.seed, args.offset + static_cast<UInt64>(ThreadIndex()));
  for (int j = 0; j < kEach && first + j < args.n; ++j) {
    const auto p = Lift(static_cast<const P*>(args.in)[first + j]).v;
    if (!(p >= 0 && p <= 1)) {
      Complain(args.report, args.op, Complaint::kOutsideUnit, BitCast<Int64>(double(p)));
      continue;
    }
    bool truth;
    if constexpr (kWords == 2) {
      truth = UniformDouble(words.w + 2 * j) < p;
    } else {
      truth = UniformOf<float>(words.w + j) < p;
    }
    static_cast<T*>(args.out)[first + j] = Convert<T>(truth ? 1 : 0);
  }
}

// What is not above 0 times a number between a and b, each of a counter of its own; without ranks,
// times their mean.
template <class T>
SY_FN void Rrelu(const RandomArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.n) return;
  const double x = static_cast<double>(Lift(static_cast<const T*>(args.in)[i]).v);
  double factor = 1;
  if (args.rank == nullptr) {
    if (!(x > 0)) factor = (args.a + args.b) / 2;
  } else if (x <= 0) {
    const Words words = Philox(
        args.seed, args.offset + static_cast<UInt64>(static_cast<const Int64*>(args.rank)[i] - 1));
    factor = UniformDouble(words.w) * (args.b - args.a) + args.a;
  }
  static_cast<T*>(args.out)[i] = Convert<T>(x * factor);
  if (args.noise != nullptr) static_cast<T*>(args.noise)[i] = Convert<T>(factor);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_RANDOM_H_
