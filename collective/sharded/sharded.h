// Sharded tensors: one program, whose tensors lie in parts on the ranks of a mesh.
//
//   const MeshRef mesh = MakeMesh("grid", {{"model", 4}});       // every rank
//   Tensor w = Distribute(weight, mesh, {Shard(1)});             // each keeps its columns
//   Tensor y = sy::relu(sy::mm(x, w));      // each computes its columns; x is a usual tensor
//   Tensor z = sy::mm(y, v);                // v: Shard(0); each has a term: Partial(sum)
//   Tensor all = FullTensor(z);             // a usual tensor, on every rank
//
// A sharded tensor has the sizes, dtype and device of the whole, and no elements: they are in
// another tensor, LocalOf. Operators are called as on any tensors, by every rank in the same order.
// A layer finds placements for which each rank can work by itself, moves what does not lie so, and
// calls the operator on the parts. Usual tensors in a call with sharded ones count as replicated:
// they are the same on every rank. What has no rule, or where parts cannot be worked on by
// themselves, is gathered first, and counted: right, and slow.
//
//   for (const Gathered& g : GatheredCalls()) std::cout << g.op << " " << g.calls << "\n";
//   std::cout << ExplainSharding("sort", {w, 0, false});         // and why
//
// Gradients go through: a gradient may lie otherwise than its tensor. Random numbers are drawn as
// one process would, by rank 0, and sent. Reading (item, printing of FullTensor) is a collective;
// printing a sharded tensor shows where it lies and no elements. data() of one is null: take
// LocalOf.
//
// What is refused: set_ of a sharded tensor, and resize_ of one that has views; writing a view that
// had to be gathered, and using one after what it is a view of was written; sparse and quantised
// tensors.
//
// The counterpart in torch.distributed is DTensor.
// Owns: a sharded tensor owns its local part, and holds its mesh.
// Threads: as collectives: calls of one mesh are made by one thread a rank.
// Errors: kInvalidArgument for placements that do not fit and for tensors of different meshes in
// one call; kNotImplemented for what is refused; else what operators and collectives throw.
#ifndef SWITCHYARD_COLLECTIVE_SHARDED_SHARDED_H_
#define SWITCHYARD_COLLECTIVE_SHARDED_SHARDED_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/collective/sharded/mesh.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"

namespace sy::sharded {

using Placements = std::vector<Placement>;  // one for each dimension of the mesh

// A sharded tensor of what every rank has whole: each keeps its part, nothing is sent. full: the
// same on every rank. Of a sharded tensor, the same as Redistribute.
SY_API Tensor Distribute(const Tensor& full, const MeshRef& mesh, const Placements& placements);
// A sharded tensor of parts that the ranks have. sizes: of the whole; {}: where a dimension is
// sharded, the sum of all ranks' sizes there (which is a collective). Errors: kInvalidArgument
// where the part's sizes are not those that its rank must have.
SY_API Tensor FromLocal(const Tensor& local, const MeshRef& mesh, const Placements& placements,
                        std::initializer_list<int64_t> sizes = {});
// The same tensor otherwise placed; itself where it lies so. A collective.
SY_API Tensor Redistribute(const Tensor& t, const Placements& placements);
// A usual tensor of the whole, on every rank; t itself where it is one. A collective.
SY_API Tensor FullTensor(const Tensor& t);

SY_API bool IsSharded(const Tensor& t);
// Of a sharded tensor. Errors: kInvalidArgument for another. LocalOf: the part itself, without
// history: writing it writes the tensor.
SY_API Tensor LocalOf(const Tensor& t);
SY_API MeshRef MeshOf(const Tensor& t);
SY_API Placements PlacementsOf(const Tensor& t);
// "[Shard(0), Replicate] on grid(data=2, model=4)".
SY_API std::string DescribePlacement(const Tensor& t);

// Calls for which tensors were gathered, since the program began or the last reset, by operator and
// reason, in all threads: the ranks of RunRanks together.
struct Gathered {
  std::string op, reason;
  int64_t calls, bytes;  // of the whole tensors that were gathered
};
SY_API std::vector<Gathered> GatheredCalls();
SY_API void ResetGatheredCalls();

// How a call would be made: for each tensor how it lies and where it would be moved, and what comes
// out. op and args: as CallByName's. Nothing is called but the operator on meta, nothing is sent.
SY_API std::string ExplainSharding(std::string_view op, std::initializer_list<Value> args);

}  // namespace sy::sharded

#endif  // SWITCHYARD_COLLECTIVE_SHARDED_SHARDED_H_
