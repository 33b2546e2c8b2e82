#include "switchyard/backends/cpu/engine/pointwise.h"

#include <algorithm>
#include <cstring>

#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/backends/cpu/simd/instructions.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// Dimensions in which an operand lies across the others are worth a tile from this size on.
constexpr int64_t kMinTile = 4;
// Rows from this length on, of the widest operand, are looped over one by one; shorter ones, which
// do not fill a vector, are packed together.
constexpr int64_t kMinRowBytes = 64;
// Bytes from which on a row of results is worth streaming by itself: fewer than one in ten of its
// cache lines are then written in part.
constexpr int64_t kMinStreamedRow = 2048;
constexpr int kMaxArguments = IndexSpace::kMaxOperands + kMaxParams;
// Of four operands' blocks the stack has less room for each.
constexpr int64_t BlockBytes(int operands) {
  return operands > 3 ? kBlockBytes * 3 / 4 : kBlockBytes;
}

// How the iteration space is cut into blocks of at most two dimensions, and how each operand gets
// in and out of them.
class Plan {
 public:
  Plan(const LoopCall& call, const IndexSpace& it);
  void Run() const;

 private:
  void ChooseRows();
  void ChooseBlocks();
  int FindTile() const;
  void RunBlocks(int64_t first, int64_t last, int64_t begin, int64_t end) const;
  template <int kOperands>
  void WalkBlocks(int64_t first, int64_t last, int64_t begin, int64_t end) const;
  void RunBlock(const int64_t* at, OperandBuffer* buffers) const;
  void RunRows() const;

  const IndexSpace& it_;
  const LoopCall& call_;
  Way ways_[IndexSpace::kMaxOperands];
  int64_t loop_item_[kMaxArguments] = {};  // bytes of an element in the loop; 0: of parameters
  bool buffered_ = false;                  // some operand goes through a buffer
  int64_t max_item_ = 1;                   // bytes of the widest element on the way
  bool stream_;
  bool staged_ = false;  // results are collected in the buffer, to be streamed many rows at a time
  bool by_rows_ = false;
  BlockSize block_;
  int dim1_ = -1;             // the block's second dimension
  int order_[kMaxRank];       // dimensions, those walked first first
  int64_t blocks_[kMaxRank];  // blocks along each
  int64_t num_blocks_ = 1;
};

Plan::Plan(const LoopCall& call, const IndexSpace& it) : it_(it), call_(call) {
  int64_t bytes = 0;
  bool in_place = false;
  for (int k = 0; k < it.num_operands; ++k) {
    const IndexSpace::Operand& o = it.operands[k];
    Way& way = ways_[k];
    if (k == 0) {
      way.conversion = Conversion(call.in_loop[0], call.common[0], o.dtype);
    } else {
      way.conversion = Conversion(o.dtype, call.common[k], call.in_loop[k]);
      in_place |= o.data == it.operands[0].data;
    }
    const int64_t item = static_cast<int64_t>(ItemSize(o.dtype));
    loop_item_[k] = static_cast<int64_t>(ItemSize(call.in_loop[k]));
    max_item_ = std::max(max_item_, static_cast<int64_t>(way.conversion.max_size()));
    buffered_ |= way.conversion.num_steps() > 0 || o.strides[0] != item;
    if (o.strides[0] != 0) bytes += it.numel() * item;
  }
  stream_ = bytes > kStreamBytes && !in_place;
  if (it.rank > 1) ChooseRows();
  ChooseBlocks();
  for (int k = 0; k < it.num_operands; ++k) {
    ways_[k].stride0 = it.operands[k].strides[0];
    ways_[k].stride1 = dim1_ < 0 ? 0 : it.operands[k].strides[dim1_];
  }
}

// Rows too short for loops of their own, or to be streamed one by one.
void Plan::ChooseRows() {
  const IndexSpace::Operand& out = it_.operands[0];
  const int64_t item = static_cast<int64_t>(ItemSize(out.dtype));
  const int64_t row_bytes = it_.sizes[0] * item;
  if (stream_ && row_bytes < kMinStreamedRow) {
    // Collecting costs a pass of its own: only where inputs are read in a pass of their own too.
    staged_ = buffered_ && out.strides[0] == item && out.strides[1] == row_bytes;
    stream_ = staged_;
  }
  buffered_ |= staged_ || it_.sizes[0] * max_item_ < kMinRowBytes;
  for (int k = 1; k < it_.num_operands; ++k)
    buffered_ |= it_.operands[k].strides[1] == 0 && it_.sizes[0] * loop_item_[k] < kMinSharedRow;
}

