// hann_window, hamming_window, blackman_window and bartlett_window by cos, in their dtype.

#include <cmath>

#include "ops/create/window_composite.h"

namespace sy {
namespace {

struct RaisedCosine {
  double alpha, beta;
  Tensor operator()(const Tensor& k, int64_t last) const {
    mul_(k, 2 * M_PI / static_cast<double>(last));
    return add_(mul_(cos_(k), -beta), alpha);
  }
};
constexpr double kHammingAlpha = 0.54, kHammingBeta = 0.46;

Tensor Hann(const Tensor& k, int64_t last) { return RaisedCosine{0.5, 0.5}(k, last); }
Tensor Hamming(const Tensor& k, int64_t last) {
  return RaisedCosine{kHammingAlpha, kHammingBeta}(k, last);
}
// Source: Blackman's numbers as ATen has them.
Tensor Blackman(const Tensor& k, int64_t last) {
  mul_(k, M_PI / static_cast<double>(last));
  const Tensor twice = mul_(cos_(mul(k, 4)), 0.08), once = mul_(cos_(mul(k, 2)), 0.5);
  return add_(sub_(twice, once), 0.42);
}
Tensor Bartlett(const Tensor& k, int64_t last) {
  mul_(k, 2 / static_cast<double>(last));
  const int64_t rising = last / 2 + 1;
  add_(mul_(narrow(k, 0, rising, last + 1 - rising), -1), 2);
  return k;
}

const Composite hann_body{"hann_window", Window<Hann>};
const Composite hann_out_body{"hann_window.out", WindowOut<Hann>};
const Composite hann_periodic_body{"hann_window.periodic", WindowPeriodic<Hann>};
const Composite hann_periodic_out_body{"hann_window.periodic_out", WindowPeriodicOut<Hann>};
const Composite hamming_body{"hamming_window", Window<Hamming>};
const Composite hamming_out_body{"hamming_window.out", WindowOut<Hamming>};
const Composite hamming_periodic_body{"hamming_window.periodic", WindowPeriodic<Hamming>};
const Composite hamming_periodic_out_body{"hamming_window.periodic_out",
                                          WindowPeriodicOut<Hamming>};
const Composite blackman_body{"blackman_window", Window<Blackman>};
const Composite blackman_out_body{"blackman_window.out", WindowOut<Blackman>};
const Composite blackman_periodic_body{"blackman_window.periodic", WindowPeriodic<Blackman>};
const Composite blackman_periodic_out_body{"blackman_window.periodic_out",
                                           WindowPeriodicOut<Blackman>};
const Composite bartlett_body{"bartlett_window", Window<Bartlett>};
const Composite bartlett_out_body{"bartlett_window.out", WindowOut<Bartlett>};
const Composite bartlett_periodic_body{"bartlett_window.periodic", WindowPeriodic<Bartlett>};
const Composite bartlett_periodic_out_body{"bartlett_window.periodic_out",
                                           WindowPeriodicOut<Bartlett>};

Tensor HammingAlphaBeta(Call call, int64_t length, bool periodic, double alpha, double beta,
                        Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                        Optional<bool> pin_memory) {
  return MakeWindow(call, length, periodic, {dtype, layout, device, pin_memory},
                    RaisedCosine{alpha, beta});
}
Tensor HammingAlpha(Call call, int64_t length, bool periodic, double alpha, Optional<DType> dtype,
                    Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return HammingAlphaBeta(call, length, periodic, alpha, kHammingBeta, dtype, layout, device,
                          pin_memory);
}
void HammingAlphaBetaOut(Call call, int64_t length, bool periodic, double alpha, double beta,
                         const Tensor& out) {
  MakeWindowOut(call, length, periodic, out, RaisedCosine{alpha, beta});
}
void HammingAlphaOut(Call call, int64_t length, bool periodic, double alpha, const Tensor& out) {
  HammingAlphaBetaOut(call, length, periodic, alpha, kHammingBeta, out);
}
const Composite hamming_alpha_body{"hamming_window.periodic_alpha", HammingAlpha};
const Composite hamming_alpha_out_body{"hamming_window.periodic_alpha_out", HammingAlphaOut};
const Composite hamming_alpha_beta_body{"hamming_window.periodic_alpha_beta", HammingAlphaBeta};
const Composite hamming_alpha_beta_out_body{"hamming_window.periodic_alpha_beta_out",
                                            HammingAlphaBetaOut};

}  // namespace
}  // namespace sy
