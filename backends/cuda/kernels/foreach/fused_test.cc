// Steps of optimisers, as on the host; numbers on the device and on the host.

#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

using List = std::vector<Tensor>;

// More tensors than a launch takes, of lengths of all kinds.
List Values(DType dtype, int seed) {
  List list;
  for (int64_t k = 0; k < 40; ++k) {
    const Tensor t = Tensor::Empty({k == 7 ? 3000 : k * 3 % 17}, DType::kFloat64);
    for (int64_t i = 0; i < t.numel(); ++i)
      t.data<double>()[i] = static_cast<double>((i * 7919 + k * 31 + seed) % 101 + 1) / 50;
    list.push_back(call("to.dtype", t, dtype).take());
  }
  return list;
}
Tensor Number(double x, DType d = DType::kFloat32) {
  const Tensor t = Tensor::Empty({}, DType::kFloat64);
  *t.data<double>() = x;
  return call("to.dtype", t, d).take();
}
void ExpectAllClose(const List& got, const List& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) ExpectClose(got[i], expected[i], tolerance);
}
double Tolerance(DType d) {
  return d == DType::kFloat64 ? 1e-12 : d == DType::kFloat32 ? 1e-5 : 2e-2;
}
const DType kFloating[] = {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64};

TEST(FusedTest, AdamIsAsOnTheHost) {
  for (DType d : kFloating) {
    for (bool amsgrad : {false, true}) {
      SCOPED_TRACE(Name(d));
      const List p = Values(d, 1), g = Values(d, 2), m = Values(d, 3), v = Values(d, 4),
                 x = amsgrad ? Values(d, 5) : List{}, steps(p.size(), Number(3));
      const List tp = ToCuda(p), tg = ToCuda(g), tm = ToCuda(m), tv = ToCuda(v), tx = ToCuda(x);
      const Tensor scale = Number(2), found = Number(0);
      for (const char* op : {"_fused_adam_", "_fused_adamw_"}) {
        call(op, p, g, m, v, x, steps, 0.1, 0.9, 0.99, 0.1, 1e-8, amsgrad, true, scale, found);
        call(op, tp, tg, tm, tv, tx, ToCuda(steps), 0.1, 0.9, 0.99, 0.1, 1e-8, amsgrad, true,
             ToCuda(scale), ToCuda(found));
      }
      ExpectAllClose(tp, p, Tolerance(d));
      ExpectAllClose(tg, g, Tolerance(d));
      ExpectAllClose(tm, m, Tolerance(d));
      ExpectAllClose(tv, v, Tolerance(d));
      ExpectAllClose(tx, x, Tolerance(d));
    }
  }
}

TEST(FusedTest, SgdAndAdagradAreAsOnTheHost) {
  const DType d = DType::kFloat32;
  const List p = Values(d, 1), g = Values(d, 2), b = Values(d, 3), steps(p.size(), Number(4));
  const List tp = ToCuda(p), tg = ToCuda(g), tb = ToCuda(b);
  call("_fused_sgd_", p, g, b, 0.1, 0.9, 0.1, 0.2, true, false, false);
  call("_fused_sgd_", tp, tg, tb, 0.1, 0.9, 0.1, 0.2, true, false, false);
  call("_fused_adagrad_", p, g, b, steps, 0.1, 0.01, 0.1, 1e-8, false);
  call("_fused_adagrad_", tp, tg, tb, ToCuda(steps), 0.1, 0.01, 0.1, 1e-8, false);
  ExpectAllClose(tp, p, 1e-5);
  ExpectAllClose(tb, b, 1e-5);
}

TEST(FusedTest, NumbersMayLieOnEitherDevice) {
  const DType d = DType::kFloat32;
  const List p = Values(d, 1), g = Values(d, 2), b = Values(d, 3);
  call("_fused_sgd_", p, g, b, 0.1, 0.9, 0.1, 0.2, true, false, false);
  for (const Tensor& lr : {Number(0.1, DType::kFloat64), ToCuda(Number(0.1, DType::kFloat64))}) {
    const List tp = ToCuda(Values(d, 1)), tg = ToCuda(g), tb = ToCuda(Values(d, 3));
    call("_fused_sgd_", tp, tg, tb, 0.1, 0.9, lr, 0.2, true, false, false);
    ExpectAllClose(tp, p, 1e-5);
  }
}

TEST(FusedTest, NothingIsWrittenWhereInfinityWasFound) {
  const List p = Values(DType::kFloat32, 1), g = Values(DType::kFloat32, 2);
  const List tp = ToCuda(p), tg = ToCuda(g);
  call("_fused_sgd_", tp, tg, List{}, 0.1, 0., 0.1, 0., false, false, false, ToCuda(Number(2)),
       ToCuda(Number(1)));
  ExpectAllClose(tp, p, 0);
  ExpectAllClose(tg, g, 0);
}

TEST(AmpTest, UnscalesAndFindsAsOnTheHost) {
  constexpr const char* kUnscale = "_amp_foreach_non_finite_check_and_unscale_";
  for (DType d : kFloating) {
    const List host = Values(d, 1), there = ToCuda(host);
    const Tensor scale = Number(0.25), found = Number(0), found_there = ToCuda(Number(0));
    call(kUnscale, host, found, scale);
    call(kUnscale, there, found_there, ToCuda(scale));
    ExpectAllClose(there, host, 0);
    EXPECT_EQ(Elements(found_there)[0].real(), 0);
    List wrong = Values(d, 1);
    wrong[7] = call("mul.Tensor", wrong[7], Number(HUGE_VAL)).take();
    const List wrong_there = ToCuda(wrong);
    call(kUnscale, wrong_there, found_there, ToCuda(scale));
    EXPECT_EQ(Elements(found_there)[0].real(), 1);
  }
}

}  // namespace
}  // namespace sy::cuda
