// Meshes: the ranks of a world as a grid with named dimensions, and how a tensor lies on one.
//
//   // 8 ranks: rank 4 i + j is at (i, j); "data" groups ranks of one j, "model" those of one i
//   const sharded::MeshRef mesh = sharded::MakeMesh("grid", {{"data", 2}, {"model", 4}});
//   mesh->coordinate(1);                                  // j
//
// A placement says, for one dimension of the mesh, what its ranks hold of a tensor:
//
//   Replicate()      all of it, each
//   Shard(d)         parts of dimension d, in order: each rank ceil(size / n) of them, the last
//                    ones fewer, or none
//   Partial("sum")   a tensor of all sizes each, of which the sum is meant; also "avg", "product",
//                    "min", "max"
//
// Where two dimensions of the mesh shard one of the tensor, the second parts what the first gives.
// The counterparts in torch.distributed are DeviceMesh and DTensor's placements.
// Owns: a mesh its names; its groups are the world's (collective/group.h), made with the mesh and
// kept as long as the world.
// Threads: any may read one. Making a mesh is a collective: every rank makes the same ones, in the
// same order.
// Errors: kInvalidArgument for sizes that do not multiply to the world's, for more than
// kMaxMeshDims, and for names given twice; else as NewGroup's.
#ifndef SWITCHYARD_COLLECTIVE_SHARDED_MESH_H_
#define SWITCHYARD_COLLECTIVE_SHARDED_MESH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/core/macros.h"

namespace sy::sharded {

inline constexpr int kMaxMeshDims = 4;

enum class PlacementKind : uint8_t { kReplicate, kShard, kPartial };
enum class PartialOp : uint8_t { kSum, kAvg, kProduct, kMin, kMax };

// Of one dimension of a mesh. Two bytes and one: copied everywhere.
struct Placement {
  PlacementKind kind = PlacementKind::kReplicate;
  uint8_t dim = 0;                 // of kShard: the tensor's, 0 … dim() - 1
  PartialOp op = PartialOp::kSum;  // of kPartial
  bool replicated() const { return kind == PlacementKind::kReplicate; }
  bool sharded() const { return kind == PlacementKind::kShard; }
  bool shards(int64_t d) const { return sharded() && dim == d; }
  bool partial() const { return kind == PlacementKind::kPartial; }
  bool operator==(const Placement&) const = default;
};
constexpr Placement Replicate() { return {}; }
// dim: from 0 on; negative ones are counted from the end where the tensor is known (Distribute).
SY_API Placement Shard(int64_t dim);
// Errors: kInvalidArgument for another text than sum, avg, product, min, max.
SY_API Placement Partial(std::string_view op = "sum");
SY_API std::string_view Name(PartialOp op);
// "Replicate", "Shard(1)", "Partial(sum)".
SY_API std::string ToString(const Placement& p);

class SY_API Mesh {
 public:
  const std::string& name() const { return name_; }
  int ndim() const { return static_cast<int>(dims_.size()); }
  int64_t size(int i) const { return dims_[static_cast<size_t>(i)].size; }  // ranks along i
  const std::string& dim_name(int i) const { return dims_[static_cast<size_t>(i)].name; }
  // Where this rank is.
  int64_t coordinate(int i) const { return dims_[static_cast<size_t>(i)].coordinate; }
  // The group of ranks that differ from this one in coordinate i alone; its own is its rank there.
  const std::string& group(int i) const { return dims_[static_cast<size_t>(i)].group; }
  // Whether the ranks are threads of one process, which share a generator of random numbers.
  bool in_one_process() const { return in_one_process_; }
  // "grid(data=2, model=4)".
  std::string str() const;

 private:
  friend SY_API std::shared_ptr<const Mesh> MakeMesh(
      std::string_view name, const std::vector<std::pair<std::string, int64_t>>& dims);
  struct Dim {
    std::string name, group;
    int64_t size = 1, coordinate = 0;
  };
  std::string name_;
  std::vector<Dim> dims_;
  bool in_one_process_ = false;
};
using MeshRef = std::shared_ptr<const Mesh>;

// The world's ranks in row-major order of coordinates. dims: names and sizes. Groups that are there
// already under the names it would give them, of a mesh of the same name and sizes, are used again.
SY_API MeshRef MakeMesh(std::string_view name,
                        const std::vector<std::pair<std::string, int64_t>>& dims);

}  // namespace sy::sharded

#endif  // SWITCHYARD_COLLECTIVE_SHARDED_MESH_H_
