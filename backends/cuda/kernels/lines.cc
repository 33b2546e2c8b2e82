// Operators along lines: softmax and scans.

#include "backends/cuda/kernels/lines.h"

#include "backends/cuda/kernels/pointwise.h"
#include "backends/cuda/kernels/walk.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

constexpr int kLineThreads = 256;  // as device/lines.h's

}  // namespace

void RunLines(Call call, const LineFunction& function, int64_t dim, const Tensor& self,
              const Tensor& out, const Tensor* second) {
  if (out.numel() == 0) return;
  LineArgs args{};
  args.in = self.data();
  args.out[0] = out.data();
  args.out[1] = second == nullptr ? nullptr : second->data();
  args.n = 1;
  const Tensor* tensors[] = {&out, second, &self};
  std::vector<int64_t> sizes, strides[3];
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    int64_t step[3] = {};
    for (size_t k = 0; k < 3; ++k) {
      if (tensors[k] != nullptr)
        step[k] = tensors[k]->strides()[d] * static_cast<int64_t>(tensors[k]->itemsize());
    }
    if (static_cast<int64_t>(d) == dim) {
      args.n = self.sizes()[d];
      args.out_step[0] = step[0];
      args.out_step[1] = step[1];
      args.in_step = step[2];
      continue;
    }
    sizes.push_back(self.sizes()[d]);
    for (size_t k = 0; k < 3; ++k) strides[k].push_back(step[k]);
  }
  Walk w(sizes);
  for (size_t k = 0; k < 3; ++k) {
    w.Add(tensors[k] == nullptr ? nullptr : tensors[k]->data(),
          tensors[k] == nullptr ? 0 : static_cast<int64_t>(tensors[k]->itemsize()), strides[k]);
  }
  w.Simplify();
  if (w.rank > kMaxDims) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): more than ", kMaxDims, " dimensions that cannot be merged"});
  }
  FillSpace(w, {.flat = false, .wide = true, .each = 1, .lies = {}}, args.space);
  // A thread for each line where lines are short, or many side by side.
  constexpr int64_t kShort = 8, kMany = 1 << 14;
  const bool beside = w.operands[2].strides[0] < args.in_step && args.space.n >= kMany;
  const int lanes = function.one_lane || args.n <= kShort || beside ? 1 : kLineThreads;
  const Grid grid = lanes == 1 ? BlocksFor(args.space.n) : Grid{args.space.n, kLineThreads};
  KernelKey full = function.key;
  full.words[2] = static_cast<uint64_t>(lanes);
  Launch(
      call, full,
      [&] {
        return KernelSource(function.header, "LineArgs",
                            Join({function.body, ", ", lanes, ">(args)"}));
      },
      grid, args);
}

namespace {

uint64_t Pair(DType a, DType b) { return static_cast<uint64_t>(a) << 8 | static_cast<uint64_t>(b); }

// Lines that follow memory round what 16-bit floats are normalised by, others do not: as on the
// host, after ATen's vec_log_softmax_lastdim_kernel.
template <bool kLog>
void RunSoftmax(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  static constexpr char kFamily = 0;
  dim = WrapDim(dim, self.dim());
  int64_t beside = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) beside *= self.size(d);
  const bool steps = kLog && beside == 1 && Contains(kHalves, out.dtype());
  const std::string body =
      Join({"Softmax<", ElementName(out.dtype()), ", ", ElementName(self.dtype()), ", ",
            !kLog   ? "kPlain"
            : steps ? "kLogInSteps"
                    : "kLog"});
  RunLines(call, {body, {&kFamily, {Pair(out.dtype(), self.dtype()), uint64_t{kLog} + steps, 0}}},
           dim, self, out);
}
template <bool kLog>
void SoftmaxInt(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  RunSoftmax<kLog>(call, out, self, dim);
}
template <bool kLog>
void Softmax(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool) {
  RunSoftmax<kLog>(call, out, self, dim);
}

void SoftmaxBackward(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& output,
                     int64_t dim, DType) {
  static constexpr char kFamily = 0;
  const DType d = output.dtype();
  const std::string body =
      Join({"SoftmaxBackward<", ElementName(out.dtype()), ", ", ElementName(d)});
  RunLines(call, {body, {&kFamily, {Pair(out.dtype(), d), 0, 0}}}, WrapDim(dim, out.dim()),
           grad_output, out, &output);
}

const Kernel softmax_backward{"_softmax_backward_data", "cuda", kFloatingTypes, SoftmaxBackward};
const Kernel softmax{"softmax.int", "cuda", kFloatingTypes, SoftmaxInt<false>};
const Kernel log_softmax{"log_softmax.int", "cuda", kFloatingTypes, SoftmaxInt<true>};
const Kernel plain_softmax{"_softmax", "cuda", kFloatingTypes, Softmax<false>};
const Kernel plain_log_softmax{"_log_softmax", "cuda", kFloatingTypes, Softmax<true>};

void RunScan(Call call, const std::string& scan, uint64_t which, int64_t dim, const Tensor& self,
             const Tensor& out, const Tensor* second = nullptr) {
  static constexpr char kFamily = 0;
  const std::string body =
      Join({"Scan<", scan, ", ", ElementName(self.dtype()), ", ", ElementName(out.dtype())});
  RunLines(call, {body, {&kFamily, {Pair(out.dtype(), self.dtype()), which, 0}}},
           WrapDim(dim, self.dim()), self, out, second);
}
void Cumsum(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  RunScan(call, "Cumulative<" + ElementName(out.dtype()) + ", f::Add>", 0, dim, self, out);
}
void Cumprod(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  RunScan(call, "Cumulative<" + ElementName(out.dtype()) + ", f::Mul>", 1, dim, self, out);
}
void LogCumSumExp(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  RunScan(call, "LogOfSum<" + ElementName(out.dtype()) + ">", 4, dim, self, out);
}
constexpr DTypeMask kOrdered = kIntegers | kFloatingTypes | kBool;
template <bool kLeast>
void CumulativeExtreme(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                       int64_t dim) {
  if (self.dim() == 0) {  // of one number of any kind, there is no order to ask for
    CopyElements(call, values, self);
    return FillElements(call, indices, Scalar(0));
  }
  if (!Contains(kOrdered, self.dtype())) FailDTypeNotIn(self.dtype(), kOrdered);
  const std::string scan =
      "RunningExtreme<" + ElementName(self.dtype()) + (kLeast ? ", true>" : ", false>");
  RunScan(call, scan, 2 + uint64_t{kLeast}, dim, self, values, &indices);
}

constexpr DTypeMask kSummed = kIntegers | kFloatingTypes | kComplexes;
const Kernel cumsum{"cumsum", "cuda", kSummed, Cumsum};
const Kernel cumprod{"cumprod", "cuda", kSummed, Cumprod};
const Kernel logcumsumexp{"logcumsumexp", "cuda", kFloatingTypes | kComplexes, LogCumSumExp};
const Kernel cummax{"cummax", "cuda", kOrdered | kComplexes, CumulativeExtreme<false>};
const Kernel cummin{"cummin", "cuda", kOrdered | kComplexes, CumulativeExtreme<true>};

}  // namespace

void CountTrue(Call call, const Tensor& self, const Tensor& out) {
  const int64_t n[] = {self.numel()}, one[] = {1};
  RunScan(call, "Cumulative<Int64, f::Add>", 0, 0, self.AsStrided(n, one, self.storage_offset()),
          out.AsStrided(n, one, out.storage_offset()));
}

}  // namespace sy::cuda
