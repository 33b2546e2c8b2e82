#include "backends/cpu/engine/reduce_plan.h"

#include <algorithm>

namespace sy::cpu {
namespace {

// Rows in a strip along memory.
constexpr int64_t kMaxRows = 1024;
// Bytes of states of a strip across memory, which stay in the first-level cache, and through which
// whole rows of a matrix are read in one go.
constexpr int64_t kStripBytes = kBlockBytes;
// The same where rows go through a buffer that holds several.
constexpr int64_t kBufferedStrip = 128;
// Elements of a column that are added one by one: the error of a sum of floats grows with them. A
// column with positions is as deep as those allow, since combining such states is slow.
constexpr int64_t kSumColumn = 64;
// Long rows that are reduced along, in one strip.
constexpr int64_t kLongRows = 8;
// Rows shorter than this are reduced across, after a transposition, rather than along.
constexpr int64_t kMinRow = 16;
// Columns fewer than this are reduced along, after a transposition, rather than across.
constexpr int64_t kMinColumns = 8;

}  // namespace

namespace {

ReduceSpace SpaceOf(const Tensor& self, uint64_t mask, std::initializer_list<ReduceOutput> to,
                    bool positions) {
  const Tensor* outputs[kMaxReduceOutputs];
  size_t n = 0;
  for (const ReduceOutput& o : to) outputs[n++] = o.tensor;
  return ReduceSpace(self, mask, {outputs, n}, positions);
}

}  // namespace

ReducePlan::ReducePlan(const ReduceSet& set, DType dtype, const Tensor& self, uint64_t mask,
                       std::initializer_list<ReduceOutput> to)
    : num_outputs(static_cast<int>(to.size())), it(SpaceOf(self, mask, to, set.located)) {
  count = 1;
  for (int d = it.kept; d < it.rank; ++d) count *= it.sizes[d];
  const DType in = set.reads[static_cast<int>(dtype)];
  way.conversion = Conversion(self.dtype(), dtype, in);
  for (int k = 0; k < num_outputs; ++k) {
    outputs[k] = {to.begin()[k].tensor->dtype(), to.begin()[k].part, it.operands[1 + k].strides[0]};
  }
  const StateParts& parts = set.parts[static_cast<int>(dtype)];
  int64_t state_bytes = 0;
  for (int k = 0; k < parts.num_parts; ++k)
    state_bytes += static_cast<int64_t>(ItemSize(parts.dtypes[k]));
  for (const ReduceOutput& o : to)
    state_bytes = std::max(state_bytes, static_cast<int64_t>(o.tensor->itemsize()));
  ChooseBlocks(static_cast<int64_t>(way.conversion.max_size()), way.conversion.num_steps() == 0,
               state_bytes, set.located);
}

void ReducePlan::ChooseBlocks(int64_t max_item, bool converts_not, int64_t state_bytes,
                              bool positions) {
  const int64_t outs = it.sizes[0], reds = it.sizes[it.kept];
  const int64_t* stride = it.operands[0].strides;
  const auto item = static_cast<int64_t>(ItemSize(it.operands[0].dtype));
  const int64_t limit = std::max<int64_t>(64, kBlockBytes / max_item);
  const bool rows_in_order = stride[it.kept] <= stride[0];
  along = outs == 1 || (rows_in_order ? reds >= kMinRow || outs < kMinColumns
                                      : outs < kMinColumns && reds >= kMinRow);
  const bool direct = converts_not && stride[along ? it.kept : 0] == item;
  if (along) {
    // Unbuffered rows are not cut for a little, and several long ones share what a strip costs.
    depth = direct && reds <= 2 * limit ? reds : std::min(reds, limit);
    const int64_t fit = limit / std::max<int64_t>(1, depth);
    strip = std::min(
        {outs, kMaxRows, std::max(fit, direct ? kLongRows : 1), kStripBytes / state_bytes});
    if (!direct && !rows_in_order && outs > 1) {  // transposed: whole lines of memory
      strip = outs;
      depth = std::min(reds, std::max<int64_t>(1, limit / strip));
    }
  } else {
    strip = std::min(outs, direct ? kStripBytes / state_bytes : kBufferedStrip);
    const int64_t most = positions ? kMaxColumn : kSumColumn;
    depth = std::min({reds, most, direct ? most : limit / strip});
    // An even number of equal blocks, whose rows are added four at a time, for an even share each.
    if (depth >= 8) {
      const int64_t blocks = ((reds + depth - 1) / depth + 1) / 2 * 2;
      depth = std::min(depth, ((reds + blocks - 1) / blocks + 3) / 4 * 4);
    }
  }
  depth = std::max<int64_t>(depth, 1);
  way.stride0 = stride[along ? it.kept : 0];
  way.stride1 = stride[along ? 0 : it.kept];
  strips_along = num_strips = (outs + strip - 1) / strip;
  for (int d = 1; d < it.kept; ++d) num_strips *= it.sizes[d];
  blocks_along = num_blocks = (reds + depth - 1) / depth;
  for (int d = it.kept + 1; d < it.rank; ++d) num_blocks *= it.sizes[d];
}

char* ReducePlan::StripAt(int64_t strip_index, const IndexSpace::Operand& o) const {
  char* p = o.data + strip_index % strips_along * strip * o.strides[0];
  int64_t rest = strip_index / strips_along;
  for (int d = 1; d < it.kept; ++d) {
    p += rest % it.sizes[d] * o.strides[d];
    rest /= it.sizes[d];
  }
  return p;
}

ReducePlan::Cursor::Cursor(const ReducePlan& plan, int64_t strip_index, int64_t block)
    : plan_(plan),
      strip_at_(plan.StripAt(strip_index, plan.it.operands[0])),
      strip_size_(plan.StripSize(strip_index)) {
  for (int d = plan.it.kept; d < plan.it.rank; ++d) {
    const int64_t n = d == plan.it.kept ? plan.blocks_along : plan.it.sizes[d];
    at_[d] = block % n;
    block /= n;
  }
}

void ReducePlan::Cursor::Next() {
  for (int d = plan_.it.kept; d < plan_.it.rank; ++d) {
    const int64_t n = d == plan_.it.kept ? plan_.blocks_along : plan_.it.sizes[d];
    if (++at_[d] < n) return;
    at_[d] = 0;
  }
}

ReduceBlock ReducePlan::Cursor::Load(OperandBuffer& buffer) const {
  const IndexSpace& it = plan_.it;
  const IndexSpace::Operand& last = it.operands[it.num_operands - 1];
  const char* p = strip_at_;
  int64_t position = 0;
  for (int d = plan_.it.kept; d < it.rank; ++d) {
    const int64_t i = d == plan_.it.kept ? at_[d] * plan_.depth : at_[d];
    p += i * it.operands[0].strides[d];
    position += i * last.strides[d];
  }
  const int64_t n = depth();
  const BlockSize size = plan_.along ? BlockSize{n, strip_size_} : BlockSize{strip_size_, n};
  buffer.loaded = nullptr;  // kept for one value to be used again: blocks differ
  const Span span = LoadBlock(plan_.way, p, size, true, buffer);
  return {span.data,
          span.row_stride,
          static_cast<size_t>(size.n1),
          static_cast<size_t>(size.n0),
          position,
          last.strides[plan_.it.kept]};
}

}  // namespace sy::cpu
