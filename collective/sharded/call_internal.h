// One call with sharded tensors, on its way through the layer.
#ifndef COLLECTIVE_SHARDED_CALL_INTERNAL_H_
#define COLLECTIVE_SHARDED_CALL_INTERNAL_H_

#include <span>
#include <vector>

#include "collective/sharded/classify_internal.h"
#include "switchyard/dispatcher/layers.h"

namespace sy::sharded {

// The operator on tensors without bytes, of the whole's geometry: what it says of its results.
class OnMeta {
 public:
  explicit OnMeta(const Plan& plan);
  // Another tensor in place of an argument's. Before Run.
  void Replace(size_t argument, const Tensor& t);
  // Errors: the operator's.
  void Run();
  std::pmr::vector<Tensor> results;  // those of lists one after the other
  // What stands for an argument's tensor, also for reading what the call made of it.
  const Tensor& tensor(size_t argument) const;

 private:
  const OperatorEntry& op_;
  std::pmr::vector<Value> args_;
  std::pmr::vector<Tensor> tensors_;        // by argument; Values point to these
  std::vector<std::vector<Tensor>> lists_;  // with room for all
};
// Of the whole, with the strides of the tensor that it is of; where those have gaps, dense ones in
// their order.
Tensor AsItLies(const Tensor& whole, const Tensor& t);
// Without bytes, on meta, on t's storage: views of it are views of t.
Tensor MetaOf(const Tensor& t);
// Whether a program has the meta backend, and t's device is the only one that args name.
bool HasMeta(std::span<const Value> args, const Tensor& t);

// Moves operands as planned, calls the operator on the parts, and makes sharded tensors of what
// comes, of `metas` where there are any. first_only: by the first rank, which sends.
void Execute(Plan& plan, LayerCall& call, bool first_only = false);

void RunView(Plan& plan, LayerCall& call, How how);

}  // namespace sy::sharded

#endif  // COLLECTIVE_SHARDED_CALL_INTERNAL_H_
