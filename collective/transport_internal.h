// From tensors to a call of an engine: what the kernels of collectives have in common.
#ifndef SWITCHYARD_COLLECTIVE_TRANSPORT_INTERNAL_H_
#define SWITCHYARD_COLLECTIVE_TRANSPORT_INTERNAL_H_

#include "collective/work_internal.h"
#include "switchyard/collective/reduce.h"
#include "switchyard/registry/kernel_def.h"

namespace sy::collective {

// How the input of a queued call is kept apart from later writes.
enum class Copy : uint8_t {
  kToOut,   // copied to the result, in which the call works
  kToPart,  // copied to the rank's part of the result
  kBeside,  // copied
};

// A call of elements of t's dtype, the rest zero.
SyCollective CallOf(SyCollectiveKind kind, const Tensor& t, int64_t count);
// out and input: dense host tensors after this; tensors elsewhere are brought to the host and back.
// The result may be pending. Errors: as Group::Run's.
void Transport(Group& g, SyCollective call, const Tensor& out, const Tensor& input, Copy copy);
// What follows fails in the name of the operator that is called.
// The group. Errors: kNotFound.
Group& GroupFor(const Call& call, std::string_view name);
// The same, which has this many ranks. Errors also: kInvalidArgument.
Group& GroupOfSize(const Call& call, std::string_view name, int64_t group_size);
// rank, which the group has. Errors: kInvalidArgument naming the argument.
int RankOf(const Call& call, const Group& g, std::string_view argument, int64_t rank);

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_TRANSPORT_INTERNAL_H_
