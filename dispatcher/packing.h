// Packings: tensors that are held as other tensors, which only operators of their own understand:
// blocked or packed weights, quantised numbers with their scales.
//
//   RegisterPacking({.name = "mine::blocked",
//                    .pack = "mine::block",       // (Tensor x, int tile=8) -> Tensor
//                    .unpack = "mine::unblock",   // (Tensor blocks, int[] sizes, ScalarType dtype)
//                                                 //     -> Tensor
//                    .calls = {{"mm", 1 << 1, "mine::mm_blocked"}}});
//                        // mm_blocked(Tensor self, Tensor blocks, int[] sizes) -> Tensor
//   Tensor w = Pack(weight, "mine::blocked");     // sizes, dtype and device of weight
//   sy::mm(x, w);                                 // mine::mm_blocked
//   sy::add(w, 1);                                // of the unpacked weight: a strided tensor
//   Tensor back = Unpack(w);
//
// A packing is made of operators: what they compute, on which devices and in which dtypes, is their
// kernels' business, of plugins too. `pack` gives one or more tensors, the parts; `unpack` takes
// them, the sizes and the dtype. In `calls`, an operator whose arguments of the mask are packed,
// and no others, is computed by another one, which takes in place of each of them its parts and its
// sizes, and whose results may be the parts of a packed one. All other calls go on with unpacked
// copies, which are counted.
//
// A packed tensor has sizes, dtype and device and no bytes: what needs an address (data, DLPack,
// files, printing) refuses it as it does one without data. ATen has such tensors as
// OpaqueTensorImpl (to_mkldnn), and as QTensorImpl where numbers are quantised.
// Owns: a layer, from the first packing on. What definitions point to is the caller's.
// Threads: any.
// Errors: kRegistration for a name that is taken and for operators that do not fit; kNotFound for a
// packing that there is not; kNotImplemented for a call that would write to a packed tensor;
// otherwise what the operators throw.
#ifndef SWITCHYARD_DISPATCHER_PACKING_H_
#define SWITCHYARD_DISPATCHER_PACKING_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"

namespace sy {

// A call that a packing serves itself. op, by: full names.
struct PackedCall {
  std::string op;
  uint64_t packed;  // bit i: argument i
  std::string by;
  // Its results are the parts of op's one result, which is packed as the arguments are; of the
  // sizes and the dtype that op states, by the meta backend.
  bool gives_parts = false;
};

struct PackingDef {
  std::string name;          // with a namespace
  std::string pack, unpack;  // full names of operators
  std::vector<PackedCall> calls = {};
};

// The operators are registered already, and stay so until it is unregistered.
SY_API void RegisterPacking(const PackingDef& def);
// Errors: kBusy while tensors of it are alive, with their number; kNotFound.
SY_API void UnregisterPacking(std::string_view name);
SY_API std::vector<PackingDef> Packings();  // by name

// Tensors of it that are alive; 0 where there is none of that name.
SY_API int64_t CountPacked(std::string_view packing) noexcept;

// A packed copy of t; t itself where it is packed so. options: what `pack` takes after its tensor,
// but for those at the end that have defaults.
SY_API Tensor Pack(const Tensor& t, std::string_view packing,
                   std::initializer_list<Value> options = {});
// A strided copy; t itself where it is strided.
SY_API Tensor Unpack(const Tensor& t);
// Its packing's name; empty of a strided tensor.
SY_API std::string_view PackingOf(const Tensor& t);
// What a packed tensor is held as; empty of a strided one. Borrowed: as long as the tensor.
SY_API std::span<const Tensor> PartsOf(const Tensor& t);

// Since the program began: calls that packings have served, and arguments that were unpacked for
// others.
struct PackingCounts {
  uint64_t served, unpacked;
};
SY_API PackingCounts CountPackings();

namespace internal {
// Without a question whether tensors are alive: they cannot be unpacked any more.
SY_API void RemovePacking(std::string_view name) noexcept;
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_PACKING_H_
