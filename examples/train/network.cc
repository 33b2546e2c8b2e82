#include "examples/train/network.h"

#include <cmath>

#include "examples/train/digits.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/generator.h"
#include "switchyard/ops.h"

namespace train {

using sy::Tensor;

namespace {

constexpr int64_t kFirst = 8, kSecond = 16, kClasses = 10;

// Numbers of a layer that adds fan_in products.
Tensor Drawn(sy::IntSpan sizes, int64_t fan_in) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  return sy::requires_grad_(sy::uniform_(sy::empty(sizes), -bound, bound));
}

}  // namespace

Network::Network(uint64_t seed) {
  sy::manual_seed(seed);
  const auto layer = [](std::initializer_list<int64_t> sizes) {
    const sy::IntSpan s(sizes.begin(), sizes.size());
    int64_t fan_in = 1;
    for (const int64_t n : s.subspan(1)) fan_in *= n;
    Layer l;
    l.weight = Drawn(s, fan_in);
    l.bias = Drawn(s.first(1), fan_in);
    return l;
  };
  conv1_ = layer({kFirst, 1, 3, 3});
  conv2_ = layer({kSecond, kFirst, 3, 3});
  linear_ = layer({kClasses, kSecond * (kSide / 4) * (kSide / 4)});
}

Tensor Network::operator()(const Tensor& images) const {
  const auto halved = [](const Tensor& x, const Layer& l) {
    return sy::max_pool2d(sy::relu(sy::conv2d(x, l.weight, l.bias, 1, 1)), 2);
  };
  const Tensor x = halved(halved(images, conv1_), conv2_);
  return sy::linear(sy::flatten(x, 1), linear_.weight, linear_.bias);
}

template <class Self, class F>
void Network::ForEach(Self& self, F f) {
  const auto layer = [&](const std::string& name, auto& l) {
    f(name + ".weight", l.weight);
    f(name + ".bias", l.bias);
  };
  layer("conv1", self.conv1_);
  layer("conv2", self.conv2_);
  layer("linear", self.linear_);
}

sy::optim::NamedTensors Network::state_dict() const {
  sy::optim::NamedTensors all;
  ForEach(*this, [&](const std::string& name, const Tensor& t) { all.emplace_back(name, t); });
  return all;
}

std::vector<Tensor> Network::parameters() const {
  std::vector<Tensor> all;
  ForEach(*this, [&](const std::string&, const Tensor& t) { all.push_back(t); });
  return all;
}

void Network::Replace(const std::function<Tensor(const std::string&, const Tensor&)>& f) {
  ForEach(*this, [&](const std::string& name, Tensor& t) { t = f(name, t); });
}

}  // namespace train
