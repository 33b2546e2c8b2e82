// Source: torch/serialization.py: _save, _legacy_save and what reads them.
#include "io/checkpoint_contents.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "io/unpickler.h"
#include "switchyard/core/number_text.h"

namespace sy::io {
namespace {

constexpr std::string_view kPickle = "data.pkl";
// Of a pickle: a checkpoint of 10^5 tensors has some 20 MB.
constexpr uint64_t kMostPickle = uint64_t{1} << 30;
// 0x1950a86a20f9469cfc6c, little-endian: the first pickle of the format before 1.6.
constexpr std::string_view kLegacyMagic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
constexpr int64_t kLegacyVersion = 1001;
constexpr size_t kListed = 16;  // numbers and texts of a list that have a line each

// NumPy's arrays, whose bytes the pickle holds, as sources of their own.
void AddArrays(CheckpointContents& c) {
  Nodes& n = c.nodes;
  for (size_t i = 0; i < n.infos.size(); ++i) {
    if (n.own[i] == nullptr) {
      if (n.source_of[i] >= n.storages.size()) Refuse({"an array of NumPy's has no contents"});
      continue;
    }
    n.source_of[i] = c.sources.size();
    const uint64_t bytes = n.own[i]->size();
    c.sources.push_back({.stored = bytes, .bytes = bytes, .swap = n.swaps[i], .own = n.own[i]});
  }
}

uint64_t BytesOfStorage(const StorageRef& s) {
  return static_cast<uint64_t>(s.numel) * ItemSize(s.dtype);
}

}  // namespace

std::string CheckpointFolder(const ZipIndex& zip) {
  std::string folder;
  for (const ZipIndex::Entry& e : zip.entries()) {
    const size_t slash = e.name.find('/');
    if (slash == e.name.npos || std::string_view(e.name).substr(slash + 1) != kPickle) continue;
    if (!folder.empty()) Refuse({"it holds two checkpoints"});
    folder = e.name.substr(0, slash + 1);
  }
  return folder;
}

CheckpointContents ReadZipCheckpoint(std::string_view file, const ZipIndex& zip,
                                     const std::string& folder) {
  if (zip.Find(folder + "constants.pkl") != nullptr)
    Refuse({"it is a TorchScript archive: a program, and no checkpoint"});
  if (const Source* order = zip.Find(folder + "byteorder"); order != nullptr) {
    const std::string text = ReadEntry(file, "byteorder", *order, 16);
    if (text != "little") Refuse({"its byte order is '", text, "', expected 'little'"});
  }
  CheckpointContents c;
  const std::string pickle =
      ReadEntry(file, kPickle, *zip.Find(folder + std::string(kPickle)), kMostPickle);
  Unpickler unpickler(pickle, 0, c.nodes);
  c.nodes.root = unpickler.Run();
  c.sources.reserve(c.nodes.storages.size());
  for (const StorageRef& s : c.nodes.storages) {
    const Source* source = zip.Find(folder + "data/" + s.key);
    if (source == nullptr) Refuse({"the storage 'data/", s.key, "' is missing"});
    if (source->bytes != BytesOfStorage(s)) {
      Refuse({"the storage 'data/", s.key, "' has ", source->bytes, " bytes, expected ",
              BytesOfStorage(s)});
    }
    c.sources.push_back(*source);
  }
  AddArrays(c);
  return c;
}

bool LooksLikeLegacyCheckpoint(std::string_view file) {
  return file.starts_with('\x80') && file.substr(0, 32).find(kLegacyMagic) != file.npos;
}

CheckpointContents ReadLegacyCheckpoint(std::string_view file) {
  CheckpointContents c;
  c.format = FileFormat::kLegacyCheckpoint;
  Nodes& n = c.nodes;
  size_t at = 0;
  const auto next = [&] {
    Unpickler u(file, at, n);
    const Id value = u.Run();
    at = u.at();
    return value;
  };
  if (const Id magic = next(); !n.Is(magic, Kind::kBigInt) || n.Text(magic) != kLegacyMagic)
    Refuse({"it does not begin with the number of PyTorch's files"});
  if (const Id version = next(); !n.Is(version, Kind::kInt) || n[version].data != kLegacyVersion)
    Refuse({"its protocol version is another than 1001"});
  const Id system = next();
  for (size_t i = 0; n.Is(system, Kind::kDict) && i + 1 < n.List(system).size(); i += 2) {
    const Id key = n.List(system)[i], value = n.List(system)[i + 1];
    if (n.Is(key, Kind::kText) && n.Text(key) == "little_endian" && n[value].data == 0)
      Refuse({"its numbers are big-endian"});
  }
  n.root = next();
  const Id keys = next();
  if (!n.Is(keys, Kind::kList)) Refuse({"the list of its storages is missing"});
  c.sources.resize(n.storages.size());
  std::vector<bool> found(n.storages.size());
  std::unordered_map<std::string_view, size_t> by_key;
  for (size_t i = 0; i < n.storages.size(); ++i) by_key.emplace(n.storages[i].key, i);
  for (const Id key : n.List(keys)) {
    if (!n.Is(key, Kind::kText)) Refuse({"a storage has no key"});
    const auto place = by_key.find(n.Text(key));
    if (place == by_key.end()) Refuse({"the storage '", n.Text(key), "' belongs to no tensor"});
    const size_t i = place->second;
    const StorageRef& s = n.storages[i];
    int64_t numel = 0;
    const uint64_t bytes = BytesOfStorage(s);
    if (found[i]) Refuse({"the storage '", s.key, "' stands twice"});
    if (file.size() - at < sizeof numel || file.size() - at - sizeof numel < bytes)
      Refuse({"the storage '", s.key, "' reaches behind the end"});
    std::memcpy(&numel, file.data() + at, sizeof numel);
    if (numel != s.numel)
      Refuse({"the storage '", s.key, "' has ", numel, " elements, expected ", s.numel});
    found[i] = true;
    c.sources[i] = {.offset = at + sizeof numel, .stored = bytes, .bytes = bytes};
    at += sizeof numel + bytes;
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) Refuse({"the storage '", n.storages[i].key, "' is missing"});
  }
  AddArrays(c);
  return c;
}

