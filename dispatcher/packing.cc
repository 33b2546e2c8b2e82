#include "switchyard/dispatcher/packing.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "switchyard/core/attachment.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

// A packing with its operators found.
struct Packing {
  struct Served {
    const OperatorEntry* op;
    uint64_t packed;
    const OperatorEntry* by;
    bool gives_parts;
  };
  PackingDef def;
  LayerId layer = -1;
  const OperatorEntry* unpack;
  std::vector<Served> calls;
  std::atomic<int64_t> alive{0};
};

// What makes a tensor a packed one.
struct Packed : Attachment {
  static constexpr AttachmentKind kKind{"packing"};
  Packed(std::shared_ptr<Packing> as, std::vector<Tensor> p)
      : packing(std::move(as)), parts(std::move(p)) {
    packing->alive.fetch_add(1, std::memory_order_relaxed);
  }
  ~Packed() override { packing->alive.fetch_sub(1, std::memory_order_release); }
  const std::shared_ptr<Packing> packing;
  const std::vector<Tensor> parts;
};

std::atomic<uint64_t> served_calls{0}, unpacked_arguments{0};

Tensor UnpackAs(const Tensor& t, const Packed& packed) {
  std::vector<Value> args(packed.parts.begin(), packed.parts.end());
  args.push_back(t.sizes());
  args.push_back(t.dtype());
  Result result;
  CallBoxed(*packed.packing->unpack, args, {&result, 1});
  Tensor strided = result.TakeTensor();
  if (!SameSizes(strided.sizes(), t.sizes()) || strided.dtype() != t.dtype()) {
    Fail(ErrorCode::kInternal, packed.packing->unpack->name(),
         {"expected to unpack ", t.dtype(), t.sizes(), ", got ", strided.dtype(), strided.sizes()});
  }
  return strided;
}

Tensor MakePacked(std::shared_ptr<Packing> packing, KeyWord key, IntSpan sizes,
                  std::vector<Tensor> parts) {
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  const LayerId layer = packing->layer;
  const Tensor t(internal::NewWithoutBytes(key, sizes, strides));
  Attach(t, std::make_unique<Packed>(std::move(packing), std::move(parts)));
  AttachLayer(layer, t);
  return t;
}

template <class F>
void ForEachTensor(const Value& v, F f) {
  if (v.tag == Tag::kTensor) f(v.tensor());
  if (v.tag != Tag::kTensorList) return;
  for (const Tensor& t : v.list<Tensor>()) {
    if (t.defined()) f(t);
  }
}

// The packed ones among a call's arguments.
struct PackedArguments {
  const Packed* first = nullptr;
  uint64_t mask = 0;    // arguments that are packed as the first is
  bool others = false;  // or in lists, or otherwise

  PackedArguments(const OperatorEntry& op, std::span<const Value> args) {
    for (size_t i = 0; i < args.size(); ++i) {
      ForEachTensor(args[i], [&](const Tensor& t) {
        const Packed* packed = Attached<Packed>(t);
        if (packed == nullptr) return;
        const Argument& argument = op.schema().arguments[i];
        if (argument.type.alias.write) {
          Fail(ErrorCode::kNotImplemented, op.name(),
               {"argument '", argument.name, "' is written, and is packed as ",
                packed->packing->def.name, ", which only Pack writes"});
        }
        if (first == nullptr) first = packed;
        if (args[i].tag != Tag::kTensor || packed->packing != first->packing || i >= 64) {
          others = true;
        } else {
          mask |= uint64_t{1} << i;
        }
      });
    }
  }
};

// The arguments with unpacked copies in place of packed tensors.
class Strided {
 public:
  explicit Strided(std::span<const Value> given) : args_(given.begin(), given.end()) {
    for (Value& v : args_) {
      if (v.tag == Tag::kTensor) {
        if (Attached<Packed>(v.tensor()) != nullptr)
          v = Value(singles_.emplace_back(Of(v.tensor())));
      } else if (v.tag == Tag::kTensorList) {
        std::vector<Tensor>& list = lists_.emplace_back();
        for (const Tensor& t : v.list<Tensor>()) list.push_back(Of(t));
        v = Value(list);
      }
    }
  }
  std::span<const Value> args() const { return args_; }

