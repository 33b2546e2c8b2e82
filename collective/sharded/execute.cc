// A planned call: parts are moved, the operator works on them, results become sharded tensors.
#include <algorithm>
#include <exception>
#include <utility>

#include "collective/sharded/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy::sharded {
namespace {

// While it lives, layers that the thread has switched on see nothing.
class Unseen {
 public:
  Unseen() : saved_(std::exchange(thread_state.layers_on, 0)) {}
  ~Unseen() { thread_state.layers_on = saved_; }
  Unseen(const Unseen&) = delete;

 private:
  uint32_t saved_;
};

KeyWord MetaPlace() {
  static const KeyWord place = [] {
    const DeviceType meta = FindDeviceType("meta");
    return meta.row == kNoRow || FindBackend(meta) == nullptr ? KeyWord{0} : PlaceOf(Device{meta});
  }();
  return place;
}

// Lists and tensors alike.
void Flatten(std::span<Result> results, std::pmr::vector<Tensor>& all) {
  for (Result& r : results) {
    const Value& v = r.value();
    if (v.tag != Tag::kTensorList) {
      all.push_back(v.tensor());  // undefined where there is none
      continue;
    }
    for (const Tensor& t : v.list<Tensor>()) all.push_back(t);
  }
}

}  // namespace

Tensor AsItLies(const Tensor& whole, const Tensor& t) {
  std::vector<int64_t> strides(t.strides().begin(), t.strides().end());
  if (!t.is_non_overlapping_and_dense()) PreservedStrides(t.sizes(), t.strides(), strides.data());
  if (SameSizes(whole.strides(), strides)) return whole;
  if (t.is_contiguous()) return contiguous(whole);
  const Tensor out = Tensor::EmptyStrided(t.sizes(), strides, t.dtype(), t.device());
  copy_(out, resolve_neg(resolve_conj(whole)));
  return out;
}

namespace {

struct Parts {
  std::pmr::vector<Tensor> all;  // by operand
  std::pmr::vector<char> moved;

  explicit Parts(const Plan& plan) : all(plan.room()), moved(plan.room()) {
    all.reserve(plan.operands.size());
    moved.reserve(plan.operands.size());
    for (const Operand& o : plan.operands) {
      const Placed from = o.sharded == nullptr ? Placed{} : o.sharded->placed;
      const Tensor& local = o.sharded == nullptr ? *o.tensor : o.sharded->local;
      moved.push_back(from != o.to ? 1 : 0);
      if (from == o.to) {
        const bool lies = o.sharded != nullptr && plan.as_they_lie && AllReplicated(o.to);
        all.push_back(lies ? AsItLies(local, *o.tensor) : local);
        moved.back() = all.back().is_same(local) ? 0 : 1;
      } else if (o.out && !AllReplicated(o.to)) {
        const std::vector<int64_t> sizes = LocalSizes(*plan.mesh, o.to, o.tensor->sizes());
        all.push_back(Tensor::Empty(sizes, o.tensor->dtype(), o.tensor->device()));
      } else {
        Tensor t = Move(local, *plan.mesh, o.tensor->sizes(), from, o.to);
        if (AllReplicated(o.to)) t = AsItLies(t, *o.tensor);
        if (o.written && (t.shares_storage_with(local) || !t.is_non_overlapping_and_dense()))
          t = clone(t, MemoryFormat::kContiguous);
        all.push_back(std::move(t));
      }
    }
  }
};

// The call's arguments with parts in place of tensors.
class LocalArguments {
 public:
  LocalArguments(const Plan& plan, const Parts& parts)
      : args_(plan.args.begin(), plan.args.end(), plan.room()) {
    for (size_t k = 0; k < plan.operands.size(); ++k) {
      const Operand& o = plan.operands[k];
      if (!o.in_list) {
        args_[o.argument] = Value(parts.all[k]);
        continue;
      }
      if (lists_.empty() || list_of_ != o.argument) {
        list_of_ = o.argument;
        const TensorList given = plan.args[o.argument].list<Tensor>();
        lists_.reserve(args_.size());
        lists_.emplace_back(given.begin(), given.end());
        args_[o.argument] = Value(lists_.back());
      }
      lists_.back()[o.element] = parts.all[k];
    }
  }
  std::span<const Value> get() const { return args_; }

