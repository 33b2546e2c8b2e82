#include <algorithm>
#include <vector>

#include "backends/cuda/kernels/reduce.h"
#include "backends/cuda/kernels/types.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {

uint64_t DimMask(const Tensor& t, std::optional<IntSpan> dim) {
  if (!dim || dim->empty()) return kAllDims;
  uint64_t mask = 0;
  for (int64_t d : *dim) mask |= uint64_t{1} << WrapDim(d, t.dim());
  return mask;
}

ReduceShape ChooseReduceShape(int64_t outputs, int64_t count, bool across, int64_t threads) {
  ReduceShape shape{};
  shape.lanes = (across && outputs >= 32) || count <= 8 ? 1 : count <= 512 ? 32 : 256;
  const int64_t running = outputs * shape.lanes;
  // A chunk is worth starting from some elements for each of its threads.
  constexpr int64_t kLeast = 16, kMostChunks = 1024;
  const int64_t wanted = (threads + running - 1) / std::max<int64_t>(1, running);
  const int64_t sensible = count / (kLeast * shape.lanes);
  shape.chunks = std::clamp<int64_t>(std::min(wanted, sensible), 1, kMostChunks);
  return shape;
}

int SideBySide(const ReduceWalks& w, int lanes) {
  if (w.reduced.rank != 1) return 0;
  const Walk::Operand& in = w.reduced.operands[0];
  if (lanes == 1 || in.strides[0] != in.item) return 1;
  const auto fits = [&](int64_t each) {
    const int64_t bytes = each * in.item;
    bool fits = w.reduced.sizes[0] % each == 0 &&
                reinterpret_cast<uintptr_t>(in.data) % static_cast<uint64_t>(bytes) == 0;
    for (int d = 0; d < w.kept.rank && w.kept.numel() > 1; ++d)
      fits &= w.kept.operands[0].strides[d] % bytes == 0;
    return fits;
  };
  int64_t each = 16 / in.item;
  while (each > 1 && !fits(each)) each /= 2;
  return static_cast<int>(each);
}

ReduceWalks WalksOf(const Tensor& self, uint64_t mask, const Tensor* first, const Tensor* second) {
  const int64_t rank = self.dim();
  const auto item = static_cast<int64_t>(self.itemsize());
  std::vector<int64_t> kept, reduced, kept_in, reduced_in, positions, out[2];
  const Tensor* outputs[] = {first, second};
  const Tensor& shaped = first != nullptr ? *first : *second;
  const bool keepdim = shaped.dim() == rank;
  for (int64_t d = 0, o = 0; d < rank; ++d) {
    const auto at = static_cast<size_t>(d);
    const int64_t size = self.sizes()[at], stride = self.strides()[at] * item;
    if ((mask >> d & 1) != 0) {
      reduced.push_back(size);
      reduced_in.push_back(stride);
      o += keepdim ? 1 : 0;
      continue;
    }
    kept.push_back(size);
    kept_in.push_back(stride);
    for (size_t k = 0; k < 2; ++k) {
      const Tensor* t = outputs[k];
      out[k].push_back(t == nullptr ? 0
                                    : t->strides()[static_cast<size_t>(o)] *
                                          static_cast<int64_t>(t->itemsize()));
    }
    ++o;
  }
  positions.resize(reduced.size());
  int64_t position = 1;
  for (size_t d = reduced.size(); d-- > 0; position *= reduced[d]) positions[d] = position;
  ReduceWalks walks{Walk(kept), Walk(reduced)};
  walks.kept.Add(self.data(), item, kept_in);
  for (size_t k = 0; k < 2; ++k) {
    const Tensor* t = outputs[k];
    walks.kept.Add(t == nullptr ? nullptr : t->data(),
                   t == nullptr ? 0 : static_cast<int64_t>(t->itemsize()), out[k]);
  }
  walks.reduced.Add(self.data(), item, reduced_in);
  walks.reduced.Add(nullptr, 1, positions);
  walks.kept.Simplify();
  walks.reduced.Simplify();
  return walks;
}

namespace {

// The dtype in which values of `d` are reduced.
DType AccumulatesIn(const Reduction& r, DType d) {
  const std::string_view type = r.type;
  const bool adds = type == "Sum" || type == "Prod";
  if (adds && IsIntegral(d, true)) return DType::kInt64;
  if (Contains(kFloat8Types, d)) return DType::kFloat32;
  return d == DType::kComplex32 ? DType::kComplex64 : d;
}

}  // namespace

std::string ReduceSource(const Reduction& r, DType dtype, DType in, DType first, DType second,
                         const ReduceForm& form) {
  const std::string common =
      Join({"f::", r.type, ", ", r.finish, ", Operand<0, kStrided, ", ElementName(in), ", ",
            ElementName(dtype), ", ", ElementName(AccumulatesIn(r, dtype)), ">, ",
            ElementName(first), ", ", ElementName(second), ", "});
  const char* index = form.wide ? "UInt64" : "unsigned";
  const std::string body =
      form.lanes == 0
          ? Join({"ReduceStates<", common, index, ">(args)"})
          : Join({"Reduce<", common, form.lanes, ", ", form.each, ", ", index, ">(args)"});
  return Join({"#include \"switchyard/backends/cuda/device/reduce.h\"\nnamespace sy::cuda {\n",
               "SY_CUDA_KERNEL(k, ReduceArgs, (", body, "))\n}\n"});
}

}  // namespace sy::cuda
