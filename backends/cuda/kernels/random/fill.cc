#include "backends/cuda/kernels/random/fill.h"

#include <cmath>
#include <string>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/kernel_source.h"
#include "backends/cuda/plan/visit_order.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

void FillRandom(Call call, const Tensor& out, Generator* generator,
                const Distribution& distribution, RandomArgs args) {
  if (out.numel() == 0) return;
  const DType real = RealType(out.dtype());
  IntoDense(call, InVisitOrder(out), out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    args.n = to.numel() * (IsComplex(out.dtype()) ? 2 : 1);
    const int64_t each = 4 / distribution.words, counters = (args.n + each - 1) / each;
    SetStart(args, DrawPhilox(call, generator, static_cast<uint64_t>(counters)));
    const auto text = [&] {
      const std::string element = ElementName(real);
      const std::string words =
          distribution.of_words ? fmt::format(", {}", distribution.words) : "";
      return KernelSource("random", "RandomArgs",
                          fmt::format("FillRandom<{}, {}<{}{}>>(args)", element, distribution.name,
                                      element, words));
    };
    Launch(call,
           {distribution.name,
            {static_cast<uint64_t>(real), static_cast<uint64_t>(distribution.words), 0}},
           text, BlocksFor(counters), args);
  });
}

void FillIntegers(Call call, const Tensor& out, Generator* generator, const RandomDraw& draw) {
  RandomArgs args{};
  args.from = draw.from;
  args.count = draw.count;
  FillRandom(call, out, generator, {"Integers", draw.wide ? 2 : 1, /*of_words=*/true}, args);
}
void FillBits(Call call, const Tensor& out, Generator* generator) {
  FillIntegers(call, out, generator, {.from = 0, .count = 0, .wide = true});
}

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
    SetStart(args, DrawPhilox(call, generator, static_cast<uint64_t>(counters + tail)));
    args.tail = args.offset + static_cast<uint64_t>(counters);
    args.a = mean;
    args.b = std;
    if (few)
      return Launch(call,
                    Specialised("random", "RandomArgs", "FillFewNormal").Element(real).Number(exp),
                    BlocksFor(args.n), args);
    constexpr int64_t kRounds = 2;  // as device/random.h's kNormalRounds
    const int64_t threads = (args.n / 16 + 1) * (8 / each);
    Launch(call, Specialised("random", "RandomArgs", "FillNormal").Element(real),
           BlocksFor((threads + kRounds - 1) / kRounds), args);
  });
}

}  // namespace sy::cuda
