// Levels: one for each vmap and DualLevel that this thread is inside of, and what batched tensors
// have.
#ifndef TRANSFORMS_LEVEL_INTERNAL_H_
#define TRANSFORMS_LEVEL_INTERNAL_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "switchyard/autograd/levels.h"
#include "switchyard/core/attachment.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"
#include "switchyard/transforms/batching.h"
#include "switchyard/transforms/vmap.h"

namespace sy::transforms {

struct Level {
  uint64_t id;  // of all levels of the process
  int64_t size;
  VmapRandomness randomness;
  int depth;  // 1: the outermost
  Level* outer;
  bool dual = false;  // of a DualLevel (forward.h): nothing is batched at it
};

// What a tensor stands for: `value` has the batch as dimension 0, and lies in the same memory.
struct Batched : Attachment {
  static constexpr AttachmentKind kKind{"vmap"};
  Tensor value;
  uint64_t level = 0;
  int depth = 0;
};

// The layer's bit; it is registered at the first call.
uint32_t LayerBit();
// Makes gradients know batched tensors.
void RegisterHooks();
// Null of a tensor that stands for itself.
const Batched* BatchedOf(const Tensor& t);
// The level that it is batched at. Errors: kInvalidArgument where that has ended.
Level& LevelOf(const Batched& b, std::string_view op);
// A tensor that looks like an example of value.
Tensor MakeBatched(const Tensor& value, const Level& level);
// What lies as t does, one example where that has a batch, without our layers; undefined if t is.
Tensor PlainAlias(const Tensor& t);
// The same tensor object, of another value.
void SetValue(const Tensor& batched, const Tensor& value);

// How many levels deep a dual tensor is; 0: it is none.
int DualDepthOf(const Tensor& t);
// `alias`, on the memory of `of`, is dual if that is.
void AliasDual(const Tensor& alias, const Tensor& of);
// The bit of forward mode's layer; 0 as long as nothing is dual.
uint32_t DualBitInUse();

// The innermost level of this thread, or null.
Level* Innermost();

// f of tensors some of which are dual at the level: called outside of it, with the primals, and
// differentiated there, by whatever history it has.
std::vector<Tensor> DualFunction(const TensorFunction& f, TensorList x, const Level& level);

// While it lives, this thread is inside of `level`; null: of none. Layers are as they were.
class Within {
 public:
  explicit Within(Level* level);
  ~Within();
  Within(const Within&) = delete;

 private:
  Level* saved_;
  uint32_t on_, excluded_;
  int depth_;
};
// While it lives, what is called is outside of `level`: its values are recorded as they should be.
class Outside {
 public:
  explicit Outside(const Level& level);
  ~Outside();
  Outside(const Outside&) = delete;

 private:
  autograd::OuterMode mode_;
  Within within_;
};

// The rule that is registered for the operator, or null.
const BatchRule* RuleOf(std::string_view name);

// A view, by its geometry: of all examples as of the first.
void BatchView(BatchCall& c);
// A call for each example, its results stacked. same_numbers: each draws the same.
void Loop(BatchCall& c, bool same_numbers);

}  // namespace sy::transforms

#endif  // TRANSFORMS_LEVEL_INTERNAL_H_
