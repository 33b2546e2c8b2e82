#include "backends/cuda/emulator/fourier.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <kissfft/kissfft.hh>
#include <limits>
#include <map>
#include <vector>

#include "backends/cuda/driver/cufft.h"
#include "backends/cuda/emulator/solver.h"

namespace sy::cuda {
namespace {

using C = std::complex<double>;

constexpr size_t kMostPlans = 400;  // the library's own limit is where memory ends
constexpr size_t kRoomBytes = 64;

struct Plan {
  FourierShape shape = {};
  bool own_memory = true, made = false;
  CUstream stream = nullptr;
  void* room = nullptr;
};
std::map<cufftHandle, Plan> plans;

cufftResult Create(cufftHandle* handle) {
  static cufftHandle last = 0;
  if (plans.size() >= kMostPlans) return CUFFT_ALLOC_FAILED;
  plans[*handle = ++last] = {};
  return CUFFT_SUCCESS;
}
cufftResult Destroy(cufftHandle handle) {
  return plans.erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
template <class F>
cufftResult With(cufftHandle handle, F f) {
  const auto it = plans.find(handle);
  return it == plans.end() ? CUFFT_INVALID_PLAN : f(it->second);
}
cufftResult SetAutoAllocation(cufftHandle handle, int automatic) {
  return With(handle, [&](Plan& p) {
    p.own_memory = automatic != 0;
    return p.made ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
  });
}
cufftResult SetStream(cufftHandle handle, cudaStream_t stream) {
  return With(handle, [&](Plan& p) {
    p.stream = reinterpret_cast<CUstream>(stream);
    return CUFFT_SUCCESS;
  });
}
cufftResult SetWorkArea(cufftHandle handle, void* room) {
  return With(handle, [&](Plan& p) {
    p.room = room;
    return CUFFT_SUCCESS;
  });
}

bool IsToReal(cufftType t) { return t == CUFFT_C2R || t == CUFFT_Z2D; }
bool IsFromReal(cufftType t) { return t == CUFFT_R2C || t == CUFFT_D2Z; }
bool IsDouble(cufftType t) { return t == CUFFT_Z2Z || t == CUFFT_D2Z || t == CUFFT_Z2D; }

// Elements of a side along dimension k.
long long SizeOf(const FourierShape& s, int k, bool half) {
  return half && k + 1 == s.rank ? s.sizes[k] / 2 + 1 : s.sizes[k];
}
bool Holds(const FourierShape& s, const FourierShape::Side& side, bool half) {
  if (side.stride < 1 || side.dist < 1) return false;
  for (int k = 1; k < s.rank; ++k) {
    if (side.embed[k] < SizeOf(s, k, half)) return false;
  }
  return true;
}

cufftResult MakePlanMany64(cufftHandle handle, int rank, long long* n, long long* inembed,
                           long long istride, long long idist, long long* onembed,
                           long long ostride, long long odist, cufftType type, long long batch,
                           size_t* room_bytes) {
  return With(handle, [&](Plan& p) {
    FourierShape s{type, rank, {}, batch, {{}, istride, idist}, {{}, ostride, odist}};
    if (p.made || rank < 1 || rank > kMaxFourierRank || batch < 1) return CUFFT_INVALID_VALUE;
    if (IsToReal(type) && rank > 1) return CUFFT_NOT_IMPLEMENTED;  // what it makes of both halves
    std::copy_n(n, rank, s.sizes);
    std::copy_n(inembed, rank, s.in.embed);
    std::copy_n(onembed, rank, s.out.embed);
    if (*std::min_element(n, n + rank) < 1) return CUFFT_INVALID_SIZE;
    if (!Holds(s, s.in, IsToReal(type)) || !Holds(s, s.out, IsFromReal(type)))
      return CUFFT_INVALID_VALUE;
    p.shape = s;
    p.made = true;
    *room_bytes = kRoomBytes;
    return CUFFT_SUCCESS;
  });
}

// f(offset in memory, index in a row-major array of `sizes`) for one transform's elements.
template <class F>
void ForEach(const FourierShape& s, const FourierShape::Side& side, long long b, bool half, F f) {
  long long sizes[kMaxFourierRank] = {1, 1, 1}, embed[kMaxFourierRank] = {1, 1, 1};
  for (int k = 0; k < s.rank; ++k) {
    sizes[kMaxFourierRank - s.rank + k] = SizeOf(s, k, half);
    embed[kMaxFourierRank - s.rank + k] = side.embed[k];
  }
  long long i = 0;
  for (long long x = 0; x < sizes[0]; ++x) {
    for (long long y = 0; y < sizes[1]; ++y) {
      for (long long z = 0; z < sizes[2]; ++z, ++i)
        f(b * side.dist + ((x * embed[1] + y) * embed[2] + z) * side.stride, i);
    }
  }
}

// a: row-major; its lines of n elements that lie `step` apart are transformed.
void Lines(std::vector<C>& a, long long n, long long step, bool forward) {
  const kissfft<double> library(static_cast<size_t>(n), !forward);
  std::vector<C> x(static_cast<size_t>(n)), y(x.size());
  for (long long first = 0; first < static_cast<long long>(a.size()); ++first) {
    if (first / step % n != 0) continue;
    for (long long i = 0; i < n; ++i) x[i] = a[first + i * step];
    library.transform(x.data(), y.data());
    for (long long i = 0; i < n; ++i) a[first + i * step] = y[i];
  }
}
// A line from its half. What must be real and is not makes it NaN.
std::vector<C> Whole(const std::vector<C>& half, long long n) {
  std::vector<C> whole(static_cast<size_t>(n), std::numeric_limits<double>::quiet_NaN());
  if (half[0].imag() != 0 || (n % 2 == 0 && half[n / 2].imag() != 0)) return whole;
  for (long long i = 0; i < n; ++i) whole[i] = i < n / 2 + 1 ? half[i] : std::conj(half[n - i]);
  return whole;
}
std::vector<C> Half(const std::vector<C>& whole, long long n) {
  std::vector<C> half;
  for (size_t i = 0; i < whole.size(); ++i) {
    if (static_cast<long long>(i) % n < n / 2 + 1) half.push_back(whole[i]);
  }
  return half;
}

template <class In, class Out>
void Compute(const FourierShape& s, In* in, Out* out, bool forward) {
  const bool to_real = IsToReal(s.type), from_real = IsFromReal(s.type);
  const long long last = s.sizes[s.rank - 1];
  for (long long b = 0; b < s.batch; ++b) {
    std::vector<C> a;
    ForEach(s, s.in, b, to_real, [&](long long at, long long) { a.push_back(C(in[at])); });
    for (int k = 0; k + 1 < s.rank; ++k) {
      long long step = SizeOf(s, s.rank - 1, to_real);
      for (int m = k + 1; m + 1 < s.rank; ++m) step *= s.sizes[m];
      Lines(a, s.sizes[k], step, forward);
    }
    if (to_real) a = Whole(a, last);
    Lines(a, last, 1, forward);
    if (from_real) a = Half(a, last);
    ForEach(s, s.out, b, from_real, [&](long long at, long long i) {
      if constexpr (std::is_floating_point_v<Out>) {
        out[at] = static_cast<Out>(a[i].real());
      } else {
        out[at] = Out(a[i]);
      }
    });
  }
  if (!to_real) return;
  for (long long b = 0; b < s.batch; ++b) {
    ForEach(s, s.in, b, true,
            [&](long long at, long long) { in[at] = std::numeric_limits<double>::quiet_NaN(); });
  }
}

template <class In, class Out>
cufftResult Execute(cufftHandle handle, cufftType type, void* in, void* out, int direction) {
  return With(handle, [&](Plan& p) {
    const auto misaligned = [&](void* data) {
      return reinterpret_cast<uintptr_t>(data) % (IsDouble(type) ? 16 : 8) != 0;
    };
    if (!p.made || p.own_memory || p.shape.type != type) return CUFFT_INVALID_PLAN;
    if (p.room == nullptr) return CUFFT_NO_WORKSPACE;
    if (misaligned(in) || misaligned(out)) return CUFFT_UNALIGNED_DATA;
    QueueOnHost(p.stream, [=, shape = p.shape, room = p.room] {
      if (!plans.contains(handle)) return;  // its tables are gone
      std::memset(room, 0xff, kRoomBytes);
      Compute(shape, static_cast<In*>(in), static_cast<Out*>(out), direction == CUFFT_FORWARD);
    });
    p.room = nullptr;  // the caller's, for this call
    return CUFFT_SUCCESS;
  });
}

using CF = std::complex<float>;
cufftResult ExecC2C(cufftHandle h, cufftComplex* in, cufftComplex* out, int direction) {
  return Execute<CF, CF>(h, CUFFT_C2C, in, out, direction);
}
cufftResult ExecR2C(cufftHandle h, cufftReal* in, cufftComplex* out) {
  return Execute<float, CF>(h, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult ExecC2R(cufftHandle h, cufftComplex* in, cufftReal* out) {
  return Execute<CF, float>(h, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult ExecZ2Z(cufftHandle h, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
  return Execute<C, C>(h, CUFFT_Z2Z, in, out, direction);
}
cufftResult ExecD2Z(cufftHandle h, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return Execute<double, C>(h, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult ExecZ2D(cufftHandle h, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return Execute<C, double>(h, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

}  // namespace

void EmulateFourier() {
  FourierTable table;
#define SY_EMULATED(name) table.name = name;
  SY_CUFFT_FUNCTIONS(SY_EMULATED)
#undef SY_EMULATED
  UseFourier(table);
}

}  // namespace sy::cuda
