#include "switchyard/dispatcher/opaque_layout.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "switchyard/core/attachment.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/layers.h"

namespace sy {
namespace {

struct Registered {
  OpaqueLayout* layout;
  std::atomic<int64_t> alive{0};
  explicit Registered(OpaqueLayout* l) : layout(l) {}
};

// What makes a tensor one of a layout.
struct Packed : Attachment {
  static constexpr AttachmentKind kKind{"opaque layout"};
  Packed(std::shared_ptr<Registered> w, Tensor b) : which(std::move(w)), bytes(std::move(b)) {
    which->alive.fetch_add(1, std::memory_order_relaxed);
  }
  ~Packed() override { which->alive.fetch_sub(1, std::memory_order_release); }
  const std::shared_ptr<Registered> which;
  const Tensor bytes;
};

std::atomic<uint64_t> served{0}, unpacked{0};

Tensor Unpack(const Tensor& t, const Packed& packed) {
  const Tensor strided = Tensor::Empty(t.sizes(), t.dtype(), t.device());
  packed.which->layout->Unpack(packed.bytes, strided);
  return strided;
}

// Stands where kernels begin: below it tensors are strided.
class Unpacker final : public Layer {
 public:
  void OnCall(LayerCall& call) override {
    const OpaqueLayout* first = nullptr;
    const auto& arguments = call.op.schema().arguments;
    for (size_t i = 0; i < call.args.size(); ++i) {
      ForEach(call.args[i], [&](const Tensor& t) {
        const OpaqueLayout* layout = LayoutOf(t);
        if (layout == nullptr) return;
        if (first == nullptr) first = layout;
        if (arguments[i].type.alias.write) {
          Fail(ErrorCode::kNotImplemented, call.op.name(),
               {"argument ", arguments[i].name, " is written, and of layout ", layout->name(),
                ", which only ToLayout writes"});
        }
      });
    }
    if (first != nullptr && first->Call(call.op, call.args, call.results)) {
      served.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    Strided strided(call.args);
    call.Redispatch(strided.args());
  }

 private:
  template <class F>
  static void ForEach(const Value& v, F f) {
    if (v.tag == Tag::kTensor) f(v.tensor());
    if (v.tag != Tag::kTensorList) return;
    for (const Tensor& t : v.list<Tensor>()) {
      if (t.defined()) f(t);
    }
  }

  // The arguments with strided copies of those that are not, which live as long.
  class Strided {
   public:
    explicit Strided(std::span<const Value> given) : args_(given.begin(), given.end()) {
      singles_.reserve(given.size());  // Values point into it
      for (Value& v : args_) {
        if (v.tag == Tag::kTensor) {
          if (LayoutOf(v.tensor()) == nullptr) continue;
          singles_.push_back(Of(v.tensor()));
          v = Value(singles_.back());
        } else if (v.tag == Tag::kTensorList) {
          auto list = std::make_unique<std::vector<Tensor>>();
          for (const Tensor& t : v.list<Tensor>()) list->push_back(Of(t));
          v = Value(*list);
          lists_.push_back(std::move(list));
        }
      }
    }
    std::span<const Value> args() const { return args_; }

   private:
    static Tensor Of(const Tensor& t) {
      if (!t.defined() || LayoutOf(t) == nullptr) return t;
      unpacked.fetch_add(1, std::memory_order_relaxed);
      return ToStrided(t);
    }
    std::vector<Value> args_;
    std::vector<Tensor> singles_;
    std::vector<std::unique_ptr<std::vector<Tensor>>> lists_;
  };
};

struct Layouts {
  std::mutex mutex;
  std::vector<std::shared_ptr<Registered>> all;
  LayerId layer = -1;  // from the first one on
};
Layouts& layouts() {
  static Layouts* l = new Layouts;
  return *l;
}

constexpr int kOrder = 1000;  // behind what watches calls

std::shared_ptr<Registered> Find(std::string_view name, LayerId* layer) {
  Layouts& l = layouts();
  std::lock_guard lock(l.mutex);
  *layer = l.layer;
  std::string names;
  for (const auto& r : l.all) {
    if (r->layout->name() == name) return r;
    names += (names.empty() ? "" : ", ") + r->layout->name();
  }
  Fail(ErrorCode::kNotFound, {"ToLayout: no layout named '", name, "'; there ",
                              names.empty() ? "is none" : "are: ", names});
}

}  // namespace

void RegisterLayout(OpaqueLayout* layout) {
  Layouts& l = layouts();
  std::lock_guard lock(l.mutex);
  for (const auto& r : l.all) {
    if (r->layout->name() == layout->name())
      Fail(ErrorCode::kRegistration, {"a layout named '", layout->name(), "' is there already"});
  }
  l.all.push_back(std::make_shared<Registered>(layout));
  if (l.layer < 0) {
    static Unpacker* unpacker = new Unpacker;
    try {
      l.layer = RegisterLayer("opaque layouts", kOrder, unpacker);
    } catch (...) {
      l.all.pop_back();
      throw;
    }
  }
}

void UnregisterLayout(OpaqueLayout* layout) {
  Layouts& l = layouts();
  std::lock_guard lock(l.mutex);
  const auto it = std::ranges::find_if(l.all, [&](const auto& r) { return r->layout == layout; });
  if (it == l.all.end())
    Fail(ErrorCode::kNotFound, {"no layout named '", layout->name(), "' is registered"});
  if (const int64_t n = (*it)->alive.load(std::memory_order_acquire); n != 0) {
    Fail(ErrorCode::kBusy,
         {"layout '", layout->name(), "': ", n, n == 1 ? " tensor is" : " tensors are", " alive"});
  }
  l.all.erase(it);
}

std::vector<const OpaqueLayout*> OpaqueLayouts() {
  Layouts& l = layouts();
  std::vector<const OpaqueLayout*> all;
  {
    std::lock_guard lock(l.mutex);
    for (const auto& r : l.all) all.push_back(r->layout);
  }
  std::ranges::sort(all, {}, &OpaqueLayout::name);
  return all;
}

Tensor ToLayout(const Tensor& t, std::string_view name) {
  if (!t.defined())
    Fail(ErrorCode::kInvalidArgument, "ToLayout: expected a tensor, got an undefined one");
  LayerId layer = -1;
  const std::shared_ptr<Registered> which = Find(name, &layer);
  const OpaqueLayout& layout = *which->layout;
  if (LayoutOf(t) == &layout) return t;
  if (t.device().type != layout.device()) {
    Fail(ErrorCode::kInvalidArgument,
         {"ToLayout: layout ", layout.name(), " is of device ", layout.device().name(),
          ", got a tensor on ", t.device().str()});
  }
  const Tensor strided = ToStrided(t);
  const Tensor dense = strided.is_contiguous() ? strided : call("contiguous", strided).take();
  const int64_t n = layout.Bytes(t.sizes(), t.dtype());
  const Tensor bytes = Tensor::Empty({n}, DType::kUInt8, t.device());
  layout.Pack(dense, bytes);
  std::vector<int64_t> strides(t.sizes().size(), 1);
  for (size_t d = strides.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(1, t.sizes()[d]);
  Tensor result(
      internal::NewWithoutBytes(WithDType(PlaceOfKey(t.key()), t.dtype()), t.sizes(), strides));
  Attach(result, std::make_unique<Packed>(which, bytes));
  AttachLayer(layer, result);
  return result;
}

Tensor ToStrided(const Tensor& t) {
  const Packed* packed = Attached<Packed>(t);
  return packed == nullptr ? t : Unpack(t, *packed);
}

const OpaqueLayout* LayoutOf(const Tensor& t) {
  const Packed* packed = Attached<Packed>(t);
  return packed == nullptr ? nullptr : packed->which->layout;
}

Tensor OpaqueBytes(const Tensor& t) {
  const Packed* packed = Attached<Packed>(t);
  if (packed == nullptr)
    Fail(ErrorCode::kInvalidArgument, "OpaqueBytes: expected a tensor of an opaque layout");
  return packed->bytes;
}

LayoutCounts CountLayouts() {
  return {served.load(std::memory_order_relaxed), unpacked.load(std::memory_order_relaxed)};
}

}  // namespace sy
