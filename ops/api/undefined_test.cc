// Each function of the typed API, each of its tensors undefined in turn: where it is required, the
// error names operator and argument, and nothing is done.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

// Something of each parameter's type.
template <class T>
struct Some {
  std::remove_cvref_t<T> value{};
};
template <>
struct Some<const Tensor&> {
  Tensor value = ones({2, 2});
};
template <>
struct Some<const Scalar&> {
  Scalar value = 1;
};
template <>
struct Some<TensorList> {
  std::vector<Tensor> value = {ones({2, 2}), ones({2, 2})};
};
template <>
struct Some<DType> {
  DType value = DType::kFloat32;
};
template <>
struct Some<Device> {
  Device value = {kHost};
};

int64_t refused = 0, optional = 0;

// What the call says with these arguments; "" if it says nothing.
template <class R, class... A, class... S>
std::string ErrorOf(const Handle<R(A...)>& handle, const S&... some) {
  try {
    static_cast<void>(handle.CallForm(some.value...));
    return "";
  } catch (const Error& e) {
    return std::string(Name(e.code())) + ": " + e.message();
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
    (One<I, std::tuple_element_t<I, std::tuple<A...>>>(handle, std::index_sequence<I...>()), ...);
  }

  template <size_t kUndefined, class T, size_t... I>
  static void One(const Handle<R(A...)>& handle, std::index_sequence<I...>) {
    if constexpr (std::is_same_v<T, const Tensor&> || std::is_same_v<T, TensorList>) {
      const OperatorEntry& op = handle.entry();
      const Argument& argument = op.schema().arguments[kUndefined];
      if (argument.type.optional || argument.type.element_optional) {
        ++optional;
        return;
      }
      std::tuple<Some<A>...> some;
      if constexpr (std::is_same_v<T, TensorList>) {
        std::get<kUndefined>(some).value[1] = Tensor();
      } else {
        std::get<kUndefined>(some).value = Tensor();
      }
      const std::string error = ErrorOf(handle, std::get<I>(some)...);
      EXPECT_THAT(error,
                  HasSubstr("invalid argument: " + std::string(op.name()) + "(): argument '" +
                            argument.name + "' must be " + argument.type.str()));
      EXPECT_THAT(error, HasSubstr("undefined"));
      ++refused;
    }
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
  try {
    call("cat", std::vector<Tensor>{ones({2}), Tensor()});
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_THAT(e.message(), HasSubstr("cat(): argument 'tensors' must be Tensor[], tensor 1 is"));
  }
}

}  // namespace
}  // namespace sy
