#include "switchyard/optim/optimizer.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::optim {

namespace {

std::string GroupName(size_t group, std::string_view setting) {
  return "param_groups." + std::to_string(group) + "." + std::string(setting);
}
std::string StateName(size_t parameter, std::string_view kept) {
  return "state." + std::to_string(parameter) + "." + std::string(kept);
}

// What a state has, each name of it asked for.
class Reader {
 public:
  Reader(const char* optimizer, const NamedTensors& state) : optimizer_(optimizer) {
    for (const auto& [name, t] : state) unread_.emplace(name, t);
  }
  // Undefined where there is none.
  Tensor Take(const std::string& name) {
    const auto at = unread_.find(name);
    if (at == unread_.end()) return {};
    const Tensor t = at->second;
    unread_.erase(at);
    return t;
  }
  double TakeNumber(const std::string& name) {
    const Tensor t = Take(name);
    if (!t.defined()) Fail(ErrorCode::kInvalidArgument, optimizer_, {"the state has no ", name});
    if (t.numel() != 1) {
      Fail(ErrorCode::kInvalidArgument, optimizer_,
           {name, ": expected one number, got sizes ", t.sizes()});
    }
    return item(t).To<double>();
  }
  void RequireAllRead() const {
    if (unread_.empty()) return;
    Fail(ErrorCode::kInvalidArgument, optimizer_,
         {"the state has ", unread_.begin()->first, ", which no group or parameter here has"});
  }

 private:
  const char* optimizer_;
  std::map<std::string, Tensor> unread_;
};

}  // namespace

Optimizer::Optimizer(const char* name, std::vector<Kept> kept)
    : name_(name), kept_(std::move(kept)) {}
Optimizer::~Optimizer() = default;

const Optimizer::Group& Optimizer::group_at(size_t group) const {
  if (group >= groups_.size()) {
    Fail(ErrorCode::kOutOfRange, name_,
         {"group ", group, " of ", groups_.size(), " groups of parameters"});
  }
  return groups_[group];
}

Optimizer::Group& Optimizer::group_at(size_t group) {
  return const_cast<Group&>(std::as_const(*this).group_at(group));
}

const std::vector<Tensor>& Optimizer::parameters(size_t group) const {
  return group_at(group).parameters;
}

double Optimizer::initial_lr(size_t group) const {
  const Group& g = group_at(group);
  return g.initial_lr.value_or(*g.lr);
}

void Optimizer::FailOption(const char* option, const char* expected, double got) const {
  Fail(ErrorCode::kInvalidArgument, name_, {option, ": expected ", expected, ", got ", got});
}

void Optimizer::AddGroup(std::vector<Tensor> parameters, std::vector<Setting> settings) {
  if (parameters.empty())
    Fail(ErrorCode::kInvalidArgument, name_, {"expected parameters, got none"});
  std::set<const TensorImpl*> seen;
  for (const Group& g : groups_) {
    for (const Tensor& t : g.parameters) seen.insert(t.impl());
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& t = parameters[i];
    if (!t.defined() || !is_leaf(t)) {
      Fail(ErrorCode::kInvalidArgument, name_,
           {"parameter ", i, ": expected a leaf, got ",
            t.defined() ? "what an operator made" : "an undefined tensor"});
    }
    if (!seen.insert(t.impl()).second)
      Fail(ErrorCode::kInvalidArgument, name_, {"parameter ", i, " is there already"});
  }
  Group g;
  g.kept.resize(parameters.size());
  g.parameters = std::move(parameters);
  g.settings = std::move(settings);
  g.lr = g.settings[0].number;
  g.momentum =
      std::find_if(g.settings.begin(), g.settings.end(), [](const Setting& s) {
        return std::string_view(s.name) == "momentum" || std::string_view(s.name) == "beta1";
      })->number;
  groups_.push_back(std::move(g));
}

void Optimizer::zero_grad() {
  for (const Group& g : groups_) {
    for (const Tensor& t : g.parameters) sy::zero_grad(t);
  }
}

