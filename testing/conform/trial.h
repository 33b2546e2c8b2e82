// Calls to try a plugin's kernels with: arguments made from the schema, in many layouts, with the
// host's kernel as the measure of what is right.
//
//   for (const Trial& t : TrialsOf(session)) {
//     TrialArguments host(t, Layout::kStrideZero, Device{kHost}), there(t, layout, device);
//     …CallBoxed(*t.op, there.values(), results)…
//   }
//
// Which calls make sense for an operator nobody tells: the host is called first, and what it
// refuses is not tried.
// Owns: TrialArguments own what their values point to.
// Threads: any.
#ifndef TESTING_CONFORM_TRIAL_H_
#define TESTING_CONFORM_TRIAL_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "switchyard/dispatcher/call.h"
#include "testing/conform/session.h"
#include "testing/replay/compare.h"

namespace sy::conform {

// A kernel of the plugin's for its device, and a dtype that it says it serves.
struct Trial {
  const OperatorEntry* op;  // base variant
  DType dtype;
  std::string name() const;  // "add.Tensor on float32"
};
std::vector<Trial> TrialsOf(const Session& s);
// Whether the operator is the plugin's too, not only the kernel.
bool IsOwn(const Session& s, const Trial& t);

// The in-place or out= variant that shares the operator's kernels; null where there is none.
const OperatorEntry* VariantOf(const OperatorEntry& op, Variant kind);

enum class Layout {
  kPlain,       // [4, 4]
  kTransposed,  // [4, 4], strides [1, 4] for the first tensor, [4, 1] for others
  kGaps,        // [4, 4], strides [10, 2], from the 3rd element on
  kStrideZero,  // [4, 4], strides [0, 1]
  kBroadcast,   // the first tensor [4, 4], the others [4]
  kNumberLike,  // 0-dim
  kEmpty,       // [0, 4]
  kHighRank,    // 12 dimensions, 16 elements
  kLarge,       // [1027, 1031]
  kOverlap,     // [4, 4]; the tensors are rows 1 … 4 and 0 … 3 of one
};
std::string_view Name(Layout l);

// How indices are made: as many as elements; one dimension of 4; beyond every size.
enum class Indices { kLikeSelf, kRow, kOutside };

class TrialArguments {
 public:
  // op: a variant of the trial's.
  TrialArguments(const OperatorEntry& op, DType dtype, Layout layout, Indices indices,
                 const Session* there);  // null: on the host
  TrialArguments(const TrialArguments&) = delete;

  bool can_be_made() const { return can_be_made_; }  // false: a type that nobody here makes
  std::span<const Value> values() const { return values_; }
  // Tensors that an out= variant writes.
  const std::vector<Tensor>& outs() const { return outs_; }
  // Gives the outputs, for out= variants, as tensors like these, full of sevens.
  void SetOuts(const std::vector<Tensor>& like);

 private:
  Value Make(const Argument& argument, int position);
  Tensor MakeTensor(const Argument& argument);
  Tensor MakeBase(int64_t elements, DType dtype, bool indices) const;
  Tensor View(IntSpan sizes, IntSpan strides, int64_t offset, DType dtype, bool indices) const;
  Tensor Send(const Tensor& host) const;

  const OperatorEntry& op_;
  const DType dtype_;
  const Layout layout_;
  const Indices indices_;
  const Session* there_;
  bool can_be_made_ = true;
  int tensors_made_ = 0;
  Tensor overlapping_;
  std::deque<Tensor> tensors_;
  std::deque<std::vector<Tensor>> lists_;
  std::deque<std::vector<int64_t>> ints_;
  std::vector<Tensor> outs_;
  std::vector<Value> values_;
};

// What a call gave.
struct Given {
  bool threw = false;
  ErrorCode code = ErrorCode::kOk;
  std::string message;
  std::vector<Tensor> tensors;
};
Given Try(const OperatorEntry& op, std::span<const Value> arguments);
inline Given Try(const OperatorEntry& op, const TrialArguments& arguments) {
  return Try(op, arguments.values());
}
// A kernel that does not serve arguments declines; then nobody does, and the error says so.
inline bool Declined(const Given& g) { return g.threw && g.code == ErrorCode::kNotImplemented; }

// Counts a call of the trial's kernel for the report; see Exercise.
void Count(const Trial& t, bool served, bool second_run = false);

// "" where the tensors agree, by the field's tolerances, `least` at least.
std::string Differ(const std::vector<Tensor>& got, const std::vector<Tensor>& expected,
                   replay::Tolerance least = {});

}  // namespace sy::conform

#endif  // TESTING_CONFORM_TRIAL_H_