// A dimension along which some operand is contiguous that is not so along the innermost one.
int Plan::FindTile() const {
  for (int k = 0; k < it_.num_operands; ++k) {
    const IndexSpace::Operand& o = it_.operands[k];
    const int64_t item = static_cast<int64_t>(ItemSize(o.dtype));
    if (o.strides[0] == item || o.strides[0] == 0) continue;
    for (int d = 1; d < it_.rank; ++d) {
      if (o.strides[d] == item && it_.sizes[d] >= kMinTile) return d;
    }
  }
  return -1;
}

// The largest of equal parts of at most `most`, rounded up to a multiple: so that threads that take
// as many blocks have as much to do.
int64_t EqualPart(int64_t size, int64_t most, int64_t multiple = 1) {
  const int64_t parts = (size + most - 1) / most;
  const int64_t each = (size + parts - 1) / std::max<int64_t>(parts, 1);
  return std::min({size, most, (each + multiple - 1) / multiple * multiple});
}

void Plan::ChooseBlocks() {
  const int64_t fits = std::max<int64_t>(64, BlockBytes(it_.num_operands) / max_item_);
  const int64_t size0 = it_.sizes[0];
  dim1_ = FindTile();
  const bool tile = dim1_ > 0;
  if (tile) {
    const int64_t line = std::max<int64_t>(1, 64 / max_item_);
    // As many source rows of one cache line each fill a block.
    block_.n0 = EqualPart(size0, std::max<int64_t>(1, fits / line), line);
    const int64_t most = std::max<int64_t>(1, fits / block_.n0);
    block_.n1 = std::min(it_.sizes[dim1_], most > line ? most / line * line : most);
    stream_ = false;  // a tile's rows are short, and their ends rarely at those of cache lines
    staged_ = false;
  } else {
    // Without buffers only threads limit a block, which is a row or a part of one.
    const int64_t most = buffered_ ? fits : kGrain / 4;
    block_ = {EqualPart(size0, most, 64), 1};
    if (buffered_ && it_.rank > 1 && size0 <= most / 2) {
      dim1_ = 1;
      block_.n1 = EqualPart(it_.sizes[1], most / size0);
    }
  }
  by_rows_ = block_.n0 * max_item_ >= kMinRowBytes;
  // A tile's second dimension first: along the transposed operand's rows, few pages at a time.
  int n = 0;
  if (tile) order_[n++] = dim1_;
  for (int d = 0; d < it_.rank; ++d) {
    if (!tile || d != dim1_) order_[n++] = d;
    const int64_t step = d == 0 ? block_.n0 : d == dim1_ ? block_.n1 : 1;
    blocks_[d] = (it_.sizes[d] + step - 1) / step;
    num_blocks_ *= blocks_[d];
  }
}

void Plan::Run() const {
  if (!buffered_) return RunRows();
  const int64_t grain = std::max<int64_t>(1, kGrain / block_.numel());
  const int64_t along = blocks_[order_[0]], others = num_blocks_ / along;
  if (order_[0] != 0 && along >= 2 * NumThreads()) {
    // Tiles: threads share what is walked first, or they would write neighbouring ends of the same
    // rows of the output.
    ParallelFor(along, std::max<int64_t>(1, grain / others), [&](int64_t first, int64_t last) {
      RunBlocks(first, last, 0, (last - first) * others);
    });
    return;
  }
  ParallelFor(num_blocks_, grain,
              [&](int64_t begin, int64_t end) { RunBlocks(0, along, begin, end); });
}

// Blocks begin … end - 1 of those that are number first … last - 1 along the dimension that is
// walked first.
void Plan::RunBlocks(int64_t first, int64_t last, int64_t begin, int64_t end) const {
  if (it_.num_operands <= 2) return WalkBlocks<2>(first, last, begin, end);
  if (it_.num_operands == 3) return WalkBlocks<3>(first, last, begin, end);
  WalkBlocks<IndexSpace::kMaxOperands>(first, last, begin, end);
}