std::vector<Optimizer::Batch> Optimizer::Batches(
    size_t group, size_t count, const std::function<Tensor(size_t, const Tensor&)>& make) {
  std::vector<Batch> batches;
  Group& g = group_at(group);
  for (size_t i = 0; i < g.parameters.size(); ++i) {
    const Tensor& t = g.parameters[i];
    Tensor grad = grad_of(t);
    if (!grad.defined()) continue;
    std::vector<Tensor>& kept = g.kept[i];
    const bool first = kept.empty();
    for (size_t k = kept.size(); k < count; ++k) kept.push_back(make(k, t));
    const KeyWord place = t.key() & kPlaceMask;
    auto at = std::find_if(batches.begin(), batches.end(),
                           [&](const Batch& b) { return b.place == place && b.first == first; });
    if (at == batches.end()) {
      at = batches.insert(at, Batch{place, first, {}, {}, {}});
      at->kept.resize(count);
    }
    at->parameters.push_back(t);
    at->grads.push_back(std::move(grad));
    for (size_t k = 0; k < count; ++k) at->kept[k].push_back(kept[k]);
  }
  return batches;
}

NamedTensors Optimizer::state_dict() const {
  NamedTensors state;
  size_t parameter = 0;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const Group& g = groups_[i];
    for (const Setting& s : g.settings) {
      state.emplace_back(GroupName(i, s.name), s.number != nullptr
                                                   ? scalar_tensor(*s.number, DType::kFloat64)
                                                   : scalar_tensor(*s.on, DType::kBool));
    }
    if (g.initial_lr) {
      state.emplace_back(GroupName(i, "initial_lr"), scalar_tensor(*g.initial_lr, DType::kFloat64));
    }
    for (const std::vector<Tensor>& kept : g.kept) {
      for (size_t k = 0; k < kept.size(); ++k)
        state.emplace_back(StateName(parameter, kept_[k].name), kept[k]);
      ++parameter;
    }
  }
  return state;
}

void Optimizer::load_state_dict(const NamedTensors& state) {
  const NoGrad off;
  Reader reader(name_, state);
  std::vector<std::vector<double>> values(groups_.size());
  std::vector<std::optional<double>> initial(groups_.size());
  std::vector<std::vector<std::vector<Tensor>>> kept(groups_.size());
  size_t parameter = 0;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const Group& g = groups_[i];
    for (const Setting& s : g.settings)
      values[i].push_back(reader.TakeNumber(GroupName(i, s.name)));
    if (const Tensor t = reader.Take(GroupName(i, "initial_lr")); t.defined())
      initial[i] = item(t).To<double>();
    for (const Tensor& p : g.parameters) {
      std::vector<Tensor>& mine = kept[i].emplace_back();
      for (size_t k = 0; k < kept_.size(); ++k) {
        const std::string name = StateName(parameter, kept_[k].name);
        const Tensor t = reader.Take(name);
        if (!t.defined()) {
          if (kept_[k].optional || mine.empty()) continue;
          Fail(ErrorCode::kInvalidArgument, name_, {"the state has no ", name});
        }
        if (mine.size() != k) {
          Fail(ErrorCode::kInvalidArgument, name_,
               {"the state has ", name, ", but not what is kept beside it"});
        }
        if (kept_[k].is_number ? t.numel() != 1 : !std::ranges::equal(t.sizes(), p.sizes())) {
          Fail(ErrorCode::kInvalidArgument, name_,
               {name, ": expected sizes ", kept_[k].is_number ? Sizes() : p.sizes(), ", got ",
                t.sizes()});
        }
        mine.push_back(to(t, p.device(), kept_[k].is_number ? DType::kFloat32 : p.dtype(),
                          /*non_blocking=*/false, /*copy=*/true));
      }
      ++parameter;
    }
  }
  reader.RequireAllRead();
  for (size_t i = 0; i < groups_.size(); ++i) {
    Group& g = groups_[i];
    for (size_t s = 0; s < g.settings.size(); ++s) {
      if (g.settings[s].number != nullptr) {
        *g.settings[s].number = values[i][s];
      } else {
        *g.settings[s].on = values[i][s] != 0;
      }
    }
    g.initial_lr = initial[i];
    g.kept = std::move(kept[i]);
  }
}

}  // namespace sy::optim