 private:
  static Tensor Of(const Tensor& t) {
    if (Attached<Packed>(t) == nullptr) return t;
    unpacked_arguments.fetch_add(1, std::memory_order_relaxed);
    return Unpack(t);
  }
  std::vector<Value> args_;
  std::deque<Tensor> singles_;  // Values point into these
  std::deque<std::vector<Tensor>> lists_;
};

// Stands where kernels begin: below it no tensor is packed.
class Unpacker final : public Layer {
 public:
  void OnCall(LayerCall& call) override {
    const PackedArguments packed(call.op, call.args);
    if (packed.first == nullptr) return call.Redispatch();
    if (!packed.others) {
      for (const Packing::Served& s : packed.first->packing->calls) {
        if (s.op == &call.op && s.packed == packed.mask) return Serve(s, call);
      }
    }
    const Strided strided(call.args);
    call.Redispatch(strided.args());
  }

 private:
  static void Serve(const Packing::Served& s, LayerCall& call) {
    std::vector<Value> args;
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (i >= 64 || (s.packed >> i & 1) == 0) {
        args.push_back(call.args[i]);
        continue;
      }
      const Tensor& t = call.args[i].tensor();
      for (const Tensor& part : Attached<Packed>(t)->parts) args.push_back(part);
      args.push_back(t.sizes());
    }
    if (s.gives_parts) {
      GiveParts(s, args, call);
    } else {
      CallBoxed(*s.by, args, call.results);
    }
    served_calls.fetch_add(1, std::memory_order_relaxed);
  }
  static void GiveParts(const Packing::Served& s, std::span<const Value> args, LayerCall& call) {
    const Tensor& first = call.args[static_cast<size_t>(std::countr_zero(s.packed))].tensor();
    const Tensor stated = OnMeta(call);
    Result results[kMaxResults];
    const size_t n = s.by->num_results;
    CallBoxed(*s.by, args, {results, n});
    std::vector<Tensor> parts;
    for (size_t i = 0; i < n; ++i) parts.push_back(results[i].TakeTensor());
    call.results[0].Set(MakePacked(Attached<Packed>(first)->packing,
                                   WithDType(PlaceOfKey(first.key()), stated.dtype()),
                                   stated.sizes(), std::move(parts)));
  }
  // What the operator says of its result.
  static Tensor OnMeta(const LayerCall& call) {
    const Device meta{FindDeviceType("meta")};
    if (meta.type.row == kNoRow || FindBackend(meta.type) == nullptr)
      Fail(ErrorCode::kNotImplemented, call.op.name(), {"a packed result takes the meta backend"});
    std::deque<Tensor> tensors;  // Values point into these
    std::deque<std::vector<Tensor>> lists;
    std::vector<Value> args(call.args.begin(), call.args.end());
    const auto like = [&](const Tensor& t) {
      return t.defined() ? Tensor::Empty(t.sizes(), t.dtype(), meta) : t;
    };
    for (Value& v : args) {
      if (v.tag == Tag::kTensor) {
        v = Value(tensors.emplace_back(like(v.tensor())));
      } else if (v.tag == Tag::kTensorList) {
        std::vector<Tensor>& list = lists.emplace_back();
        for (const Tensor& t : v.list<Tensor>()) list.push_back(like(t));
        v = Value(list);
      }
    }
    Result result;
    CallBoxed(call.op, args, {&result, 1});
    return result.TakeTensor();
  }
};

struct Table {
  std::mutex mutex;
  std::vector<std::shared_ptr<Packing>> all;  // by name
  LayerId layer = -1;                         // from the first one on
};
Table& table() {
  static auto* t = new Table;
  return *t;
}

constexpr int kOrder = 1000;  // behind what watches calls

