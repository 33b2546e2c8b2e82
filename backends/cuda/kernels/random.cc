// Random operators, from the device's Philox generator. Elements take their numbers in the order in
// which the host's kernels visit them (visit_order.h).

#include "backends/cuda/kernels/random.h"

#include <cmath>
#include <limits>

#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/lines.h"
#include "backends/cuda/kernels/philox.h"
#include "backends/cuda/kernels/run.h"
#include "backends/cuda/kernels/visit_order.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/random/bounds.h"

namespace sy::cuda {
namespace {

void Start(RandomArgs& args, const PhiloxStart& start) {
  args.seed = start.seed;
  args.offset = start.offset;
  args.state = start.state;
}

// `of`: what becomes of `words` words, a device/random.h's type.
void Fill(Call call, const Tensor& out, Generator* generator, const std::string& of, int words,
          uint64_t which, RandomArgs args) {
  if (out.numel() == 0) return;
  const DType real = RealType(out.dtype());
  IntoDense(call, InVisitOrder(out), out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    args.n = to.numel() * (IsComplex(out.dtype()) ? 2 : 1);
    const int64_t each = 4 / words, counters = (args.n + each - 1) / each;
    Start(args, DrawPhilox(call, generator, static_cast<uint64_t>(counters)));
    static constexpr char kFamily = 0;
    const auto text = [&] {
      return KernelSource("random", "RandomArgs",
                          Join({"FillRandom<", ElementName(real), ", ", of, ">(args)"}));
    };
    Launch(call, {&kFamily, {static_cast<uint64_t>(real), which, 0}}, text, BlocksFor(counters),
           args);
  });
}

double RoundedTo(DType d, double x) {
  double rounded = x;
  VisitDType<kFloatingTypes>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
    rounded = static_cast<double>(T(static_cast<Compute>(x)));
  });
  return rounded;
}

void Uniform(Call call, const Tensor& out, const Tensor&, double from, double to,
             Generator* generator) {
  const DType d = RealType(out.dtype());
  RandomArgs args{};
  args.a = RoundedTo(d, from);
  args.b = RoundedTo(d, RoundedTo(d, to) - args.a);
  Fill(call, out, generator, "Uniform<" + ElementName(d) + ">", d == DType::kFloat64 ? 2 : 1, 0,
       args);
}

void BernoulliNumber(Call call, const Tensor& out, const Tensor&, double p, Generator* generator) {
  RandomArgs args{};
  args.a = p;
  Fill(call, out, generator, "Bernoulli<" + ElementName(out.dtype()) + ">", 2, 1, args);
}

// count 0 stands for 2^64.
void FillIntegers(Call call, const Tensor& out, Generator* generator, int64_t from, uint64_t count,
                  bool wide) {
  RandomArgs args{};
  args.from = from;
  args.count = count;
  const int words = wide ? 2 : 1;
  Fill(call, out, generator, Join({"Integers<", ElementName(out.dtype()), ", ", words, ">"}), words,
       static_cast<uint64_t>(1 + words), args);
}
// From so many on, 64 bits are drawn for each. Source: uniform_int_from_to_distribution,
// ATen/core/DistributionsHelper.h.
constexpr uint64_t kWideCount = uint64_t{1} << 28;

void Random(Call call, const Tensor& out, const Tensor&, Generator* generator) {
  const RandomBounds b = BoundsOfRandom(out.dtype(), 0, std::nullopt);
  const bool wide = out.dtype() == DType::kInt64 || out.dtype() == DType::kFloat64;
  FillIntegers(call, out, generator, 0, b.count(), wide);
}
void RandomFrom(Call call, const Tensor& out, const Tensor&, int64_t from, Optional<int64_t> to,
                Generator* generator) {
  const bool any_bits = !to && from == std::numeric_limits<int64_t>::min();
  const RandomBounds b = any_bits ? RandomBounds{from, std::numeric_limits<int64_t>::max()}
                                  : BoundsOfRandom(out.dtype(), from, to);
  const uint64_t count = b.count();
  FillIntegers(call, out, generator, any_bits ? 0 : b.from, count,
               count == 0 || count >= kWideCount);
}
void RandomTo(Call call, const Tensor& out, const Tensor& self, int64_t to, Generator* generator) {
  RandomFrom(call, out, self, 0, to, generator);
}

// exp: their exponentials, always in sequence.
void FillNormals(Call call, const Tensor& out, double mean, double std, Generator* generator,
                 bool exp) {
  if (out.numel() == 0) return;
  const DType real = RealType(out.dtype());
  if (IsComplex(out.dtype())) std /= std::sqrt(2.0);  // each part has half of the variance
  IntoDense(call, InVisitOrder(out), out.dtype(), [&](const Tensor& to) {
    RandomArgs args{};
    args.out = to.data();
    args.n = to.numel() * (IsComplex(out.dtype()) ? 2 : 1);
    const bool few = exp || args.n < 16 || !out.is_contiguous();
    const int64_t each = real == DType::kFloat64 ? 2 : 4;
    const int64_t counters = few ? (args.n + 1) / 2 : (args.n + each - 1) / each;
    const int64_t tail = few || args.n % 16 == 0 ? 0 : 16 / each;
    Start(args, DrawPhilox(call, generator, static_cast<uint64_t>(counters + tail)));
    args.tail = args.offset + static_cast<uint64_t>(counters);
    args.a = mean;
    args.b = std;
    static constexpr DeviceFunction kMany{"random", "RandomArgs", "FillNormal"},
        kFew{"random", "RandomArgs", "FillFewNormal"};
    if (few) return RunDevice(call, kFew, {real}, {exp}, BlocksFor(args.n), args);
    constexpr int64_t kRounds = 2;  // as device/random.h's kNormalRounds
    const int64_t threads = (args.n / 16 + 1) * (8 / each);
    RunDevice(call, kMany, {real}, {}, BlocksFor((threads + kRounds - 1) / kRounds), args);
  });
}
void Normal(Call call, const Tensor& out, const Tensor&, double mean, double std,
            Generator* generator) {
  FillNormals(call, out, mean, std, generator, false);
}
void LogNormal(Call call, const Tensor& out, const Tensor&, double mean, double std,
               Generator* generator) {
  FillNormals(call, out, mean, std, generator, true);
}