namespace {

class Namer {
 public:
  Namer(const CheckpointContents& c, Contents& out) : n_(c.nodes), out_(out) {}

  void Walk(Id id, const std::string& name, int level) {
    if (level > kMostLevels)
      Refuse({"values are nested deeper than ", kMostLevels, " levels, or contain themselves"});
    if (++visited_ > kMostVisited) Refuse({"it stands for more than ", kMostVisited, " values"});
    const Node& node = n_[id];
    switch (node.kind) {
      case Kind::kTensor: {
        const auto i = static_cast<size_t>(node.data);
        TensorInfo t = n_.infos[i];
        t.name = Unique(name);
        Charge(name.size());
        return out_.Add(std::move(t), n_.source_of[i]);
      }
      case Kind::kList:
      case Kind::kTuple:
      case Kind::kSet: {
        const std::vector<Id>& entries = n_.List(id);
        if (entries.size() > kListed && AllPlain(entries)) return Put(name, Summary(entries));
        for (size_t i = 0; i < entries.size(); ++i)
          Walk(entries[i], Under(name, std::to_string(i)), level + 1);
        return;
      }
      case Kind::kDict: {
        const std::vector<Id>& items = n_.List(id);
        std::unordered_set<std::string> seen;
        for (size_t i = 0; i < items.size(); i += 2) {
          std::string key = TextOf(items[i]);
          Charge(name.size() + key.size());
          // Python keeps the last of two; others might keep the first.
          if (!seen.insert(std::to_string(static_cast<int>(n_[items[i]].kind)) + key).second &&
              IsPlain(items[i]))
            Refuse({"a dict has the key '", key, "' twice"});
          Walk(items[i + 1], Under(name, key), level + 1);
        }
        return;
      }
      default:
        Put(name, TextOf(id));
    }
  }

 private:
  static std::string Under(const std::string& name, const std::string& key) {
    return name.empty() ? key : name + "." + key;
  }
  // {"a.b": x, "a": {"b": y}} has two tensors of one name.
  std::string Unique(const std::string& name) {
    std::string unique = name;
    for (int i = 2; !names_.insert(unique).second; ++i)
      unique = name + " (" + std::to_string(i) + ")";
    return unique;
  }
  void Put(const std::string& name, std::string text) {
    Charge(name.size() + text.size());
    out_.metadata.emplace_back(name, std::move(text));
  }
  void Charge(uint64_t bytes) {
    text_ += bytes;
    if (text_ > kMostText) Refuse({"its names and texts are longer than ", kMostText, " bytes"});
  }
  bool AllPlain(const std::vector<Id>& entries) const {
    return std::all_of(entries.begin(), entries.end(), [&](Id e) {
      return !n_.IsSequence(e) && !n_.Is(e, Kind::kDict) && !n_.Is(e, Kind::kTensor);
    });
  }
  // "1000 entries: 0, 1, 2, …".
  std::string Summary(const std::vector<Id>& entries) const {
    std::string text = std::to_string(entries.size()) + " entries: ";
    for (size_t i = 0; i < kListed / 2; ++i) text += TextOf(entries[i]) + ", ";
    return text + "…";
  }
  bool IsPlain(Id id) const {
    return n_.Is(id, Kind::kText) || n_.Is(id, Kind::kInt) || n_.Is(id, Kind::kBool);
  }
  std::string TextOf(Id id) const {
    const Node& node = n_[id];
    switch (node.kind) {
      case Kind::kNone:
        return "None";
      case Kind::kBool:
        return node.data != 0 ? "True" : "False";
      case Kind::kInt:
        return std::to_string(node.data);
      case Kind::kFloat:
        return Join({node.number});
      case Kind::kText:
      case Kind::kDevice:
        return n_.Text(id);
      case Kind::kDType:
        return std::string(Name(static_cast<DType>(node.data)));
      case Kind::kComplex: {
        const auto c = n_.complexes[static_cast<size_t>(node.data)];
        return Join({c.real(), c.imag() < 0 ? "" : "+", c.imag(), "j"});
      }
      case Kind::kBytes:
        return Join({n_.Text(id).size(), " bytes"});
      case Kind::kBigInt:
        return "an integer of more than 64 bits";
      case Kind::kTuple:
        return "a tuple";
      default:
        return "a name";
    }
  }

  const Nodes& n_;
  Contents& out_;
  std::unordered_set<std::string> names_;
  int64_t visited_ = 0;
  uint64_t text_ = 0;
};

}  // namespace

Contents NameTensors(const CheckpointContents& c) {
  Contents out;
  out.format = c.format;
  out.sources = c.sources;
  Namer(c, out).Walk(c.nodes.root, "", 0);
  return out;
}

}  // namespace sy::io
