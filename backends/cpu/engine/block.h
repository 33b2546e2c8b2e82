// Blocks: at most two dimensions of an operand at a time, brought into the form that loops want,
// contiguous and of the loop's dtype, through buffers that stay in the first-level cache.
//
//   Span s = LoadBlock(way, pointer, {n0, n1}, by_rows, buffers.operand[k]);
//   s.data + j * s.row_stride: row j
//
// Owns: Buffers are the caller's, one set per thread. They lie on the stack: a block is so small
// that all of them are a third of the 128 kB that threads of small programs have.
// Threads: each has its own Buffers.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_BLOCK_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_BLOCK_H_

#include "switchyard/backends/cpu/engine/conversion.h"

namespace sy::cpu {

// Bytes of one operand in a block. 8 kB: with three operands, one of them twice, a block fits the
// 32 kB that first-level caches have; twice that was slower when measured.
inline constexpr int64_t kBlockBytes = 8192;
// Threads are worth waking for this many elements.
inline constexpr int64_t kGrain = 32768;
// Results go around the cache when an operator moves more than this: then they would not be there
// anyway when somebody reads them. Source: measured, for copies of 4 … 256 MB.
inline constexpr int64_t kStreamBytes = int64_t{64} << 20;

// A shorter row (bytes, in the loop) that all rows of a block share is repeated in the buffer, so
// that the loop runs over the block in one go; the next blocks find it there.
inline constexpr int64_t kMinSharedRow = 1024;

struct OperandBuffer {
  char* result;
  char* scratch;  // what is on its way to result or from it: the same for all operands
  // What result holds.
  const char* loaded = nullptr;
  int64_t loaded0, loaded1;
  int64_t row_stride;
};

template <int kOperands, int64_t kBytes = kBlockBytes>
struct Buffers {
  Buffers() {
    for (int k = 0; k < kOperands; ++k) {
      operand[k].result = blocks[k];
      operand[k].scratch = blocks[kOperands];
    }
  }
  Buffers(const Buffers&) = delete;
  OperandBuffer operand[kOperands];
  // Loops may write up to a register past a block.
  alignas(64) char blocks[kOperands + 1][kBytes + 64];
};

// How an operand gets from its memory to the loop (or back): its strides in the block's two
// dimensions, in bytes, and the conversion.
struct Way {
  int64_t stride0, stride1;
  Conversion conversion;
};

struct BlockSize {
  int64_t n0, n1;  // elements in a row, rows
  int64_t numel() const { return n0 * n1; }
};

struct Span {
  char* data;
  int64_t row_stride;  // bytes
};

// by_rows: rows may lie apart, the loop is called for each; otherwise they follow one another.
Span LoadBlock(const Way& way, const char* p, BlockSize size, bool by_rows, OperandBuffer& b);

// The loop shall write into b.result.
Span BufferSpan(const Way& way, BlockSize size, OperandBuffer& b);
// Where the loop shall write: the memory itself where it can, else b.result.
Span TargetOf(const Way& way, char* p, BlockSize size, bool by_rows, OperandBuffer& b);
// Moves what the loop wrote from there to memory; nothing to do where it wrote to memory.
void StoreBlock(const Way& way, const Span& target, char* p, BlockSize size, bool stream,
                OperandBuffer& b);

// Copies contiguous bytes, around the cache if asked.
void CopyContiguous(char* dst, const char* src, int64_t bytes, bool stream);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_BLOCK_H_
