// cuDNN's batch norm on the host, in the emulated device's memory: descriptors of four dimensions,
// which the installed library is given, too, and what the functions compute, in double. As strict
// as the library's documentation: what lies otherwise than with channels first or last, or has
// other sizes or dtypes than it says, is refused.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "backends/cuda/emulator/dnn.h"
#include "backends/cuda/emulator/solver.h"

namespace sy::cuda {
namespace {

using Status = cudnnStatus_t;
using Given = cudnnTensorDescriptor_t;
using Sizes = std::vector<int64_t>;

// A tensor, as graphs have them, and the installed library's own.
struct Tensor4d {
  Tensor4d() : tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR) {}
  DnnDescriptor tensor;
  Given real = nullptr;

  template <class T>
  void Set(cudnnBackendAttributeName_t name, const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    tensor.attributes[name] = {kDnnTypeOf<T>,
                               static_cast<int64_t>(values.size()),
                               {bytes, bytes + values.size() * sizeof(T)},
                               {}};
  }
  void SetAll(cudnnDataType_t type, const Sizes& sizes, const Sizes& strides) {
    Set(CUDNN_ATTR_TENSOR_DATA_TYPE, std::vector{type});
    Set(CUDNN_ATTR_TENSOR_DIMENSIONS, sizes);
    Set(CUDNN_ATTR_TENSOR_STRIDES, strides);
  }
};
std::map<Given, std::shared_ptr<Tensor4d>> all;

std::shared_ptr<Tensor4d> Find(Given d) {
  const auto it = all.find(d);
  return it == all.end() || !it->second->tensor.Has(CUDNN_ATTR_TENSOR_DATA_TYPE) ? nullptr
                                                                                 : it->second;
}

Status CreateTensor(Given* d) {
  auto made = std::make_shared<Tensor4d>();
  Status real = CUDNN_STATUS_SUCCESS;
  if (FindRealDnn() != nullptr) real = FindRealDnn()->CreateTensorDescriptor(&made->real);
  *d = reinterpret_cast<Given>(made.get());
  all[*d] = std::move(made);
  return AgreedDnn(CUDNN_STATUS_SUCCESS, real, "make tensors", 4);
}
Status DestroyTensor(Given d) {
  const auto it = all.find(d);
  if (it == all.end()) return CUDNN_STATUS_BAD_PARAM;
  if (it->second->real != nullptr) FindRealDnn()->DestroyTensorDescriptor(it->second->real);
  all.erase(it);
  return CUDNN_STATUS_SUCCESS;
}
Status SetTensor(Given d, cudnnDataType_t type, int n, int c, int h, int w, int of_n, int of_c,
                 int of_h, int of_w) {
  const auto it = all.find(d);
  if (it == all.end()) return CUDNN_STATUS_BAD_PARAM;
  const Sizes sizes = {n, c, h, w}, strides = {of_n, of_c, of_h, of_w};
  const auto positive = [](int64_t i) { return i > 0; };
  if (!std::ranges::all_of(sizes, positive) || !std::ranges::all_of(strides, positive))
    return CUDNN_STATUS_BAD_PARAM;
  it->second->SetAll(type, sizes, strides);
  Status real = CUDNN_STATUS_SUCCESS;
  if (it->second->real != nullptr)
    real = FindRealDnn()->SetTensor4dDescriptorEx(it->second->real, type, n, c, h, w, of_n, of_c,
                                                  of_h, of_w);
  return AgreedDnn(CUDNN_STATUS_SUCCESS, real, "take a tensor of type", type);
}
Status DeriveNumbers(Given d, Given of, cudnnBatchNormMode_t mode) {
  const auto it = all.find(d);
  const auto x = Find(of);
  if (it == all.end() || x == nullptr || mode != CUDNN_BATCHNORM_SPATIAL)
    return CUDNN_STATUS_BAD_PARAM;
  const bool wide = x->tensor.data_type() == CUDNN_DATA_DOUBLE;
  const int64_t c = x->tensor.sizes()[1];
  it->second->SetAll(wide ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT, {1, c, 1, 1}, {c, 1, 1, 1});
  Status real = CUDNN_STATUS_SUCCESS;
  if (it->second->real != nullptr)
    real = FindRealDnn()->DeriveBNTensorDescriptor(it->second->real, x->real, mode);
  return AgreedDnn(CUDNN_STATUS_SUCCESS, real, "derive numbers of channels, mode", mode);
}

// What a function is given: its tensors, and where each of its arguments lies.
struct Work {
  std::shared_ptr<Tensor4d> x, numbers;
  // The first of a pair has the sizes of x, where that is true.
  std::vector<std::pair<bool, const void*>> needed;

