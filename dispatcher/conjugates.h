// Conjugates and negatives as views: nothing is computed, and what is written goes to the tensor
// that was seen so.
//
//   Tensor c = ConjView(z);    // complex: c.is_conj(), the memory is z's
//   sy::mul(c, x);             // of the conjugates: operators get them written out
//   sy::fill_(c, i);           // writes -i to z
//   Tensor own = Resolve(c);   // a tensor of its own, which holds them
//
// Two bits of the key word say it (core/key_word.h), which are those of a layer: other tensors pay
// nothing. The layer hands views and what only asks for geometry on as they are, gives all other
// operators what is written out, and brings back what they write. Who reads memory without an
// operator asks is_conj and is_neg, or takes ToHost. ATen has dispatch keys of these names.
// Owns: a layer, from the first view on.
// Threads: any.
// Errors: as the operators conj_physical, neg and copy_, which the program links.
#ifndef SWITCHYARD_DISPATCHER_CONJUGATES_H_
#define SWITCHYARD_DISPATCHER_CONJUGATES_H_

#include "switchyard/core/tensor.h"

namespace sy {

// Of a view of conjugates the numbers that are in memory. t: complex.
SY_API Tensor ConjView(const Tensor& t);
// The same of negatives. t: floating or complex.
SY_API Tensor NegView(const Tensor& t);
// Part 0 or 1 of complex numbers, as PartOf; of conjugates the imaginary ones are negatives.
SY_API Tensor PartView(const Tensor& complex, int part);
// A copy whose memory holds the elements; t itself where it does already.
SY_API Tensor Resolve(const Tensor& t);

namespace internal {
// The view, of which who follows views has been told (internal::view_made).
SY_API Tensor Followed(Tensor view, const Tensor& base);
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_CONJUGATES_H_
