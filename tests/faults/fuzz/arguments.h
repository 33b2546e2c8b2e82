// Arguments for any operator, made of an input's bytes: tensors of all dtypes, sizes, strides and
// values, views of one another, numbers at their limits, lists, texts.
//
//   Arguments arguments(op, in);
//   CallBoxed(op, arguments.values(), …);
//   arguments.MustBeAsBefore();       // after an error
//
// Tensors tend to share a dtype and sizes, and numbers to be small, so that many calls get past the
// first check. On meta, sizes may be huge; on the host only where there is nothing to store.
// Owns: what the values point to.
#ifndef TESTS_FAULTS_FUZZ_ARGUMENTS_H_
#define TESTS_FAULTS_FUZZ_ARGUMENTS_H_

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "switchyard/dispatcher/call.h"
#include "tests/faults/fuzz/fuzz.h"

namespace sy::fuzz {

class Arguments {
 public:
  Arguments(const OperatorEntry& op, Bytes& in);
  Arguments(const Arguments&) = delete;

  std::span<const Value> values() const { return values_; }
  // As a call by name has them: those by position that are not what they are by default, or all in
  // front of such a one, and keywords.
  std::vector<Value> positional() const;
  std::vector<Keyword> keywords() const;

  // Every tensor as it was made: where it lies, what it shows, and the bytes of its storage.
  void MustBeAsBefore() const;
  // The same of those whose memory the operator does not say that it writes.
  void OthersMustBeAsBefore() const;

 private:
  struct Made {
    Tensor tensor;
    bool written;               // by the schema
    std::vector<int64_t> dims;  // sizes, strides
    int64_t offset;
    const StorageImpl* storage;
    std::string bytes;
  };

  Value ValueOf(const Argument& a, bool written);
  Value ListOf(const Argument& a);
  const Tensor& MakeTensor(std::string_view name, bool written);
  const Tensor& Note(Tensor t, bool written);
  Tensor NewTensor(std::string_view name);
  std::vector<int64_t> NewSizes(std::string_view name);
  Tensor Laid(const std::vector<int64_t>& sizes, DType dtype);
  void Fill(const Tensor& t, bool positions);
  int64_t Int(std::string_view name);
  double Double();
  Scalar Number();
  std::string_view Text(std::string_view name);
  static std::string Difference(const Made& m);

  const OperatorEntry& op_;
  Bytes& in_;
  Device device_;
  DType dtype_;                 // of most tensors
  std::vector<int64_t> sizes_;  // of most tensors
  std::vector<Value> values_;
  std::vector<bool> default_;
  std::deque<Made> made_;
  std::deque<std::vector<Tensor>> tensors_;
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<Scalar>> scalars_;
  std::deque<std::unique_ptr<bool[]>> bools_;
  std::deque<std::string> texts_;
};

}  // namespace sy::fuzz

#endif  // TESTS_FAULTS_FUZZ_ARGUMENTS_H_