  int64_t channels() const { return x->tensor.sizes()[1]; }
  int64_t inner() const { return x->tensor.sizes()[2] * x->tensor.sizes()[3]; }
  int64_t each() const { return x->tensor.sizes()[0] * inner(); }
  // f(element of x, channel)
  template <class F>
  void ForEach(F f) const {
    const int64_t total = each() * channels();
    for (int64_t i = 0; i < total; ++i) f(i, i / inner() % channels());
  }
  DnnValues Read(const void* p) const { return ReadDnn(numbers->tensor, p); }
  void Write(const DnnValues& values, void* p) const { WriteDnn(numbers->tensor, values, p); }
};

// alpha is 1 and beta 0, as the host has them.
bool IsPlain(const DnnDescriptor& x, const void* alpha, const void* beta) {
  if (x.data_type() == CUDNN_DATA_DOUBLE)
    return *static_cast<const double*>(alpha) == 1 && *static_cast<const double*>(beta) == 0;
  return *static_cast<const float*>(alpha) == 1 && *static_cast<const float*>(beta) == 0;
}
bool LiesPacked(const DnnDescriptor& t) {
  const Sizes s = t.sizes(), first = {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1},
              last = {s[1] * s[2] * s[3], 1, s[3] * s[1], s[1]};
  return t.strides() == first || t.strides() == last;
}

Status Check(const Work& w, cudnnHandle_t handle, cudnnBatchNormMode_t mode, double epsilon) {
  if (w.x == nullptr || w.numbers == nullptr || mode != CUDNN_BATCHNORM_SPATIAL || !(epsilon >= 0))
    return CUDNN_STATUS_BAD_PARAM;
  const DnnDescriptor &x = w.x->tensor, &numbers = w.numbers->tensor;
  const bool wide = x.data_type() == CUDNN_DATA_DOUBLE;
  if (!wide && x.data_type() != CUDNN_DATA_FLOAT && x.data_type() != CUDNN_DATA_HALF)
    return CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE;
  if (numbers.sizes() != Sizes{1, w.channels(), 1, 1} ||
      numbers.data_type() != (wide ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT))
    return CUDNN_STATUS_BAD_PARAM;
  if (!LiesPacked(x)) return CUDNN_STATUS_NOT_SUPPORTED_LAYOUT;
  for (const auto& [whole, p] : w.needed) {
    const size_t bytes = DnnExtent(whole ? x : numbers);
    if (reinterpret_cast<uintptr_t>(p) % 16 != 0) return CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER;
    if (!LiesOnDevice(StreamOfDnn(handle), p, bytes)) return CUDNN_STATUS_BAD_PARAM;
  }
  return CUDNN_STATUS_SUCCESS;
}

Status Train(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
             Given of_x, const void* x, Given of_y, void* y, Given of_numbers, const void* scale,
             const void* bias, double momentum, void* running_mean, void* running_variance,
             double epsilon, void* saved_mean, void* saved_factor) {
  Work w{Find(of_x),
         Find(of_numbers),
         {{true, x},
          {true, y},
          {false, scale},
          {false, bias},
          {false, saved_mean},
          {false, saved_factor}}};
  const bool moves = running_mean != nullptr;
  if (moves != (running_variance != nullptr) || of_y != of_x) return CUDNN_STATUS_BAD_PARAM;
  if (moves) w.needed.insert(w.needed.end(), {{false, running_mean}, {false, running_variance}});
  if (const Status s = Check(w, handle, mode, epsilon); s != CUDNN_STATUS_SUCCESS) return s;
  if (!IsPlain(w.x->tensor, alpha, beta)) return CUDNN_STATUS_NOT_SUPPORTED;
  CountDnnCall();
  QueueOnHost(StreamOfDnn(handle), [=] {
    const DnnValues in = ReadDnn(w.x->tensor, x), a = w.Read(scale), b = w.Read(bias);
    const auto each = static_cast<double>(w.each());
    DnnValues mean(a.size()), variance(a.size()), factor(a.size()), out(in.size());
    w.ForEach([&](int64_t i, int64_t c) { mean[c] += in[i] / each; });
    w.ForEach(
        [&](int64_t i, int64_t c) { variance[c] += (in[i] - mean[c]) * (in[i] - mean[c]) / each; });
    for (size_t c = 0; c < a.size(); ++c) factor[c] = 1 / std::sqrt(variance[c] + epsilon);
    w.ForEach([&](int64_t i, int64_t c) { out[i] = (in[i] - mean[c]) * factor[c] * a[c] + b[c]; });
    WriteDnn(w.x->tensor, out, y);
    w.Write(mean, saved_mean);
    w.Write(factor, saved_factor);
    if (!moves) return;
    DnnValues means = w.Read(running_mean), variances = w.Read(running_variance);
    for (size_t c = 0; c < a.size(); ++c) {
      means[c] += momentum * (mean[c] - means[c]);
      variances[c] += momentum * (variance[c] * each / (each - 1) - variances[c]);
    }
    w.Write(means, running_mean);
    w.Write(variances, running_variance);
  });
  return CUDNN_STATUS_SUCCESS;
}

Status Infer(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
             Given of_x, const void* x, Given of_y, void* y, Given of_numbers, const void* scale,
             const void* bias, const void* mean, const void* variance, double epsilon) {
  const Work w{
      Find(of_x),
      Find(of_numbers),
      {{true, x}, {true, y}, {false, scale}, {false, bias}, {false, mean}, {false, variance}}};
  if (of_y != of_x) return CUDNN_STATUS_BAD_PARAM;
  if (const Status s = Check(w, handle, mode, epsilon); s != CUDNN_STATUS_SUCCESS) return s;
  if (!IsPlain(w.x->tensor, alpha, beta)) return CUDNN_STATUS_NOT_SUPPORTED;
  CountDnnCall();
  QueueOnHost(StreamOfDnn(handle), [=] {
    const DnnValues a = w.Read(scale), b = w.Read(bias), m = w.Read(mean), v = w.Read(variance);
    DnnValues out = ReadDnn(w.x->tensor, x);
    w.ForEach([&](int64_t i, int64_t c) {
      out[i] = (out[i] - m[c]) / std::sqrt(v[c] + epsilon) * a[c] + b[c];
    });
    WriteDnn(w.x->tensor, out, y);
  });
  return CUDNN_STATUS_SUCCESS;
}

Status PassBack(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha,
                const void* beta, const void* alpha_of_parameters, const void* beta_of_parameters,
                Given of_x, const void* x, Given of_dy, const void* dy, Given of_dx, void* dx,
                Given of_numbers, const void* scale, void* dscale, void* dbias, double epsilon,
                const void* saved_mean, const void* saved_factor) {
  const Work w{Find(of_x),
               Find(of_numbers),
               {{true, x},
                {true, dy},
                {true, dx},
                {false, scale},
                {false, dscale},
                {false, dbias},
                {false, saved_mean},
                {false, saved_factor}}};
  if (of_dy != of_x || of_dx != of_x) return CUDNN_STATUS_BAD_PARAM;
  if (const Status s = Check(w, handle, mode, epsilon); s != CUDNN_STATUS_SUCCESS) return s;
  if (!IsPlain(w.x->tensor, alpha, beta) ||
      !IsPlain(w.x->tensor, alpha_of_parameters, beta_of_parameters))
    return CUDNN_STATUS_NOT_SUPPORTED;
  CountDnnCall();
  QueueOnHost(StreamOfDnn(handle), [=] {
    const DnnValues in = ReadDnn(w.x->tensor, x), g = ReadDnn(w.x->tensor, dy), a = w.Read(scale),
                    mean = w.Read(saved_mean), factor = w.Read(saved_factor);
    const auto each = static_cast<double>(w.each());
    DnnValues to_scale(a.size()), to_bias(a.size()), out(in.size());
    const auto normal = [&](int64_t i, int64_t c) { return (in[i] - mean[c]) * factor[c]; };
    w.ForEach([&](int64_t i, int64_t c) {
      to_bias[c] += g[i];
      to_scale[c] += g[i] * normal(i, c);
    });
    w.ForEach([&](int64_t i, int64_t c) {
      out[i] = a[c] * factor[c] * (g[i] - (to_bias[c] + normal(i, c) * to_scale[c]) / each);
    });
    WriteDnn(w.x->tensor, out, dx);
    w.Write(to_scale, dscale);
    w.Write(to_bias, dbias);
  });
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

void EmulateDnnBatchNorm(DnnTable& table) {
  table.CreateTensorDescriptor = CreateTensor;
  table.DestroyTensorDescriptor = DestroyTensor;
  table.SetTensor4dDescriptorEx = SetTensor;
  table.DeriveBNTensorDescriptor = DeriveNumbers;
  table.BatchNormalizationForwardTraining = Train;
  table.BatchNormalizationForwardInference = Infer;
  table.BatchNormalizationBackward = PassBack;
}

}  // namespace sy::cuda
