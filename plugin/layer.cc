#include "plugin/layer.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "plugin/calls.h"
#include "plugin/frame.h"
#include "switchyard/dispatcher/call.h"

namespace sy::plugin {
namespace {

// One call as the layer's function sees it.
class LayerFrame : public SyLayerCall {
 public:
  LayerFrame(LayerCall& call, LayerId id, void* layers_user)
      : SyLayerCall{}, call_(call), in_(call.args, nullptr) {
    size = sizeof(SyLayerCall);
    layer = id;
    host = &kHostFunctions;
    op = call.op.name().data();  // which ends with a zero
    in = in_.data();
    n_in = in_.size();
    n_out = static_cast<uint32_t>(call.results.size());
    user = layers_user;
    error = text_.abi();
    redispatch = Redispatch;
    set_out = SetOut;
    call_operator = CallOperatorOf;
    view = View;
    ShowResults();
  }

  // Throws what `code` stands for; where the layer has passed on what came from below, that.
  [[noreturn]] void Fail(int32_t code, const std::string& where) const {
    if (thrown_ != nullptr && code == thrown_code_) std::rethrow_exception(thrown_);
    FailAbiOf(call_.op.name(), code, text_.text(), where);
  }
  // The first result that neither the layer nor what is below it has given; n_out: none.
  uint32_t NotGiven() const {
    uint32_t i = 0;
    while (i < n_out && (given_ >> i & 1) != 0) ++i;
    return i;
  }

 private:
  static LayerFrame& Of(SyLayerCall* c) { return *static_cast<LayerFrame*>(c); }

  // What f throws is kept for the program, and told to the layer.
  template <class F>
  int32_t Keeping(F f) noexcept {
    try {
      thrown_ = nullptr;
      f();
      return SY_OK;
    } catch (...) {
      thrown_ = std::current_exception();
      return thrown_code_ = CatchAbi(error);
    }
  }

  static int32_t Redispatch(SyLayerCall* c, const SyValue* args, uint32_t n) noexcept {
    LayerFrame& f = Of(c);
    return f.Keeping([&] {
      if (args == c->in && n == c->n_in) {
        f.call_.Redispatch();
      } else {
        f.call_.Redispatch(ReceivedValues(args, n).values);
      }
      f.given_ = ~uint64_t{0};
      f.ShowResults();
    });
  }

  static int32_t SetOut(SyLayerCall* c, uint32_t i, SyTensorRef moved) noexcept {
    LayerFrame& f = Of(c);
    return Guarded(c->error, [&] {
      Tensor t(ImplOf(moved));
      const OperatorEntry& entry = f.call_.op;
      if (i >= c->n_out || entry.returns_written || !entry.schema().returns[i].type.is_tensor()) {
        sy::Fail(ErrorCode::kInvalidArgument, entry.name(),
                 {"result ", i, " is not one that a layer may give"});
      }
      f.call_.results[i].Set(std::move(t));
      f.given_ |= uint64_t{1} << i;
      f.ShowResults();
    });
  }

  static int32_t CallOperatorOf(SyLayerCall* c, SyOperator op, const SyValue* args, uint32_t n,
                                SyTensorRef* results, uint32_t n_results) noexcept {
    return Of(c).Keeping([&] { CallOperator(op, args, n, results, n_results); });
  }

  static int32_t View(SyLayerCall*, SyTensorRef ref, SyTensor* shown) noexcept {
    const Tensor t(ImplOf(ref));
    ShowTensor(*shown, t, nullptr);
    const_cast<Tensor&>(t).release();  // borrowed
    return SY_OK;
  }

  void ShowResults() {
    Value values[kMaxResults];
    for (uint32_t i = 0; i < n_out; ++i) values[i] = call_.results[i].value();
    out_.emplace(std::span<const Value>(values, n_out), nullptr);
    out = out_->data();
  }

  LayerCall& call_;
  const Views in_;
  std::optional<Views> out_;
  uint64_t given_ = 0;  // bit i: result i
  std::exception_ptr thrown_;
  int32_t thrown_code_ = SY_OK;
  ErrorText text_;
};

std::vector<std::unique_ptr<PluginLayer>>& layers() {
  static auto* all = new std::vector<std::unique_ptr<PluginLayer>>;
  return *all;
}

}  // namespace

PluginLayer& PluginLayer::Of(const std::string& plugin, int slot, const SyLayerDef& def) {
  const auto of_name = [&](const auto& l) { return l->name_ == def.name; };
  auto it = std::find_if(layers().begin(), layers().end(), of_name);
  if (it == layers().end()) {
    layers().reserve(layers().size() + 1);
    std::unique_ptr<PluginLayer> made(new PluginLayer(def.name, plugin, slot, def.order));
    made->id_ = RegisterLayer(made->name_, def.order, made.get());
    layers().push_back(std::move(made));
    it = layers().end() - 1;
  }
  PluginLayer& l = **it;
  if (l.plugin_ != plugin || l.order_ != def.order) {
    sy::Fail(ErrorCode::kRegistration,
             {"layer '", l.name_, "' is that of plugin '", l.plugin_, "', at order ", l.order_,
              ", for this process; got plugin '", plugin, "' and order ", def.order});
  }
  l.loaded_fn_ = def.fn;
  l.user_ = def.user;
  return l;
}

void PluginLayer::OnCall(LayerCall& call) {
  const CallScope scope(slot_);
  const SyLayerFn fn = fn_.load(std::memory_order_acquire);
  if (fn == nullptr) return call.Redispatch();
  LayerFrame f(call, id_, user_);
  const int32_t code = fn(&f);
  if (code != SY_OK) f.Fail(code, Join({"layer '", name_, "'"}));
  if (const uint32_t i = f.NotGiven(); i < f.n_out && !call.op.returns_written) {
    sy::Fail(ErrorCode::kInternal, call.op.name(),
             {"layer '", name_, "' has not given result ", i});
  }
}

}  // namespace sy::plugin
