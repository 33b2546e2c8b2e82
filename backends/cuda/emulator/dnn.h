// cuDNN's graphs on the host, in the emulated device's memory: descriptors are checked as the
// library does (attributes that a descriptor has, their types and counts, what must be there, sizes
// that fit one another, what is given before it is finalised), and graphs of other patterns than
// those that it has engines for are refused. For a convolution it offers an engine that rounds
// float32 to TF32, one that adds up in an order that differs, and one that does neither.
// Where cuDNN itself is installed it is given all descriptors up to graphs, too, for which it needs
// no device: what it refuses is refused, and what it says is printed.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_DNN_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_DNN_H_

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "backends/cuda/driver/cudnn.h"

namespace sy::cuda {

void EmulateDnn();

// The installed library, which checks descriptors without a device; null: there is none.
const DnnTable* FindRealDnn();
// `ours`, where the library itself agrees; what it refuses is printed, as `what` of number `which`.
cudnnStatus_t AgreedDnn(cudnnStatus_t ours, cudnnStatus_t real, const char* what, int which);
// The functions from before there were graphs (dnn_batch_norm.cc), into the table.
void EmulateDnnBatchNorm(DnnTable& table);
CUstream StreamOfDnn(cudnnHandle_t handle);
// Another piece of work is queued.
void CountDnnCall();

// A descriptor: attributes by name. Those that are descriptors are shared with who has them.
struct DnnDescriptor {
  explicit DnnDescriptor(cudnnBackendDescriptorType_t t) : type(t) {}
  DnnDescriptor(const DnnDescriptor&) = delete;
  ~DnnDescriptor();

  struct Attribute {
    cudnnBackendAttributeType_t type;
    int64_t count = 0;
    std::vector<char> bytes;
    std::vector<std::shared_ptr<const DnnDescriptor>> others;
  };
  const cudnnBackendDescriptorType_t type;
  bool finalized = false;
  // The installed library's own, which is told the same; null: there is none.
  cudnnBackendDescriptor_t real = nullptr;
  std::map<cudnnBackendAttributeName_t, Attribute> attributes = {};

  bool Has(cudnnBackendAttributeName_t name) const { return attributes.contains(name); }
  template <class T>
  std::vector<T> All(cudnnBackendAttributeName_t name) const {
    const auto it = attributes.find(name);
    if (it == attributes.end()) return {};
    const T* p = reinterpret_cast<const T*>(it->second.bytes.data());
    return std::vector<T>(p, p + it->second.count);
  }
  template <class T>
  T One(cudnnBackendAttributeName_t name, T otherwise = {}) const {
    return Has(name) ? All<T>(name)[0] : otherwise;
  }
  // Null where it has none.
  const DnnDescriptor* Other(cudnnBackendAttributeName_t name) const {
    const auto it = attributes.find(name);
    return it == attributes.end() ? nullptr : it->second.others[0].get();
  }

  // Of a tensor.
  std::vector<int64_t> sizes() const { return All<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS); }
  std::vector<int64_t> strides() const { return All<int64_t>(CUDNN_ATTR_TENSOR_STRIDES); }
  int64_t id() const { return One<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID); }
  bool is_virtual() const { return One<bool>(CUDNN_ATTR_TENSOR_IS_VIRTUAL, false); }
  bool by_value() const { return One<bool>(CUDNN_ATTR_TENSOR_IS_BY_VALUE, false); }
  cudnnDataType_t data_type() const { return One<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE); }
};

// An operation's tensors: what it reads and what it writes.
struct DnnOperands {
  std::vector<const DnnDescriptor*> in, out;
};
DnnOperands OperandsOf(const DnnDescriptor& operation);

size_t DnnItemSize(cudnnDataType_t type);
// Bytes from the first to the last of a tensor's elements.
size_t DnnExtent(const DnnDescriptor& tensor);

// Numbers of a tensor, row by row.
using DnnValues = std::vector<double>;
// Computes one operation: `values` by tensors' ids. rounds: what it multiplies, to TF32.
void ComputeDnn(const DnnDescriptor& operation, bool rounds, std::map<int64_t, DnnValues>& values);
// Between memory and numbers; written ones are rounded to the tensor's type.
DnnValues ReadDnn(const DnnDescriptor& tensor, const void* data);
void WriteDnn(const DnnDescriptor& tensor, const DnnValues& values, void* data);
void RoundDnn(const DnnDescriptor& tensor, DnnValues& values);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_DNN_H_
