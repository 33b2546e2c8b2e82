// pad_sequence by full and copy_.

#include <algorithm>
#include <string_view>
#include <vector>

#include "ops/join/checks_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor PadSequence(Call call, TensorList sequences, bool batch_first, double padding_value,
                   std::string_view padding_side) {
  RequireTensors(call, sequences);
  if (padding_side != "left" && padding_side != "right") {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"padding_side must be 'left' or 'right', got '", padding_side, "'"});
  }
  int64_t longest = 0;
  for (const Tensor& t : sequences) {
    if (t.dim() == 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"a sequence must not be 0-d"});
    longest = ::std::max(longest, t.size(0));
  }
  const Tensor& first = sequences[0];
  const auto n = static_cast<int64_t>(sequences.size());
  std::vector<int64_t> sizes = {batch_first ? n : longest, batch_first ? longest : n};
  sizes.insert(sizes.end(), first.sizes().begin() + 1, first.sizes().end());
  Tensor out = new_full(first, sizes, padding_value);
  for (int64_t i = 0; i < n; ++i) {
    const Tensor& t = sequences[static_cast<size_t>(i)];
    const int64_t start = padding_side == "left" ? longest - t.size(0) : 0;
    copy_(narrow(select(out, batch_first ? 0 : 1, i), 0, start, t.size(0)), t);
  }
  return out;
}
const Composite pad_sequence_body{"pad_sequence", PadSequence};

}  // namespace
}  // namespace sy
