#include "examples/train/training.h"

#include "switchyard/autograd/autograd.h"
#include "switchyard/collective/group.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/optim/clip_grad.h"

namespace train {

using sy::Tensor;
using sy::sharded::MeshRef;
using sy::sharded::Placements;

namespace {

// "data" along which examples are parted, and "model" where the ranks make a grid.
MeshRef MeshFor(const Plan& plan) {
  const sy::collective::Group* world = sy::collective::FindGroup("world");
  if (!plan.sharded || world == nullptr) return nullptr;
  const int64_t ranks = sy::collective::SizeOf(*world);
  if (ranks < 4 || ranks % 2 != 0) return sy::sharded::MakeMesh("train", {{"data", ranks}});
  return sy::sharded::MakeMesh("train", {{"data", ranks / 2}, {"model", 2}});
}

Tensor OfBatch(const Tensor& t, const MeshRef& mesh) {
  if (mesh == nullptr) return t;
  Placements placements(static_cast<size_t>(mesh->ndim()));
  placements[0] = sy::sharded::Shard(0);
  return sy::sharded::Distribute(t, mesh, placements);
}

Network NetworkOn(const Plan& plan, const MeshRef& mesh) {
  Network network(plan.seed);
  if (mesh == nullptr) return network;
  network.Replace([&](const std::string& name, const Tensor& t) {
    Placements placements(static_cast<size_t>(mesh->ndim()));
    if (mesh->ndim() == 2 && name.starts_with("linear")) placements[1] = sy::sharded::Shard(0);
    return sy::requires_grad_(sy::sharded::Distribute(sy::detach(t), mesh, placements));
  });
  return network;
}

}  // namespace

Training::Training(const Plan& plan)
    : plan_(plan),
      mesh_(MeshFor(plan)),
      seen_(DrawDigits(plan.digits, plan.seed)),
      unseen_(DrawDigits(1000, plan.seed + 1)),
      network_(NetworkOn(plan, mesh_)),
      optimizer_(network_.parameters(), {.lr = plan.max_lr, .momentum = 0.9, .nesterov = true}),
      schedule_(optimizer_, {.max_lr = {plan.max_lr}, .total_steps = all_steps()}) {
  const sy::collective::Group* world = sy::collective::FindGroup("world");
  if (world == nullptr || sy::collective::SizeOf(*world) == 1) return;
  rank_ = sy::collective::RankIn(*world);
  ranks_ = sy::collective::SizeOf(*world);
  if (mesh_ != nullptr) return;
  if (plan.batch % ranks_ != 0) {
    sy::Fail(sy::ErrorCode::kInvalidArgument,
             {"a batch of ", plan.batch, " does not split over ", ranks_, " ranks"});
  }
  parallel_ = std::make_unique<sy::collective::DataParallel>(network_.parameters());
}

// Each epoch has an order of its own; of the batch this rank's part.
Digits Training::Batch() const {
  const int64_t at = steps() * plan_.batch, epoch = at / plan_.digits;
  sy::manual_seed(plan_.seed + 100 + static_cast<uint64_t>(epoch));
  const bool all = mesh_ != nullptr;  // of which the mesh has parts
  const int64_t mine = all ? plan_.batch : plan_.batch / ranks_, before = all ? 0 : rank_ * mine;
  const Tensor rows = sy::narrow(sy::randperm(plan_.digits), 0, at % plan_.digits + before, mine);
  return {OfBatch(sy::index_select(seen_.images, 0, rows), mesh_),
          OfBatch(sy::index_select(seen_.labels, 0, rows), mesh_)};
}

double Training::Step() {
  const Digits batch = Batch();
  optimizer_.zero_grad();
  Tensor loss = sy::cross_entropy_loss(network_(batch.images), batch.labels);
  sy::backward(loss);
  if (parallel_ != nullptr) {
    parallel_->Finish();
    const sy::NoGrad off;
    loss = sy::call("_c10d_functional::all_reduce", loss, "avg", "world");
  }
  sy::optim::clip_grad_norm_(network_.parameters(), 1.0);
  optimizer_.step();
  schedule_.step();
  losses_.push_back(loss.item<double>());
  return losses_.back();
}

double Training::Accuracy() const {
  const sy::NoGrad off;
  const Tensor right = sy::eq(sy::argmax(network_(unseen_.images), 1), unseen_.labels);
  return sy::mean(right, sy::DType::kFloat64).item<double>();
}

void Training::Save(const std::string& folder) const {
  sy::optim::NamedTensors all = {{"losses", sy::tensor(losses_)}};
  sy::optim::Append(all, "network.", network_.state_dict());
  sy::optim::Append(all, "optimizer.", optimizer_.state_dict());
  sy::optim::Append(all, "schedule.", schedule_.state_dict());
  for (auto& [name, t] : all) t = sy::sharded::FullTensor(t);
  if (rank_ == 0) sy::optim::SaveTensors(folder, all);
  if (ranks_ > 1) sy::call("c10d::barrier", "world");
}

void Training::Load(const std::string& folder) {
  const sy::optim::NamedTensors all = sy::optim::LoadTensors(folder);
  sy::optim::CopyInto(network_.state_dict(), sy::optim::WithPrefix(all, "network."));
  optimizer_.load_state_dict(sy::optim::WithPrefix(all, "optimizer."));
  schedule_.load_state_dict(sy::optim::WithPrefix(all, "schedule."));
  const Tensor losses = sy::optim::Find(all, "losses");
  losses_.assign(losses.data<double>(), losses.data<double>() + losses.numel());
}

}  // namespace train
