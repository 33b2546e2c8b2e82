#include "plugin/frame.h"

#include "plugin/kernel.h"

namespace sy::plugin {

// A buffer is the first thing in a block, whose address views carry. Of a struct that is not of
// standard layout g++ and clang say it too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(Device::Block, buffer) == 0);
#pragma GCC diagnostic pop

struct Views::More {
  std::vector<SyValue> values;
  std::vector<SyTensor> tensors;
  std::deque<std::vector<SyTensor>> listed;
  std::deque<std::vector<const SyTensor*>> pointers;
  std::deque<std::vector<SyValue>> scalars;
};

Views::More& Views::more() {
  if (more_ == nullptr) more_.reset(new More);
  return *more_;
}

void Views::DeleteMore::operator()(More* more) const { delete more; }

void Views::MakeRoom() {
  more().values.resize(size_);
  more().tensors.resize(size_);
  values_ = more().values.data();
  tensors_ = more().tensors.data();
}

void Views::FillList(SyValue& out, const Value& v, const Allocator* own) {
  out.length = v.len;
  if (v.tag == Tag::kTensorList) {
    auto& views = more().listed.emplace_back(v.len);
    auto& pointers = more().pointers.emplace_back(v.len);
    const std::span<const Tensor> list = v.list<Tensor>();
    for (size_t i = 0; i < list.size(); ++i) {
      if (!list[i].defined()) continue;
      ShowTensor(views[i], list[i], own);
      pointers[i] = &views[i];
    }
    out.tag = SY_V_TENSORS;
    out.u.list = pointers.data();
    return;
  }
  auto& scalars = more().scalars.emplace_back(v.len);
  const std::span<const Scalar> list = v.list<Scalar>();
  for (size_t i = 0; i < list.size(); ++i) {
    scalars[i] = sy::internal::ShowValue(Value(list[i]));
  }
  out.tag = SY_V_SCALARS;
  out.u.list = scalars.data();
}

namespace {

// Of a value that crosses as it is.
Value FromAbi(const SyValue& v) { return std::bit_cast<Value>(v); }

Tensor FromView(const SyTensor* t) { return t == nullptr ? Tensor() : Shared(t->ref); }

}  // namespace

ReceivedValues::ReceivedValues(const SyValue* in, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    const SyValue& v = in[i];
    if (v.tag >= static_cast<uint32_t>(kNumTags))
      Fail(ErrorCode::kInvalidArgument, {"argument ", i, " has tag ", v.tag, ", which is unknown"});
    if (v.tag == SY_V_TENSOR) {
      Value boxed;
      boxed.tag = v.u.tensor == nullptr ? Tag::kNone : Tag::kTensor;
      if (v.u.tensor != nullptr) boxed.t = ImplOf(v.u.tensor->ref);
      values.push_back(boxed);
    } else if (v.tag == SY_V_TENSORS) {
      auto& list = tensor_lists.emplace_back();
      for (uint32_t k = 0; k < v.length; ++k)
        list.push_back(FromView(static_cast<const SyTensor* const*>(v.u.list)[k]));
      values.push_back(Value(list));
    } else if (v.tag == SY_V_SCALARS) {
      auto& list = scalar_lists.emplace_back();
      for (uint32_t k = 0; k < v.length; ++k) {
        list.push_back(FromAbi(static_cast<const SyValue*>(v.u.list)[k]).scalar());
      }
      values.push_back(Value(std::span<const Scalar>(list)));
    } else {
      values.push_back(FromAbi(v));
    }
  }
}

void Views::HideData() {
  for (uint32_t i = 0; i < size_; ++i) {
    if (values_[i].tag == SY_V_TENSOR) tensors_[i].data = nullptr;
  }
  if (more_ == nullptr) return;
  for (auto& list : more_->listed) {
    for (SyTensor& v : list) v.data = nullptr;
  }
}

void Frame::Release() {
  for (const SyBuffer& b : asked->device_memory) record().own->FreeRaw(*state, b, stream);
  delete asked;
}

}  // namespace sy::plugin