 private:
  std::pmr::vector<Value> args_;
  std::vector<std::vector<Tensor>> lists_;  // with room for all: Values point into it
  size_t list_of_ = 0;
};

Sharded& MutableOf(const Tensor& t) { return *Attached<Sharded>(t); }

// What was written goes back to where it lies.
void WriteBack(const Plan& plan, const Operand& o, const Tensor& part, bool moved) {
  if (o.sharded == nullptr) {
    if (moved) copy_(*o.tensor, Move(part, *plan.mesh, o.tensor->sizes(), o.to, {}));
    return;
  }
  o.tensor->impl()->storage->CountWrite();
  const Placed home = o.sharded->placed;
  if (HasLocalSizes(*plan.mesh, o.to, o.tensor->sizes(), part.sizes())) {
    if (plan.places_wanted) RequireNoSelfOverlap(plan.op.name(), *o.tensor);
    if (moved) copy_(o.sharded->local, Move(part, *plan.mesh, o.tensor->sizes(), o.to, home));
    return;
  }
  if (!AllReplicated(o.to)) {
    Fail(ErrorCode::kInternal, plan.op.name(),
         {"its placement rule expected to write ",
          IntSpan(LocalSizes(*plan.mesh, o.to, o.tensor->sizes())), ", wrote ", Describe(part),
          "\n", plan.str()});
  }
  Placed to = home;
  for (int i = 0; i < plan.mesh->ndim(); ++i) {
    if (to[i].sharded() && to[i].dim >= part.dim()) to[i] = {};
  }
  const Tensor whole = contiguous(part);
  Tensor local = Move(whole, *plan.mesh, whole.sizes(), {}, to);
  if (local.shares_storage_with(part)) local = clone(local, MemoryFormat::kContiguous);
  internal::SetGeometry(o.tensor->impl(), part.sizes(), part.strides(), 0);
  Sharded& s = MutableOf(*o.tensor);
  s.placed = to;
  s.local = std::move(local);
}

class Wrapper {
 public:
  Wrapper(Plan& plan, const Parts& parts) : plan_(plan), parts_(parts) {}

  void All(std::span<Result> results) {
    for (Result& r : results) {
      const Value& v = r.value();
      if (v.tag == Tag::kTensor) {
        r.Set(One(r.TakeTensor()));
      } else if (v.tag == Tag::kTensorList) {
        std::vector<Tensor> list = r.TakeTensors();
        for (Tensor& t : list) t = One(t);
        r.Set(std::move(list));
      } else {
        ++next_;
      }
    }
  }

 private:
  Tensor One(const Tensor& local) {
    const size_t k = next_++;
    if (!local.defined()) return local;
    // What is given back is the argument itself.
    for (size_t i = 0; i < parts_.all.size(); ++i) {
      if (local.is_same(parts_.all[i]) && parts_.moved[i] == 0) return *plan_.operands[i].tensor;
    }
    if (!local.is_strided() || local.is_quantized()) return local;
    const Placed placed = k < plan_.placed.size() ? plan_.placed[k] : Placed{};
    if (k >= plan_.metas.size()) {
      if (!AllReplicated(placed)) FailRule("a result that is not stated", local);
      return MakeSharded(plan_.mesh, placed, local, local.sizes(), local.strides());
    }
    const Tensor& meta = plan_.metas[k];
    if (meta.dtype() != local.dtype() ||
        !HasLocalSizes(*plan_.mesh, placed, meta.sizes(), local.sizes())) {
      FailRule(Join({PlacedText(placed, *plan_.mesh), " of ", Describe(meta)}), local);
    }
    return BecomeSharded(meta, plan_.mesh, placed, local);
  }
  [[noreturn]] void FailRule(std::string_view expected, const Tensor& got) const {
    Fail(ErrorCode::kInternal, plan_.op.name(),
         {"its placement rule expected ", expected, ", the part of rank ",
          plan_.mesh->coordinate(0), " is ", Describe(got), "\n", plan_.str()});
  }
  Plan& plan_;
  const Parts& parts_;
  size_t next_ = 0;
};

// What the first rank has, of a call that it alone has made: whether it has failed, and dtypes and
// sizes, by which the others take what it sends.
class Announced {
 public:
  Announced() : numbers_(zeros({kRoom}, DType::kInt64)) {}
  void Failed() { numbers_.at<int64_t>(0) = 1; }
  void Add(const Tensor& t) {
    if (!t.defined()) return Add(-1);
    Add(t.dim());
    Add(static_cast<int64_t>(t.dtype()));
    for (const int64_t n : t.sizes()) Add(n);
  }
  // On every rank. False where the first has failed.
  bool Send(const Mesh& mesh) {
    numbers_ = FromFirst(numbers_, mesh);
    static_cast<void>(ReadNumber(select(numbers_, 0, 0)));  // it is there
    at_ = 1;
    return numbers_.at<int64_t>(0) == 0;
  }
  // The next one as the first has announced it; undefined where it has none.
  Tensor Next() {
    const int64_t rank = Take();
    if (rank < 0) return {};
    const auto dtype = static_cast<DType>(Take());
    std::vector<int64_t> sizes;
    for (int64_t d = 0; d < rank; ++d) sizes.push_back(Take());
    return zeros(sizes, dtype);
  }