const OperatorEntry* Find(const PackingDef& def, std::string_view name) {
  const OperatorEntry* op = Registry::Global().Find(name);
  if (op == nullptr)
    Fail(ErrorCode::kRegistration, {"packing '", def.name, "': there is no operator '", name, "'"});
  return op;
}

[[noreturn]] void Refuse(const PackingDef& def, const OperatorEntry& op,
                         std::string_view expected) {
  Fail(ErrorCode::kRegistration,
       {"packing '", def.name, "': expected ", expected, ", got\n  ", op.schema().str()});
}

bool IsTensor(const Argument& a) { return a.type.is_tensor() && !a.type.alias.write; }

// That a call of op has one result, which can be packed, and by gives its parts.
void RequireOneResult(const PackingDef& def, const OperatorEntry& op, const OperatorEntry& by) {
  const auto& returns = op.schema().returns;
  if (op.returns_written || returns.size() != 1 || !returns[0].type.is_tensor())
    Refuse(def, op, "an operator with one new tensor as its result, which stays packed");
  for (const Argument& r : by.schema().returns) {
    if (!r.type.is_tensor()) Refuse(def, by, "the parts of a packed tensor as results");
  }
}

// That the operators take and give what they will be called with.
std::shared_ptr<Packing> Resolve(const PackingDef& def) {
  if (def.name.find("::") == std::string::npos)
    Fail(ErrorCode::kRegistration, {"packing '", def.name, "' needs a namespace, as in 'mine::x'"});
  auto p = std::make_shared<Packing>();
  p->def = def;
  p->unpack = Find(def, def.unpack);
  const OperatorEntry& packs = *Find(def, def.pack);
  const Schema &pack = packs.schema(), &unpack = p->unpack->schema();
  const size_t parts = pack.returns.size();
  bool fits = !pack.arguments.empty() && IsTensor(pack.arguments[0]) && parts != 0;
  for (const Argument& r : pack.returns) fits = fits && r.type.is_tensor();
  if (!fits) Refuse(def, packs, "an operator that packs: (Tensor x, …) -> Tensor, or several");
  fits = unpack.arguments.size() == parts + 2 && unpack.returns.size() == 1 &&
         unpack.returns[0].type.is_tensor() &&
         unpack.arguments[parts].type.kind == TypeKind::kInt && unpack.arguments[parts].type.list &&
         unpack.arguments[parts + 1].type.kind == TypeKind::kScalarType;
  for (size_t i = 0; fits && i < parts; ++i) fits = IsTensor(unpack.arguments[i]);
  if (!fits)
    Refuse(def, *p->unpack,
           Join({"an operator that unpacks: (", parts,
                 " tensors, int[] sizes, ScalarType dtype) -> Tensor"}));
  for (const PackedCall& c : def.calls) {
    const OperatorEntry *op = Find(def, c.op), *by = Find(def, c.by);
    size_t expected = op->schema().arguments.size();
    for (size_t i = 0; i < op->schema().arguments.size() && i < 64; ++i) {
      if ((c.packed >> i & 1) == 0) continue;
      if (!IsTensor(op->schema().arguments[i]))
        Refuse(def, *op, Join({"a tensor as argument ", i}));
      expected += parts;
    }
    const size_t results = c.gives_parts ? parts : op->schema().returns.size();
    if (c.packed == 0 || by->schema().arguments.size() != expected ||
        by->schema().returns.size() != results) {
      Refuse(def, *by, Join({expected, " arguments and ", results, " results for ", c.op}));
    }
    if (c.gives_parts) RequireOneResult(def, *op, *by);
    p->calls.push_back({op, c.packed, by, c.gives_parts});
  }
  return p;
}

std::shared_ptr<Packing> FindPacking(std::string_view name) {
  Table& t = table();
  std::lock_guard lock(t.mutex);
  std::string names;
  for (const auto& p : t.all) {
    if (p->def.name == name) return p;
    names += (names.empty() ? "there are: " : ", ") + p->def.name;
  }
  Fail(ErrorCode::kNotFound,
       {"no packing named '", name, "'; ", names.empty() ? "there is none" : names});
}

}  // namespace