template <int kOperands>
__attribute__((noinline)) void Plan::WalkBlocks(int64_t first, int64_t last, int64_t begin,
                                                int64_t end) const {
  Buffers<kOperands, BlockBytes(kOperands)> buffers;
  int64_t at[kMaxRank];  // the block's position, in blocks
  at[order_[0]] = first + begin % (last - first);
  int64_t rest = begin / (last - first);
  for (int i = 1; i < it_.rank; ++i) {
    at[order_[i]] = rest % blocks_[order_[i]];
    rest /= blocks_[order_[i]];
  }
  for (int64_t block = begin; block < end; ++block) {
    RunBlock(at, buffers.operand);
    if (++at[order_[0]] < last) continue;
    at[order_[0]] = first;
    for (int i = 1; i < it_.rank && ++at[order_[i]] == blocks_[order_[i]]; ++i) at[order_[i]] = 0;
  }
  if (stream_) StreamFence();
}

// The loop's arguments: its operands and its parameters.
struct Arguments {
  Arguments(const LoopCall& call, int num_operands) : n(num_operands + call.num_params) {
    for (int k = 0; k < call.num_params; ++k) p[num_operands + k] = call.params[k];
  }
  int n;
  void* p[kMaxArguments];
};

// Bytes from p to the next cache line.
int64_t ToNextLine(const void* p) { return -reinterpret_cast<intptr_t>(p) & 63; }

// loop(p, n) whose results have one or two bytes, collected in the first-level cache: they fill a
// line in several stores, between which a processor that streams them would give the line up.
void StreamNarrow(Loop loop, const Arguments& args, const int64_t* item, int64_t n,
                  unsigned uniform) {
  alignas(64) char collected[4096];
  char* out = static_cast<char*>(args.p[0]);
  void* p[kMaxArguments];
  for (int k = 0; k < args.n; ++k) p[k] = args.p[k];
  p[0] = collected;
  const int64_t head = ToNextLine(out) / item[0], most = int64_t{sizeof(collected)} / item[0];
  for (int64_t i = 0, m = 0; i < n; i += m) {
    m = std::min(n - i, i == 0 && head != 0 ? head : most);
    loop(p, static_cast<size_t>(m), uniform);
    CopyContiguous(out + i * item[0], collected, m * item[0], true);
    for (int k = 1; k < args.n; ++k) p[k] = static_cast<char*>(p[k]) + m * item[k];
  }
}

// loop(p, n), the part before the output's first cache line apart where it is to be streamed. item:
// the bytes from an operand's element to the next; uniform: which operands are the same for all.
void CallLoop(Loop loop, const Arguments& args, const int64_t* item, int64_t n, bool stream,
              unsigned uniform = 0) {
  void* const* const p = args.p;
  if (stream && item[0] <= 2) return StreamNarrow(loop, args, item, n, uniform);
  if (stream) {
    const int64_t bytes = ToNextLine(p[0]);
    if (bytes % item[0] != 0) stream = false;
    if (stream && bytes != 0) {
      const int64_t head = std::min(n, bytes / item[0]);
      loop(p, static_cast<size_t>(head), uniform);
      if (head == n) return;
      void* q[kMaxArguments];
      for (int k = 0; k < args.n; ++k) q[k] = static_cast<char*>(p[k]) + head * item[k];
      return loop(q, static_cast<size_t>(n - head), uniform | kStream);
    }
  }
  loop(p, static_cast<size_t>(n), uniform | (stream ? kStream : 0));
}

void Plan::RunBlock(const int64_t* at, OperandBuffer* buffers) const {
  BlockSize size = {std::min(block_.n0, it_.sizes[0] - at[0] * block_.n0), 1};
  if (dim1_ > 0) size.n1 = std::min(block_.n1, it_.sizes[dim1_] - at[dim1_] * block_.n1);
  const int n = it_.num_operands;
  const auto position = [&](const IndexSpace::Operand& o) {
    char* p = o.data;
    for (int d = 0; d < it_.rank; ++d) {
      const int64_t step = d == 0 ? block_.n0 : d == dim1_ ? block_.n1 : 1;
      p += at[d] * step * o.strides[d];
    }
    return p;
  };
  char* const out = position(it_.operands[0]);
  Span spans[IndexSpace::kMaxOperands];
  spans[0] = staged_ ? BufferSpan(ways_[0], size, buffers[0])
                     : TargetOf(ways_[0], out, size, by_rows_, buffers[0]);
  bool rows_follow = spans[0].row_stride == size.n0 * loop_item_[0];
  for (int k = 1; k < n; ++k) {
    spans[k] = LoadBlock(ways_[k], position(it_.operands[k]), size, by_rows_, buffers[k]);
    rows_follow &= spans[k].row_stride == size.n0 * loop_item_[k];
  }
  const bool direct = spans[0].data == out;
  Arguments args(call_, n);
  for (int k = 0; k < n; ++k) args.p[k] = spans[k].data;
  if (size.n1 == 1 || rows_follow) {
    CallLoop(call_.loop, args, loop_item_, size.numel(), stream_ && direct);
  } else {
    for (int64_t j = 0; j < size.n1; ++j) {
      CallLoop(call_.loop, args, loop_item_, size.n0, stream_ && direct);
      for (int k = 0; k < n; ++k) args.p[k] = static_cast<char*>(args.p[k]) + spans[k].row_stride;
    }
  }
  StoreBlock(ways_[0], spans[0], out, size, stream_, buffers[0]);
}

