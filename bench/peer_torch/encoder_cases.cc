// bench/encoder_cases.cc through libtorch: the same network, with as many threads.
// SWITCHYARD_PEER_INFERENCE=1 selects InferenceMode.

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/case.h"

namespace bench {
namespace {

using at::Tensor;

constexpr int64_t kLayers = 6, kWidth = 384, kHeads = 12, kMlp = 1536, kVocabulary = 30522,
                  kPositions = 512;

struct Linear {
  Tensor weight, bias;
  Linear(int64_t in, int64_t out)
      : weight(at::randn({in, out}).mul_(0.02)), bias(at::zeros({out})) {}
  Tensor operator()(const Tensor& x) const { return at::addmm(bias, x, weight); }
};
struct Layer {
  Linear qkv{kWidth, 3 * kWidth}, merge{kWidth, kWidth}, widen{kWidth, kMlp}, narrow{kMlp, kWidth};
};

class Encoder {
 public:
  Encoder() {
    at::manual_seed(0);
    tokens_ = at::randn({kVocabulary, kWidth}).mul_(0.02);
    positions_ = at::randn({kPositions, kWidth}).mul_(0.02);
    for (int64_t i = 0; i < kLayers; ++i) layers_.emplace_back();
  }

  Tensor operator()(const Tensor& ids) const {
    const int64_t b = ids.size(0), l = ids.size(1);
    Tensor x = at::embedding(tokens_, ids).add_(positions_.narrow(0, 0, l));
    x = Normalized(x.view({b * l, kWidth}));
    for (const Layer& layer : layers_) {
      const Tensor qkv = layer.qkv(x).view({b, l, 3, kHeads, kWidth / kHeads});
      const auto part = [&](int64_t i) { return qkv.select(2, i).transpose(1, 2); };
      const Tensor heard = at::scaled_dot_product_attention(part(0), part(1), part(2));
      x = Normalized(layer.merge(heard.transpose(1, 2).reshape({b * l, kWidth})).add_(x));
      Tensor wide = layer.widen(x);
      x = Normalized(layer.narrow(at::gelu_(wide)).add_(x));
    }
    const Tensor sentences = x.view({b, l, kWidth}).mean(1);
    return sentences.div(at::linalg_vector_norm(sentences, 2, at::IntArrayRef{1}, true));
  }

 private:
  Tensor Normalized(const Tensor& x) const { return at::layer_norm(x, {kWidth}, scale_, shift_); }

  Tensor tokens_, positions_, scale_ = at::ones({kWidth}), shift_ = at::zeros({kWidth});
  std::vector<Layer> layers_;
};

template <int64_t kBatch>
auto Prepare() {
  at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  const char* inference = std::getenv("SWITCHYARD_PEER_INFERENCE");
  thread_local std::unique_ptr<c10::InferenceMode> mode;
  if (mode == nullptr && inference != nullptr && std::string_view(inference) == "1")
    mode = std::make_unique<c10::InferenceMode>();
  auto run = [encoder = std::make_shared<Encoder>(),
              ids = at::randint(kVocabulary, {kBatch, 128})] { Keep((*encoder)(ids)); };
  run();
  return run;
}

const Case one{"encoder_batch_1", [] { return Prepare<1>(); }};
const Case many{"encoder_batch_32", [] { return Prepare<32>(); }};

}  // namespace
}  // namespace bench
