#include "io/pickler.h"

#include <bit>

#include "io/torch_types.h"
#include "io/writers.h"
#include "switchyard/core/view_as.h"

namespace sy::io {
namespace {

const void* StorageOf(const Tensor& t) { return t.impl()->storage; }

// The storage as bytes.
Tensor WholeStorage(const Tensor& t) {
  const int64_t bytes = static_cast<int64_t>(t.impl()->storage->nbytes), one = 1;
  return ViewAs(t, DType::kUInt8, IntSpan(&bytes, 1), IntSpan(&one, 1), 0);
}

}  // namespace

Pickler::Pickler(const Nodes& nodes) : nodes_(nodes) {
  for (const Tensor& t : nodes.tensors) ++users_[StorageOf(t)];
  std::vector<bool> held(nodes.nodes.size());
  several_.resize(nodes.nodes.size());
  for (const std::vector<Id>& list : nodes.lists) {
    for (const Id id : list) {
      if (held[id]) several_[id] = true;
      held[id] = true;
    }
  }
}

void Pickler::PutNumber(uint64_t n, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out_ += static_cast<char>(n >> 8 * i & 0xff);
}

void Pickler::PutInt(int64_t i) {
  if (i >= 0 && i <= 0xff) {
    PutOp('K');
    PutNumber(static_cast<uint64_t>(i), 1);
  } else if (i >= INT32_MIN && i <= INT32_MAX) {
    PutOp('J');
    PutNumber(static_cast<uint64_t>(i), 4);
  } else {
    out_ += "\x8a\x08";
    PutNumber(static_cast<uint64_t>(i), 8);
  }
}

void Pickler::PutText(std::string_view text) {
  if (text.size() > UINT32_MAX) Refuse({"a text of ", text.size(), " bytes"});
  PutOp('X');
  PutNumber(text.size(), 4);
  out_ += text;
}

void Pickler::PutGlobal(std::string_view module, std::string_view name) {
  out_ += "c";
  out_ += module;
  out_ += "\n";
  out_ += name;
  out_ += "\n";
}

void Pickler::PutInts(IntSpan numbers) {
  PutOp('(');
  for (const int64_t n : numbers) PutInt(n);
  PutOp('t');
}

// Of protocol 2, which has no opcode for them: _codecs.encode(text, 'latin1').
void Pickler::PutBytes(const std::string& bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char b : bytes) {
    const auto c = static_cast<unsigned char>(b);
    if (c >= 0x80) text += static_cast<char>(0xc0 | c >> 6);
    text += static_cast<char>(c < 0x80 ? c : 0x80 | (c & 0x3f));
  }
  PutGlobal("_codecs", "encode");
  PutText(text);
  PutText("latin1");
  out_ += "\x86R";
}

