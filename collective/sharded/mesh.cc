#include "switchyard/collective/sharded/mesh.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "collective/sharded/state_internal.h"
#include "switchyard/collective/group.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"

namespace sy::sharded {

thread_local constinit int Telling::depth_ = 0;

void TellFailure(const Mesh* mesh, std::string_view op, const std::exception& why) noexcept {
  if (mesh == nullptr) return;
  const auto* error = dynamic_cast<const Error*>(&why);
  const std::string_view what = why.what();
  const bool named = (error != nullptr && !error->op().empty()) ||
                     (what.starts_with(op) && what.substr(op.size()).starts_with("(): "));
  constexpr size_t kRoom = 2000;
  char text[kRoom];  // memory may be what was missing
  std::snprintf(text, kRoom, "%.*s%s%s", named ? 0 : static_cast<int>(op.size()), op.data(),
                named ? "" : "(): ", why.what());
  for (int i = 0; i < mesh->ndim(); ++i) {
    if (collective::Group* g = collective::FindGroup(mesh->group(i)); g != nullptr)
      collective::ReportFailure(*g, text);
  }
}

namespace {

constexpr std::array<std::string_view, 5> kOps = {"sum", "avg", "product", "min", "max"};

// The group of this rank's line along a dimension; every rank makes those of all lines.
std::string MakeGroups(std::string_view mesh, std::string_view dim, const std::vector<int>& world,
                       int64_t size, int64_t stride, int rank) {
  std::string mine;
  const auto n = static_cast<int64_t>(world.size());
  for (int64_t first = 0; first < n; ++first) {
    if (first / stride % size != 0) continue;
    std::vector<int> ranks;
    for (int64_t k = 0; k < size; ++k) ranks.push_back(static_cast<int>(first + k * stride));
    std::string name = Join({mesh, ".", dim, ".", first});
    if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end()) mine = name;
    const collective::Group* there = collective::FindGroup(name);
    if (there != nullptr && std::ranges::equal(collective::RanksOf(*there), ranks)) continue;
    collective::NewGroup(name, ranks);
  }
  return mine;
}

}  // namespace

Placement Shard(int64_t dim) {
  if (dim < -kMaxRank || dim >= kMaxRank)
    Fail(ErrorCode::kOutOfRange, {"Shard(", dim, "): no tensor has such a dimension"});
  return {.kind = PlacementKind::kShard, .dim = static_cast<uint8_t>(dim)};
}

Placement Partial(std::string_view op) {
  for (size_t i = 0; i < kOps.size(); ++i) {
    if (kOps[i] == op) return {.kind = PlacementKind::kPartial, .op = static_cast<PartialOp>(i)};
  }
  Fail(ErrorCode::kInvalidArgument,
       {"Partial('", op, "'): expected sum, avg, product, min or max"});
}

std::string_view Name(PartialOp op) { return kOps[static_cast<size_t>(op)]; }

std::string ToString(const Placement& p) {
  switch (p.kind) {
    case PlacementKind::kReplicate:
      return "Replicate";
    case PlacementKind::kShard:
      return Join({"Shard(", int64_t{static_cast<int8_t>(p.dim)}, ")"});
    case PlacementKind::kPartial:
      return Join({"Partial(", Name(p.op), ")"});
  }
  return "";
}

std::string Mesh::str() const {
  std::string s = name_ + "(";
  for (const Dim& d : dims_) {
    if (&d != &dims_.front()) s += ", ";
    s += d.name + "=" + std::to_string(d.size);
  }
  return s + ")";
}

MeshRef MakeMesh(std::string_view name, const std::vector<std::pair<std::string, int64_t>>& dims) {
  const collective::Group& world = collective::GroupOf("world");
  if (dims.empty() || dims.size() > kMaxMeshDims) {
    Fail(ErrorCode::kInvalidArgument, {"mesh '", name, "': expected 1 to ", kMaxMeshDims,
                                       " dimensions, got ", int64_t(dims.size())});
  }
  auto mesh = std::make_shared<Mesh>();
  mesh->name_ = name;
  mesh->in_one_process_ = collective::EngineOf(world) == "local";
  int64_t ranks = 1;
  for (const auto& [dim, size] : dims) {
    const bool twice =
        std::any_of(mesh->dims_.begin(), mesh->dims_.end(),
                    [&wanted = dim](const Mesh::Dim& d) { return d.name == wanted; });
    if (twice || dim.empty() || size < 1) {
      Fail(ErrorCode::kInvalidArgument, {"mesh '", name, "': dimension '", dim, "' of size ", size,
                                         " is empty, or there twice"});
    }
    ranks *= size;
    mesh->dims_.push_back({dim, "", size, 0});
  }
  if (ranks != collective::SizeOf(world)) {
    Fail(ErrorCode::kInvalidArgument,
         {"mesh ", mesh->str(), " has ", ranks, " ranks, the world ", collective::SizeOf(world)});
  }
  const int rank = collective::RankIn(world);
  const auto all = collective::RanksOf(world);
  int64_t stride = ranks;
  for (Mesh::Dim& d : mesh->dims_) {
    stride /= d.size;
    d.coordinate = rank / stride % d.size;
    d.group = d.size == ranks
                  ? "world"
                  : MakeGroups(name, d.name, {all.begin(), all.end()}, d.size, stride, rank);
  }
  return mesh;
}

}  // namespace sy::sharded
