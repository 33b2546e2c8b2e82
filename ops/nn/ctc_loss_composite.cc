// ctc_loss by _ctc_loss, and lengths in tensors as lists.
#include <limits>
#include <tuple>
#include <vector>

#include "ops/checks.h"
#include "ops/nn/reduced_composite.h"
#include "switchyard/core/transfer.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

::std::vector<int64_t> Numbers(Call call, const Tensor& t, ::std::string_view name) {
  if (!Contains(kIntegerTypes, t.dtype()))
    Fail(ErrorCode::kInvalidArgument, call.op(), {name, " must be integers, got ", t.dtype()});
  if (!HasData(t)) {
    Fail(ErrorCode::kDataDependent, call.op(),
         {"the sizes of the result depend on ", name, ", which has no values on ",
          t.device().str()});
  }
  // By an operator, which layers see.
  const Tensor host = ToHost(flatten(to(t, DType::kInt64)));
  ::std::vector<int64_t> all;
  for (int64_t i = 0; i < host.numel(); ++i) all.push_back(item(select(host, 0, i)).To<int64_t>());
  return all;
}

::std::tuple<Tensor, Tensor> PlainTensor(Call call, const Tensor& log_probs, const Tensor& targets,
                                         const Tensor& input_lengths, const Tensor& target_lengths,
                                         int64_t blank, bool zero_infinity) {
  return _ctc_loss(log_probs, targets, Numbers(call, input_lengths, "input_lengths"),
                   Numbers(call, target_lengths, "target_lengths"), blank, zero_infinity);
}
Tensor BackwardTensor(Call call, const Tensor& grad, const Tensor& log_probs, const Tensor& targets,
                      const Tensor& input_lengths, const Tensor& target_lengths,
                      const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank,
                      bool zero_infinity) {
  return _ctc_loss_backward(grad, log_probs, targets, Numbers(call, input_lengths, "input_lengths"),
                            Numbers(call, target_lengths, "target_lengths"), neg_log_likelihood,
                            log_alpha, blank, zero_infinity);
}

Tensor CtcLoss(Call call, const Tensor& log_probs, const Tensor& targets, IntSpan input_lengths,
               IntSpan target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  const bool batched = log_probs.dim() == 3;
  const Tensor probs = batched ? log_probs : unsqueeze(log_probs, 1);
  Tensor loss =
      ::std::get<0>(_ctc_loss(probs, targets, input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity)
    loss = masked_fill(loss, eq(loss, ::std::numeric_limits<double>::infinity()), 0);
  if (reduction == kReduceMean) {
    const Tensor lengths =
        Tensor::Empty({static_cast<int64_t>(target_lengths.size())}, DType::kInt64);
    for (size_t i = 0; i < target_lengths.size(); ++i)
      lengths.data<int64_t>()[i] = target_lengths[i] < 1 ? 1 : target_lengths[i];
    return mean(div(loss, FromHost(lengths, loss.device())));
  }
  loss = ReducedLoss(call, loss, reduction);
  return batched || reduction != kReduceNone ? loss : squeeze(loss, 0);
}
Tensor CtcLossTensor(Call call, const Tensor& log_probs, const Tensor& targets,
                     const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank,
                     int64_t reduction, bool zero_infinity) {
  return CtcLoss(call, log_probs, targets, Numbers(call, input_lengths, "input_lengths"),
                 Numbers(call, target_lengths, "target_lengths"), blank, reduction, zero_infinity);
}

const Composite plain_tensor_body{"_ctc_loss.Tensor", PlainTensor};
const Composite backward_tensor_body{"_ctc_loss_backward.Tensor", BackwardTensor};
const Composite ctc_loss_body{"ctc_loss.IntList", CtcLoss};
const Composite ctc_loss_tensor_body{"ctc_loss.Tensor", CtcLossTensor};

}  // namespace
}  // namespace sy
