// The functions of switchyard/c/runtime.h, for C programs.

#include "switchyard/c/runtime.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "plugin/frame.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/core/version.h"
#include "switchyard/dispatcher/call.h"

namespace sy::plugin {
namespace {

void Give(Tensor t, SyTensor* out) {
  ShowTensor(*out, t, nullptr);
  t.release();
}

void Release(const SyTensor* t) {
  if (t != nullptr && t->ref != nullptr) Tensor(ImplOf(t->ref));
}

void RequireBytes(const Tensor& t, uint64_t bytes) {
  if (bytes == t.nbytes()) return;
  Fail(ErrorCode::kInvalidArgument,
       {"expected the ", t.nbytes(), " bytes of ", Describe(t), ", got ", bytes});
}

// Results, as the values of the ABI that are made of them: nothing can fail any more once one is
// given.
class GivenResults {
 public:
  explicit GivenResults(Results& results) {
    for (int i = 0; i < results.size(); ++i) {
      const Value& v = results[i].value();
      if (v.tag == Tag::kScalarList)
        Fail(ErrorCode::kNotImplemented, "a list of numbers as a result");
      const bool list = v.tag == Tag::kTensorList;
      const size_t n = list ? v.len : v.tag == Tag::kTensor ? 1 : 0;
      auto& views = views_.emplace_back();
      for (size_t k = 0; k < n; ++k) views.push_back(std::make_unique<SyTensor>());
      pointers_.emplace_back(list ? new const SyTensor*[n] : nullptr);
    }
  }
  void GiveTo(SyValue* out, Results& results) {
    for (size_t i = 0; i < views_.size(); ++i) {
      Result& r = results[static_cast<int>(i)];
      if (pointers_[i] != nullptr) {
        GiveList(out[i], r, i);
      } else if (r.value().tag == Tag::kTensor) {
        Give(r.TakeTensor(), views_[i][0].get());
        out[i] = sy_tensor(views_[i][0].release());
      } else {  // crosses as it is, with what it owns
        std::memcpy(&out[i], static_cast<const void*>(&r.value()), sizeof(out[i]));
        static_cast<void>(new (kept_) Result(std::move(r)));
      }
    }
  }

 private:
  void GiveList(SyValue& out, Result& r, size_t i) {
    const std::vector<Tensor> tensors = r.TakeTensors();
    for (size_t k = 0; k < tensors.size(); ++k) {
      const bool defined = tensors[k].defined();
      if (defined) Give(tensors[k], views_[i][k].get());
      pointers_[i][k] = defined ? views_[i][k].release() : nullptr;
    }
    out = sy_tensors(pointers_[i].release(), static_cast<uint32_t>(tensors.size()));
  }

  std::vector<std::vector<std::unique_ptr<SyTensor>>> views_;
  std::vector<std::unique_ptr<const SyTensor*[]>> pointers_;
  alignas(Result) char kept_[sizeof(Result)];  // never destroyed: what it owns was given
};

void Free(const SyValue& v) {
  if (v.tag == SY_V_TENSOR) {
    Release(v.u.tensor);
    delete v.u.tensor;
  } else if (v.tag == SY_V_TENSORS) {
    const auto* list = static_cast<const SyTensor* const*>(v.u.list);
    for (uint32_t i = 0; i < v.length; ++i) {
      Release(list[i]);
      delete list[i];
    }
    delete[] list;
  } else {
    Result r;
    std::memcpy(static_cast<void*>(&r), &v, sizeof(v));
  }
}

}  // namespace
}  // namespace sy::plugin

using namespace sy;          // NOLINT(build/namespaces): functions of C have none
using namespace sy::plugin;  // NOLINT(build/namespaces)

const char* sy_version(void) noexcept { return kVersion.data(); }

int32_t sy_find_device(const char* text, SyDevice* out, SyError* error) noexcept {
  return Guarded(error, [&] {
    const sy::Device d = ParseDevice(text);
    *out = {d.type.row, d.index};
  });
}

int32_t sy_empty(uint32_t dtype, uint32_t ndim, const int64_t* sizes, SyDevice device,
                 SyTensor* owned, SyError* error) noexcept {
  return Guarded(error, [&] {
    if (dtype >= static_cast<uint32_t>(kNumDTypes))
      Fail(ErrorCode::kInvalidArgument, {"there is no dtype number ", dtype});
    Give(Tensor::Empty(IntSpan(sizes, ndim), static_cast<DType>(dtype),
                       {DeviceType{device.row}, device.index}),
         owned);
  });
}

void sy_retain(const SyTensor* t) noexcept { ImplOf(t->ref)->refs.Increment(); }

void sy_release(SyTensor* t) noexcept {
  Release(t);
  t->ref = nullptr;
}

int32_t sy_write(const SyTensor* t, const void* from, uint64_t bytes, SyError* error) noexcept {
  return Guarded(error, [&] {
    const Tensor to = Shared(t->ref);
    RequireBytes(to, bytes);
    const Tensor host = Tensor::Empty(to.sizes(), to.dtype());
    if (bytes != 0) std::memcpy(host.data(), from, bytes);
    call("copy_", to, host);
  });
}

int32_t sy_read(const SyTensor* t, void* to, uint64_t bytes, SyError* error) noexcept {
  return Guarded(error, [&] {
    const Tensor from = Shared(t->ref);
    RequireBytes(from, bytes);
    const Tensor host = call("contiguous", ToHost(from));
    if (bytes != 0) std::memcpy(to, host.data(), bytes);
  });
}

int32_t sy_print(const SyTensor* t, char* text, uint64_t capacity, SyError* error) noexcept {
  return Guarded(error, [&] {
    if (capacity == 0) return;
    const std::string s = ToString(Shared(t->ref));
    const size_t n = std::min<size_t>(s.size(), capacity - 1);
    std::memcpy(text, s.data(), n);
    text[n] = '\0';
  });
}

int32_t sy_call(const char* name, const SyValue* args, uint32_t n_args, const SyKeyword* keywords,
                uint32_t n_keywords, SyValue* results, uint32_t* n, SyError* error) noexcept {
  return Guarded(error, [&] {
    const ReceivedValues positional(args, n_args);
    std::vector<SyValue> named;
    for (uint32_t i = 0; i < n_keywords; ++i) named.push_back(keywords[i].value);
    const ReceivedValues named_values(named.data(), n_keywords);
    std::vector<Keyword> words;
    for (uint32_t i = 0; i < n_keywords; ++i)
      words.push_back({keywords[i].name, named_values.values[i]});
    Results made = CallByName(name, positional.values, words);
    const auto count = static_cast<uint32_t>(made.size());
    if (count > *n) {
      Fail(ErrorCode::kInvalidArgument,
           {name, "() has ", count, " results, there is room for ", *n});
    }
    GivenResults given(made);
    given.GiveTo(results, made);
    *n = count;
  });
}

void sy_free_results(SyValue* results, uint32_t n) noexcept {
  for (uint32_t i = 0; i < n; ++i) Free(results[i]);
}
