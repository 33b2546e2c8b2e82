// Rules of numbers rounded as if they were quantised: examples are channels, each with its scale.
#include <vector>

#include "switchyard/dispatcher/call.h"
#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

// [B, …, channels, …] with scales [B, channels]; argument 3 is the dimension of the channels.
void Channels(BatchCall& c) {
  if (c.rank(1) != 1 || c.rank(2) != 1) return BatchLoop(c);  // its error
  const int64_t axis = FromBack(c, c.args[3].i, c.rank(0));
  const Tensor x = movedim(c.expanded(0), axis, 1);
  NewArgs args(c);
  args.Set(0, flatten(x, 0, 1));
  args.Set(1, flatten(c.expanded(1)));
  args.Set(2, flatten(c.expanded(2)));
  args.Set(3, int64_t{0});
  Result made[kMaxResults];
  CallBoxed(c.op, args, {made, c.op.num_results});
  for (size_t k = 0; k < c.results().size(); ++k) {
    const Tensor all = unflatten(made[k].tensor(), 0, {c.batch_size(), x.size(1)});
    c.Set(k, movedim(all, 1, axis));
  }
}
const Batching channels_rule{
    {"fake_quantize_per_channel_affine", "fake_quantize_per_channel_affine_cachemask"}, Channels};

// With a tensor of one scale.
void OneScale(BatchCall& c) {
  if (c.args[1].tensor().numel() != 1 || c.args[2].tensor().numel() != 1) return BatchLoop(c);
  if (!c.batched(1) && !c.batched(2)) {
    NewArgs args(c);
    args.Set(0, c.value(0));
    return c.Call(args);
  }
  const auto of_examples = [&](size_t i) { return reshape(c.expanded(i), {c.batch_size()}); };
  c.Set(0, fake_quantize_per_channel_affine(c.expanded(0), of_examples(1), of_examples(2), 0,
                                            c.args[3].i, c.args[4].i));
}
const Batching one_scale_rule{"fake_quantize_per_tensor_affine.tensor_qparams", OneScale};

}  // namespace
}  // namespace sy::transforms
