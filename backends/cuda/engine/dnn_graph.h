// Graphs of operations as cuDNN takes them, and plans that it makes of them, which are kept.
//
//   const bool done = RunDnn(op, stream, {kMine, n, c, h, w, …}, [&](DnnGraph& g) {
//     const auto x = g.Tensor(1, CUDNN_DATA_HALF, sizes, strides);
//     const auto add = g.Make(CUDNN_BACKEND_OPERATION_…);
//     g.Set(add, CUDNN_ATTR_…, x);
//     g.AddOperation(add);
//   }, pointers);
//
// Owns: a graph its descriptors; plans are kept for the process.
// Threads: any; one at a time uses a device's plans.
// Errors: none: what the library refuses it does not serve.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_DNN_GRAPH_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_DNN_GRAPH_H_

#include <absl/functional/function_ref.h>

#include <span>
#include <string_view>
#include <vector>

#include "backends/cuda/driver/cudnn.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/dtype.h"

namespace sy::cuda {

// What a dtype is there, and what its numbers are summed in.
cudnnDataType_t DnnTypeOf(DType d);
inline cudnnDataType_t DnnSumsOf(cudnnDataType_t type) {
  return type == CUDNN_DATA_DOUBLE ? type : CUDNN_DATA_FLOAT;
}

class DnnGraph {
 public:
  using Descriptor = cudnnBackendDescriptor_t;
  using Sizes = std::vector<int64_t>;

  explicit DnnGraph(const DnnTable& lib) : lib_(lib) {}
  DnnGraph(const DnnGraph&) = delete;
  ~DnnGraph();

  // A tensor in memory, at RunDnn's pointer `number`, the first being 1.
  Descriptor Tensor(int64_t number, cudnnDataType_t type, const Sizes& sizes, const Sizes& strides);
  // A number that is read from the host, at that pointer, as many dimensions of 1.
  Descriptor Number(int64_t number, cudnnDataType_t type, size_t dims);
  // What one operation gives another; row by row where there are no strides.
  Descriptor Between(cudnnDataType_t type, const Sizes& sizes, Sizes strides = {});

  // Whatever there is. A descriptor must be finalised before another one is given it.
  Descriptor Make(cudnnBackendDescriptorType_t type);
  template <class T>
  void Set(Descriptor d, cudnnBackendAttributeName_t name, const T& value) {
    SetMany(d, name, kDnnTypeOf<T>, 1, &value);
  }
  void Set(Descriptor d, cudnnBackendAttributeName_t name, const Sizes& values) {
    SetMany(d, name, CUDNN_TYPE_INT64, static_cast<int64_t>(values.size()), values.data());
  }
  void SetMany(Descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
               int64_t count, const void* values) {
    Note(lib_.BackendSetAttribute(d, name, type, count, values));
  }
  void Finalize(Descriptor d) { Note(lib_.BackendFinalize(d)); }
  // Finalises it. In the order in which they are computed.
  void AddOperation(Descriptor d);

  const std::vector<Descriptor>& operations() const { return operations_; }
  // Whether the library has refused nothing.
  bool good() const { return good_; }

 private:
  void Note(cudnnStatus_t s) { good_ &= s == CUDNN_STATUS_SUCCESS; }
  Descriptor TensorOf(int64_t number, cudnnDataType_t type, const Sizes& sizes,
                      const Sizes& strides, bool virtual_one, bool by_value);

  const DnnTable& lib_;
  bool good_ = true;
  int64_t between_ = 0;
  std::vector<Descriptor> owned_, operations_;
};

// What a plan is made for: a number for who asks, and all that the graph depends on.
using DnnKey = std::vector<int64_t>;
enum DnnKind : int64_t {
  kDnnConvolution,
  kDnnConvolutionOfInput,
  kDnnConvolutionOfWeight,
  kDnnAttention,
  kDnnAttentionBackward,
  kDnnNorm,
};

// Queues what the graph says. type: of what it reads, which decides how it may be rounded: no
// engine sums in less than float, and float32 is not rounded unless AllowTf32. False, and nothing
// done, where there is no library or it does not serve.
bool RunDnn(std::string_view op, CudaStream& stream, DnnKey key, cudnnDataType_t type,
            absl::FunctionRef<void(DnnGraph&)> build, std::span<const void* const> data);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_DNN_GRAPH_H_
