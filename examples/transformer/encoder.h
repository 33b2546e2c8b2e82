// A sentence encoder: a transformer of 6 layers whose weights are made from a seed.
//
//   const Encoder encoder({}, /*seed=*/0);
//   Tensor sentences = encoder(randint(30522, {2, 128}));   // [2, 384], rows of length 1
//
// Each layer: attention and a perceptron, each added to what it was given and normalised; at last
// the mean over tokens. The weights are standard normal numbers, scaled, in the order in which they
// are declared: PyTorch, seeded alike, makes the same network (record.py).
// Owns: the weights.
// Threads: any number may call one encoder.
// Errors: those of the operators, for ids that are no [b, l] of int64 below the vocabulary's size.
#ifndef EXAMPLES_TRANSFORMER_ENCODER_H_
#define EXAMPLES_TRANSFORMER_ENCODER_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "switchyard/ops.h"

namespace transformer {

struct Sizes {
  int64_t layers = 6, width = 384, heads = 12, mlp = 1536, vocabulary = 30522, positions = 512;
};

class Encoder {
 public:
  Encoder(const Sizes& sizes, uint64_t seed);
  // ids: [b, l]   →   [b, width]
  sy::Tensor operator()(const sy::Tensor& ids) const;
  // All weights by name, "layers.0.qkv.weight", which require no gradient unless one asks
  // (fine_tuning.h).
  std::vector<std::pair<std::string, sy::Tensor>> state_dict() const;
  // Each weight becomes what f makes of it and of its name: parts on many ranks, for instance.
  void Replace(const std::function<sy::Tensor(const std::string&, const sy::Tensor&)>& f);

 private:
  struct Linear {  // x weight + bias; weight: [in, out]
    sy::Tensor weight, bias;
    Linear(int64_t in, int64_t out);
    sy::Tensor operator()(const sy::Tensor& x) const;
  };
  struct Layer {
    Linear qkv, merge, widen, narrow;
    explicit Layer(const Sizes& s);
  };
  // f(name, weight) for each.
  template <class Self, class F>
  static void ForEach(Self& self, F f);
  // x: [b l, width], of b sequences.
  sy::Tensor Attention(const Layer& layer, const sy::Tensor& x, int64_t b) const;
  sy::Tensor Normalized(const sy::Tensor& x) const;

  Sizes sizes_;
  sy::Tensor tokens_, positions_, scale_, shift_;
  std::vector<Layer> layers_;
};

}  // namespace transformer

#endif  // EXAMPLES_TRANSFORMER_ENCODER_H_
