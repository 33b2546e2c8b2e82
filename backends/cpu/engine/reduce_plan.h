// How a reduction is cut up: strips of outputs, and blocks of the elements that each reduces.
//
//   ReducePlan plan(set, dtype, self, mask, outputs);
//   for (ReducePlan::Cursor at(plan, strip, 0); …; at.Next()) loop(states, at.Load(buffers));
//
// A strip is a run of outputs along one kept dimension, a block those outputs' elements along one
// reduced dimension. `along`: the block's rows are reduced, each to an output; otherwise its
// columns are. Blocks are brought into the loops' form by LoadBlock, so either way works for any
// strides; the plan takes the one that reads memory in order.
// Owns: nothing; tensors must outlive it.
// Threads: any, once constructed.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_PLAN_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_PLAN_H_

#include <algorithm>
#include <initializer_list>

#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/backends/cpu/engine/reduce.h"

namespace sy::cpu {

inline constexpr int kMaxReduceOutputs = 2;

struct ReducePlan {
  struct Output {
    DType dtype;
    int part;        // of the state
    int64_t stride;  // bytes, along the strip
  };

  ReducePlan(const ReduceSet& set, DType dtype, const Tensor& self, uint64_t mask,
             std::initializer_list<ReduceOutput> to);

  int64_t StripSize(int64_t strip_index) const {
    return std::min(strip, it.sizes[0] - strip_index % strips_along * strip);
  }
  // Elements that an output reduces in blocks 0 … block - 1.
  int64_t ElementsBefore(int64_t block) const {
    return block / blocks_along * it.sizes[it.kept] +
           std::min(block % blocks_along * depth, it.sizes[it.kept]);
  }
  char* OutputAt(int64_t strip_index, int k) const {
    return StripAt(strip_index, it.operands[1 + k]);
  }

  bool along;
  int num_outputs;
  Output outputs[kMaxReduceOutputs];
  int64_t strip, depth;              // a block's outputs, and the elements each reduces in it
  int64_t strips_along, num_strips;  // along the strips' dimension; of all
  int64_t blocks_along, num_blocks;  // along the blocks' dimension; of all
  int64_t count;                     // elements that each output reduces
  ReduceSpace it;
  Way way;  // from self to the loop

  class Cursor {
   public:
    Cursor(const ReducePlan& plan, int64_t strip_index, int64_t block);
    void Next();
    ReduceBlock Load(OperandBuffer& buffer) const;
    // Elements along the reduced dimension.
    int64_t depth() const {
      return std::min(plan_.depth,
                      plan_.it.sizes[plan_.it.kept] - at_[plan_.it.kept] * plan_.depth);
    }

   private:
    const ReducePlan& plan_;
    const char* strip_at_;
    int64_t strip_size_;
    int64_t at_[kMaxRank];  // of the reduced dimensions; the first in blocks
  };

 private:
  void ChooseBlocks(int64_t max_item, bool converts_not, int64_t state_bytes, bool positions);
  char* StripAt(int64_t strip_index, const IndexSpace::Operand& o) const;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_PLAN_H_
