// Speed on an NVIDIA GPU: bench/cuda_rows.h through our C++ API.

#include <functional>
#include <string>

#include "bench/case.h"
#include "switchyard/backends/cuda/graph.h"
#include "switchyard/backends/cuda/products.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/ops.h"

namespace bench {

using namespace sy;  // NOLINT(google-build-using-namespace): the list's names are the API's
using Body = std::function<void()>;

std::string Missing() {
  std::string why;
  return DeviceCount(FindDeviceType("cuda"), &why) != 0 ? "" : why;
}
Device Gpu() { return ParseDevice("cuda:0"); }

Tensor Floats(int64_t rows, int64_t columns) {
  const Tensor t = Tensor::Empty({rows, columns}, DType::kFloat32, Gpu());
  return uniform_(t, 0.5, 2.5);
}
Tensor Numbers16(int64_t rows, int64_t columns) {
  return to(Floats(rows, columns), DType::kBFloat16);
}
Tensor Permutation(int64_t n) { return to(randperm(n), Gpu(), DType::kInt64); }
Tensor Positions(int64_t rows, int64_t columns, int64_t end) {
  return random_(Tensor::Empty({rows, columns}, DType::kInt64, Gpu()), end);
}
void Wait() { Synchronize(Gpu()); }
void AllowTf32(bool allow) { cuda::SetAllowTf32(allow); }

class Stopwatch {
 public:
  void Start() { begin_.Record(CurrentStream(Gpu())); }
  double Stop() {
    end_.Record(CurrentStream(Gpu()));
    end_.Synchronize();
    return begin_.ElapsedTime(end_) * 1e-3;
  }

 private:
  Event begin_{true}, end_{true};
};

Body Captured(const Body& body) {
  const auto graph = std::make_shared<cuda::Graph>(Gpu(), body);
  return [graph, body] { graph->Replay(); };
}

}  // namespace bench

#include "bench/cuda_rows.h"
