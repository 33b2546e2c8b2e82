#include "backends/cuda/engine/pointwise.h"

#include <algorithm>

#include "backends/cuda/engine/launch.h"
#include "backends/cuda/plan/kernel_source.h"
#include "backends/cuda/plan/pointwise_source.h"
#include "switchyard/core/transfer.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Numbers on their way to a kernel.
struct Numbers {
  Immediate inputs[kMaxOperands - 1] = {};
  Immediate params[kMaxParams] = {};
};

// So many threads; a few in a block of whole warps of them, which starts sooner than a large one.
Grid SmallBlocksFor(int64_t threads) {
  constexpr int64_t kWarp = 32;
  if (threads >= kThreads) return BlocksFor(threads);
  return {1, static_cast<int>((threads + kWarp - 1) / kWarp * kWarp)};
}

// A kernel for space w; spec lacks its layout.
void RunPart(const Call& call, PointwiseSpec& spec, const IndexSpace& w, const Numbers& numbers) {
  static constexpr char kMoves = 0;  // stands for copies
  spec.layout = ChooseLayout(w);
  const KernelKey key{spec.formula == nullptr ? &kMoves : static_cast<const void*>(spec.formula),
                      spec.Words()};
  const auto text = [&spec] { return PointwiseSource(spec); };
  const auto fill = [&](auto& args) {
    for (int k = 0; k < w.num_operands; ++k) args.data[k] = w.operands[k].data;
    std::ranges::copy(numbers.inputs, args.inputs);
    std::ranges::copy(numbers.params, args.params);
  };
  if (spec.layout.flat) {
    FlatArgs args{};
    fill(args);
    args.n = w.numel();
    const int64_t each = spec.layout.each;
    return Launch(call, key, text, SmallBlocksFor((args.n + each - 1) / each), args);
  }
  StridedArgs args{};
  fill(args);
  FillSpace(w, spec.layout, args.space);
  if (spec.layout.rows) {
    constexpr int64_t kMostRows = 65535;  // of a grid
    Grid grid = BlocksFor(args.space.sizes[0]);
    grid.blocks_y = std::min<int64_t>(args.space.sizes[1], kMostRows);
    return Launch(call, key, text, grid, args);
  }
  Launch(call, key, text, SmallBlocksFor(args.space.n), args);
}

// A copy over space w, whose operand 1 lies along dimension `transposed`.
void RunTransposed(const Call& call, const PointwiseSpec& spec, const IndexSpace& w,
                   int transposed) {
  const IndexSpace::Operand &to = w.operands[0], &from = w.operands[1];
  TransposeArgs args{};
  args.to = to.data;
  args.from = from.data;
  args.columns = w.sizes[0];
  args.rows = w.sizes[transposed];
  args.to_step = to.strides[transposed];
  args.from_step = from.strides[0];
  IndexSpace others = w;
  others.sizes[0] = others.sizes[transposed] = 1;
  others.Coalesce();
  FillSpace(others, {.flat = false, .wide = true, .each = 1, .stride_kinds = {}}, args.space);
  const int64_t tile = std::max(to.item, from.item) <= 4 ? 64 : 32;
  args.row_tiles = (args.rows + tile - 1) / tile;
  args.column_tiles = (args.columns + tile - 1) / tile;
  const auto name = [&](size_t k) {
    const DType d = spec.types[k].memory;
    return spec.bits ? BitsName(ItemSize(d)) : ElementName(d);
  };
  static constexpr char kKind = 0;
  Launch(
      call, {&kKind, spec.Words()},
      [&] {
        return KernelSource("transpose", "TransposeArgs",
                            fmt::format("Transpose<{}, {}, {}>(args)", name(0), name(1), tile));
      },
      {args.row_tiles * args.column_tiles * args.space.n, 256}, args);
}

void Run(const Call& call, PointwiseSpec& spec, IndexSpace& w, const Numbers& numbers) {
  if (w.numel() == 0) return;
  w.Coalesce();
  const bool moves = spec.formula == nullptr && w.operands[1].data != nullptr;
  const int transposed = moves && w.rank <= kMaxDims ? TransposedDim(w) : 0;
  if (transposed != 0) return RunTransposed(call, spec, w, transposed);
  ForEachPart(w, [&](const IndexSpace& part) { RunPart(call, spec, part, numbers); });
}

bool IsNumber(const Tensor& t) { return t.is_host() && t.numel() == 1; }

void RunAny(const Call& call, const FormulaDef& formula, const Tensor& out,
            std::initializer_list<const Tensor*> inputs, std::initializer_list<Scalar> params,
            bool keep_last) {
  DType dtypes[kMaxOperands] = {out.dtype()};
  const DType* memory[kMaxOperands] = {dtypes};
  int k = 1;
  for (const Tensor* t : inputs) {
    dtypes[k] = t->dtype();
    memory[k] = IsNumber(*t) ? nullptr : &dtypes[k];
    ++k;
  }
  PointwiseSpec spec = SpecOf(formula, call.dtype(), memory, keep_last);
  IndexSpace w(out.sizes());
  w.Add(out);
  Numbers numbers;
  k = 0;
  for (const Tensor* t : inputs) {
    if (IsNumber(*t)) {
      w.AddNumber();
      numbers.inputs[k] =
          ImmediateOf(ReadNumber(*t), spec.types[static_cast<size_t>(k) + 1].common);
    } else {
      w.Add(*t);
    }
    ++k;
  }
  const DType param_type = ParamTypeOf(formula, call.dtype());
  k = 0;
  for (const Scalar& p : params) numbers.params[k++] = ImmediateOf(p, param_type);
  Run(call, spec, w, numbers);
}

}  // namespace

void RunFormula(Call call, const FormulaDef& formula, const Tensor& out,
                std::initializer_list<const Tensor*> inputs, std::initializer_list<Scalar> params) {
  RunAny(call, formula, out, inputs, params, /*keep_last=*/false);
}

void RunKeepingNumber(Call call, const FormulaDef& formula, const Tensor& out,
                      std::initializer_list<const Tensor*> inputs) {
  RunAny(call, formula, out, inputs, {}, Contains(kHalfTypes, call.dtype()));
}

void CopyElements(Call call, const Tensor& out, const Tensor& src) {
  if (IsNumber(src)) return FillElements(call, out, ReadNumber(src));
  PointwiseSpec spec = MoveSpec(out.dtype(), src.dtype());
  IndexSpace w(out.sizes());
  w.Add(out);
  w.Add(src);
  Run(call, spec, w, {});
}

void FillElements(Call call, const Tensor& out, const Scalar& value) {
  PointwiseSpec spec = MoveSpec(out.dtype(), out.dtype());
  IndexSpace w(out.sizes());
  w.Add(out);
  w.AddNumber();
  Numbers numbers;
  numbers.inputs[0] = ImmediateOf(value, out.dtype());
  Run(call, spec, w, numbers);
}

}  // namespace sy::cuda
