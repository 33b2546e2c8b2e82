#include "switchyard/collective/data_parallel.h"

#include <algorithm>
#include <utility>

#include "switchyard/autograd/autograd.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/error.h"
#include "switchyard/core/printing.h"
#include "switchyard/ops.h"

namespace sy::collective {
namespace {

using handles::all_reduce;
using handles::broadcast;

// Parameters of one dtype and device, one behind the other.
struct Bucket {
  std::vector<size_t> parameters;
  int64_t numel = 0;
  size_t ready = 0;
  Tensor flat;    // gradients as they come
  Tensor result;  // their average, maybe on its way
};

}  // namespace

struct DataParallel::State {
  std::string group;
  std::vector<Tensor> parameters;
  std::vector<Bucket> buckets;
  std::vector<std::pair<size_t, int64_t>> place;  // of each parameter: bucket, offset in it
  std::vector<char> given;                        // whether its gradient has come in this round
  std::vector<HookHandle> hooks;
  size_t launched = 0;  // buckets, in their order: the same on every rank
  size_t overlapped = 0;

  Tensor Slot(const Tensor& flat, size_t parameter) const {
    const Tensor& p = parameters[parameter];
    return view(narrow(flat, 0, place[parameter].second, p.numel()), p.sizes());
  }
  void Take(size_t parameter, const Tensor& gradient) {
    Bucket& b = buckets[place[parameter].first];
    if (given[parameter] != 0) {
      Fail(ErrorCode::kInvalidArgument,
           {"DataParallel: a second backward before Finish; gradients of the first are on their "
            "way"});
    }
    given[parameter] = 1;
    copy_(Slot(b.flat, parameter), gradient);
    ++b.ready;
    while (launched < buckets.size() &&
           buckets[launched].ready == buckets[launched].parameters.size())
      Launch();
  }
  void Launch() {
    Bucket& b = buckets[launched++];
    b.result = all_reduce(b.flat, "avg", group);
  }
};

DataParallel::DataParallel(std::vector<Tensor> parameters, const DataParallelOptions& options)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.group = options.group;
  s.parameters = std::move(parameters);
  s.place.resize(s.parameters.size());
  s.given.assign(s.parameters.size(), 0);
  for (const Tensor& p : s.parameters) {
    if (!p.defined() || !requires_grad(p) || !is_leaf(p)) {
      Fail(ErrorCode::kInvalidArgument,
           {"DataParallel: expected leaves that require gradients, got ", Describe(p)});
    }
  }
  const NoGrad off;
  // Backward reaches the last ones first.
  for (size_t i = s.parameters.size(); i-- > 0;) {
    const Tensor& p = s.parameters[i];
    copy_(p, broadcast(p, 0, s.group));
    const bool fits = !s.buckets.empty() && [&] {
      const Bucket& last = s.buckets.back();
      const Tensor& other = s.parameters[last.parameters.front()];
      const auto bytes = static_cast<int64_t>(p.itemsize()) * (last.numel + p.numel());
      return other.dtype() == p.dtype() && other.device() == p.device() &&
             bytes <= options.bucket_bytes;
    }();
    if (!fits) s.buckets.emplace_back();
    Bucket& b = s.buckets.back();
    b.parameters.push_back(i);
    s.place[i] = {s.buckets.size() - 1, b.numel};
    b.numel += p.numel();
  }
  for (Bucket& b : s.buckets) {
    const Tensor& first = s.parameters[b.parameters.front()];
    b.flat = Tensor::Empty({b.numel}, first.dtype(), first.device());
  }
  s.hooks.reserve(s.parameters.size());
  for (size_t i = 0; i < s.parameters.size(); ++i) {
    s.hooks.push_back(register_post_accumulate_hook(s.parameters[i], [&s, i](const Tensor& leaf) {
      const NoGrad inner;
      s.Take(i, grad_of(leaf));
    }));
  }
}

DataParallel::~DataParallel() {
  for (HookHandle& h : state_->hooks) h.Remove();
}

void DataParallel::Finish() {
  State& s = *state_;
  const NoGrad off;
  s.overlapped = s.launched;
  for (size_t i = 0; i < s.parameters.size(); ++i) {
    if (s.given[i] == 0) zero_(s.Slot(s.buckets[s.place[i].first].flat, i));
  }
  while (s.launched < s.buckets.size()) s.Launch();
  for (size_t i = 0; i < s.parameters.size(); ++i) {
    const Tensor average = s.Slot(s.buckets[s.place[i].first].result, i);
    if (const Tensor g = grad_of(s.parameters[i]); g.defined()) {
      copy_(g, average);
    } else {
      set_grad(s.parameters[i], clone(average));
    }
  }
  for (Bucket& b : s.buckets) {
    b.ready = 0;
    b.result = {};
  }
  std::fill(s.given.begin(), s.given.end(), 0);
  s.launched = 0;
}

size_t DataParallel::buckets() const { return state_->buckets.size(); }
size_t DataParallel::overlapped() const { return state_->overlapped; }

}  // namespace sy::collective
