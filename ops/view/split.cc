// Cuts a dimension into pieces, which are views: split into pieces of one size (the last may be
// smaller) or of given ones, chunk into at most so many of one size, tensor_split into exactly so
// many, or at given positions (which may be a tensor). hsplit, vsplit and dsplit are tensor_split
// of dimension 1 (0 of a 1-d tensor), 0 and 2 into equal pieces. split_copy and
// split_with_sizes_copy copy the pieces.
//   self: at least 1-d   →   a list
// Errors: kOutOfRange for dim; kInvalidArgument for a 0-d tensor, a size below 0 (0 for one that is
// not empty), sizes that do not add up to the dimension's, a number of pieces below 1 and another
// number of tensors to store pieces in. A tensor that split_copy stores in must have sizes
// to which the piece broadcasts; that of split_with_sizes_copy is resized and must have its dtype.
// Example: sy::split(x, 2, 1)
// Source: ATen split, split_with_sizes, split_copy, split_with_sizes_copy, chunk, unsafe_split,
// unsafe_split_with_sizes, unsafe_chunk, tensor_split, hsplit, vsplit, dsplit.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator split_op{
    "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
    KeyRule::kFirst};
const Operator split_sizes_op{
    "split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
    KeyRule::kFirst};
const Operator split_with_sizes_op{
    "split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
    KeyRule::kFirst};
const Operator split_copy_op{
    "split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", KeyRule::kFirst,
    Tags(OperatorTag::kViewCopy)};
const Operator split_copy_out_op{
    "split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst};
const Operator split_with_sizes_copy_op{
    "split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
    KeyRule::kFirst, Tags(OperatorTag::kViewCopy)};
const Operator split_with_sizes_copy_out_op{
    "split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) "
    "-> ()",
    KeyRule::kFirst};
const Operator chunk_op{"chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
                        KeyRule::kFirst};
const Operator unsafe_split_op{
    "unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", KeyRule::kFirst,
    Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator unsafe_split_with_sizes_op{
    "unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
    KeyRule::kFirst, Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator unsafe_chunk_op{"unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
                               KeyRule::kFirst, Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator tensor_split_op{
    "tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
    KeyRule::kFirst};
const Operator tensor_split_indices_op{
    "tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
    KeyRule::kFirst};
const Operator tensor_split_tensor_op{
    "tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor "
    "tensor_indices_or_sections, int dim=0) -> Tensor(a)[]",
    KeyRule::kFirst};
const Operator hsplit_op{"hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]",
                         KeyRule::kFirst};
const Operator hsplit_array_op{"hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]",
                               KeyRule::kFirst};
const Operator vsplit_op{"vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]",
                         KeyRule::kFirst};
const Operator vsplit_array_op{"vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]",
                               KeyRule::kFirst};
const Operator dsplit_op{"dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]",
                         KeyRule::kFirst};
const Operator dsplit_array_op{"dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]",
                               KeyRule::kFirst};

}  // namespace sy