// Every operand as the loop wants it, row by row.
void Plan::RunRows() const {
  const int first_dim = blocks_[0] == 1 ? 1 : 0, n = it_.num_operands;
  const auto step = [&](int d, int k) {
    return (d == 0 ? block_.n0 : 1) * it_.operands[k].strides[d];
  };
  ParallelFor(num_blocks_, std::max<int64_t>(1, kGrain / block_.n0),
              [&](int64_t begin, int64_t end) {
                int64_t at[kMaxRank] = {}, rest = begin;
                Arguments args(call_, n);
                for (int k = 0; k < n; ++k) args.p[k] = it_.operands[k].data;
                const auto advance = [&](int d, int64_t by) {
                  for (int k = 0; k < n; ++k)
                    args.p[k] = static_cast<char*>(args.p[k]) + by * step(d, k);
                };
                for (int d = first_dim; d < it_.rank; ++d) {
                  at[d] = rest % blocks_[d];
                  rest /= blocks_[d];
                  advance(d, at[d]);
                }
                for (int64_t block = begin; block < end; ++block) {
                  const int64_t size = std::min(block_.n0, it_.sizes[0] - at[0] * block_.n0);
                  CallLoop(call_.loop, args, loop_item_, size, stream_);
                  for (int d = first_dim; d < it_.rank; ++d) {
                    advance(d, 1);
                    if (++at[d] < blocks_[d]) break;
                    advance(d, -blocks_[d]);
                    at[d] = 0;
                  }
                }
                if (stream_) StreamFence();
              });
}

// One element, kUniformBytes of it.
void Repeat(const Conversion& conversion, const char* element, char* to) {
  alignas(16) char one[16], two[16];
  const size_t size = conversion.to_size();
  ActiveHelpers().fill[SizeIndex(size)](to, conversion.Run(element, 1, one, two),
                                        kUniformBytes / size, false);
}

// Everything contiguous and of the loop's dtypes, or one element for all.
bool RunFlat(const LoopCall& call, const IndexSpace& it) {
  if (it.rank != 1) return false;
  int64_t item[kMaxArguments] = {}, bytes = 0;
  alignas(64) char repeated[IndexSpace::kMaxOperands][kUniformBytes];
  unsigned uniform = 0;
  bool in_place = false;
  for (int k = 0; k < it.num_operands; ++k) {
    const IndexSpace::Operand& o = it.operands[k];
    if (k > 0 && o.strides[0] == 0 && call.takes_uniform) {
      Repeat(Conversion(o.dtype, call.common[k], call.in_loop[k]), o.data, repeated[k]);
      uniform |= Uniform(k);
      continue;
    }
    item[k] = static_cast<int64_t>(ItemSize(o.dtype));
    if (o.dtype != call.common[k] || o.dtype != call.in_loop[k] || o.strides[0] != item[k])
      return false;
    bytes += it.sizes[0] * item[k];
    in_place |= k > 0 && o.data == it.operands[0].data;
  }
  const bool stream = bytes > kStreamBytes && !in_place;
  ParallelFor(it.sizes[0], kGrain, [&](int64_t begin, int64_t end) {
    Arguments args(call, it.num_operands);
    for (int k = 0; k < it.num_operands; ++k) {
      const bool one = (uniform & Uniform(k)) != 0;
      args.p[k] = one ? repeated[k] : it.operands[k].data + begin * item[k];
    }
    CallLoop(call.loop, args, item, end - begin, stream, uniform);
    if (stream) StreamFence();
  });
  return true;
}

}  // namespace

