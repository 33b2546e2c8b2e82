// Scaled dot product attention, fused: cuDNN's for short floats without a mask, where there is one,
// else on tensor cores where rows allow it.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/dnn_attention.h"
#include "backends/cuda/plan/visit_order.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

template <size_t kRank>
void SetStrides(const Tensor& t, long long (&to)[kRank]) {
  for (size_t d = 0; d < kRank; ++d) to[d] = t.strides()[d];
}

// Whether rows can be copied 16 bytes at a time, and pairs of elements written.
bool RowsOfPacks(const Tensor& t) {
  constexpr int64_t kPack = 8;
  const auto whole = [](int64_t n) { return n % kPack == 0; };
  const IntSpan strides = t.strides();
  return strides[3] == 1 && whole(t.sizes()[3]) && whole(strides[0]) && whole(strides[1]) &&
         whole(strides[2]) && reinterpret_cast<uintptr_t>(t.data()) % 16 == 0;
}
// Columns as tensor cores take them, 64 or 128 at a time; 0: not at all.
int TileColumns(const Call& call, const Tensor& q, const Tensor& k, const Tensor& v,
                const Tensor& out) {
  constexpr int kFirstWithBFloat16 = 8;  // compute capability
  const bool half = q.dtype() == DType::kFloat16 || q.dtype() == DType::kBFloat16;
  if (!half || StreamOf(call.key).state().properties().major < kFirstWithBFloat16) return 0;
  const int64_t most = std::max(q.sizes()[3], v.sizes()[3]);
  // Fewer keys than a tile has are few enough for the ordinary cores, which do not round weights.
  if (k.sizes()[2] < 64 || most > 128 || !RowsOfPacks(q) || !RowsOfPacks(k) || !RowsOfPacks(v) ||
      !RowsOfPacks(out))
    return 0;
  return most <= 64 ? 64 : 128;
}

void Attention(Call call, const Tensor& out, const Tensor& sums, const Tensor& query,
               const Tensor& key, const Tensor& value, double, bool causal, const Tensor& mask,
               Optional<double> scale) {
  if (out.numel() == 0) return;
  const IntSpan q = query.sizes();
  AttentionArgs args{};
  args.s = key.sizes()[2];
  args.d = q[3];
  if (args.s == 0 || args.d == 0) return FillElements(call, out, Scalar(0));
  args.heads = q[1];
  args.grouped = q[1] / key.sizes()[1];
  args.l = q[2];
  args.f = value.sizes()[3];
  args.scale = scale.value_or(1 / std::sqrt(static_cast<double>(args.d)));
  args.q = query.data();
  args.k = key.data();
  args.v = value.data();
  args.out = out.data();
  args.sums = sums.data();
  SetStrides(query, args.q_strides);
  SetStrides(key, args.k_strides);
  SetStrides(value, args.v_strides);
  SetStrides(out, args.out_strides);
  SetStrides(sums, args.sum_strides);
  DType mask_type = DType::kBool;
  if (mask.defined()) {
    const int64_t scores[] = {q[0], q[1], q[2], args.s};
    const Tensor wide = Expanded(mask, scores);
    args.mask = wide.data();
    mask_type = mask.dtype();
    SetStrides(wide, args.mask_strides);
  }
  if (!mask.defined() && DnnAttention(call, out, sums, query, key, value, causal, args.scale))
    return;
  if (const int most = TileColumns(call, query, key, value, out); most != 0) {
    constexpr int64_t kRows = 64, kThreads = 128;
    return Launch(call,
                  Specialised("attention_tiles", "AttentionArgs", "AttentionByTiles")
                      .Element(query.dtype())
                      .Element(mask_type)
                      .Number(most)
                      .Number(most)
                      .Number(causal),
                  {(args.l + kRows - 1) / kRows * q[0] * q[1], kThreads}, args);
  }
  // Values for each thread, of the 8 for a query: a block takes at most 256 columns.
  const int each = args.f <= 32 ? 4 : args.f <= 64 ? 8 : args.f <= 128 ? 16 : 32;
  constexpr int64_t kTile = 32, kLanes = 8, kMostBlocksY = 65535;
  const int64_t tiles = (args.l + kTile - 1) / kTile, columns = kLanes * each,
                blocks_y = (args.f + columns - 1) / columns;
  if (blocks_y > kMostBlocksY) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"value has ", int64_t{args.f}, " columns, more than ", kMostBlocksY * columns});
  }
  Launch(call,
         Specialised("attention", "AttentionArgs", "Attention")
             .Element(query.dtype())
             .Element(mask_type)
             .Number(each)
             .Number(causal),
         {tiles * q[0] * q[1], kTile * kLanes, blocks_y}, args);
}

const Kernel attention{"_scaled_dot_product_flash_attention_for_cpu", "cuda", kFloatingTypes,
                       Attention};

}  // namespace
}  // namespace sy::cuda