 private:
  static constexpr int64_t kRoom = 512;
  void Add(int64_t n) {
    if (at_ == kRoom)
      Fail(ErrorCode::kNotImplemented, {"sharded: too many tensors that are drawn"});
    numbers_.at<int64_t>(at_++) = n;
  }
  int64_t Take() { return numbers_.at<int64_t>(at_++); }
  Tensor numbers_;
  int64_t at_ = 1;
};

// By the first rank, where the ranks share a generator; else by all, so that their generators go on
// alike. Results are the first's either way.
void RunFirst(Plan& plan, LayerCall& call, const LocalArguments& args, Parts& parts) {
  const Mesh& mesh = *plan.mesh;
  const bool first = IsFirst(mesh);
  Announced announced;
  std::exception_ptr why;
  if (first || !mesh.in_one_process()) {
    try {
      call.Redispatch(args.get());
      for (size_t k = 0; k < plan.operands.size(); ++k) {
        if (plan.operands[k].written) announced.Add(parts.all[k]);
      }
      for (Result& r : call.results) announced.Add(r.value().tensor());
    } catch (...) {
      why = std::current_exception();
      announced.Failed();
    }
  }
  const bool drawn = announced.Send(mesh);
  if (why != nullptr) std::rethrow_exception(why);
  if (!drawn)
    Fail(ErrorCode::kInvalidArgument, plan.op.name(), {"it has failed on rank 0, which draws"});
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    if (!plan.operands[k].written) continue;
    const Tensor room = announced.Next();
    const Tensor sent = FromFirst(first ? parts.all[k] : room, mesh);
    if (first) continue;
    if (!(parts.all[k].sizes() == room.sizes())) resize_(parts.all[k], room.sizes());
    copy_(parts.all[k], sent);
  }
  if (plan.op.returns_written) return;
  for (Result& r : call.results) {
    const Tensor room = announced.Next();
    if (!room.defined()) continue;
    r.Set(FromFirst(first ? r.TakeTensor() : room, mesh));
  }
}

}  // namespace

Tensor MetaOf(const Tensor& t) {
  const TensorImpl* from = t.impl();
  TensorImpl* a = internal::NewAlias(from, from->ndim);
  std::copy_n(from->dims, size_t{2} * from->ndim, a->dims);
  a->numel = from->numel;
  a->flags =
      static_cast<uint8_t>(a->flags | (from->flags & (kContiguousFlag | kWrappedNumberFlag)));
  a->key = (WithDType(MetaPlace(), t.dtype())) | (from->key & (kConjBit | kNegBit));
  return Tensor(a);
}

bool HasMeta(std::span<const Value> args, const Tensor& t) {
  for (const Value& v : args) {
    if (v.tag == Tag::kDevice && v.device != t.device()) return false;
  }
  return MetaPlace() != 0;
}

OnMeta::OnMeta(const Plan& plan)
    : results(plan.room()),
      op_(plan.op),
      args_(plan.args.begin(), plan.args.end(), plan.room()),
      tensors_(plan.args.size(), plan.room()) {
  const std::vector<sy::Argument>& arguments = op_.schema().arguments;
  const auto like = [&](const Tensor& t, bool written) {
    // What is written may be resized: it has memory of its own.
    if (!t.defined()) return t;
    if (!written) return MetaOf(t);
    return Tensor(internal::NewStrided(WithDType(MetaPlace(), t.dtype()), t.sizes(), t.strides()));
  };
  for (size_t i = 0; i < args_.size(); ++i) {
    Value& v = args_[i];
    const bool written = arguments[i].type.alias.write;
    if (v.tag == Tag::kTensor) {
      Replace(i, like(v.tensor(), written));
    } else if (v.tag == Tag::kTensorList) {
      lists_.reserve(args_.size());
      std::vector<Tensor>& list = lists_.emplace_back();
      list.reserve(v.list<Tensor>().size());
      for (const Tensor& t : v.list<Tensor>()) list.push_back(like(t, written));
      v = Value(list);
    } else if (v.tag == Tag::kDevice) {
      v = Value(Device{FindDeviceType("meta")});
    }
  }
}

void OnMeta::Replace(size_t argument, const Tensor& t) {
  tensors_[argument] = t;
  args_[argument] = Value(tensors_[argument]);
}

const Tensor& OnMeta::tensor(size_t argument) const { return tensors_[argument]; }

void OnMeta::Run() {
  const Unseen unseen;
  Results made;
  const std::span<Result> room = made.Reset(op_.num_results);
  CallBoxed(op_, args_, room);
  results.clear();
  Flatten(room, results);
}

void Execute(Plan& plan, LayerCall& call, bool first_only) {
  plan.Count();
  Parts parts(plan);
  const LocalArguments args(plan, parts);
  if (first_only) {
    RunFirst(plan, call, args, parts);
  } else if (plan.body) {
    plan.body(plan, args.get(), call.results,
              [&](std::span<const Value> a, std::span<Result>) { call.Redispatch(a); });
  } else {
    call.Redispatch(args.get());
  }
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    if (plan.operands[k].written)
      WriteBack(plan, plan.operands[k], parts.all[k], parts.moved[k] != 0);
  }
  if (plan.op.returns_written) {
    internal::ReturnWritten(plan.op, plan.args, call.results.data());
  } else {
    Wrapper(plan, parts).All(call.results);
  }
}

}  // namespace sy::sharded