LoopCall CallOf(const LoopSet& set, DType dtype, int num_operands) {
  const int d = static_cast<int>(dtype);
  LoopCall call;
  call.loop = set.tables[ActiveIsa()]->loops[d];
  call.takes_uniform = true;
  call.common[0] = OutputOf(set.formula->facts.signature, dtype);
  call.in_loop[0] = set.output[d];
  for (int k = 1; k < num_operands; ++k) {
    const bool condition = k == 1 && set.formula->facts.signature == Signature::kSelect;
    call.common[k] = condition ? DType::kBool : dtype;
    call.in_loop[k] = condition ? DType::kBool : set.runs_in[d];
  }
  return call;
}

void RunLoop(const LoopCall& call, IndexSpace& it) {
  if (it.numel() == 0) return;
  it.Coalesce();
  if (RunFlat(call, it)) return;
  Plan(call, it).Run();
}

namespace {

// kUniformBytes of a number as programs write them, in the dtype of most computations; false for
// others.
template <class To>
bool RepeatNumberAs(const Tensor& t, char* to) {
  To v;
  if (t.dtype() == DType::kFloat64) {
    if constexpr (std::is_integral_v<To>) return false;
    v = static_cast<To>(*static_cast<const double*>(t.data()));
  } else if (t.dtype() == DType::kInt64) {
    v = static_cast<To>(*static_cast<const int64_t*>(t.data()));
  } else if (t.dtype() == DTypeOf<To>) {
    v = *static_cast<const To*>(t.data());
  } else {
    return false;
  }
  for (size_t i = 0; i < kUniformBytes / sizeof v; ++i)
    std::memcpy(to + i * sizeof v, &v, sizeof v);
  return true;
}
bool RepeatNumber(const Tensor& t, DType dtype, char* to) {
  if (dtype == DType::kFloat32) return RepeatNumberAs<float>(t, to);
  if (dtype == DType::kFloat64) return RepeatNumberAs<double>(t, to);
  if (dtype == DType::kInt64) return RepeatNumberAs<int64_t>(t, to);
  return false;
}

// Operands in one row, or one element for all, whatever their dtypes, without an iteration space:
// of few elements that would cost more than the loop.
bool RunFew(const LoopCall& call, const Tensor& out, const Tensor* const* inputs, int num_inputs) {
  constexpr int64_t kFew = 64;  // elements that are converted on the stack
  const int64_t n = out.numel();
  if (n == 0 || n >= internal::kSmall || !internal::IsPlain(out, n, call.in_loop[0]) ||
      call.common[0] != call.in_loop[0])
    return false;
  alignas(64) char buffers[IndexSpace::kMaxOperands][2][kFew * 16];
  static_assert(kFew * 16 >= kUniformBytes);
  void* p[IndexSpace::kMaxOperands] = {out.data()};
  unsigned uniform = 0;
  for (int k = 1; k <= num_inputs; ++k) {
    const Tensor& t = *inputs[k - 1];
    const bool one = t.numel() == 1 && (n != 1 || t.dtype() != call.common[k]);
    if (one) {
      uniform |= Uniform(k);
      p[k] = buffers[k][0];
      if (call.common[k] == call.in_loop[k] && RepeatNumber(t, call.in_loop[k], buffers[k][0]))
        continue;
      const Conversion c(t.dtype(), call.common[k], call.in_loop[k]);
      Repeat(c, static_cast<const char*>(t.data()), buffers[k][0]);
      continue;
    }
    if (!internal::IsPlain(t, n, t.dtype())) return false;
    if (t.dtype() == call.common[k] && t.dtype() == call.in_loop[k]) {
      p[k] = t.data();
      continue;
    }
    const Conversion c(t.dtype(), call.common[k], call.in_loop[k]);
    if (c.num_steps() == 0) {
      p[k] = t.data();
    } else if (n <= kFew) {
      p[k] =
          const_cast<char*>(c.Run(t.data(), static_cast<size_t>(n), buffers[k][0], buffers[k][1]));
    } else {
      return false;
    }
  }
  call.loop(p, static_cast<size_t>(n), uniform);
  return true;
}

// A tensor without gaps and a number, as programs write them.
bool RunWithNumber(const LoopSet& set, DType dtype, const Tensor& out, const Tensor& in,
                   const Tensor& number) {
  const int d = static_cast<int>(dtype);
  const int64_t n = out.numel();
  if (!number.is_wrapped_number() || !Contains(set.direct, dtype) || n == 0 ||
      n >= internal::kSmall || !internal::IsPlain(out, n, set.output[d]) ||
      !internal::IsPlain(in, n, dtype))
    return false;
  alignas(64) char repeated[kUniformBytes];
  if (!RepeatNumber(number, dtype, repeated)) return false;
  void* const p[] = {out.data(), in.data(), repeated};
  set.tables[ActiveIsa()]->loops[d](p, static_cast<size_t>(n), Uniform(2));
  return true;
}

}  // namespace

