// What a training is made of, as tensors by name: to keep in files, and to go on from.
//
//   NamedTensors all;
//   Append(all, "network.", {{"weight", w}, {"bias", b}});
//   Append(all, "optimizer.", optimizer.state_dict());
//   SaveTensors("run/last", all);
//
//   const NamedTensors last = LoadTensors("run/last");
//   CopyInto({{"weight", w}, {"bias", b}}, WithPrefix(last, "network."));
//   optimizer.load_state_dict(WithPrefix(last, "optimizer."));
//
// Names are those of PyTorch's state_dict, with a dot for each level: "state.0.exp_avg",
// "param_groups.0.lr". The files are NumPy's, one a tensor.
// Owns: the pairs own their tensors, which are shared and not copied.
// Threads: any.
// Errors: kInvalidArgument for names that are missing, twice there or no names of files, and for
// tensors of other sizes; those of io/npy.h.
#ifndef SWITCHYARD_OPTIM_STATE_H_
#define SWITCHYARD_OPTIM_STATE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy::optim {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// Adds `more` with a prefix before each name.
SY_API void Append(NamedTensors& all, std::string_view prefix, const NamedTensors& more);
// Those whose names begin with the prefix, without it.
SY_API NamedTensors WithPrefix(const NamedTensors& all, std::string_view prefix);
// Undefined where there is none of that name.
SY_API Tensor Find(const NamedTensors& all, std::string_view name);

// Writes each tensor of `source` into the one of its name in `target`, which may be leaves that
// require a gradient and lie on other devices. Both must have the same names.
SY_API void CopyInto(const NamedTensors& target, const NamedTensors& source);

// Makes the folder, with NAME.npy for each tensor. One that is there is replaced as a whole: what
// was there stays until all is written. Errors also: kInvalidArgument where it holds anything but
// .npy files, kUnavailable.
SY_API void SaveTensors(const std::string& folder, const NamedTensors& tensors);
// In the order of their names, on the host. Errors also: kNotFound.
SY_API NamedTensors LoadTensors(const std::string& folder);

}  // namespace sy::optim

#endif  // SWITCHYARD_OPTIM_STATE_H_
