// Reads a pickle as data.
//
//   Nodes nodes;
//   Unpickler u(bytes, 0, nodes);
//   nodes.root = u.Run();         // u.at(): behind its last byte
//
// The opcodes of protocols 2 to 5 that torch.save writes. Names are looked for in a table of
// functions of ours (unpickler_names.cc); no others exist. Work and memory are a small multiple of
// the pickle's bytes.
// Source: Lib/pickletools.py of CPython 3.11.
// Owns: its stack and memo; values go to the nodes.
// Threads: one.
// Errors: kInvalidArgument, "pickle, byte 12: …".
#ifndef IO_UNPICKLER_H_
#define IO_UNPICKLER_H_

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/nodes.h"

namespace sy::io {

class Unpickler {
 public:
  Unpickler(std::string_view bytes, size_t at, Nodes& nodes)
      : bytes_(bytes), at_(at), nodes_(nodes) {}

  Id Run();
  size_t at() const { return at_; }

 private:
  [[noreturn]] void FailAt(std::initializer_list<Piece> why) const;
  // Counts entries that are copied from one list to another, which a pickle can ask for again and
  // again.
  void Charge(size_t entries);

  uint64_t Number(size_t bytes);
  std::string Text(uint64_t bytes);
  std::string_view Line();

  void Push(Id id) { stack_.push_back(id); }
  Id Pop();
  Id Top() const;
  std::vector<Id> PopMark();
  void Step(uint8_t op);
  bool StepValue(uint8_t op);
  bool StepContainer(uint8_t op);
  void AddLong(uint64_t bytes);
  void Append(Id list, const std::vector<Id>& entries);
  void SetItems(Id dict, const std::vector<Id>& items);
  void Memoize(uint64_t key) { memo_[key] = Top(); }
  void Recall(uint64_t key);

  // unpickler_names.cc
  void Global(std::string_view module, std::string_view name);
  Id Call(Id function, Id arguments);
  void Build(Id object, Id state);
  Id Persistent(Id id);
  Id RebuildTensor(const std::vector<Id>& a, bool with_dtype);
  Id WithVariant(Id id, Variant variant) {
    nodes_.nodes[id].variant = variant;
    return id;
  }
  Id Another(Id id, Variant variant);
  Id MakeDict(const std::vector<Id>& a);
  Id MakeSet(const std::vector<Id>& a);
  Id EncodeLatin1(const std::string& text);
  Id NumpyScalar(const std::vector<Id>& a);
  void BuildArray(Id array, Id state);
  std::vector<int64_t> Integers(Id list) const;
  std::vector<int64_t> Sizes(Id list) const;

  std::string_view bytes_;
  size_t at_;
  Nodes& nodes_;
  std::vector<Id> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, Id> memo_;
  std::unordered_map<std::string, size_t> storages_;  // by key, in nodes_.storages
  size_t charged_ = 0;
};

}  // namespace sy::io

#endif  // IO_UNPICKLER_H_
