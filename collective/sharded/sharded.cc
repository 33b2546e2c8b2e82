#include "switchyard/collective/sharded/sharded.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "collective/sharded/state_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/function.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/ops.h"

namespace sy::sharded {
namespace {

const Sharded& Required(std::string_view what, const Tensor& t) {
  const Sharded* s = ShardedOf(t);
  if (s != nullptr) return *s;
  Fail(ErrorCode::kInvalidArgument, {what, "(): expected a sharded tensor, got ", Describe(t)});
}

void RequireUsual(std::string_view what, const Tensor& t) {
  if (!t.defined() || !t.is_strided() || t.is_quantized()) {
    Fail(ErrorCode::kInvalidArgument, {what, "(): expected a strided tensor, got ", Describe(t)});
  }
}

std::vector<Placement> Listed(const Placed& p, const Mesh& mesh) {
  return {p.at.begin(), p.at.begin() + mesh.ndim()};
}

// A part of its own: writing it must not write what it was cut from. Where it is all of that it
// lies as that does.
Tensor Own(const Tensor& part, const Tensor& of) {
  if (!part.shares_storage_with(of) && part.is_non_overlapping_and_dense()) return part;
  return clone(part, SameSizes(part.sizes(), of.sizes()) ? MemoryFormat::kPreserve
                                                         : MemoryFormat::kContiguous);
}

auto Of(const MeshRef& mesh) {
  return [at = mesh.get()] { return at; };
}

// Without history, what `forward` gives, of which the gradient is given back by `backward`.
template <class F, class B>
Tensor Recorded(const char* name, const Tensor& t, F forward, B backward) {
  return ApplyFunction(
      name, [&](FunctionContext&, TensorList x) { return std::vector<Tensor>{forward(x[0])}; },
      [backward](FunctionContext&, TensorList g) { return std::vector<Tensor>{backward(g[0])}; },
      {t})[0];
}

Tensor DistributeValue(const Tensor& full, const MeshRef& mesh, const Placed& to) {
  const Tensor part = Own(Move(full, *mesh, full.sizes(), {}, to), full);
  return MakeSharded(mesh, to, part, full.sizes(), full.strides());
}

Tensor RedistributeValue(const Tensor& t, const Placed& to) {
  const Sharded& s = Required("Redistribute", t);
  const Tensor part = Own(Move(s.local, *s.mesh, t.sizes(), s.placed, to), s.local);
  return MakeSharded(s.mesh, to, part, t.sizes(), t.strides());
}

Tensor FullValue(const Tensor& t) {
  const Sharded* s = ShardedOf(t);
  if (s == nullptr) return t;
  return Own(contiguous(Move(s->local, *s->mesh, t.sizes(), s->placed, {})), s->local);
}

// Gradients lie as values do, but for terms, of which each has all of it.
Placed OfGradient(Placed p) {
  for (Placement& a : p.at) {
    if (a.partial()) a = {};
  }
  return p;
}

Tensor AsGradient(const Tensor& g, const MeshRef& mesh, const Placed& placed) {
  const Placed to = OfGradient(placed);
  return IsSharded(g) ? RedistributeValue(g, to) : DistributeValue(g, mesh, to);
}

}  // namespace

std::string PlacedText(const Placed& p, const Mesh& mesh) {
  std::string s = "[";
  for (int i = 0; i < mesh.ndim(); ++i) s += (i == 0 ? "" : ", ") + ToString(p[i]);
  return s + "]";
}

Placed Normalized(std::string_view what, const MeshRef& mesh,
                  const std::vector<Placement>& placements, int64_t rank) {
  if (mesh == nullptr) Fail(ErrorCode::kInvalidArgument, {what, "(): there is no mesh"});
  if (static_cast<int>(placements.size()) != mesh->ndim()) {
    Fail(ErrorCode::kInvalidArgument, {what, "(): expected a placement for each dimension of mesh ",
                                       mesh->str(), ", got ", int64_t(placements.size())});
  }
  Placed p;
  for (int i = 0; i < mesh->ndim(); ++i) {
    p[i] = placements[static_cast<size_t>(i)];
    if (!p[i].sharded()) continue;
    const int64_t given = static_cast<int8_t>(p[i].dim), d = given < 0 ? given + rank : given;
    if (d < 0 || d >= rank) {
      Fail(ErrorCode::kOutOfRange,
           {what, "(): ", ToString(p[i]), " along '", mesh->dim_name(i), "' of mesh ", mesh->str(),
            ", the tensor has ", rank, " dimensions"});
    }
    p[i].dim = static_cast<uint8_t>(d);
  }
  return p;
}

Tensor BecomeSharded(const Tensor& on, const MeshRef& mesh, const Placed& placed,
                     const Tensor& local) {
  auto s = std::make_unique<Sharded>();
  s->mesh = mesh;
  s->placed = placed;
  s->local = local;
  const uint32_t bit = LayerBit();
  const KeyWord views = on.key() & (kConjBit | kNegBit);
  on.impl()->key =
      WithDType(PlaceOfKey(local.key()), on.dtype()) | views | KeyWord{bit} << kLayerShift;
  Attach(on, std::move(s));
  return on;
}

Tensor MakeSharded(const MeshRef& mesh, const Placed& placed, const Tensor& local, IntSpan sizes,
                   IntSpan strides) {
  const KeyWord key = local.key() & (kPlaceMask | kConjBit | kNegBit);
  const Tensor t(internal::NewWithoutBytes(key, sizes, strides));
  t.impl()->own.nbytes = SpannedBytes(t);  // what views may reach
  return BecomeSharded(t, mesh, placed, local);
}

namespace {

Tensor LocalToSharded(const Tensor& local, const MeshRef& mesh, const Placements& placements,
                      std::initializer_list<int64_t> given) {
  RequireUsual("FromLocal", local);
  const Placed placed = Normalized("FromLocal", mesh, placements, local.dim());
  std::vector<int64_t> sizes(given);
  if (sizes.empty()) {
    sizes.assign(local.sizes().begin(), local.sizes().end());
    for (int i = mesh->ndim(); i-- > 0;) {
      if (!placed[i].sharded()) continue;
      int64_t& size = sizes[placed[i].dim];
      Placed sum;
      sum[i] = Partial();
      const int64_t one[] = {1};
      const Tensor mine = full(IntSpan(one), Scalar(size), DType::kInt64);
      size = item(Move(mine, *mesh, one, sum, {})).To<int64_t>();
    }
  }
  if (!HasLocalSizes(*mesh, placed, sizes, local.sizes())) {
    Fail(ErrorCode::kInvalidArgument,
         {"FromLocal(): of ", IntSpan(sizes), " as ", PlacedText(placed, *mesh), " on mesh ",
          mesh->str(), " this rank has ", IntSpan(LocalSizes(*mesh, placed, sizes)), ", got ",
          Describe(local)});
  }
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  return Recorded(
      "FromLocal", local,
      [&](const Tensor& x) { return MakeSharded(mesh, placed, detach(x), sizes, strides); },
      [mesh, placed](const Tensor& g) { return LocalOf(AsGradient(g, mesh, placed)); });
}

}  // namespace

Tensor Distribute(const Tensor& full, const MeshRef& mesh, const Placements& placements) {
  RequireUsual("Distribute", full);
  if (IsSharded(full)) return Redistribute(full, placements);
  return Told("Distribute", Of(mesh), [&] {
    const Placed to = Normalized("Distribute", mesh, placements, full.dim());
    return Recorded(
        "Distribute", full, [&](const Tensor& x) { return DistributeValue(x, mesh, to); },
        [](const Tensor& g) { return FullValue(g); });
  });
}

Tensor FromLocal(const Tensor& local, const MeshRef& mesh, const Placements& placements,
                 std::initializer_list<int64_t> sizes) {
  return Told("FromLocal", Of(mesh),
              [&] { return LocalToSharded(local, mesh, placements, sizes); });
}

Tensor Redistribute(const Tensor& t, const Placements& placements) {
  const Sharded& s = Required("Redistribute", t);
  return Told("Redistribute", Of(s.mesh), [&] {
    const Placed to = Normalized("Redistribute", s.mesh, placements, t.dim());
    if (to == s.placed) return t;
    return Recorded(
        "Redistribute", t, [&](const Tensor& x) { return RedistributeValue(x, to); },
        [mesh = s.mesh, from = s.placed](const Tensor& g) { return AsGradient(g, mesh, from); });
  });
}

Tensor FullTensor(const Tensor& t) {
  const Sharded* s = ShardedOf(t);
  if (s == nullptr) return t;
  return Told("FullTensor", Of(s->mesh), [&] {
    return Recorded(
        "FullTensor", t, FullValue,
        [mesh = s->mesh, from = s->placed](const Tensor& g) { return AsGradient(g, mesh, from); });
  });
}

bool IsSharded(const Tensor& t) { return t.defined() && (LayersOfKey(t.key()) & LayerBit()) != 0; }
Tensor LocalOf(const Tensor& t) { return Required("LocalOf", t).local; }
MeshRef MeshOf(const Tensor& t) { return Required("MeshOf", t).mesh; }
Placements PlacementsOf(const Tensor& t) {
  const Sharded& s = Required("PlacementsOf", t);
  return Listed(s.placed, *s.mesh);
}
std::string DescribePlacement(const Tensor& t) {
  const Sharded& s = Required("DescribePlacement", t);
  return PlacedText(s.placed, *s.mesh) + " on " + s.mesh->str();
}

}  // namespace sy::sharded
