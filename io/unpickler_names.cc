// The names that a pickle of data may have, and what is done where Python would call them.
//
// Source: torch/_weights_only_unpickler.py (which names there are), torch/_utils.py (what their
// arguments mean), numpy/_core/src/multiarray (the state of arrays and dtypes).
#include <algorithm>
#include <array>

#include "io/npy_header.h"
#include "io/torch_types.h"
#include "io/unpickler.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"

namespace sy::io {
namespace {

enum class Function : uint8_t {
  kDict,
  kOrderedDict,
  kCounter,
  kDefaultDict,
  kSet,
  kFrozenSet,
  kSize,
  kDevice,
  kComplex,
  kByteArray,
  kEncode,
  kTensor,
  kTensorV3,
  kParameter,
  kFromType,
  kClass,  // named, not called
  kUntypedStorage,
  kNumpyDType,
  kNumpyScalar,
  kNumpyArray,
};

struct Known {
  std::string_view name;
  Function function;
};
constexpr std::array kKnown = {
    Known{"collections.OrderedDict", Function::kOrderedDict},
    Known{"collections.Counter", Function::kCounter},
    Known{"collections.defaultdict", Function::kDefaultDict},
    Known{"builtins.dict", Function::kDict},
    Known{"__builtin__.dict", Function::kDict},
    Known{"builtins.set", Function::kSet},
    Known{"__builtin__.set", Function::kSet},
    Known{"builtins.frozenset", Function::kFrozenSet},
    Known{"__builtin__.frozenset", Function::kFrozenSet},
    Known{"builtins.complex", Function::kComplex},
    Known{"__builtin__.complex", Function::kComplex},
    Known{"builtins.bytearray", Function::kByteArray},
    Known{"__builtin__.bytearray", Function::kByteArray},
    Known{"_codecs.encode", Function::kEncode},
    Known{"torch.Size", Function::kSize},
    Known{"torch.device", Function::kDevice},
    Known{"torch.Tensor", Function::kClass},
    Known{"torch.nn.parameter.Parameter", Function::kClass},
    Known{"torch.nn.parameter.Buffer", Function::kClass},
    Known{"torch.storage.UntypedStorage", Function::kUntypedStorage},
    Known{"torch.UntypedStorage", Function::kUntypedStorage},
    Known{"torch._utils._rebuild_tensor", Function::kTensor},
    Known{"torch._utils._rebuild_tensor_v2", Function::kTensor},
    Known{"torch._utils._rebuild_tensor_v3", Function::kTensorV3},
    Known{"torch._utils._rebuild_parameter", Function::kParameter},
    Known{"torch._utils._rebuild_parameter_with_state", Function::kParameter},
    Known{"torch._tensor._rebuild_from_type_v2", Function::kFromType},
    Known{"numpy.dtype", Function::kNumpyDType},
    Known{"numpy.ndarray", Function::kClass},
    Known{"numpy.core.multiarray.scalar", Function::kNumpyScalar},
    Known{"numpy._core.multiarray.scalar", Function::kNumpyScalar},
    Known{"numpy.core.multiarray._reconstruct", Function::kNumpyArray},
    Known{"numpy._core.multiarray._reconstruct", Function::kNumpyArray},
};

constexpr size_t kNoSource = SIZE_MAX;

}  // namespace

void Unpickler::Global(std::string_view module, std::string_view name) {
  const std::string full = std::string(module) + "." + std::string(name);
  for (size_t i = 0; i < kKnown.size(); ++i) {
    if (kKnown[i].name == full) return Push(nodes_.Add(kFunction, static_cast<int64_t>(i)));
  }
  if (module == "torch") {
    for (const TorchStorage& s : kTorchStorages) {
      if (s.name == name) return Push(nodes_.Add(kStorageType, static_cast<int64_t>(s.dtype)));
    }
    if (const auto d = FindDType(name); d && sy::Name(*d) == name)
      return Push(nodes_.Add(Kind::kDType, static_cast<int64_t>(*d)));
  }
  FailAt({"'", full, "' is none of the names that data needs; nothing else is looked up or run"});
}

std::vector<int64_t> Unpickler::Integers(Id list) const {
  if (!nodes_.Is(list, Kind::kTuple) && !nodes_.Is(list, Kind::kList))
    FailAt({"sizes or strides are no tuple"});
  const std::vector<Id>& entries = nodes_.List(list);
  if (entries.size() > static_cast<size_t>(kMaxRank))
    FailAt({entries.size(), " dimensions, at most ", int64_t{kMaxRank}, " are possible"});
  std::vector<int64_t> numbers;
  numbers.reserve(entries.size());
  for (const Id e : entries) {
    if (!nodes_.Is(e, Kind::kInt)) FailAt({"a size or stride is no integer"});
    numbers.push_back(nodes_[e].data);
  }
  return numbers;
}

Id Unpickler::RebuildTensor(const std::vector<Id>& a, bool with_dtype) {
  // storage, offset, sizes, strides, requires_grad, hooks, then (with_dtype) a dtype; metadata.
  const size_t least = with_dtype ? 7 : 4;
  if (a.size() < least || a.size() > least + (with_dtype ? 1 : 3))
    FailAt({"a tensor is made with ", a.size(), " arguments"});
  if (!nodes_.Is(a[0], kStorage)) FailAt({"a tensor is made of no storage"});
  if (!nodes_.Is(a[1], Kind::kInt)) FailAt({"a tensor's offset is no integer"});
  const auto storage = static_cast<size_t>(nodes_[a[0]].data);
  const StorageRef& s = nodes_.storages[storage];
  DType dtype = s.dtype;
  if (with_dtype) {
    if (!nodes_.Is(a[6], Kind::kDType)) FailAt({"a tensor's dtype is none"});
    dtype = static_cast<DType>(nodes_[a[6]].data);
  }
  const size_t metadata = with_dtype ? 7 : 6;
  if (a.size() > metadata && nodes_.Is(a[metadata], Kind::kDict)) {
    const std::vector<Id>& items = nodes_.List(a[metadata]);
    for (size_t i = 0; i + 1 < items.size(); i += 2) {
      if (nodes_.Is(items[i + 1], Kind::kBool) && nodes_[items[i + 1]].data != 0)
        FailAt({"a tensor is a view of conjugates or negatives; resolve_conj writes them out"});
    }
  }
  TensorInfo t;
  t.type = Name(dtype);
  t.dtype = dtype;
  t.sizes = Integers(a[2]);
  t.strides = Integers(a[3]);
  t.offset = nodes_[a[1]].data;
  Charge(t.sizes.size() * 2 + 1);
  if (t.sizes.size() != t.strides.size() || t.offset < 0)
    FailAt({"a tensor's sizes ", IntSpan(t.sizes), ", strides ", IntSpan(t.strides), " and offset ",
            t.offset, " do not fit"});
  t.bytes = BytesOf("a tensor", t.sizes, ItemSize(dtype));
  // Persistent has multiplied these.
  const int64_t held =
      s.numel * static_cast<int64_t>(ItemSize(s.dtype)) / static_cast<int64_t>(ItemSize(dtype));
  __int128 last = t.offset;
  for (size_t i = 0; i < t.sizes.size(); ++i) {
    if (t.strides[i] < 0) FailAt({"a tensor's stride is negative"});
    last += static_cast<__int128>(std::max<int64_t>(t.sizes[i] - 1, 0)) * t.strides[i];
    if (last > INT64_MAX / 16) FailAt({"a tensor reaches too far"});
  }
  if (t.bytes == 0) {
    t.offset = 0;
  } else if (last >= held) {
    FailAt({"a tensor reaches element ", static_cast<int64_t>(last), " of a storage of ", held});
  }
  nodes_.infos.push_back(std::move(t));
  nodes_.source_of.push_back(storage);
  nodes_.own.emplace_back();
  nodes_.swaps.push_back(0);
  const Id id = nodes_.Add(Kind::kTensor, static_cast<int64_t>(nodes_.infos.size() - 1));
  nodes_.nodes[id].requires_grad =
      a.size() > 4 && nodes_.Is(a[4], Kind::kBool) && nodes_[a[4]].data != 0;
  return id;
}

// Another value of the same data: a function gives a new object, what it was given stays.
Id Unpickler::Another(Id id, Variant variant) {
  Node node = nodes_[id];
  node.variant = variant;
  nodes_.nodes.push_back(node);
  return static_cast<Id>(nodes_.nodes.size() - 1);
}

Id Unpickler::MakeDict(const std::vector<Id>& a) {
  if (a.empty()) return nodes_.AddList(Kind::kDict);
  if (a.size() == 1 && nodes_.Is(a[0], Kind::kDict)) {
    Charge(nodes_.List(a[0]).size());
    return nodes_.AddList(Kind::kDict, std::vector<Id>(nodes_.List(a[0])));
  }
  if (a.size() != 1 || !nodes_.Is(a[0], Kind::kList)) FailAt({"a dict is made of no items"});
  const std::vector<Id> pairs = nodes_.List(a[0]);
  Charge(pairs.size() * 2);
  const Id dict = nodes_.AddList(Kind::kDict);
  for (const Id pair : pairs) {
    if (!nodes_.IsSequence(pair) || nodes_.List(pair).size() != 2)
      FailAt({"a dict's item is no pair"});
    const std::vector<Id> item = nodes_.List(pair);
    SetItems(dict, item);
  }
  return dict;
}

Id Unpickler::MakeSet(const std::vector<Id>& a) {
  if (a.empty()) return nodes_.AddList(Kind::kSet);
  if (a.size() != 1 || !nodes_.IsSequence(a[0])) FailAt({"a set is made of no entries"});
  Charge(nodes_.List(a[0]).size());
  return nodes_.AddList(Kind::kSet, std::vector<Id>(nodes_.List(a[0])));
}

// Text of characters up to 255 as bytes: how protocol 2 writes them.
Id Unpickler::EncodeLatin1(const std::string& text) {
  Charge(text.size());
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      bytes += text[i];
    } else if ((c == 0xc2 || c == 0xc3) && i + 1 < text.size()) {
      bytes += static_cast<char>((c & 3) << 6 | (text[++i] & 0x3f));
    } else {
      FailAt({"a text is not of latin1, which bytes are written as"});
    }
  }
  return nodes_.AddText(std::move(bytes), Kind::kBytes);
}

