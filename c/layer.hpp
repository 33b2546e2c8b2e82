// Layers: what stands between the calls of a program and their kernels.
//
//   void Count(LayerCall call) { ++calls; call.Redispatch(); }
//   constexpr SyLayerDef kLayers[] = {Layer<Count>("toy::count", 50)};
//
// The program switches it on, in a thread or for a tensor: sy::LayerScope on(sy::FindLayer(
// "toy::count")). docs/write-a-layer.md says what layers may do.
//
// Part of switchyard/c/plugin.hpp, which includes it. Since version 1.5 of the ABI.
// Owns: what Run gives holds a reference; all else ends with the call.
// Threads: layers are called from any thread; a LayerCall is its thread's.
// Errors: what the host answers is thrown as an Error; what a layer throws goes to the caller of the
// operator, with the error of what is below as it came.
#ifndef SWITCHYARD_C_LAYER_HPP_
#define SWITCHYARD_C_LAYER_HPP_

#include <initializer_list>

#include "switchyard/c/call.hpp"

namespace sy::abi {

// One call on its way down: a pointer, gone when the layer returns.
class LayerCall {
 public:
  explicit LayerCall(SyLayerCall* c) : c_(c) {}
  // The operator's full name, "add.Tensor".
  std::string_view op() const { return c_->op; }
  // In schema order, defaults filled in.
  Span<const SyValue> in() const { return {c_->in, c_->n_in}; }
  // The results there are: all of them after Redispatch.
  Span<const SyValue> out() const { return {c_->out, c_->n_out}; }
  // SyLayerDef::user, which Layer<> leaves null.
  template <class T>
  const T& user() const {
    return *static_cast<const T*>(c_->user);
  }
  // For what this class has no name for.
  SyLayerCall* abi() const { return c_; }

  // Goes on below the layer, with the same or other arguments, of the schema's types.
  void Redispatch() const { Redispatch(in()); }
  void Redispatch(Span<const SyValue> args) const {
    Check(c_->redispatch(c_, args.data(), static_cast<uint32_t>(args.size())));
  }
  // Result i, a tensor, in place of what is there; of operators that write their arguments it stays.
  void SetOut(uint32_t i, Owned t) const {
    Check(c_->set_out(c_, i, std::move(t).release().release()));
  }
  // Another operator, with one result, as Call::Run; this layer is off in it.
  Owned Run(const Callee& op, std::initializer_list<SyValue> args) const {
    SyTensorRef ref = nullptr;
    Check(c_->call_operator(c_, op.Find(c_->host, c_->error), std::data(args),
                            static_cast<uint32_t>(args.size()), &ref, 1));
    Ref owned(c_->host, ref);
    SyTensor view;
    Check(c_->view(c_, ref, &view));
    return Owned(std::move(owned), view);
  }

  // Whether calls with t pass this layer because of t, and from now on. t: defined; not in use by
  // other threads.
  bool Carries(Tensor t) const { return c_->host->has_layer(c_->layer, t.view().ref) != 0; }
  void Attach(Tensor t) const { Check(c_->host->attach_layer(c_->layer, t.view().ref, c_->error)); }
  void Detach(Tensor t) const { Check(c_->host->detach_layer(c_->layer, t.view().ref, c_->error)); }

 private:
  void Check(int32_t code) const {
    if (code != SY_OK) throw Error(code, c_->error->text);
  }
  SyLayerCall* c_;
};

// A layer for a function: Layer<Count>("toy::count", 50). order: lower ones are further out.
template <void (*kFn)(LayerCall)>
constexpr SyLayerDef Layer(const char* name, int32_t order) {
  return {sizeof(SyLayerDef), order, name,
          [](SyLayerCall* c) noexcept { return Guard(c->error, [c] { kFn(LayerCall(c)); }); },
          nullptr};
}

}  // namespace sy::abi

#endif  // SWITCHYARD_C_LAYER_HPP_
