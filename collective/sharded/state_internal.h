// What makes a tensor a sharded one, and how parts are moved.
#ifndef COLLECTIVE_SHARDED_STATE_INTERNAL_H_
#define COLLECTIVE_SHARDED_STATE_INTERNAL_H_

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <vector>

#include "switchyard/collective/sharded/mesh.h"
#include "switchyard/core/attachment.h"
#include "switchyard/core/tensor.h"

namespace sy::sharded {

// One for each dimension of the mesh; those behind are Replicate.
struct Placed {
  std::array<Placement, kMaxMeshDims> at{};
  Placement& operator[](int i) { return at[static_cast<size_t>(i)]; }
  const Placement& operator[](int i) const { return at[static_cast<size_t>(i)]; }
  bool operator==(const Placed&) const = default;
};
std::string PlacedText(const Placed& p, const Mesh& mesh);  // "[Shard(0), Replicate]"
inline bool AllReplicated(const Placed& p) { return p == Placed{}; }

// What is attached to a tensor without bytes, of the whole's sizes and strides.
struct Sharded : Attachment {
  static constexpr AttachmentKind kKind{"sharded"};
  MeshRef mesh;
  Placed placed;
  Tensor local;
  // A view whose parts were moved: no longer on the memory of what it is a view of.
  bool moved_view = false;
  uint32_t writes = 0;  // of what it is a view of, then
};

uint32_t LayerBit();
// Null of a usual tensor. Errors: kInternal for one that was made of a sharded one by no operator.
const Sharded* ShardedOf(const Tensor& t);

// The parts of a dimension of `size` over n ranks.
struct Range {
  int64_t begin, size;
};
inline Range PartOf(int64_t size, int64_t n, int64_t rank) {
  const int64_t chunk = (size + n - 1) / n;
  const int64_t begin = std::min(rank * chunk, size);
  return {begin, std::min(chunk, size - begin)};
}
// Sizes of this rank's part.
std::vector<int64_t> LocalSizes(const Mesh& mesh, const Placed& placed, IntSpan sizes);
bool HasLocalSizes(const Mesh& mesh, const Placed& placed, IntSpan sizes, IntSpan local);

// The part as `to` wants it. sizes: of the whole. The result may be `local`, or a view of it.
Tensor Move(const Tensor& local, const Mesh& mesh, IntSpan sizes, const Placed& from,
            const Placed& to);
// What coordinate 0 of every dimension has, on all ranks. t: of the same sizes on every rank.
Tensor FromFirst(const Tensor& t, const Mesh& mesh);
// Whether this rank is the first of the mesh.
bool IsFirst(const Mesh& mesh);

// A tensor of the whole's geometry and key with that part.
Tensor MakeSharded(const MeshRef& mesh, const Placed& placed, const Tensor& local, IntSpan sizes,
                   IntSpan strides);
// `on`, a tensor without bytes that nobody else has, becomes one.
Tensor BecomeSharded(const Tensor& on, const MeshRef& mesh, const Placed& placed,
                     const Tensor& local);

// Errors: kInvalidArgument naming `what`.
Placed Normalized(std::string_view what, const MeshRef& mesh,
                  const std::vector<Placement>& placements, int64_t rank);

// The groups of the mesh hear that this rank has failed (ReportFailure). op: in whose name, where
// the error has none.
void TellFailure(const Mesh* mesh, std::string_view op, const std::exception& why) noexcept;
// f(), whose failure the outermost of these in a thread tells. mesh(): null where there is none.
class Telling {
 public:
  Telling() { ++depth_; }
  ~Telling() { --depth_; }
  Telling(const Telling&) = delete;
  static bool IsOutermost() { return depth_ == 1; }

 private:
  static thread_local constinit int depth_;
};
template <class MeshOf, class F>
auto Told(std::string_view op, MeshOf mesh, F f) -> decltype(f()) {
  const Telling inside;
  try {
    return f();
  } catch (const std::exception& e) {
    if (Telling::IsOutermost()) TellFailure(mesh(), op, e);
    throw;
  }
}

void CountGathered(std::string_view op, std::string_view reason, int64_t bytes);

}  // namespace sy::sharded

#endif  // COLLECTIVE_SHARDED_STATE_INTERNAL_H_
