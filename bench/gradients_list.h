// What the suite "gradients" runs: steps of training, and chains of one operator, in terms of names
// that our C++ API and the peer's share, so that one list is compiled against both. Included once
// by each program, after its prelude, in which unqualified names find the API and which defines
//
//   Tensor Leaf(const Tensor& t);           // makes it require a gradient
//   void Backward(const Tensor& loss);      // keeps gradients in leaves
//   Tensor GradOf(const Tensor& leaf);
//   void ClearGrad(const Tensor& leaf);
//   class Unrecorded;                       // while it lives, nothing is recorded
//   Tensor MeanOf(const Tensor& t, int64_t dim);
//   Tensor LengthsOf(const Tensor& t);      // of the rows of a matrix, [rows, 1]
//   Tensor Numbers(int64_t end, int64_t rows, int64_t columns);  // int64, 0 … end - 1
//   void Prepare();                         // one thread
#ifndef SWITCHYARD_BENCH_GRADIENTS_LIST_H_
#define SWITCHYARD_BENCH_GRADIENTS_LIST_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace bench {

// Leaves that a step of gradient descent writes, by the fused operator.
class Weights {
 public:
  Tensor New(std::vector<int64_t> sizes) {
    all_.push_back(Leaf(mul(randn(sizes), 0.02)));
    return all_.back();
  }
  void Step(const Tensor& loss) {
    Backward(loss);
    const Unrecorded off;
    std::vector<Tensor> grads;
    for (const Tensor& t : all_) grads.push_back(GradOf(t));
    _fused_sgd_(all_, grads, std::vector<Tensor>(), /*weight_decay=*/0., /*momentum=*/0.,
                /*lr=*/1e-3, /*dampening=*/0., /*nesterov=*/false, /*maximize=*/false,
                /*is_first_step=*/false);
    for (const Tensor& t : all_) ClearGrad(t);
  }

 private:
  std::vector<Tensor> all_;
};

struct Linear {
  Tensor weight, bias;  // [in, out]
  Linear(Weights& w, int64_t in, int64_t out) : weight(w.New({in, out})), bias(w.New({out})) {}
  Tensor operator()(const Tensor& x) const { return addmm(bias, x, weight); }
};

// 32 × 784-512-512-10.
struct Perceptron {
  Weights w;
  Linear a{w, 784, 512}, b{w, 512, 512}, c{w, 512, 10};
  Tensor x = randn({32, 784}), labels = reshape(Numbers(10, 32, 1), {32});
  void Step() { w.Step(cross_entropy_loss(c(relu(b(relu(a(x))))), labels)); }
};

// 32 pictures of 28 × 28: two convolutions of 3 × 3 and a linear layer.
struct Convolutions {
  Weights w;
  Tensor k1 = w.New({16, 1, 3, 3}), b1 = w.New({16});
  Tensor k2 = w.New({32, 16, 3, 3}), b2 = w.New({32});
  Linear last{w, 32 * 7 * 7, 10};
  Tensor x = randn({32, 1, 28, 28}), labels = reshape(Numbers(10, 32, 1), {32});
  static Tensor Halved(const Tensor& x, const Tensor& kernel, const Tensor& bias) {
    return max_pool2d(relu(conv2d(x, kernel, bias, {1, 1}, {1, 1})), {2, 2});
  }
  void Step() {
    const Tensor y = Halved(Halved(x, k1, b1), k2, b2);
    w.Step(cross_entropy_loss(last(reshape(y, {32, 32 * 7 * 7})), labels));
  }
};

// The sentence encoder of examples/transformer on 128 tokens.
struct Encoder {
  static constexpr int64_t kWidth = 384, kHeads = 12, kTokens = 128;
  struct Layer {
    Linear qkv, merge, widen, narrow;
    explicit Layer(Weights& w)
        : qkv(w, kWidth, 3 * kWidth),
          merge(w, kWidth, kWidth),
          widen(w, kWidth, 1536),
          narrow(w, 1536, kWidth) {}
  };
  int64_t b;
  Weights w;
  Tensor tokens = w.New({30522, kWidth}), positions = w.New({kTokens, kWidth});
  Tensor scale = w.New({kWidth}), shift = w.New({kWidth});
  std::vector<Layer> layers;
  Tensor ids, direction;

  explicit Encoder(int64_t batch) : b(batch) {
    for (int i = 0; i < 6; ++i) layers.emplace_back(w);
    ids = Numbers(30522, b, kTokens);
    direction = randn({b, kWidth});
  }
  Tensor Normalized(const Tensor& x) const { return layer_norm(x, {kWidth}, scale, shift); }
  Tensor Attention(const Layer& layer, const Tensor& x) const {
    const Tensor qkv = reshape(layer.qkv(x), {b, kTokens, 3, kHeads, kWidth / kHeads});
    const auto part = [&](int64_t i) { return transpose(select(qkv, 2, i), 1, 2); };
    const Tensor heard = scaled_dot_product_attention(part(0), part(1), part(2));
    return layer.merge(reshape(transpose(heard, 1, 2), {b * kTokens, kWidth}));
  }
  void Step() {
    Tensor x = reshape(add(embedding(tokens, ids), positions), {b * kTokens, kWidth});
    x = Normalized(x);
    for (const Layer& layer : layers) {
      x = Normalized(add(Attention(layer, x), x));
      x = Normalized(add(layer.narrow(gelu(layer.widen(x))), x));
    }
    const Tensor sentences = MeanOf(reshape(x, {b, kTokens, kWidth}), 1);
    w.Step(sum(mul(div(sentences, LengthsOf(sentences)), direction)));
  }
};

// A row: what prepares it gives what is run.
struct Step {
  const char* name;
  std::function<std::function<void()>()> make;
};
template <class N, class... A>
std::function<std::function<void()>()> Steps(A... a) {
  return [a...] { return [n = std::make_shared<N>(a...)] { n->Step(); }; };
}
const Step kSteps[] = {{"mlp_step", Steps<Perceptron>()},
                       {"convolution_step", Steps<Convolutions>()},
                       {"encoder_step/1", Steps<Encoder>(int64_t{1})},
                       {"encoder_step/8", Steps<Encoder>(int64_t{8})}};

// An operator of which a chain is made: y = next(y, constant), from a leaf of one element.
struct Chain {
  const char* name;
  Tensor (*next)(const Tensor& y, const Tensor& constant);
};
constexpr int kChain = 1000;
const Chain kChains[] = {
    {"add", [](const Tensor& y, const Tensor& c) { return add(y, c); }},
    {"mul", [](const Tensor& y, const Tensor& c) { return mul(y, c); }},
    {"mul number", [](const Tensor& y, const Tensor&) { return mul(y, 1.0); }},
    {"sigmoid", [](const Tensor& y, const Tensor&) { return sigmoid(y); }},
    {"relu", [](const Tensor& y, const Tensor&) { return relu(y); }},
    {"reshape", [](const Tensor& y, const Tensor&) { return reshape(y, {1}); }},
    {"mm", [](const Tensor& y, const Tensor& c) { return mm(y, c); }}};

}  // namespace bench

#endif  // SWITCHYARD_BENCH_GRADIENTS_LIST_H_
