// What an operator is to the layer.
#ifndef COLLECTIVE_SHARDED_CLASSIFY_INTERNAL_H_
#define COLLECTIVE_SHARDED_CLASSIFY_INTERNAL_H_

#include <cstdint>

#include "collective/sharded/plan_internal.h"

namespace sy::sharded {

enum class How : uint8_t {
  kAbout,        // of sizes, dtype and the like, not of elements
  kRule,         // by a rule
  kView,         // a view by dimensions: each of its own is one of self's, or comes of several
  kReshape,      // a view of the same elements in other sizes
  kElementView,  // a view of each element
  kStrided,      // a view by strides, of memory as such
  kGeometry,     // in place: another view of self
  kViewCopied,   // the elements of a view
  kBody,         // what it is composed of
  kRandom,       // drawn by one rank
  kSizesGiven,   // of no tensor but its dtype and device
  kResizes,      // other sizes for self, which has no views
  kRefused,      // other memory for self
  kGather,       // everything else
};

struct OpClass {
  const OperatorEntry* op;
  How how = How::kGather;
  Rule rule = nullptr;
  const KernelDef* body = nullptr;      // a composite's
  bool kernels = false;                 // whether devices have kernels besides
  bool dynamic = false;                 // sizes by values: meta cannot state them
  bool by_strides = false;              // elements by strides, of one memory, that are copied
  const OperatorEntry* view = nullptr;  // of kViewCopied
};

const OpClass& ClassOf(const OperatorEntry& op);

}  // namespace sy::sharded

#endif  // COLLECTIVE_SHARDED_CLASSIFY_INTERNAL_H_
