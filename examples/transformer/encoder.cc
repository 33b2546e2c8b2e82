#include "examples/transformer/encoder.h"

#include "switchyard/core/generator.h"

namespace transformer {

using sy::Tensor;

namespace {

Tensor Weight(int64_t rows, int64_t columns) { return sy::mul_(sy::randn({rows, columns}), 0.02); }

}  // namespace

Encoder::Linear::Linear(int64_t in, int64_t out)
    : weight(Weight(in, out)), bias(sy::zeros({out})) {}

Tensor Encoder::Linear::operator()(const Tensor& x) const { return sy::addmm(bias, x, weight); }

Encoder::Layer::Layer(const Sizes& s)
    : qkv(s.width, 3 * s.width),
      merge(s.width, s.width),
      widen(s.width, s.mlp),
      narrow(s.mlp, s.width) {}

Encoder::Encoder(const Sizes& sizes, uint64_t seed) : sizes_(sizes) {
  sy::manual_seed(seed);
  tokens_ = Weight(sizes.vocabulary, sizes.width);
  positions_ = Weight(sizes.positions, sizes.width);
  scale_ = sy::ones({sizes.width});
  shift_ = sy::zeros({sizes.width});
  for (int64_t i = 0; i < sizes.layers; ++i) layers_.emplace_back(sizes);
}

template <class Self, class F>
void Encoder::ForEach(Self& self, F f) {
  f("tokens", self.tokens_);
  f("positions", self.positions_);
  f("scale", self.scale_);
  f("shift", self.shift_);
  for (size_t i = 0; i < self.layers_.size(); ++i) {
    const std::string layer = "layers." + std::to_string(i) + ".";
    const auto linear = [&](const char* name, auto& l) {
      f(layer + name + ".weight", l.weight);
      f(layer + name + ".bias", l.bias);
    };
    linear("qkv", self.layers_[i].qkv);
    linear("merge", self.layers_[i].merge);
    linear("widen", self.layers_[i].widen);
    linear("narrow", self.layers_[i].narrow);
  }
}

std::vector<std::pair<std::string, Tensor>> Encoder::state_dict() const {
  std::vector<std::pair<std::string, Tensor>> all;
  ForEach(*this, [&](const std::string& name, const Tensor& t) { all.emplace_back(name, t); });
  return all;
}

void Encoder::Replace(const std::function<Tensor(const std::string&, const Tensor&)>& f) {
  ForEach(*this, [&](const std::string& name, Tensor& t) { t = f(name, t); });
}

Tensor Encoder::Normalized(const Tensor& x) const {
  return sy::layer_norm(x, {sizes_.width}, scale_, shift_);
}

Tensor Encoder::Attention(const Layer& layer, const Tensor& x, int64_t b) const {
  const int64_t l = x.size(0) / b, heads = sizes_.heads;
  const Tensor qkv = sy::view(layer.qkv(x), {b, l, 3, heads, sizes_.width / heads});
  // Views of one product: [b, heads, l, width / heads].
  const auto part = [&](int64_t i) { return sy::transpose(sy::select(qkv, 2, i), 1, 2); };
  const Tensor heard = sy::scaled_dot_product_attention(part(0), part(1), part(2));
  return layer.merge(sy::reshape(sy::transpose(heard, 1, 2), {b * l, sizes_.width}));
}

Tensor Encoder::operator()(const Tensor& ids) const {
  const int64_t b = ids.size(0), l = ids.size(1);
  Tensor x = sy::add_(sy::embedding(tokens_, ids), sy::narrow(positions_, 0, 0, l));
  x = Normalized(sy::view(x, {b * l, sizes_.width}));
  for (const Layer& layer : layers_) {
    x = Normalized(sy::add_(Attention(layer, x, b), x));
    x = Normalized(sy::add_(layer.narrow(sy::gelu_(layer.widen(x))), x));
  }
  const Tensor sentences = sy::mean(sy::view(x, {b, l, sizes_.width}), 1);
  return sy::div(sentences, sy::linalg_vector_norm(sentences, 2, 1, /*keepdim=*/true));
}

}  // namespace transformer