void Pickler::PutTensor(const Tensor& t, bool requires_grad) {
  RequirePlain(t);
  // One that is alone on a storage that it fills, in another order, keeps its strides; a part of a
  // storage is written without the rest.
  const bool reordered = !t.is_contiguous() && t.impl()->storage->nbytes <= t.nbytes();
  const bool shared =
      (users_[StorageOf(t)] > 1 || reordered) && t.numel() != 0 && !t.is_conj() && !t.is_neg();
  size_t key = storages_.size();
  if (!shared) {
    storages_.push_back(t);
  } else if (const auto at = shared_.emplace(StorageOf(t), key); at.second) {
    storages_.push_back(WholeStorage(t));
  } else {
    key = at.first->second;
  }
  std::string_view storage;
  for (const TorchStorage& s : kTorchStorages) {
    if (s.dtype == t.dtype()) storage = s.name;
  }
  const bool untyped = storage.empty();
  const size_t bytes = storages_[key].nbytes();
  PutGlobal("torch._utils", untyped ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
  out_ += "((";
  PutText("storage");
  PutGlobal(untyped ? "torch.storage" : "torch", untyped ? "UntypedStorage" : storage);
  PutText(std::to_string(key));
  PutText("cpu");
  PutInt(static_cast<int64_t>(untyped ? bytes : bytes / t.itemsize()));
  out_ += "tQ";
  std::vector<int64_t> strides = StridesOf(t.sizes());
  if (shared) strides.assign(t.strides().begin(), t.strides().end());
  PutInt(shared ? t.storage_offset() : 0);
  PutInts(t.sizes());
  PutInts(strides);
  PutOp(requires_grad ? '\x88' : '\x89');
  PutGlobal("collections", "OrderedDict");
  out_ += ")R";  // hooks
  if (untyped) PutGlobal("torch", Name(t.dtype()));
  out_ += "tR";
}

void Pickler::PutCall(std::string_view module, std::string_view name,
                      const std::vector<Id>& entries, int level) {
  PutGlobal(module, name);
  out_ += "](";
  for (const Id e : entries) Put(e, level);
  out_ += "e\x85R";
}

void Pickler::Put(Id id, int level) {
  if (level > kMostLevels)
    Refuse({"values are nested deeper than ", kMostLevels, " levels, or contain themselves"});
  if (++visited_ > kMostVisited) Refuse({"it stands for more than ", kMostVisited, " values"});
  const Kind kind = nodes_[id].kind;
  if (!several_[id] || kind < Kind::kBigInt || kind == Kind::kFloat) return PutValue(id, level);
  if (const auto known = memo_.find(id); known != memo_.end()) {
    PutOp('j');
    return PutNumber(known->second, 4);
  }
  PutValue(id, level);
  const auto number = static_cast<uint32_t>(memo_.size());
  memo_[id] = number;
  PutOp('r');
  PutNumber(number, 4);
}

void Pickler::PutValue(Id id, int level) {
  const Node& node = nodes_[id];
  switch (node.kind) {
    case Kind::kNone:
      return PutOp('N');
    case Kind::kBool:
      return PutOp(node.data != 0 ? '\x88' : '\x89');
    case Kind::kInt:
      return PutInt(node.data);
    case Kind::kBigInt:
      // The short opcode where it does: torch.load with weights_only knows no other.
      PutOp(nodes_.Text(id).size() <= 0xff ? '\x8a' : '\x8b');
      PutNumber(nodes_.Text(id).size(), nodes_.Text(id).size() <= 0xff ? 1 : 4);
      out_ += nodes_.Text(id);
      return;
    case Kind::kFloat:
      PutOp('G');
      return PutNumber(__builtin_bswap64(std::bit_cast<uint64_t>(node.number)), 8);
    case Kind::kComplex: {
      const auto c = nodes_.complexes[static_cast<size_t>(node.data)];
      PutGlobal("builtins", "complex");
      for (const double d : {c.real(), c.imag()}) {
        PutOp('G');
        PutNumber(__builtin_bswap64(std::bit_cast<uint64_t>(d)), 8);
      }
      out_ += "\x86R";
      return;
    }
    case Kind::kText:
      return PutText(nodes_.Text(id));
    case Kind::kBytes:
      if (node.variant != Variant::kByteArray) return PutBytes(nodes_.Text(id));
      PutGlobal("builtins", "bytearray");
      PutBytes(nodes_.Text(id));
      out_ += "\x85R";
      return;
    case Kind::kDevice:
      PutGlobal("torch", "device");
      PutText(nodes_.Text(id));
      out_ += "\x85R";
      return;
    case Kind::kDType:
      return PutGlobal("torch", Name(static_cast<DType>(node.data)));
    case Kind::kList:
      out_ += "](";
      for (const Id e : nodes_.List(id)) Put(e, level + 1);
      return PutOp('e');
    case Kind::kTuple:
      if (node.variant == Variant::kSize) PutGlobal("torch", "Size");
      PutOp('(');
      for (const Id e : nodes_.List(id)) Put(e, level + 1);
      PutOp('t');
      if (node.variant == Variant::kSize) out_ += "\x85R";
      return;
    case Kind::kSet:
      return PutCall("builtins", node.variant == Variant::kFrozenSet ? "frozenset" : "set",
                     nodes_.List(id), level + 1);
    case Kind::kDict:
      if (node.variant != Variant::kPlain) {
        PutGlobal("collections", node.variant == Variant::kCounter ? "Counter" : "OrderedDict");
      }
      out_ += node.variant == Variant::kOrderedDict ? ")R(" : "}(";
      for (const Id e : nodes_.List(id)) Put(e, level + 1);
      PutOp('u');
      if (node.variant == Variant::kCounter) out_ += "\x85R";
      return;
    case Kind::kTensor: {
      const Tensor& t = nodes_.tensors[static_cast<size_t>(node.data)];
      if (node.variant != Variant::kParameter) return PutTensor(t, node.requires_grad);
      PutGlobal("torch._utils", "_rebuild_parameter");
      PutOp('(');
      PutTensor(t, false);
      PutOp(node.requires_grad ? '\x88' : '\x89');
      PutGlobal("collections", "OrderedDict");
      out_ += ")RtR";
      return;
    }
    default:
      Refuse({"the tree holds a name and not a value"});
  }
}

std::string Pickler::Write(Id root) {
  out_ = "\x80\x02";
  Put(root, 0);
  PutOp('.');
  return std::move(out_);
}

}  // namespace sy::io
