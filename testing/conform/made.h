// A drawn call with its arguments made, on the host or on a session's device.
//
//   const MadeCall host(call, nullptr), there(call, &session);
//   const Given expected = Try(*call.op, host.values()), got = Try(*call.op, there.values());
//
// Elements between and around a tensor's own are full of what shows: NaN, 77, true.
// Owns: what its values point to. Threads: any. Errors: as the device's copies.
#ifndef TESTING_CONFORM_MADE_H_
#define TESTING_CONFORM_MADE_H_

#include <deque>
#include <vector>

#include "testing/conform/draw.h"
#include "testing/conform/session.h"

namespace sy::conform {

enum class Lay : uint8_t { kAsDrawn, kDense };  // kDense: row-major, whatever was drawn

class MadeCall {
 public:
  MadeCall(const DrawnCall& call, const Session* there, Lay lay = Lay::kAsDrawn);
  MadeCall(const MadeCall&) = delete;

  std::span<const Value> values() const { return values_; }
  // Every tensor among the arguments, in order, those in lists too.
  const std::vector<Tensor>& tensors() const { return all_; }
  // The memory of the tensors, whole.
  const std::vector<Tensor>& memory() const { return memory_; }
  // Gives the outputs, for out= variants: behind the others, in memory of their own.
  void AddOuts(const std::vector<Tensor>& like, uint64_t seed);
  // What ends with a call ends: lists, texts and numbers of the host become others, tensors go.
  void End();

 private:
  Value Make(const DrawnArgument& a);
  Tensor MakeTensor(const DrawnTensor& t);

  const Session* there_;
  const Lay lay_;
  std::vector<Tensor> all_, memory_;
  std::deque<Tensor> tensors_, host_numbers_;
  std::deque<std::vector<Tensor>> lists_;
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<Scalar>> scalars_;
  std::deque<Bools> bools_;
  std::deque<std::string> texts_;
  std::vector<Value> values_;
};

}  // namespace sy::conform

#endif  // TESTING_CONFORM_MADE_H_
