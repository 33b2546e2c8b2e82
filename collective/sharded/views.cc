// Views: the parts of a view are views of the parts, where each part of a dimension stays one.
//
// What a view does to dimensions is read off the operator's own shape function: it is asked for a
// view of a tensor whose strides are so far apart that those of the view, and its offset, say which
// dimension each of its own walks along. The view of the part then follows without the operator,
// whose arguments name the whole's sizes.
#include <algorithm>

#include "collective/sharded/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy::sharded {
namespace {

// A view in terms of what it is of: strides[j][i] of dimension j, in those of dimension i.
struct Walk {
  std::vector<std::vector<int64_t>> strides;
  std::vector<int64_t> offset;
};

// Strides by which any walk can be told; empty where there is no room.
std::vector<int64_t> FarApart(IntSpan sizes) {
  std::vector<int64_t> strides;
  int64_t next = 1;
  for (const int64_t n : sizes) {
    strides.push_back(next);
    const int64_t room = 2 * std::max<int64_t>(n, 1) + 2;
    if (next > (int64_t{1} << 61) / room) return {};
    next *= room;
  }
  return strides;
}

std::vector<int64_t> Digits(int64_t number, const std::vector<int64_t>& strides) {
  std::vector<int64_t> digits(strides.size());
  for (size_t i = strides.size(); i-- > 0;) {
    digits[i] = number / strides[i];
    number %= strides[i];
  }
  return digits;
}

Walk WalkOf(const Tensor& view, const std::vector<int64_t>& strides) {
  Walk w;
  for (const int64_t s : view.strides()) w.strides.push_back(Digits(s, strides));
  w.offset = Digits(view.storage_offset(), strides);
  return w;
}

// The view's dimension that is the whole of dimension d, or -1.
int64_t StaysAt(const Walk& w, IntSpan sizes, IntSpan from, size_t d) {
  int64_t found = -1;
  for (size_t j = 0; j < sizes.size(); ++j) {
    if (w.strides[j][d] == 0 || (sizes[j] == 1 && from[d] != 1)) continue;
    bool alone = w.strides[j][d] == 1 && sizes[j] == from[d];
    for (size_t i = 0; i < from.size(); ++i)
      alone = alone && (i == d || w.strides[j][i] == 0 || sizes[j] == 1);
    if (!alone) return -1;
    if (found >= 0 && from[d] != 1) return -1;
    if (found < 0) found = static_cast<int64_t>(j);
  }
  return w.offset[d] == 0 ? found : -1;
}

// local: what w walks along; sizes: of the part of the view.
Tensor ViewOfPart(const Tensor& local, const Walk& w, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t offset = local.storage_offset();
  for (size_t j = 0; j < sizes.size(); ++j) {
    for (size_t i = 0; i < w.offset.size(); ++i) strides[j] += w.strides[j][i] * local.strides()[i];
  }
  if (std::find(sizes.begin(), sizes.end(), 0) == sizes.end()) {
    for (size_t i = 0; i < w.offset.size(); ++i) offset += w.offset[i] * local.strides()[i];
  }
  return local.AsStrided(sizes, strides, offset);
}

class Views {
 public:
  Views(Plan& plan, LayerCall& call)
      : plan_(plan),
        call_(call),
        self_(plan.operands[0]),
        mesh_(*plan.mesh),
        home_(self_.sharded->placed) {}

  void ByDimensions() {
    AskMeta();
    const std::vector<int64_t> strides = FarApart(self_.tensor->sizes());
    if (strides.empty() && self_.tensor->dim() != 0) return Gathered();
    OnMeta apart(plan_);
    apart.Replace(self_.argument, Strided(strides));
    apart.Run();
    std::vector<Walk> walks;
    for (const Tensor& t : apart.results) walks.push_back(WalkOf(t, strides));
    Place([&](size_t k, size_t d) {
      return StaysAt(walks[k], plan_.metas[k].sizes(), self_.tensor->sizes(), d);
    });
    const Tensor local = Part();
    Give([&](size_t k, const std::vector<int64_t>& sizes) {
      return ViewOfPart(local, walks[k], sizes);
    });
  }

