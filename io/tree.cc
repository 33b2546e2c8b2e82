// A checkpoint's values, as programs see them.
#include <algorithm>
#include <array>
#include <optional>

#include "io/checkpoint_contents.h"
#include "io/file.h"
#include "io/loader.h"
#include "io/nodes.h"
#include "switchyard/io/checkpoint.h"

namespace sy {
namespace {

constexpr std::array kKindNames = {"None",    "bool", "int",    "int",   "float",
                                   "complex", "str",  "bytes",  "list",  "tuple",
                                   "set",     "dict", "tensor", "dtype", "device"};

std::string_view NameOf(Tree::Kind kind) {
  const auto i = static_cast<size_t>(kind);
  return i < kKindNames.size() ? kKindNames[i] : "name";
}

[[noreturn]] void FailKind(std::string_view expected, Tree::Kind got) {
  Fail(ErrorCode::kInvalidArgument,
       {"expected ", expected, " in the checkpoint, got ", NameOf(got)});
}

}  // namespace

using io::Nodes;
using Value = Tree::Value;

Tree::Kind Value::kind() const { return (*nodes_)[id_].kind; }
Tree::Variant Value::variant() const { return (*nodes_)[id_].variant; }

bool Value::boolean() const {
  if (kind() != Kind::kBool) FailKind("bool", kind());
  return (*nodes_)[id_].data != 0;
}
int64_t Value::integer() const {
  if (kind() != Kind::kInt) FailKind("int of 64 bits", kind());
  return (*nodes_)[id_].data;
}
double Value::number() const {
  if (kind() == Kind::kInt) return static_cast<double>((*nodes_)[id_].data);
  if (kind() != Kind::kFloat) FailKind("float", kind());
  return (*nodes_)[id_].number;
}
std::complex<double> Value::complex() const {
  if (kind() != Kind::kComplex) return number();
  return nodes_->complexes[static_cast<size_t>((*nodes_)[id_].data)];
}
const std::string& Value::text() const {
  if (kind() != Kind::kText && kind() != Kind::kBytes && kind() != Kind::kDevice &&
      kind() != Kind::kBigInt)
    FailKind("str", kind());
  return nodes_->Text(id_);
}
DType Value::dtype() const {
  if (kind() != Kind::kDType) FailKind("dtype", kind());
  return static_cast<DType>((*nodes_)[id_].data);
}
Tensor Value::tensor() const {
  if (kind() != Kind::kTensor) FailKind("tensor", kind());
  return nodes_->tensors[static_cast<size_t>((*nodes_)[id_].data)];
}
bool Value::requires_grad() const {
  if (kind() != Kind::kTensor) FailKind("tensor", kind());
  return (*nodes_)[id_].requires_grad;
}
size_t Value::size() const {
  if (kind() == Kind::kDict) return nodes_->List(id_).size() / 2;
  if (!nodes_->IsSequence(id_)) FailKind("list or dict", kind());
  return nodes_->List(id_).size();
}

Value Value::at(size_t i) const {
  if (i >= size()) Fail(ErrorCode::kNotFound, {"position ", i, " of ", size(), " entries"});
  return {nodes_, nodes_->List(id_)[kind() == Kind::kDict ? 2 * i + 1 : i]};
}
Value Value::key(size_t i) const {
  if (kind() != Kind::kDict) FailKind("dict", kind());
  if (i >= size()) Fail(ErrorCode::kNotFound, {"position ", i, " of ", size(), " entries"});
  return {nodes_, nodes_->List(id_)[2 * i]};
}

namespace {

// The value of the first key that `is` accepts; the container itself where there is none.
template <class F>
std::optional<Tree::Id> FindItem(const Nodes& n, Tree::Id dict, F is) {
  const std::vector<Tree::Id>& items = n.List(dict);
  for (size_t i = 0; i + 1 < items.size(); i += 2) {
    if (is(items[i])) return items[i + 1];
  }
  return std::nullopt;
}

}  // namespace

bool Value::contains(std::string_view key) const {
  if (kind() != Kind::kDict) FailKind("dict", kind());
  return FindItem(*nodes_, id_,
                  [&](Id k) { return nodes_->Is(k, Kind::kText) && nodes_->Text(k) == key; })
      .has_value();
}

Value Value::operator[](std::string_view key) const {
  if (kind() != Kind::kDict) FailKind("dict", kind());
  const auto found = FindItem(
      *nodes_, id_, [&](Id k) { return nodes_->Is(k, Kind::kText) && nodes_->Text(k) == key; });
  if (!found) Fail(ErrorCode::kNotFound, {"the checkpoint's dict has no key '", key, "'"});
  return {nodes_, *found};
}

Value Value::operator[](int64_t key) const {
  if (kind() != Kind::kDict) {
    if (key < 0) Fail(ErrorCode::kNotFound, {"position ", key, " of ", size(), " entries"});
    return at(static_cast<size_t>(key));
  }
  const auto found = FindItem(
      *nodes_, id_, [&](Id k) { return nodes_->Is(k, Kind::kInt) && (*nodes_)[k].data == key; });
  if (!found) Fail(ErrorCode::kNotFound, {"the checkpoint's dict has no key ", key});
  return {nodes_, *found};
}

Tree::Tree() : nodes_(std::make_unique<Nodes>()) { SetRoot(None()); }
Tree::Tree(std::unique_ptr<Nodes> nodes) : nodes_(std::move(nodes)) {}
Tree::~Tree() = default;
Tree::Tree(Tree&& o) noexcept = default;
Tree& Tree::operator=(Tree&& o) noexcept = default;

Value Tree::root() const { return {nodes_.get(), nodes_->root}; }
Value Tree::operator[](Id id) const {
  if (id >= nodes_->nodes.size()) Fail(ErrorCode::kNotFound, {"no value ", id, " in the tree"});
  return {nodes_.get(), id};
}

Tree::Id Tree::None() { return nodes_->Add(Kind::kNone); }
Tree::Id Tree::Bool(bool b) { return nodes_->Add(Kind::kBool, b ? 1 : 0); }
Tree::Id Tree::Int(int64_t i) { return nodes_->Add(Kind::kInt, i); }
Tree::Id Tree::BigInt(std::string bytes) {
  return nodes_->AddText(std::move(bytes), Kind::kBigInt);
}
Tree::Id Tree::Float(double d) { return nodes_->AddFloat(d); }
Tree::Id Tree::Complex(std::complex<double> c) { return nodes_->AddComplex(c); }
Tree::Id Tree::Text(std::string text) { return nodes_->AddText(std::move(text)); }
Tree::Id Tree::Bytes(std::string bytes) { return nodes_->AddText(std::move(bytes), Kind::kBytes); }
Tree::Id Tree::Dict() { return nodes_->AddList(Kind::kDict); }
Tree::Id Tree::Of(DType d) { return nodes_->Add(Kind::kDType, static_cast<int64_t>(d)); }
Tree::Id Tree::DeviceNamed(std::string name) {
  return nodes_->AddText(std::move(name), Kind::kDevice);
}

namespace {

Tree::Id AddEntries(Nodes& n, Tree::Kind kind, std::vector<Tree::Id> entries) {
  for (const Tree::Id e : entries) {
    if (e >= n.nodes.size()) Fail(ErrorCode::kNotFound, {"no value ", e, " in the tree"});
  }
  return n.AddList(kind, std::move(entries));
}

}  // namespace

Tree::Id Tree::List(std::vector<Id> entries) {
  return AddEntries(*nodes_, Kind::kList, std::move(entries));
}
Tree::Id Tree::Tuple(std::vector<Id> entries) {
  return AddEntries(*nodes_, Kind::kTuple, std::move(entries));
}
Tree::Id Tree::Set(std::vector<Id> entries) {
  return AddEntries(*nodes_, Kind::kSet, std::move(entries));
}
Tree::Id Tree::Of(const Tensor& t) {
  if (!t.defined()) Fail(ErrorCode::kInvalidArgument, "an undefined tensor has no place in a tree");
  nodes_->tensors.push_back(t);
  return nodes_->Add(Kind::kTensor, static_cast<int64_t>(nodes_->tensors.size() - 1));
}

void Tree::SetVariant(Id id, Variant variant) {
  Kind kind = (*this)[id].kind();
  switch (variant) {
    case Variant::kPlain:
      break;
    case Variant::kOrderedDict:
    case Variant::kCounter:
      kind = Kind::kDict;
      break;
    case Variant::kSize:
      kind = Kind::kTuple;
      break;
    case Variant::kFrozenSet:
      kind = Kind::kSet;
      break;
    case Variant::kByteArray:
      kind = Kind::kBytes;
      break;
    case Variant::kParameter:
      kind = Kind::kTensor;
      break;
    case Variant::kArray:
      Fail(ErrorCode::kInvalidArgument, "arrays of NumPy are not written: give a tensor");
  }
  if (kind != (*this)[id].kind()) FailKind(NameOf(kind), (*this)[id].kind());
  nodes_->nodes[id].variant = variant;
}
void Tree::SetRequiresGrad(Id tensor, bool requires_grad) {
  if ((*this)[tensor].kind() != Kind::kTensor) FailKind("tensor", (*this)[tensor].kind());
  nodes_->nodes[tensor].requires_grad = requires_grad;
}

void Tree::Insert(Id dict, Id key, Id value) {
  if ((*this)[dict].kind() != Kind::kDict) FailKind("dict", (*this)[dict].kind());
  const Kind k = (*this)[key].kind();
  if (k == Kind::kList || k == Kind::kDict || k == Kind::kSet)
    FailKind("a key that can be hashed", k);
  const Id checked = (*this)[value].id();
  std::vector<Id>& items = nodes_->List(dict);
  items.push_back(key);
  items.push_back(checked);
}
void Tree::Append(Id list, Id value) {
  if ((*this)[list].kind() != Kind::kList) FailKind("list", (*this)[list].kind());
  const Id checked = (*this)[value].id();
  nodes_->List(list).push_back(checked);
}
void Tree::SetRoot(Id id) { nodes_->root = (*this)[id].id(); }

namespace {

enum class Others : uint8_t { kRefused, kNothing };

// Null: a file of another format, where others are nothing.
std::unique_ptr<Nodes> ReadNodes(const std::string& path, const LoadOptions& options,
                                 Others others) {
  const auto file = std::make_shared<const io::File>(path, options.prefetch);
  return io::InFile(path, [&]() -> std::unique_ptr<Nodes> {
    const std::string_view bytes = file->map()->bytes();
    const auto other = [&](std::string_view what) {
      if (others == Others::kRefused) io::Refuse({what});
      return nullptr;
    };
    io::CheckpointContents c;
    if (io::LooksLikeZip(bytes)) {
      const io::ZipIndex zip(bytes);
      const std::string folder = io::CheckpointFolder(zip);
      if (folder.empty()) return other("is an archive without data.pkl, and no checkpoint");
      c = io::ReadZipCheckpoint(bytes, zip, folder);
    } else if (io::LooksLikeLegacyCheckpoint(bytes)) {
      c = io::ReadLegacyCheckpoint(bytes);
    } else {
      return other("is no checkpoint of PyTorch");
    }
    io::NameTensors(c);  // checks that values end
    std::vector<int> users(c.sources.size());
    for (const size_t s : c.nodes.source_of) ++users[s];
    const io::Loader loader(file, options, c.sources, users);
    c.nodes.tensors.reserve(c.nodes.infos.size());
    for (size_t i = 0; i < c.nodes.infos.size(); ++i)
      c.nodes.tensors.push_back(loader.Load(c.nodes.infos[i], c.nodes.source_of[i]));
    return std::make_unique<Nodes>(std::move(c.nodes));
  });
}

}  // namespace

Tree ReadCheckpoint(const std::string& path, const LoadOptions& options) {
  return Tree(ReadNodes(path, options, Others::kRefused));
}
std::optional<Tree> ReadIfCheckpoint(const std::string& path, const LoadOptions& options) {
  std::unique_ptr<Nodes> nodes = ReadNodes(path, options, Others::kNothing);
  if (nodes == nullptr) return std::nullopt;
  return Tree(std::move(nodes));
}

}  // namespace sy
