// One call of a plugin's kernel, and what it may ask the host for.
//
//   const SyBuffer& scratch = call.Workspace(4 * n);
//   Owned sum = call.Run(kAdd, {Boxed(a), Boxed(b), Boxed(int64_t{1})});
//
// Part of switchyard/c/plugin.hpp, which includes it.
// Owns: Ref and Owned hold a reference; a workspace is the host's.
// Threads: a Call is its kernel's, in that thread; a Callee may be shared.
// Errors: what the host answers is thrown as an Error.
#ifndef SWITCHYARD_C_CALL_HPP_
#define SWITCHYARD_C_CALL_HPP_

#include <atomic>
#include <initializer_list>
#include <memory>

#include "switchyard/c/arguments.hpp"

namespace sy::abi {

// A tensor of the host that is held: from Call::Empty and Call::Run. Move-only; the reference is
// given back when it ends, by whichever thread.
class Ref {
 public:
  // Takes the reference over; null holds nothing.
  Ref(const SyHost* host, SyTensorRef owned) : host_(host), ref_(owned) {}
  Ref(Ref&& o) noexcept : host_(o.host_), ref_(std::exchange(o.ref_, nullptr)) {}
  // Swaps: the other gives back what was held here when it ends.
  Ref& operator=(Ref&& o) noexcept {
    std::swap(host_, o.host_);
    std::swap(ref_, o.ref_);
    return *this;
  }
  ~Ref() {
    if (ref_ != nullptr) host_->release(ref_);
  }
  // Borrowed.
  SyTensorRef get() const { return ref_; }
  // The reference is the caller's now.
  SyTensorRef release() { return std::exchange(ref_, nullptr); }

 private:
  const SyHost* host_;
  SyTensorRef ref_;
};

// A tensor that is held, with the view of it that kernels take: new ones, and results.
class Owned {
 public:
  Owned(Ref ref, const SyTensor& view) : ref_(std::move(ref)), view_(view) {}
  // Valid while this lives.
  Tensor tensor() const { return Tensor(&view_); }
  operator Tensor() const { return tensor(); }
  // Gives the reference away, to Call::SetOut.
  Ref release() && { return std::move(ref_); }

 private:
  Ref ref_;
  SyTensor view_;
};

// An operator that kernels call, looked up at the first call alone: static const Callee
// kAdd("add.Tensor"). The name is static text.
class Callee {
 public:
  constexpr explicit Callee(const char* name) : name_(name) {}
  Callee(const Callee&) = delete;
  Callee& operator=(const Callee&) = delete;
  const char* name() const { return name_; }
  // Throws Error, SY_E_NOT_FOUND for one.
  SyOperator Find(const SyHost* host, SyError* error) const {
    SyOperator found = found_.load(std::memory_order_acquire);
    if (found != nullptr) return found;
    const int32_t code = host->find_operator(name_, &found, error);
    if (code != SY_OK) throw Error(code, error->text);
    found_.store(found, std::memory_order_release);
    return found;
  }

 private:
  const char* name_;
  mutable std::atomic<SyOperator> found_{nullptr};
};

// One call of a kernel: a pointer, copied at will, and gone when the kernel returns.
//   const SyBuffer& scratch = call.Workspace(4 * n);
//   call.ParallelFor(n, 4096, [&](int64_t begin, int64_t end) noexcept { … });
class Call {
 public:
  explicit Call(SyCall* c) : c_(c) {}
  // To compute in: one of those that the kernel is registered for.
  DType dtype() const { return {c_->dtype}; }
  // Of the device that computes, 0 for the first.
  int index() const { return c_->index; }
  // What the device's `open` gave.
  // T: what the plugin's own `open` made.
  template <class T>
  T& device() const {
    return *static_cast<T*>(c_->device_state);
  }
  // Where to queue work; null on devices without streams, whose kernels return when they are done.
  void* stream() const { return c_->stream; }
  // SyKernelDef::user, which Kernel<> leaves null.
  template <class T>
  const T& user() const {
    return *static_cast<const T*>(c_->user);
  }
  // For what this class has no name for.
  SyCall* abi() const { return c_; }

