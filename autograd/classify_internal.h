// What an operator is to gradients.
#ifndef AUTOGRAD_CLASSIFY_INTERNAL_H_
#define AUTOGRAD_CLASSIFY_INTERNAL_H_

#include <string>
#include <vector>

#include "autograd/node_internal.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/dispatcher/classes.h"
#include "switchyard/registry/derivative.h"
#include "switchyard/registry/entry.h"

namespace sy::autograd {

enum class How : uint8_t {
  kFormulas,    // recorded by formulas
  kZero,        // recorded; the gradient is zero
  kNone,        // its results require none
  kCutsOff,     // detach_
  kMoves,       // set_, resize_: refused where a gradient is required
  kView,        // a view without a formula
  kDecomposed,  // a function in its place
  kBody,        // its composite body, with recording on
  kThenCopied,  // in place, by the functional operator and copy_
  kRefused,     // recorded; refuses when its gradient is wanted
};
enum class Writes : uint8_t { kNothing, kSelf, kGeometry, kOut, kLists };

// What formulas want kept: bits of arguments, and of results.
struct Wants {
  uint64_t values = 0, tensors = 0, shapes = 0, tensor_lists = 0, shape_lists = 0;
  uint32_t results = 0;
  void Add(const Wants& o) {
    values |= o.values;
    tensors |= o.tensors;
    shapes |= o.shapes;
    tensor_lists |= o.tensor_lists;
    shape_lists |= o.shape_lists;
    results |= o.results;
  }
};

// One formula with its arguments found.
struct PreparedTerm {
  const Term* term = nullptr;  // null: by OpClass::by
  uint64_t positions = 0;      // bits of those that it is for
  size_t first = 0;            // of them as they were registered
  Wants wants;
};

struct OpClass {
  How how = How::kRefused;
  Writes writes = Writes::kNothing;
  bool view = false;         // its result shows its first argument's memory
  bool writes_more = false;  // it writes others of its arguments, too: running statistics, noise
  const OperatorEntry* op = nullptr;
  std::vector<PreparedTerm> terms;
  uint64_t differentiable = 0;  // bits of arguments
  uint32_t constant = 0;        // bits of results that require no gradient
  const Registration* registration = nullptr;
  const KernelDef* body = nullptr;            // kBody: where devices have kernels besides
  const OperatorEntry* functional = nullptr;  // kThenCopied
  const OperatorEntry* by = nullptr;          // an operator in place of formulas
  DerivativeMatch match;                      // and where it has its arguments from
  std::string problem;                        // why its registration cannot be used
  // What the formulas want that are for inputs at these positions.
  Wants WantsOf(uint64_t needs) const {
    Wants all;
    for (const PreparedTerm& t : terms) {
      if ((t.positions & needs) != 0) all.Add(t.wants);
    }
    return all;
  }
  // The same where one formula is wanted, as it mostly is; else null.
  const Wants* OnlyWants(uint64_t needs) const {
    const Wants* only = nullptr;
    for (const PreparedTerm& t : terms) {
      if ((t.positions & needs) == 0) continue;
      if (only != nullptr) return nullptr;
      only = &t.wants;
    }
    return only;
  }
};

extern constinit internal::RecentClasses<OpClass> recent_classes;
const OpClass& FindClass(const OperatorEntry& op);
// As long as the program.
inline const OpClass& ClassOf(const OperatorEntry& op) {
  const OpClass* c = recent_classes.Find(op);
  return c != nullptr ? *c : FindClass(op);
}

}  // namespace sy::autograd

#endif  // AUTOGRAD_CLASSIFY_INTERNAL_H_