Id Unpickler::NumpyScalar(const std::vector<Id>& a) {
  if (a.size() != 2 || !nodes_.Is(a[0], kNumpyDType) || !nodes_.Is(a[1], Kind::kBytes))
    FailAt({"a number of NumPy's is made of other things than a dtype and bytes"});
  npy::Header h;
  npy::SetDescr(nodes_.Text(a[0]), h);
  std::string bytes = nodes_.Text(a[1]);
  if (!h.dtype || bytes.size() != ItemSize(*h.dtype)) FailAt({"a number of NumPy's has no value"});
  for (size_t i = 0; h.swap > 1 && i < bytes.size(); i += h.swap)
    std::reverse(bytes.data() + i, bytes.data() + i + h.swap);
  const Tensor held = Tensor::Empty({}, *h.dtype);
  std::copy(bytes.begin(), bytes.end(), static_cast<char*>(held.data()));
  if (*h.dtype == DType::kBool) return nodes_.Add(Kind::kBool, bytes[0] != 0 ? 1 : 0);
  const Scalar n = ReadNumber(held);
  if (IsComplex(*h.dtype)) return nodes_.AddComplex(n.To<std::complex<double>>());
  if (IsFloating(*h.dtype)) return nodes_.AddFloat(n.To<double>());
  if (*h.dtype == DType::kUInt64 && (bytes[7] & 0x80) != 0)
    return nodes_.AddText(bytes + '\0', Kind::kBigInt);
  return nodes_.Add(Kind::kInt, n.To<int64_t>());
}