// Numbers that are functions of 53 bits and of a and b: `of`, a type of device/random.h.
void FillFrom53(Call call, const char* of, uint64_t which, const Tensor& out, double a, double b,
                Generator* generator) {
  RandomArgs args{};
  args.a = a;
  args.b = b;
  Fill(call, out, generator, Join({of, "<", ElementName(out.dtype()), ">"}), 2, which, args);
}
void Cauchy(Call call, const Tensor& out, const Tensor&, double median, double sigma,
            Generator* generator) {
  FillFrom53(call, "Cauchy", 4, out, median, sigma, generator);
}
void Exponential(Call call, const Tensor& out, const Tensor&, double lambd, Generator* generator) {
  FillFrom53(call, "Exponential", 5, out, -1 / lambd, 0, generator);
}
void Geometric(Call call, const Tensor& out, const Tensor&, double p, Generator* generator) {
  FillFrom53(call, "Geometric", 6, out, std::log(1 - p), 0, generator);
}

void BernoulliTensor(Call call, const Tensor& out, const Tensor&, const Tensor& p,
                     Generator* generator) {
  if (out.numel() == 0) return;
  const Tensor wide = Expanded(p, out.sizes());
  const std::vector<int> order = VisitOrder(out.sizes(), out.strides(), wide.strides());
  const Tensor in = Dense(call, Permuted(wide, order), p.dtype());
  IntoDense(call, Permuted(out, order), out.dtype(), [&](const Tensor& to) {
    RandomArgs args{};
    args.out = to.data();
    args.n = to.numel();
    args.in = in.data();
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
    const int64_t each = p.dtype() == DType::kFloat64 ? 2 : 4;
    const int64_t counters = (args.n + each - 1) / each;
    Start(args, DrawPhilox(call, generator, static_cast<uint64_t>(counters)));
    static constexpr DeviceFunction kTruths{"random", "RandomArgs", "FillBernoulli"};
    RunDevice(call, kTruths, {out.dtype(), p.dtype()}, {}, BlocksFor(counters), args);
  });
}

// How many elements draw a number decides where the stream goes on: that is waited for.
void Rrelu(Call call, const Tensor& out, const Tensor& self, const Scalar& lower,
           const Scalar& upper, bool training, Generator* generator) {
  if (out.numel() == 0) return;
  const Tensor in = Dense(call, self, self.dtype());
  IntoDense(call, out, self.dtype(), [&](const Tensor& to) {
    RandomArgs args{};
    args.out = to.data();
    args.n = to.numel();
    args.in = in.data();
    args.a = lower.To<double>();
    args.b = upper.To<double>();
    Tensor draws, rank;
    if (training) {
      draws = Tensor::Empty({args.n}, DType::kBool, in.device());
      rank = Tensor::Empty({args.n}, DType::kInt64, in.device());
      const Tensor zero = NumberTensor(Scalar(0)),
                   flat = in.AsStrided(draws.sizes(), draws.strides(), in.storage_offset());
      RunFormula(call, *Formula("le"), draws, {&flat, &zero});
      CountTrue(call, draws, rank);
      const int64_t count = ReadNumber(rank.AsStrided({}, {}, args.n - 1)).To<int64_t>();
      Start(args, DrawPhilox(call, generator, static_cast<uint64_t>(count)));
      args.rank = rank.data();
    }
    static constexpr DeviceFunction kRrelu{"random", "RandomArgs", "Rrelu"};
    RunDevice(call, kRrelu, {self.dtype()}, {}, BlocksFor(args.n), args);
  });
}

constexpr DTypeMask kReal = kIntegers | kFloatingTypes | kBool;
constexpr DTypeMask kFilled = kFloatingTypes | kComplexTypes | kComplex32;
const Kernel uniform{"uniform", "cuda", kFilled, Uniform};
const Kernel normal{"normal_", "cuda", kFilled, Normal};
const Kernel bernoulli{"bernoulli_.float", "cuda", kReal, BernoulliNumber};
const Kernel bernoulli_tensor{"bernoulli_.Tensor", "cuda", kReal, BernoulliTensor};
const Kernel cauchy{"cauchy", "cuda", kFloatingTypes, Cauchy};
const Kernel exponential{"exponential", "cuda", kFloatingTypes, Exponential};
const Kernel geometric{"geometric", "cuda", kIntegers | kFloatingTypes, Geometric};
const Kernel log_normal{"log_normal", "cuda", kFloatingTypes, LogNormal};
const Kernel rrelu{"rrelu", "cuda", kFloatingTypes, Rrelu};
const Kernel random{"random", "cuda", kReal, Random};
const Kernel random_from{"random.from", "cuda", kReal | kWideUnsigned, RandomFrom};
const Kernel random_to{"random.to", "cuda", kReal | kWideUnsigned, RandomTo};

}  // namespace

void FillBits(Call call, const Tensor& out, Generator* generator) {
  FillIntegers(call, out, generator, 0, 0, true);
}

}  // namespace sy::cuda