  // In place: another geometry of self.
  void InPlace() {
    OnMeta apart(plan_), whole(plan_);
    const std::vector<int64_t> strides = FarApart(self_.tensor->sizes());
    if (strides.empty() && self_.tensor->dim() != 0) {
      Fail(ErrorCode::kNotImplemented, plan_.op.name(),
           {Describe(*self_.tensor), " is sharded, and too large for a view in place"});
    }
    whole.Replace(self_.argument, MetaOf(*self_.tensor));
    whole.Run();
    apart.Replace(self_.argument, Strided(strides));
    apart.Run();
    const Tensor seen = whole.tensor(self_.argument);
    const Walk walk = WalkOf(apart.tensor(self_.argument), strides);
    plan_.metas = {seen};
    Place([&](size_t, size_t d) { return StaysAt(walk, seen.sizes(), self_.tensor->sizes(), d); });
    const Tensor local = Part();
    const Placed to = plan_.placed[0];
    const Tensor part = ViewOfPart(local, walk, LocalSizes(mesh_, to, seen.sizes()));
    Sharded& s = *Attached<Sharded>(*self_.tensor);
    internal::SetGeometry(self_.tensor->impl(), seen.sizes(), seen.strides(),
                          seen.storage_offset());
    s.placed = to;
    s.local = part;
    call_.results[0].Set(*self_.tensor);
  }

  // By numbers of the whole's memory, which nobody has: of a gathered tensor that lies like it.
  void AsStrided() {
    if (self_.tensor->storage_offset() != 0 || !self_.tensor->is_non_overlapping_and_dense()) {
      Fail(ErrorCode::kNotImplemented, plan_.op.name(),
           {Describe(*self_.tensor), ", sharded as ", PlacedText(home_, mesh_), " on mesh ",
            mesh_.str(), ", is a view: it has no memory to be seen otherwise"});
    }
    AskMeta();
    Place([](size_t, size_t) { return int64_t{-1}; }, false);
    Tensor local = Part();
    if (!SameSizes(local.strides(), self_.tensor->strides()) || local.storage_offset() != 0) {
      const Tensor lies = AsItLies(local, *self_.tensor);
      local = lies.is_same(local) ? clone(local) : lies;
      moved_ = true;
    }
    Give([&](size_t k, const std::vector<int64_t>&) {
      const Tensor& m = plan_.metas[k];
      return local.AsStrided(m.sizes(), m.strides(), m.storage_offset());
    });
  }

  void Reshape() {
    AskMeta();
    const IntSpan from = self_.tensor->sizes(), to = plan_.metas[0].sizes();
    Place([&](size_t, size_t d) { return Regrouped(from, to, d); });
    const Tensor local = Part();
    Give([&](size_t, const std::vector<int64_t>& sizes) {
      Tensor t = reshape(local, sizes);
      moved_ = moved_ || !t.shares_storage_with(local);
      return t;
    });
  }

  void OfElements() {
    AskMeta();
    const bool bits = plan_.op.name() == "view.dtype";
    Place(
        [&](size_t, size_t d) {
          const IntSpan from = self_.tensor->sizes(), to = plan_.metas[0].sizes();
          const bool last = d + 1 == from.size();
          return d < to.size() && to[d] == from[d] && !(bits && last) ? static_cast<int64_t>(d)
                                                                      : -1;
        },
        !bits);
    const Tensor local = moved_ ? contiguous(Part()) : Part();
    Give([&](size_t, const std::vector<int64_t>&) {
      std::vector<Value> args(plan_.args.begin(), plan_.args.end());
      args[self_.argument] = Value(local);
      Result made;
      CallBoxed(plan_.op, args, {&made, 1});
      return made.TakeTensor();
    });
  }

 private:
  // What the operator states of the whole view.
  void AskMeta() {
    OnMeta whole(plan_);
    whole.Run();
    plan_.metas = std::move(whole.results);
  }

  // Self on meta, with these strides.
  Tensor Strided(const std::vector<int64_t>& strides) const {
    const KeyWord key = MetaOf(*self_.tensor).key();
    return Tensor(internal::NewWithoutBytes(key, self_.tensor->sizes(), strides));
  }