Id Unpickler::Call(Id function, Id arguments) {
  if (!nodes_.Is(function, kFunction)) FailAt({"what is no function is called"});
  if (!nodes_.Is(arguments, Kind::kTuple)) FailAt({"arguments are no tuple"});
  const Known& known = kKnown[static_cast<size_t>(nodes_[function].data)];
  const std::vector<Id> a = nodes_.List(arguments);
  Charge(a.size());
  const auto take = [&](size_t n) {
    if (a.size() != n) FailAt({"'", known.name, "' with ", a.size(), " arguments, not ", n});
  };
  switch (known.function) {
    case Function::kDict:
      return MakeDict(a);
    case Function::kOrderedDict:
      return WithVariant(MakeDict(a), Variant::kOrderedDict);
    case Function::kCounter:
      return WithVariant(MakeDict(a), Variant::kCounter);
    case Function::kDefaultDict:  // of a function that makes absent entries, which nobody calls
      return nodes_.AddList(Kind::kDict);
    case Function::kSet:
      return MakeSet(a);
    case Function::kFrozenSet:
      return WithVariant(MakeSet(a), Variant::kFrozenSet);
    case Function::kSize:
      take(1);
      Charge(nodes_.IsSequence(a[0]) ? nodes_.List(a[0]).size() : 0);
      if (!nodes_.IsSequence(a[0])) FailAt({"a Size is made of no sizes"});
      return WithVariant(nodes_.AddList(Kind::kTuple, std::vector<Id>(nodes_.List(a[0]))),
                         Variant::kSize);
    case Function::kDevice:
      if (a.empty() || a.size() > 2 || !nodes_.Is(a[0], Kind::kText))
        FailAt({"a device has no name"});
      if (a.size() == 2 && !nodes_.Is(a[1], Kind::kInt)) FailAt({"a device's index is none"});
      Charge(nodes_.Text(a[0]).size());
      return nodes_.AddText(
          nodes_.Text(a[0]) + (a.size() == 2 ? ":" + std::to_string(nodes_[a[1]].data) : ""),
          Kind::kDevice);
    case Function::kComplex:
      take(2);
      if (!nodes_.Is(a[0], Kind::kFloat) || !nodes_.Is(a[1], Kind::kFloat))
        FailAt({"a complex number is made of others than floats"});
      return nodes_.AddComplex({nodes_[a[0]].number, nodes_[a[1]].number});
    case Function::kByteArray:
      if (a.empty()) return WithVariant(nodes_.AddText("", Kind::kBytes), Variant::kByteArray);
      if (!nodes_.Is(a[0], Kind::kBytes)) FailAt({"a bytearray is made of no bytes"});
      return Another(a[0], Variant::kByteArray);
    case Function::kEncode:
      take(2);
      if (!nodes_.Is(a[0], Kind::kText) || !nodes_.Is(a[1], Kind::kText) ||
          nodes_.Text(a[1]) != "latin1")
        FailAt({"a text is encoded otherwise than as latin1"});
      return EncodeLatin1(nodes_.Text(a[0]));
    case Function::kTensor:
    case Function::kTensorV3:
      return RebuildTensor(a, known.function == Function::kTensorV3);
    case Function::kParameter: {
      if (a.empty() || !nodes_.Is(a[0], Kind::kTensor)) FailAt({"a parameter is no tensor"});
      const Id parameter = Another(a[0], Variant::kParameter);
      nodes_.nodes[parameter].requires_grad =
          a.size() > 1 && nodes_.Is(a[1], Kind::kBool) && nodes_[a[1]].data != 0;
      return parameter;
    }
    case Function::kFromType:
      take(4);
      // One level: a tensor of a type. The type was among the names.
      if (!nodes_.Is(a[0], kFunction) ||
          kKnown[static_cast<size_t>(nodes_[a[0]].data)].function == Function::kFromType)
        FailAt({"a tensor of a type is made by no function"});
      return Call(a[0], a[2]);
    case Function::kNumpyDType:
      if (a.empty() || !nodes_.Is(a[0], Kind::kText)) FailAt({"a dtype of NumPy's has no name"});
      Charge(nodes_.Text(a[0]).size());
      return nodes_.AddText("|" + nodes_.Text(a[0]), sy::io::kNumpyDType);
    case Function::kNumpyScalar:
      return NumpyScalar(a);
    case Function::kNumpyArray:  // Build fills it
      nodes_.infos.emplace_back();
      nodes_.source_of.push_back(kNoSource);
      nodes_.own.emplace_back();
      nodes_.swaps.push_back(0);
      return WithVariant(nodes_.Add(Kind::kTensor, static_cast<int64_t>(nodes_.infos.size() - 1)),
                         Variant::kArray);
    case Function::kClass:
    case Function::kUntypedStorage:
      break;
  }
  FailAt({"'", known.name, "' is called"});
}