void RegisterPacking(const PackingDef& def) {
  std::shared_ptr<Packing> p = Resolve(def);
  Table& t = table();
  std::lock_guard lock(t.mutex);
  const auto at = std::ranges::lower_bound(
      t.all, def.name, {}, [](const auto& q) -> const std::string& { return q->def.name; });
  if (at != t.all.end() && (*at)->def.name == def.name)
    Fail(ErrorCode::kRegistration, {"a packing named '", def.name, "' is there already"});
  if (t.layer < 0) {
    static auto* unpacker = new Unpacker;
    t.layer = RegisterLayer("packings", kOrder, unpacker);
  }
  p->layer = t.layer;
  t.all.insert(at, std::move(p));
}

namespace {

auto Named(Table& t, std::string_view name) {
  return std::ranges::find_if(t.all, [&](const auto& p) { return p->def.name == name; });
}

}  // namespace

int64_t CountPacked(std::string_view name) noexcept {
  Table& t = table();
  std::lock_guard lock(t.mutex);
  const auto it = Named(t, name);
  return it == t.all.end() ? 0 : (*it)->alive.load(std::memory_order_acquire);
}

void internal::RemovePacking(std::string_view name) noexcept {
  Table& t = table();
  std::lock_guard lock(t.mutex);
  if (const auto it = Named(t, name); it != t.all.end()) t.all.erase(it);
}

void UnregisterPacking(std::string_view name) {
  Table& t = table();
  std::lock_guard lock(t.mutex);
  const auto it = Named(t, name);
  if (it == t.all.end()) Fail(ErrorCode::kNotFound, {"no packing named '", name, "'"});
  if (const int64_t n = (*it)->alive.load(std::memory_order_acquire); n != 0) {
    Fail(ErrorCode::kBusy,
         {"packing '", name, "': ", n, n == 1 ? " tensor is" : " tensors are", " alive"});
  }
  t.all.erase(it);
}

std::vector<PackingDef> Packings() {
  Table& t = table();
  std::lock_guard lock(t.mutex);
  std::vector<PackingDef> all;
  for (const auto& p : t.all) all.push_back(p->def);
  return all;
}

Tensor Pack(const Tensor& t, std::string_view name, std::initializer_list<Value> options) {
  if (!t.defined())
    Fail(ErrorCode::kInvalidArgument, "Pack: expected a tensor, got an undefined one");
  const std::shared_ptr<Packing> packing = FindPacking(name);
  if (const Packed* packed = Attached<Packed>(t); packed != nullptr && packed->packing == packing)
    return t;
  const Tensor strided = Unpack(t);
  std::vector<Value> args = {strided};
  args.insert(args.end(), options.begin(), options.end());
  Results results = CallByName(packing->def.pack, args, {});
  std::vector<Tensor> parts;
  parts.reserve(static_cast<size_t>(results.size()));
  for (int i = 0; i < results.size(); ++i) parts.push_back(results[i].TakeTensor());
  return MakePacked(packing, WithDType(PlaceOfKey(t.key()), t.dtype()), t.sizes(),
                    std::move(parts));
}

Tensor Unpack(const Tensor& t) {
  const Packed* packed = Attached<Packed>(t);
  return packed == nullptr ? t : UnpackAs(t, *packed);
}

std::string_view PackingOf(const Tensor& t) {
  const Packed* packed = Attached<Packed>(t);
  return packed == nullptr ? std::string_view() : packed->packing->def.name;
}

std::span<const Tensor> PartsOf(const Tensor& t) {
  const Packed* packed = Attached<Packed>(t);
  return packed == nullptr ? std::span<const Tensor>() : packed->parts;
}

PackingCounts CountPackings() {
  return {served_calls.load(std::memory_order_relaxed),
          unpacked_arguments.load(std::memory_order_relaxed)};
}

}  // namespace sy
