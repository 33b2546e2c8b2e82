// A small convolutional network: two layers of 3 × 3, each halved by its largest values, and a
// linear one.
//
//   const Network network(/*seed=*/0);
//   Tensor scores = network(images);   // [n, 1, 16, 16] → [n, 10]
//
// Weights are drawn as PyTorch's layers draw them.
// Owns: the weights, which require gradients.
// Threads: any number may call it, while none writes the weights.
#ifndef EXAMPLES_TRAIN_NETWORK_H_
#define EXAMPLES_TRAIN_NETWORK_H_

#include <functional>
#include <string>
#include <vector>

#include "switchyard/core/tensor.h"
#include "switchyard/optim/state.h"

namespace train {

class Network {
 public:
  explicit Network(uint64_t seed);
  sy::Tensor operator()(const sy::Tensor& images) const;
  // By PyTorch's names: "conv1.weight".
  sy::optim::NamedTensors state_dict() const;
  // In the same order.
  std::vector<sy::Tensor> parameters() const;
  // Other tensors in place of the parameters: f(name, parameter).
  void Replace(const std::function<sy::Tensor(const std::string&, const sy::Tensor&)>& f);

 private:
  struct Layer {
    sy::Tensor weight, bias;
  };
  // f(name, parameter) for each.
  template <class Self, class F>
  static void ForEach(Self& self, F f);
  Layer conv1_, conv2_, linear_;
};

}  // namespace train

#endif  // EXAMPLES_TRAIN_NETWORK_H_
