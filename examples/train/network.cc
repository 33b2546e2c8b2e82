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

sy::optim::NamedTensors Network::state_dict() const {
  return {{"conv1.weight", conv1_.weight},   {"conv1.bias", conv1_.bias},
          {"conv2.weight", conv2_.weight},   {"conv2.bias", conv2_.bias},
          {"linear.weight", linear_.weight}, {"linear.bias", linear_.bias}};
}

std::vector<Tensor> Network::parameters() const {
  std::vector<Tensor> all;
  for (const auto& [name, t] : state_dict()) all.push_back(t);
  return all;
}

void Network::Replace(const std::function<Tensor(const std::string&, const Tensor&)>& f) {
  Layer* const layers[] = {&conv1_, &conv2_, &linear_};
  const char* const names[] = {"conv1", "conv2", "linear"};
  for (size_t i = 0; i < std::size(layers); ++i) {
    layers[i]->weight = f(std::string(names[i]) + ".weight", layers[i]->weight);
    layers[i]->bias = f(std::string(names[i]) + ".bias", layers[i]->bias);
  }
}

}  // namespace train
