// Two networks, for the tests and the benchmark: a convolutional one of MobileNetV2's blocks, in
// float32 and in int8, and a layer of an encoder. Weights are standard normal numbers, scaled so
// that activations keep their size.
//
//   ConvNet net;
//   Tensor classes = net(image);                 // [1, 3, 96, 96]   →   [1, 100]
//   QuantizedNet quantized(net, image, device);  // its scales are those of this image
//
// Owns: the weights, which are frozen unless it is said otherwise.
// Threads: any number may call one network.
// Errors: those of the operators.
#ifndef XNNPACK_NETWORKS_H_
#define XNNPACK_NETWORKS_H_

#include <vector>

#include "switchyard/core/constant.h"
#include "switchyard/switchyard.h"

namespace networks {

// A convolution with its bias. relu6: what follows it.
struct Convolution {
  sy::Tensor weight, bias;
  int64_t stride, padding, groups;
  bool relu6;
};

// Widened, each channel on its own, narrowed; added to what it was given where sizes are the same.
struct Block {
  Convolution widen, depthwise, narrow;
  bool residual;
};

class ConvNet {
 public:
  // With the weights of this seed.
  explicit ConvNet(uint64_t seed = 0);
  // The same weights on another device; frozen: packed once there.
  ConvNet On(sy::Device device, bool frozen = true) const;
  // image: [n, 3, h, w]   →   [n, 100]
  sy::Tensor operator()(const sy::Tensor& image) const;

  Convolution stem, head;
  std::vector<Block> blocks;
  sy::Tensor classes, classes_bias;  // [100, 256], [100]
};

// The same in int8, by the plugin's operators. On a device without kernels of the plugin's for them
// it runs on cpu's.
class QuantizedNet {
 public:
  // Scales are those of the activations that `net`, on cpu, has for this image.
  QuantizedNet(const ConvNet& net, const sy::Tensor& image, sy::Device device);
  sy::Tensor operator()(const sy::Tensor& image) const;

 private:
  struct Scale {
    double scale;
    int64_t zero;
  };
  struct Quantized {
    sy::Tensor weight, scales, bias;
    int64_t stride, padding, groups;
    bool relu6;
    Scale out;
  };
  struct QuantizedBlock {
    Quantized widen, depthwise, narrow;
    bool residual;
    Scale out;
  };
  static sy::Tensor Run(const Quantized& q, const sy::Tensor& x, Scale in);

  Scale in_;
  Quantized stem_, head_, classes_;
  std::vector<QuantizedBlock> blocks_;
};

// Attention and a perceptron, each added to what it was given and normalised.
class EncoderLayer {
 public:
  explicit EncoderLayer(uint64_t seed = 0);
  EncoderLayer On(sy::Device device, bool frozen = true) const;
  // x: [l, 384]   →   [l, 384]
  sy::Tensor operator()(const sy::Tensor& x) const;

 private:
  sy::Tensor qkv_, qkv_bias_, merge_, merge_bias_, widen_, widen_bias_, narrow_, narrow_bias_,
      scale_, shift_;
};

}  // namespace networks

#endif  // XNNPACK_NETWORKS_H_
