// What an operator is to gradients.
#ifndef AUTOGRAD_CLASSIFY_INTERNAL_H_
#define AUTOGRAD_CLASSIFY_INTERNAL_H_

#include <string>
#include <vector>

#include "autograd/node_internal.h"
#include "switchyard/autograd/gradient.h"
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

// One formula with its arguments found.
struct PreparedTerm {
  const Term* term;
  std::vector<size_t> positions;
};

struct OpClass {
  How how = How::kRefused;
  Writes writes = Writes::kNothing;
  bool view = false;         // its result shows its first argument's memory
  bool writes_more = false;  // it writes others of its arguments, too: running statistics, noise
  std::vector<PreparedTerm> terms;
  std::vector<bool> differentiable;  // arguments
  uint32_t constant = 0;             // bits of results that require no gradient
  const Registration* registration = nullptr;
  const KernelDef* body = nullptr;            // kBody: where devices have kernels besides
  const OperatorEntry* functional = nullptr;  // kThenCopied
  std::string problem;                        // why its registration cannot be used
};

// Whether the formula is for any of the inputs.
bool Needed(const PreparedTerm& t, const Inputs& inputs);

// Kept as long as the program.
const OpClass& ClassOf(const OperatorEntry& op);

}  // namespace sy::autograd

#endif  // AUTOGRAD_CLASSIFY_INTERNAL_H_
