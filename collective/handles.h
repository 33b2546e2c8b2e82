// The functional collectives as typed calls: what calls by name find by it, these have bound.
//
//   using collective::handles::all_reduce;
//   Tensor sum = all_reduce(x, "sum", "world");
//
// Owns: nothing. Threads: any. Errors: the operators'.
#ifndef SWITCHYARD_COLLECTIVE_HANDLES_H_
#define SWITCHYARD_COLLECTIVE_HANDLES_H_

#include <string_view>

#include "switchyard/core/tensor.h"
#include "switchyard/dispatcher/handle.h"

namespace sy::collective::handles {

using Text = std::string_view;

// input, reduce_op, group
inline constinit Handle<Tensor(const Tensor&, Text, Text)> all_reduce{
    "_c10d_functional::all_reduce"};
// input, group_size, group
inline constinit Handle<Tensor(const Tensor&, int64_t, Text)> all_gather{
    "_c10d_functional::all_gather_into_tensor"};
// input, reduce_op, group_size, group
inline constinit Handle<Tensor(const Tensor&, Text, int64_t, Text)> reduce_scatter{
    "_c10d_functional::reduce_scatter_tensor"};
// input, output_split_sizes, input_split_sizes, group
inline constinit Handle<Tensor(const Tensor&, IntSpan, IntSpan, Text)> all_to_all{
    "_c10d_functional::all_to_all_single"};
// input, src, group
inline constinit Handle<Tensor(const Tensor&, int64_t, Text)> broadcast{
    "_c10d_functional::broadcast"};

// Those that write what is there. input, reduce_op, group
inline constinit Handle<void(const Tensor&, Text, Text)> all_reduce_{
    "_c10d_functional::all_reduce_"};
// input, group_size, group, out
inline constinit Handle<void(const Tensor&, int64_t, Text, const Tensor&)> all_gather_out{
    "_c10d_functional::all_gather_into_tensor_out"};
// input, reduce_op, group_size, group, out
inline constinit Handle<void(const Tensor&, Text, int64_t, Text, const Tensor&)> reduce_scatter_out{
    "_c10d_functional::reduce_scatter_tensor_out"};
// output, input, output_split_sizes, input_split_sizes, group
inline constinit Handle<void(const Tensor&, const Tensor&, IntSpan, IntSpan, Text)> all_to_all_{
    "c10d::alltoall_base_"};
// input, src, group
inline constinit Handle<void(const Tensor&, int64_t, Text)> broadcast_{
    "_c10d_functional::broadcast_"};

inline constinit Handle<Tensor(const Tensor&)> wait_tensor{"_c10d_functional::wait_tensor"};
inline constinit Handle<void(Text)> barrier{"c10d::barrier"};

}  // namespace sy::collective::handles

#endif  // SWITCHYARD_COLLECTIVE_HANDLES_H_
