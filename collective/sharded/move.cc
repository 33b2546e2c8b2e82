// Parts on their way from one placement to another.
#include <algorithm>
#include <vector>

#include "collective/sharded/state_internal.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::sharded {
namespace {

using collective::handles::all_gather;
using collective::handles::all_reduce;
using collective::handles::all_to_all;
using collective::handles::broadcast;
using collective::handles::reduce_scatter;
using collective::handles::Text;

// One dimension of the mesh.
struct Line {
  int64_t n, rank;
  Text group;
};

Tensor Front(const Tensor& t, int64_t d) { return d == 0 ? t : movedim(t, d, 0); }
Tensor Back(const Tensor& t, int64_t d) { return d == 0 ? t : movedim(t, 0, d); }
// Memory of what the tensor shows, without gaps.
Tensor Dense(const Tensor& t) { return contiguous(resolve_neg(resolve_conj(t))); }

// size: of dimension d before it was parted.
Tensor Gather(const Tensor& local, int64_t d, int64_t size, const Line& line) {
  const int64_t chunk = (size + line.n - 1) / line.n;
  if (chunk == 0) return local;
  Tensor rows = Dense(Front(local, d));
  if (rows.size(0) < chunk) {  // every rank gives as many
    std::vector<int64_t> sizes(rows.sizes().begin(), rows.sizes().end());
    sizes[0] = chunk - rows.size(0);
    rows = cat({{rows, zeros(sizes, rows.dtype(), Layout::kStrided, rows.device())}});
  }
  // The last ones are filled up behind all that counts.
  return Back(narrow(all_gather(rows, line.n, line.group), 0, 0, size), d);
}

Tensor Slice(const Tensor& t, int64_t d, const Line& line) {
  const Range part = PartOf(t.size(d), line.n, line.rank);
  return narrow(t, d, part.begin, part.size);
}

Tensor Reduce(const Tensor& local, PartialOp op, const Line& line) {
  return all_reduce(Dense(local), Name(op), line.group);
}

Tensor ReduceAndSlice(const Tensor& local, PartialOp op, int64_t d, const Line& line) {
  if (local.size(d) % line.n != 0) return Slice(Reduce(local, op, line), d, line);
  return Back(reduce_scatter(Dense(Front(local, d)), Name(op), line.n, line.group), d);
}

// From parts of dimension a, of `size` in all, to parts of b.
Tensor Exchange(const Tensor& local, int64_t a, int64_t size, int64_t b, const Line& line) {
  if (size % line.n != 0) return Slice(Gather(local, a, size, line), b, line);
  const int64_t whole = local.size(b), mine = PartOf(whole, line.n, line.rank).size;
  std::vector<int64_t> sent, received(static_cast<size_t>(line.n), mine);
  for (int64_t r = 0; r < line.n; ++r) sent.push_back(PartOf(whole, line.n, r).size);
  const Tensor rows = all_to_all(Dense(Front(local, b)), received, sent, line.group);
  std::vector<Tensor> parts;
  for (int64_t r = 0; r < line.n; ++r) parts.push_back(Back(narrow(rows, 0, r * mine, mine), b));
  return cat(parts, a);
}

// The whole as one of the terms: the others have what changes nothing. That of a sum is -0 and not
// 0, which would change the sign of -0.
Tensor Term(const Tensor& t, PartialOp op, const Line& line) {
  if (line.rank == 0 || op == PartialOp::kAvg || op == PartialOp::kMin || op == PartialOp::kMax)
    return t;
  if (op == PartialOp::kProduct) return ones_like(t);
  return IsFloating(t.dtype()) ? full_like(t, -0.0) : zeros_like(t);
}

// Sizes that the dimensions of the mesh before i have parted.
int64_t SizeBefore(const Mesh& mesh, const Placed& placed, IntSpan sizes, int i, int64_t d) {
  int64_t size = sizes[static_cast<size_t>(d)];
  for (int j = 0; j < i; ++j) {
    if (placed[j].shards(d)) size = PartOf(size, mesh.size(j), mesh.coordinate(j)).size;
  }
  return size;
}

Tensor ToWhole(const Tensor& t, const Placement& from, int64_t size, const Line& line) {
  if (from.sharded()) return Gather(t, from.dim, size, line);
  return from.partial() ? Reduce(t, from.op, line) : t;
}
Tensor FromWhole(const Tensor& t, const Placement& to, const Line& line) {
  if (to.sharded()) return Slice(t, to.dim, line);
  return to.partial() ? Term(t, to.op, line) : t;
}

// Which dimensions of the mesh have to be undone: those that differ, and those that part what an
// earlier one of them parts.
int Undone(const Mesh& mesh, const Placed& from, const Placed& to, bool (&undone)[kMaxMeshDims]) {
  int n = 0;
  for (int i = 0; i < mesh.ndim(); ++i) {
    undone[i] = from[i] != to[i];
    for (int j = 0; j < i && from[i].sharded(); ++j) {
      undone[i] |= undone[j] && (from[j].shards(from[i].dim) || to[j].shards(from[i].dim));
    }
    n += undone[i] ? 1 : 0;
  }
  return n;
}

}  // namespace

std::vector<int64_t> LocalSizes(const Mesh& mesh, const Placed& placed, IntSpan sizes) {
  std::vector<int64_t> local(sizes.begin(), sizes.end());
  for (int i = 0; i < mesh.ndim(); ++i) {
    if (!placed[i].sharded()) continue;
    int64_t& size = local[placed[i].dim];
    size = PartOf(size, mesh.size(i), mesh.coordinate(i)).size;
  }
  return local;
}

bool HasLocalSizes(const Mesh& mesh, const Placed& placed, IntSpan sizes, IntSpan local) {
  if (sizes.size() != local.size()) return false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (SizeBefore(mesh, placed, sizes, mesh.ndim(), static_cast<int64_t>(d)) != local[d])
      return false;
  }
  return true;
}

Tensor Move(const Tensor& local, const Mesh& mesh, IntSpan sizes, const Placed& from,
            const Placed& to) {
  if (from == to) return local;
  bool undone[kMaxMeshDims] = {};
  const int n = Undone(mesh, from, to, undone);
  const auto line = [&](int i) { return Line{mesh.size(i), mesh.coordinate(i), mesh.group(i)}; };
  Tensor t = local;
  for (int i = mesh.ndim(); i-- > 0;) {
    if (!undone[i]) continue;
    const Placement &a = from[i], &b = to[i];
    const int64_t size = a.sharded() ? SizeBefore(mesh, from, sizes, i, a.dim) : 0;
    if (n == 1 && b.sharded() && a.partial()) return ReduceAndSlice(t, a.op, b.dim, line(i));
    if (n == 1 && b.sharded() && a.sharded()) return Exchange(t, a.dim, size, b.dim, line(i));
    t = ToWhole(t, a, size, line(i));
  }
  for (int i = 0; i < mesh.ndim(); ++i) {
    if (undone[i]) t = FromWhole(t, to[i], line(i));
  }
  return t;
}

Tensor FromFirst(const Tensor& t, const Mesh& mesh) {
  Tensor all = Dense(t);
  for (int i = 0; i < mesh.ndim(); ++i) all = broadcast(all, 0, mesh.group(i));
  return all;
}

bool IsFirst(const Mesh& mesh) {
  for (int i = 0; i < mesh.ndim(); ++i) {
    if (mesh.coordinate(i) != 0) return false;
  }
  return true;
}

}  // namespace sy::sharded