void internal::RunLoopsSlow(const LoopSet& set, DType dtype, const Tensor& out,
                            const Tensor* const* inputs, int num_inputs) {
  if (num_inputs == 2 && RunWithNumber(set, dtype, out, *inputs[0], *inputs[1])) return;
  const LoopCall call = CallOf(set, dtype, num_inputs + 1);
  if (RunFew(call, out, inputs, num_inputs)) return;
  IndexSpace it(out.sizes());
  it.Add(out);
  for (int k = 0; k < num_inputs; ++k) it.Add(*inputs[k]);
  RunLoop(call, it);
}

void RunSelect(const LoopSet& set, DType dtype, const Tensor& out, const Tensor& condition,
               const Tensor& a, const Tensor& b) {
  const int64_t n = out.numel();
  const bool plain = n < internal::kSmall && internal::IsPlain(out, n, dtype) &&
                     internal::IsPlain(condition, n, DType::kBool) &&
                     internal::IsPlain(a, n, dtype) && internal::IsPlain(b, n, dtype);
  if (plain) {
    void* const p[] = {out.data(), condition.data(), a.data(), b.data()};
    return set.tables[ActiveIsa()]->loops[static_cast<int>(dtype)](p, static_cast<size_t>(n),
                                                                   false);
  }
  const Tensor* const inputs[] = {&condition, &a, &b};
  internal::RunLoopsSlow(set, dtype, out, inputs, 3);
}

namespace {

// Numbers as parameters of loops that run in a dtype.
class Params {
 public:
  Params(std::initializer_list<Scalar> numbers, DType dtype) {
    VisitDType<kAllTypes & ~(kHalfTypes | kFloat8Types | Bit(DType::kComplex32))>(
        dtype, [&](auto tag) {
          using T = typename decltype(tag)::type;
          for (const Scalar& number : numbers) {
            const T x = number.To<T>();
            std::memcpy(bytes_[size_++], &x, sizeof x);
          }
        });
  }
  int size() const { return size_; }
  void CopyTo(void** p) {
    for (int k = 0; k < size_; ++k) p[k] = bytes_[k];
  }

 private:
  int size_ = 0;
  alignas(16) char bytes_[kMaxParams][16];
};

}  // namespace

void RunLoopsWith(const LoopSet& set, DType dtype, const Tensor& out,
                  std::initializer_list<const Tensor*> inputs,
                  std::initializer_list<Scalar> params) {
  const int d = static_cast<int>(dtype);
  const int64_t n = out.numel();
  Params numbers(params, ParamType(set.runs_in[d]));
  bool plain = Contains(set.direct, dtype) && n < internal::kSmall &&
               internal::IsPlain(out, n, set.output[d]);
  for (const Tensor* t : inputs) plain = plain && internal::IsPlain(*t, n, dtype);
  LoopCall call = CallOf(set, dtype, static_cast<int>(inputs.size()) + 1);
  if (plain) {
    void* p[kMaxArguments] = {out.data()};
    int k = 1;
    for (const Tensor* t : inputs) p[k++] = t->data();
    numbers.CopyTo(p + k);
    return call.loop(p, static_cast<size_t>(n), false);
  }
  call.num_params = numbers.size();
  numbers.CopyTo(call.params);
  IndexSpace it(out.sizes());
  it.Add(out);
  for (const Tensor* t : inputs) it.Add(*t);
  RunLoop(call, it);
}

void RunLoopsInFloat(const LoopSet& set, DType dtype, const Tensor& out,
                     std::initializer_list<const Tensor*> inputs) {
  IndexSpace it(out.sizes());
  it.Add(out);
  for (const Tensor* t : inputs) it.Add(*t);
  LoopCall call = CallOf(set, DType::kFloat32, it.num_operands);
  for (int k = 0; k + 1 < it.num_operands; ++k) call.common[k] = dtype;
  RunLoop(call, it);
}

}  // namespace sy::cpu