  // stays_at(k, d): where result k has dimension d, or -1. partial: whether terms may stay terms.
  template <class F>
  void Place(F stays_at, bool partial = true) {
    self_.to = home_;
    plan_.placed.assign(plan_.metas.size(), home_);
    for (int i = 0; i < mesh_.ndim(); ++i) {
      bool stays = partial || !home_[i].partial();
      for (size_t k = 0; k < plan_.metas.size() && home_[i].sharded() && stays; ++k) {
        const int64_t j = stays_at(k, home_[i].dim);
        stays = j >= 0;
        if (stays) plan_.placed[k][i] = Shard(j);
      }
      if (stays) continue;
      self_.to[i] = {};
      for (Placed& p : plan_.placed) p[i] = {};
    }
    moved_ = self_.to != home_;
  }

  // Where the parts of dimension d are parts of one of `to`, or -1.
  int64_t Regrouped(IntSpan from, IntSpan to, size_t d) const {
    int64_t before = 1, inner = 1, ranks = 1;
    for (size_t i = 0; i < d; ++i) before *= from[i];
    for (size_t i = d + 1; i < from.size(); ++i) inner *= from[i];
    int by = 0;
    for (int i = 0; i < mesh_.ndim(); ++i) {
      if (!home_[i].shards(static_cast<int64_t>(d))) continue;
      ranks *= mesh_.size(i);
      ++by;
    }
    if (before * inner * from[d] == 0 || from[d] == 1) return -1;
    int64_t passed = 1;
    for (size_t e = 0; e < to.size(); passed *= to[e], ++e) {
      if (passed != before || to[e] == 1) continue;
      const int64_t inner_to = before * from[d] * inner / (passed * to[e]);
      if (by > 1 && (from[d] % ranks != 0 || to[e] % ranks != 0)) return -1;
      for (int64_t r = 0; r < ranks; ++r) {
        if (PartOf(from[d], ranks, r).begin * inner != PartOf(to[e], ranks, r).begin * inner_to)
          return -1;
      }
      return static_cast<int64_t>(e);
    }
    return -1;
  }

  Tensor Part() {
    if (!moved_) return self_.sharded->local;
    plan_.reason = "a dimension that it cuts, joins or leaves out is sharded";
    plan_.Count();
    const Tensor t = Move(self_.sharded->local, mesh_, self_.tensor->sizes(), home_, self_.to);
    return t.shares_storage_with(self_.sharded->local) ? clone(t) : t;
  }

  // part(k, sizes): this rank's part of result k.
  template <class F>
  void Give(F part) {
    std::vector<Tensor> views;
    for (size_t k = 0; k < plan_.metas.size(); ++k) {
      const Tensor& meta = plan_.metas[k];
      const Tensor local = part(k, LocalSizes(mesh_, plan_.placed[k], meta.sizes()));
      views.push_back(BecomeSharded(meta, plan_.mesh, plan_.placed[k], local));
      if (!moved_) continue;
      Sharded& s = *Attached<Sharded>(views.back());
      s.moved_view = true;
      s.writes = meta.impl()->storage->writes();
    }
    if (plan_.op.schema().returns[0].type.list) {
      call_.results[0].Set(std::move(views));
    } else {
      for (size_t k = 0; k < views.size(); ++k) call_.results[k].Set(views[k]);
    }
  }

  // No strides are far enough apart: of the whole.
  void Gathered() {
    plan_.placed.assign(plan_.metas.size(), Placed{});
    plan_.GatherAll("it is too large for its views to be told");
    Execute(plan_, call_);
  }

  Plan& plan_;
  LayerCall& call_;
  Operand& self_;
  const Mesh& mesh_;
  const Placed home_;
  bool moved_ = false;
};

}  // namespace

void RunView(Plan& plan, LayerCall& call, How how) {
  Views views(plan, call);
  switch (how) {
    case How::kReshape:
      return views.Reshape();
    case How::kElementView:
      return views.OfElements();
    case How::kGeometry:
      return views.InPlace();
    case How::kStrided:
      return views.AsStrided();
    default:
      return views.ByDimensions();
  }
}

}  // namespace sy::sharded