  // Memory until the kernel returns and what it has queued is done; the host frees it. alignment: a
  // power of 2. On the host device `handle` is an address. Throws Error, SY_E_OUT_OF_MEMORY for
  // one.
  const SyBuffer& Workspace(uint64_t bytes, uint64_t alignment = 64) const {
    const SyBuffer* b = nullptr;
    Check(c_->host->workspace(c_, bytes, alignment, &b));
    return *b;
  }
  // A new tensor on the call's device, row-major, uninitialised.
  Ref Empty(Span<const int64_t> sizes, DType dtype) const {
    SyTensorRef ref = nullptr;
    Check(c_->host->empty(c_, dtype.code, static_cast<uint32_t>(sizes.size()), sizes.data(), &ref));
    return Ref(c_->host, ref);
  }
  // The same, to be written and read.
  Owned NewTensor(Span<const int64_t> sizes, DType dtype) const {
    return Hold(Empty(sizes, dtype));
  }
  // A held tensor with its view.
  Owned Hold(Ref ref) const {
    const SyTensor view = View(ref);
    return Owned(std::move(ref), view);
  }
  // The view of a held tensor, valid while it is held.
  SyTensor View(const Ref& ref) const {
    SyTensor t;
    Check(c_->host->view(c_, ref.get(), &t));
    return t;
  }
  // Output i, 0 for the first, of an operator without a shape function: once for each.
  void SetOut(uint32_t i, Ref ref) const { Check(c_->host->set_out(c_, i, ref.release())); }
  void SetOut(uint32_t i, Owned t) const { SetOut(i, std::move(t).release()); }
  // What this kernel has kept under these bytes, by the constants among its arguments (bit i:
  // argument i); null where there is nothing. It stays until the kernel has returned.
  //   const Packed* p = call.State<Packed>(&stride, sizeof(stride), 1 << 1);
  //   if (p == nullptr) p = call.KeepState(std::make_unique<Packed>(…), &stride, sizeof(stride), 2);
  template <class T>
  T* State(const void* key, uint32_t bytes, uint64_t constants = 0) const {
    const SyStateKey k = {sizeof(SyStateKey), bytes, key, constants};
    if (!SY_HAS(SyHost, c_->host, find_state)) return nullptr;
    return static_cast<T*>(c_->host->find_state(c_, &k));
  }
  // Keeps it, for whoever asks from here on; returned is what is kept, another thread's where that
  // was first. Throws Error for arguments that are not constant (Tensor::is_constant).
  template <class T>
  T* KeepState(std::unique_ptr<T> state, const void* key, uint32_t bytes,
               uint64_t constants = 0) const {
    const SyStateKey k = {sizeof(SyStateKey), bytes, key, constants};
    if (!SY_HAS(SyHost, c_->host, keep_state))
      throw Error(SY_E_UNSUPPORTED, "this program keeps no state");
    void* kept = nullptr;
    Check(c_->host->keep_state(
        c_, &k, state.get(), [](void* s) noexcept { delete static_cast<T*>(s); }, &kept));
    static_cast<void>(state.release());
    return static_cast<T*>(kept);
  }
  // Another operator, with one result: all arguments in schema order, as SyValues (Boxed). op: a
  // full name, "add.Tensor". Throws what it fails with.
  //   const SyValue in[] = {Boxed(a), Boxed(b), Boxed(int64_t{1})};
  //   Ref sum = call.Run("add.Tensor", in);
  Ref Run(const char* op, Span<const SyValue> in) const {
    SyOperator found = nullptr;
    Check(c_->host->find_operator(op, &found, c_->error));
    SyTensorRef out = nullptr;
    Check(c_->host->call_operator(c_, found, in.data(), static_cast<uint32_t>(in.size()), &out, 1));
    return Ref(c_->host, out);
  }
  // The same without a look-up, its result held.
  Owned Run(const Callee& op, std::initializer_list<SyValue> in) const {
    const SyOperator found = op.Find(c_->host, c_->error);
    SyTensorRef out = nullptr;
    Check(c_->host->call_operator(c_, found, std::data(in), static_cast<uint32_t>(in.size()), &out,
                                  1));
    return Hold(Ref(c_->host, out));
  }
  // f(begin, end), noexcept, of ranges that together are 0 … n, at least `grain` long, in the
  // host's threads; returns when all are done. f is called at the same time from several threads.
  template <class F>
  void ParallelFor(int64_t n, int64_t grain, F&& f) const {
    static_assert(noexcept(f(int64_t{}, int64_t{})));
    c_->host->parallel_for(
        n, grain,
        [](int64_t begin, int64_t end, void* context) noexcept {
          (*static_cast<std::remove_reference_t<F>*>(context))(begin, end);
        },
        const_cast<void*>(static_cast<const void*>(&f)));  // F says whether it is const
  }

 private:
  // The host has written the text to where the kernel's goes.
  // Errors of the host leave the kernel as they came.
  void Check(int32_t code) const {
    if (code != SY_OK) throw Error(code, c_->error->text);
  }
  SyCall* c_;
};

// Arguments for Call::Run; a tensor is pointed at.
inline SyValue Boxed(const SyTensor& t) {
  SyValue v{SY_V_TENSOR, 0, {}};
  v.u.tensor = &t;
  return v;
}
inline SyValue Boxed(Tensor t) {
  if (t.defined()) return Boxed(t.view());
  return {SY_V_NONE, 0, {0}};
}
inline SyValue Boxed(int64_t i) { return {SY_V_INT, 0, {i}}; }
inline SyValue Boxed(double d) {
  SyValue v{SY_V_DOUBLE, 0, {}};
  v.u.d = d;
  return v;
}

}  // namespace sy::abi

#endif  // SWITCHYARD_C_CALL_HPP_