// State: (version, sizes, dtype, column-major, bytes).
void Unpickler::BuildArray(Id array, Id state) {
  const auto i = static_cast<size_t>(nodes_[array].data);
  const std::vector<Id> s = nodes_.Is(state, Kind::kTuple) ? nodes_.List(state) : std::vector<Id>();
  if (s.size() != 5 || !nodes_.Is(s[2], kNumpyDType) || !nodes_.Is(s[3], Kind::kBool) ||
      !nodes_.Is(s[4], Kind::kBytes))
    FailAt({"an array of NumPy's is made of other things than sizes, a dtype and bytes"});
  npy::Header h;
  npy::SetDescr(nodes_.Text(s[2]), h);
  if (!h.dtype) FailAt({"an array of NumPy's has the dtype '", h.descr, "', which is none here"});
  TensorInfo t;
  t.type = h.descr;
  t.dtype = h.dtype;
  t.sizes = Integers(s[1]);
  t.bytes = BytesOf("an array", t.sizes, ItemSize(*h.dtype));
  t.strides = nodes_[s[3]].data != 0 ? FortranStridesOf(t.sizes) : StridesOf(t.sizes);
  const std::string& bytes = nodes_.Text(s[4]);
  if (bytes.size() != t.bytes) {
    FailAt({"an array of sizes ", IntSpan(t.sizes), " needs ", t.bytes, " bytes, ", bytes.size(),
            " are there"});
  }
  Charge(bytes.size() / sizeof(Id));
  nodes_.own[i] = std::make_shared<const std::string>(bytes);
  nodes_.swaps[i] = h.swap;
  nodes_.infos[i] = std::move(t);
}

