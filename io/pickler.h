// Writes values as a pickle of protocol 2, and storages beside it, as torch.save does.
//
//   Pickler p(nodes);
//   const std::string pickle = p.Write(nodes.root);
//   p.storages()           // what the pickle calls "0", "1", …
//
// Source: torch/serialization.py (_save), torch/_tensor.py (__reduce_ex__), Lib/pickletools.py.
// Owns: the tensors that make storages.
// Threads: one.
// Errors: kInvalidArgument for values that are nested too deep, contain themselves, or are too
// many.
#ifndef IO_PICKLER_H_
#define IO_PICKLER_H_

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/nodes.h"

namespace sy::io {

class Pickler {
 public:
  explicit Pickler(const Nodes& nodes);
  std::string Write(Id root);
  // A tensor each, whose elements, row-major, are the storage: a tensor that is alone on its
  // storage, or the whole storage of several as bytes.
  const std::vector<Tensor>& storages() const { return storages_; }

 private:
  void Put(Id id, int level);
  void PutOp(char op) { out_ += op; }
  void PutNumber(uint64_t n, size_t bytes);
  void PutInt(int64_t i);
  void PutText(std::string_view text);
  void PutGlobal(std::string_view module, std::string_view name);
  void PutInts(IntSpan numbers);
  void PutCall(std::string_view module, std::string_view name, const std::vector<Id>& entries,
               int level);
  void PutBytes(const std::string& bytes);
  void PutTensor(const Tensor& t, bool requires_grad);
  void PutValue(Id id, int level);

  const Nodes& nodes_;
  std::string out_;
  std::unordered_map<const void*, int> users_;      // tensors of each storage
  std::unordered_map<const void*, size_t> shared_;  // in storages_
  std::vector<Tensor> storages_;
  // Values that several places hold are written once and remembered: by whether there are several,
  // and by what number.
  std::vector<bool> several_;
  std::unordered_map<Id, uint32_t> memo_;
  int64_t visited_ = 0;
};

}  // namespace sy::io

#endif  // IO_PICKLER_H_
