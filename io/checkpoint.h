// PyTorch's checkpoints as values: what torch.save was given, dicts and lists and numbers with
// tensors among them. Who wants the tensors alone, by name, has TensorFile.
//
//   const Tree run = ReadCheckpoint("run.pt");
//   int64_t epoch = run.root()["epoch"].integer();
//   Tensor momentum = run.root()["optimizer"]["state"][0]["exp_avg"].tensor();
//
//   Tree out;                                       // and written, for torch.load
//   const Tree::Id dict = out.Dict();
//   out.Insert(dict, out.Text("epoch"), out.Int(3));
//   out.Insert(dict, out.Text("weight"), out.Of(w));
//   out.SetRoot(dict);
//   WriteCheckpoint("out.pt", out);
//
// A checkpoint is a pickle: a program for a small machine, which in Python may call anything. Here
// it is read as data: nothing is imported, looked up or run. Names in it are compared with a list
// of those that tensors, containers and NumPy's arrays need; others are refused by their name, so
// are classes of programs (whole nn.Modules), TorchScript, sparse and quantised tensors.
// Files of torch.save since 1.6 (zip) and before. Read by torch.load with weights_only=True.
// Source: Lib/pickletools.py of CPython; torch/serialization.py, torch/_utils.py.
// Owns: a tree its values, and references on its tensors.
// Threads: reading from any; building from one.
// Errors: as tensor_file.h; values of another kind than asked for are kInvalidArgument, keys and
// positions that are not there kNotFound.
#ifndef SWITCHYARD_IO_CHECKPOINT_H_
#define SWITCHYARD_IO_CHECKPOINT_H_

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/tensor.h"
#include "switchyard/io/tensor_file.h"

namespace sy {

namespace io {
struct Nodes;
}  // namespace io

class SY_API Tree {
 public:
  // What a value is, in Python's words.
  enum class Kind : uint8_t {
    kNone,
    kBool,
    kInt,     // that fits 64 bits
    kBigInt,  // one that does not
    kFloat,
    kComplex,
    kText,   // str
    kBytes,  // bytes, bytearray
    kList,
    kTuple,   // also torch.Size
    kSet,     // also frozenset
    kDict,    // also OrderedDict, Counter, defaultdict
    kTensor,  // also Parameter; arrays of NumPy
    kDType,
    kDevice,
  };
  // Which of Python's types a value of that kind is, where there are several.
  enum class Variant : uint8_t {
    kPlain,  // dict, tuple, set, bytes, Tensor
    kOrderedDict,
    kCounter,
    kSize,  // torch.Size
    kFrozenSet,
    kByteArray,
    kParameter,  // torch.nn.Parameter
    kArray,      // numpy.ndarray: read, not written
  };
  // Of a value in this tree.
  using Id = uint32_t;

  // A place in a tree; valid while the tree lives and nothing is added to it.
  class SY_API Value {
   public:
    Kind kind() const;
    Variant variant() const;
    bool boolean() const;
    int64_t integer() const;
    double number() const;  // of an integer too
    std::complex<double> complex() const;
    // Of a text, bytes, a device's name; of a big integer its bytes, two's complement, the lowest
    // first.
    const std::string& text() const;
    DType dtype() const;
    Tensor tensor() const;
    // Whether a tensor was written as one that requires a gradient; tensor() does not.
    bool requires_grad() const;
    // Entries of a list, tuple, set or dict.
    size_t size() const;
    // Entry i of a list, tuple or set, and of a dict the value of its i-th key.
    Value at(size_t i) const;
    Value key(size_t i) const;  // of a dict
    // A dict's value by its key: a text or an integer. Of a list or tuple, the entry.
    Value operator[](std::string_view key) const;
    Value operator[](int64_t key) const;
    // The same by literals, which would fit either.
    Value operator[](const char* key) const { return (*this)[std::string_view(key)]; }
    Value operator[](int key) const { return (*this)[int64_t{key}]; }
    bool contains(std::string_view key) const;
    // Equal for what is one object in Python, which several places hold.
    Id id() const { return id_; }

   private:
    friend class Tree;
    Value(const io::Nodes* nodes, Id id) : nodes_(nodes), id_(id) {}
    const io::Nodes* nodes_;
    Id id_;
  };

  Tree();  // its root is None
  ~Tree();
  Tree(Tree&& o) noexcept;
  Tree& operator=(Tree&& o) noexcept;

  Value root() const;
  Value operator[](Id id) const;

  // Values of this tree. Containers take those that are there already; one that several take is one
  // object to who reads the file.
  Id None();
  Id Bool(bool b);
  Id Int(int64_t i);
  // One that does not fit, as Value::text() has it.
  Id BigInt(std::string bytes);
  Id Float(double d);
  Id Complex(std::complex<double> c);
  Id Text(std::string text);
  Id Bytes(std::string bytes);
  Id List(std::vector<Id> entries = {});
  Id Tuple(std::vector<Id> entries = {});
  Id Set(std::vector<Id> entries = {});
  Id Dict();
  Id Of(const Tensor& t);
  Id Of(DType d);
  // By its name, as PyTorch writes it: "cuda:1".
  Id DeviceNamed(std::string name);
  // Says which of Python's types a value is, and of a tensor whether it requires a gradient.
  // Errors: kInvalidArgument for a variant of another kind, and kArray.
  void SetVariant(Id id, Variant variant);
  void SetRequiresGrad(Id tensor, bool requires_grad = true);
  void Insert(Id dict, Id key, Id value);
  void Append(Id list, Id value);
  void SetRoot(Id id);

 private:
  friend SY_API std::optional<Tree> ReadIfCheckpoint(const std::string& path,
                                                     const LoadOptions& options);
  friend SY_API Tree ReadCheckpoint(const std::string& path, const LoadOptions& options);
  friend SY_API void WriteCheckpoint(const std::string& path, const Tree& tree,
                                     const std::function<void(uint64_t, uint64_t)>& progress);
  explicit Tree(std::unique_ptr<io::Nodes> nodes);
  std::unique_ptr<io::Nodes> nodes_;
};

// All tensors are loaded, as `options` say. Tensors that shared a storage do so again.
SY_API Tree ReadCheckpoint(const std::string& path, const LoadOptions& options = {});
// The same; nothing where the file is of another format.
SY_API std::optional<Tree> ReadIfCheckpoint(const std::string& path,
                                            const LoadOptions& options = {});
// In the zip format, storages at multiples of 64 bytes. A storage of several tensors is written
// once; of a single tensor, only its elements. progress: as WriteOptions'.
SY_API void WriteCheckpoint(
    const std::string& path, const Tree& tree,
    const std::function<void(uint64_t done, uint64_t total)>& progress = {});

}  // namespace sy

#endif  // SWITCHYARD_IO_CHECKPOINT_H_