void Unpickler::Build(Id object, Id state) {
  const Node n = nodes_[object];
  if (n.kind == Kind::kDict) return;  // an OrderedDict's _metadata, which modules alone use
  if (n.kind == Kind::kTensor) {      // of a Parameter, attributes of Python's
    if (nodes_.source_of[static_cast<size_t>(n.data)] == kNoSource) BuildArray(object, state);
    return;
  }
  if (n.kind != kNumpyDType) FailAt({"state is given to a value that has none"});
  // (version, order of bytes, …)
  if (!nodes_.Is(state, Kind::kTuple) || nodes_.List(state).size() < 2 ||
      !nodes_.Is(nodes_.List(state)[1], Kind::kText))
    FailAt({"a dtype of NumPy's has no order of bytes"});
  const std::string& order = nodes_.Text(nodes_.List(state)[1]);
  if (order.size() == 1) nodes_.texts[static_cast<size_t>(n.data)][0] = order[0];
}

// ('storage', type, key, device, elements), and before 1.6 a part of another storage or None.
Id Unpickler::Persistent(Id id) {
  const std::vector<Id> a = nodes_.Is(id, Kind::kTuple) ? nodes_.List(id) : std::vector<Id>();
  if (a.size() < 5 || a.size() > 6 || !nodes_.Is(a[0], Kind::kText) ||
      nodes_.Text(a[0]) != "storage" || !nodes_.Is(a[2], Kind::kText) ||
      !nodes_.Is(a[4], Kind::kInt))
    FailAt({"something is kept outside the pickle that is no storage"});
  if (a.size() == 6 && !nodes_.Is(a[5], Kind::kNone))
    FailAt({"a storage is a part of another, as before PyTorch 0.4"});
  DType dtype = DType::kUInt8;
  if (nodes_.Is(a[1], kStorageType)) {
    dtype = static_cast<DType>(nodes_[a[1]].data);
  } else if (!nodes_.Is(a[1], kFunction) ||
             kKnown[static_cast<size_t>(nodes_[a[1]].data)].function != Function::kUntypedStorage) {
    FailAt({"a storage has no type"});
  }
  const std::string& key = nodes_.Text(a[2]);
  const int64_t numel = nodes_[a[4]].data;
  int64_t bytes = 0;
  if (numel < 0 || __builtin_mul_overflow(numel, static_cast<int64_t>(ItemSize(dtype)), &bytes))
    FailAt({"a storage of ", numel, " elements"});
  Charge(key.size());
  const auto [at, is_new] = storages_.emplace(key, nodes_.storages.size());
  if (is_new) {
    nodes_.storages.push_back({key, dtype, numel});
  } else if (const StorageRef& s = nodes_.storages[at->second];
             s.numel * static_cast<int64_t>(ItemSize(s.dtype)) != bytes || s.dtype != dtype) {
    FailAt({"the storage '", key, "' is of two types or sizes"});
  }
  return nodes_.Add(kStorage, static_cast<int64_t>(at->second));
}

}  // namespace sy::io
