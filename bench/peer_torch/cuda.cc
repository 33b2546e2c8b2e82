// Speed on an NVIDIA GPU: bench/cuda_rows.h through libtorch's C++ API, in InferenceMode.

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/Event.h>
#include <c10/core/InferenceMode.h>
#include <c10/cuda/CUDAGuard.h>

#include <functional>
#include <memory>
#include <string>

#include "bench/case.h"

namespace bench {

using namespace at;  // NOLINT(google-build-using-namespace): the list's names are the API's
using Body = std::function<void()>;

std::string Missing() {
  static const c10::InferenceMode mode;
  return at::cuda::is_available() ? "" : "libtorch finds no cuda device";
}

Tensor Empty(int64_t rows, int64_t columns, ScalarType type) {
  return at::empty({rows, columns}, at::device(kCUDA).dtype(type));
}
Tensor Floats(int64_t rows, int64_t columns) {
  return Empty(rows, columns, ScalarType::Float).uniform_(0.5, 2.5);
}
Tensor Numbers16(int64_t rows, int64_t columns) {
  return Floats(rows, columns).to(ScalarType::BFloat16);
}
Tensor Permutation(int64_t n) { return at::randperm(n, ScalarType::Long).to(kCUDA); }
Tensor Positions(int64_t rows, int64_t columns, int64_t end) {
  return Empty(rows, columns, ScalarType::Long).random_(end);
}
void Wait() { at::cuda::getCurrentCUDAStream().synchronize(); }
void AllowTf32(bool allow) { at::globalContext().setAllowTF32CuBLAS(allow); }

class Stopwatch {
 public:
  void Start() { begin_.record(at::cuda::getCurrentCUDAStream()); }
  double Stop() {
    end_.record(at::cuda::getCurrentCUDAStream());
    end_.synchronize();
    return begin_.elapsedTime(end_) * 1e-3;
  }

 private:
  c10::Event begin_{kCUDA, c10::EventFlag::BACKEND_DEFAULT},
      end_{kCUDA, c10::EventFlag::BACKEND_DEFAULT};
};

Body Captured(const Body& body) {
  const auto graph = std::make_shared<at::cuda::CUDAGraph>();
  Wait();
  {
    const c10::cuda::CUDAStreamGuard guard(at::cuda::getStreamFromPool());
    graph->capture_begin();
    body();
    graph->capture_end();
  }
  return [graph, body] { graph->replay(); };
}

// Methods, as functions.
Tensor contiguous(const Tensor& t) { return t.contiguous(); }
Tensor& add_(Tensor& t, const Tensor& b) { return t.add_(b); }
Tensor& copy_(Tensor& t, const Tensor& b) { return t.copy_(b); }
Tensor& index_copy_(Tensor& t, int64_t dim, const Tensor& index, const Tensor& b) {
  return t.index_copy_(dim, index, b);
}
Tensor& normal_(Tensor& t) { return t.normal_(); }

}  // namespace bench

#include "bench/cuda_rows.h"
