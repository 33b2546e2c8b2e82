// Each function of the typed API, each of its tensors undefined in turn: where it is required, the
// error names operator and argument, and nothing is done.

#include <absl/functional/function_ref.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

// Something of each parameter's type, undefined if it is a tensor and asked to be.
template <class T>
struct Some {
  explicit Some(bool /*undefined*/) {}
  std::remove_cvref_t<T> value{};
};
template <>
struct Some<const Tensor&> {
  explicit Some(bool undefined) : value(undefined ? Tensor() : ones({2, 2})) {}
  Tensor value;
};
template <>
struct Some<TensorList> {
  explicit Some(bool undefined) : value{ones({2, 2}), undefined ? Tensor() : ones({2, 2})} {}
  std::vector<Tensor> value;
};
template <>
struct Some<const Scalar&> {
  explicit Some(bool /*undefined*/) {}
  Scalar value = 1;
};
template <>
struct Some<DType> {
  explicit Some(bool /*undefined*/) {}
  DType value = DType::kFloat32;
};
template <>
struct Some<Device> {
  explicit Some(bool /*undefined*/) {}
  Device value = {kHost};
};

int64_t refused = 0, optional = 0;

// Makes the call once for each tensor that it requires, with this one undefined.
void Each(const OperatorEntry& op, absl::FunctionRef<void(size_t undefined)> call) {
  const auto& arguments = op.schema().arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (!argument.type.is_tensor() && !argument.type.is_tensor_list()) continue;
    if (argument.type.optional || argument.type.element_optional) {
      ++optional;
      continue;
    }
    const std::string error = ErrorOf([&] { call(i); });
    EXPECT_THAT(error, HasSubstr("invalid argument: " + std::string(op.name()) + "(): argument '" +
                                 argument.name + "' must be " + argument.type.str()));
    EXPECT_THAT(error, HasSubstr("undefined"));
    ++refused;
  }
}

template <class Signature>
struct Try;
template <class R, class... A>
struct Try<R(A...)> {
  static void Each(const char* name) { EachOf(name, std::index_sequence_for<A...>()); }

  template <size_t... I>
  static void EachOf(const char* name, std::index_sequence<I...>) {
    const Handle<R(A...)> handle(name);
    sy::Each(handle.entry(), [&](size_t undefined) {
      static_cast<void>(handle.CallVariant(Some<A>(I == undefined).value...));
    });
  }
};

TEST(UndefinedTest, EveryRequiredTensorOfEveryFunctionIsAskedFor) {
#define SY_HANDLE(name, ...) Try<__VA_ARGS__>::Each(name);
#include "ops/api/handles.inc"
#undef SY_HANDLE
  EXPECT_GT(refused, 2500);
  EXPECT_GT(optional, 100);
  const Tensor undefined;
  EXPECT_EQ(undefined.dim(), 0);
  EXPECT_EQ(undefined.numel(), 0);
  EXPECT_FALSE(undefined.defined());
}

TEST(UndefinedTest, OptionalTensorsMayBeUndefined) {
  const Tensor x = ones({2, 3}), w = ones({4, 3});
  EXPECT_EQ(linear(x, w, Tensor()).sizes()[1], 4);
}

TEST(UndefinedTest, CallsByStringSayTheSame) {
  EXPECT_THAT(MessageOf([] {
                call("cat", std::vector<Tensor>{ones({2}), Tensor()});
              }),
              HasSubstr("cat(): argument 'tensors' must be Tensor[], tensor 1 is"));
}

}  // namespace
}  // namespace sy
