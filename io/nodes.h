// The values of a checkpoint, in one arena: a value is a number. A pickle may nest a million levels
// deep, share values and contain itself; nothing here follows references without a limit, and
// nothing has to when it dies.
//
// Owns: everything.
// Threads: as any value.
// Errors: none of its own.
#ifndef IO_NODES_H_
#define IO_NODES_H_

#include <complex>
#include <string>
#include <vector>

#include "io/contents.h"
#include "switchyard/io/checkpoint.h"

namespace sy::io {

using Id = Tree::Id;
using Kind = Tree::Kind;
using Variant = Tree::Variant;

// Kinds that only a pickle's machine knows.
inline constexpr Kind kFunction = static_cast<Kind>(100);     // data: which
inline constexpr Kind kStorageType = static_cast<Kind>(101);  // data: its dtype
inline constexpr Kind kStorage = static_cast<Kind>(102);      // data: which
inline constexpr Kind kNumpyDType = static_cast<Kind>(103);   // data: which text, "<f8"

// How deep values are followed, and how many of them: a few bytes can stand for 2^40 values.
inline constexpr int kMostLevels = 200;
inline constexpr int64_t kMostVisited = 5'000'000;
// Bytes of the names and texts that they are given.
inline constexpr uint64_t kMostText = uint64_t{1} << 28;

struct Node {
  Kind kind = Kind::kNone;
  Variant variant = Variant::kPlain;
  bool requires_grad = false;  // of a tensor
  // The value; for what does not fit, its place in one of the lists of Nodes.
  union {
    int64_t data = 0;
    double number;
  };
};

// A storage that a pickle names.
struct StorageRef {
  std::string key;
  DType dtype;
  int64_t numel;
};

struct Nodes {
  std::vector<Node> nodes;
  std::vector<std::string> texts;
  std::vector<std::vector<Id>> lists;  // of a dict: key, value, key, value …
  std::vector<std::complex<double>> complexes;
  Id root = 0;

  // Of tensors, by Node::data. What is read has infos, and tensors when they are loaded; what is
  // written has tensors.
  std::vector<TensorInfo> infos;
  std::vector<size_t> source_of;  // in storages, or, of NumPy's arrays, own
  std::vector<Tensor> tensors;
  std::vector<StorageRef> storages;
  std::vector<std::shared_ptr<const std::string>> own;  // of tensors; null of those with a storage
  std::vector<uint32_t> swaps;                          // of these

  const Node& operator[](Id id) const { return nodes[id]; }
  Id Add(Kind kind, int64_t data = 0) {
    Node n;
    n.kind = kind;
    n.data = data;
    nodes.push_back(n);
    return static_cast<Id>(nodes.size() - 1);
  }
  Id AddFloat(double d) {
    const Id id = Add(Kind::kFloat);
    nodes[id].number = d;
    return id;
  }
  Id AddText(std::string text, Kind kind = Kind::kText) {
    texts.push_back(std::move(text));
    return Add(kind, static_cast<int64_t>(texts.size() - 1));
  }
  Id AddList(Kind kind, std::vector<Id> entries = {}) {
    lists.push_back(std::move(entries));
    return Add(kind, static_cast<int64_t>(lists.size() - 1));
  }
  Id AddComplex(std::complex<double> c) {
    complexes.push_back(c);
    return Add(Kind::kComplex, static_cast<int64_t>(complexes.size() - 1));
  }
  const std::string& Text(Id id) const { return texts[static_cast<size_t>(nodes[id].data)]; }
  std::vector<Id>& List(Id id) { return lists[static_cast<size_t>(nodes[id].data)]; }
  const std::vector<Id>& List(Id id) const { return lists[static_cast<size_t>(nodes[id].data)]; }
  bool Is(Id id, Kind kind) const { return nodes[id].kind == kind; }
  bool IsSequence(Id id) const {
    return Is(id, Kind::kList) || Is(id, Kind::kTuple) || Is(id, Kind::kSet);
  }
};

}  // namespace sy::io

#endif  // IO_NODES_H_
