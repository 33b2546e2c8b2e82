// The list of bench/dispatch_cases.cc through libtorch's C++ API, with one thread inside an
// operator. SWITCHYARD_PEER_INFERENCE=1 selects InferenceMode.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "bench/case.h"

namespace bench {
namespace {

using at::Tensor;

const bool one_thread = [] {
  at::set_num_threads(1);
  return true;
}();

// Holds the mode for the thread that prepares and runs a case.
void EnterMode() {
  thread_local std::unique_ptr<c10::InferenceMode> mode;
  const char* inference = std::getenv("SWITCHYARD_PEER_INFERENCE");
  if (mode == nullptr && inference != nullptr && std::string_view(inference) == "1") {
    mode = std::make_unique<c10::InferenceMode>();
  }
}

Tensor Ones(at::IntArrayRef sizes) {
  EnterMode();
  return at::ones(sizes);
}
Tensor One() { return Ones({1}); }
Tensor OnMeta() {
  EnterMode();
  return at::empty({1}, at::device(at::kMeta));
}

void Nop(const Tensor&, const Tensor&) {}
TORCH_LIBRARY(bench, m) {
  m.def("nop(Tensor a, Tensor b) -> ()");
  m.def("lonely(Tensor a) -> ()");
}
TORCH_LIBRARY_IMPL(bench, CPU, m) { m.impl("nop", Nop); }

c10::OperatorHandle Find(const char* name, const char* overload) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

const Case typed{"typed", [] {
                   return
                       [a = One(), b = One(),
                        op = Find("bench::nop", "").typed<void(const Tensor&, const Tensor&)>()] {
                         op.call(a, b);
                       };
                 }};
const Case boxed{"boxed", [] {
                   return [a = One(), b = One(), op = Find("bench::nop", "")] {
                     torch::jit::Stack stack;
                     stack.reserve(2);
                     stack.emplace_back(a);
                     stack.emplace_back(b);
                     op.callBoxed(stack);
                   };
                 }};
const Case by_string{"by_string", [] {
                       return [a = One(), b = One()] {
                         torch::jit::Stack stack;
                         stack.reserve(2);
                         stack.emplace_back(a);
                         stack.emplace_back(b);
                         Find("bench::nop", "").callBoxed(stack);
                       };
                     }};
const Case empty{"empty", [] {
                   EnterMode();
                   return [] { Keep(at::empty({1})); };
                 }};
const Case add{"add", [] { return [a = One(), b = One()] { Keep(at::add(a, b)); }; }};
const Case add_in_place{"add_",
                        [] { return [a = One(), b = One()]() mutable { Keep(a.add_(b)); }; }};
const Case add_out{
    "add.out",
    [] { return [c = One(), a = One(), b = One()]() mutable { Keep(at::add_out(c, a, b)); }; }};
const Case add_8{"add/8", [] { return [a = Ones({8}), b = Ones({8})] { Keep(at::add(a, b)); }; }};
const Case add_8_in_place{
    "add_/8", [] { return [a = Ones({8}), b = Ones({8})]() mutable { Keep(a.add_(b)); }; }};
const Case add_8_out{"add.out/8", [] {
                       return [c = Ones({8}), a = Ones({8}), b = Ones({8})]() mutable {
                         Keep(at::add_out(c, a, b));
                       };
                     }};
const Case add_number{"add number", [] { return [a = One()] { Keep(at::add(a, 1)); }; }};
const Case mul_number{"mul number", [] { return [a = Ones({8})] { Keep(at::mul(a, 2)); }; }};
const Case sub_number{"sub number", [] { return [a = Ones({8})] { Keep(at::sub(a, 1.5)); }; }};
const Case gt_number{"gt number", [] { return [a = Ones({8})] { Keep(at::gt(a, 0)); }; }};
const Case mul_bool{"mul by bool", [] {
                      return [a = Ones({8}), b = at::gt(Ones({8}), 0)] { Keep(at::mul(a, b)); };
                    }};
const Case where{"where", [] {
                   return [a = Ones({8}), b = at::gt(Ones({8}), 0)] { Keep(at::where(b, a, a)); };
                 }};
const Case neg{"neg", [] { return [a = Ones({8})] { Keep(at::neg(a)); }; }};
const Case add_by_string{"add by string", [] {
                           return [a = One(), b = One()] {
                             torch::jit::Stack stack;
                             stack.reserve(3);
                             stack.emplace_back(a);
                             stack.emplace_back(b);
                             stack.emplace_back(1);
                             Find("aten::add", "Tensor").callBoxed(stack);
                             Keep(stack);
                           };
                         }};
// An operator found by name, called boxed.
template <class... A>
void CallFound(const char* name, const char* overload, A&&... a) {
  torch::jit::Stack stack;
  stack.reserve(sizeof...(A));
  (stack.emplace_back(std::forward<A>(a)), ...);
  Find(name, overload).callBoxed(stack);
  Keep(stack);
}
const Case add_by_keyword{
    "add by string, keyword",
    [] { return [a = One(), b = One()] { CallFound("aten::add", "Tensor", a, b, 2); }; }};
const Case add_by_full_name{
    "add by full name",
    [] { return [a = One(), b = One()] { CallFound("aten::add", "Tensor", a, b, 1); }; }};
const Case add_scalar_by_string{"add.Scalar by string", [] {
                                  return [a = One()] { CallFound("aten::add", "Scalar", a, 2, 1); };
                                }};
const Case sum_by_string{"sum by string, dim", [] {
                           return [a = One()] {
                             CallFound("aten::sum", "dim_IntList", a, std::vector<int64_t>{0},
                                       false, c10::IValue());
                           };
                         }};
const Case zeros_by_string{"zeros by string, sizes", [] {
                             return [] {
                               CallFound("aten::zeros", "", std::vector<int64_t>{2, 3},
                                         c10::IValue(), c10::IValue(), c10::IValue(),
                                         c10::IValue());
                             };
                           }};
const Case add_meta{"add on meta",
                    [] { return [a = OnMeta(), b = OnMeta()] { Keep(at::add(a, b)); }; }};
const Case view{"view", [] { return [a = Ones({4, 6})] { Keep(a.view({24})); }; }};
const Case transpose{"transpose", [] {
                       return [a = Ones({4, 6})] { Keep(at::transpose(a, 0, 1)); };
                     }};
const Case select{"select", [] { return [a = Ones({4, 6})] { Keep(at::select(a, 0, 1)); }; }};
const Case index_copy{"index_copy_", [] {
                        EnterMode();
                        return [x = Ones({5, 3}), index = at::tensor({0, 4, 2}, at::kLong),
                                t = Ones({3, 3})]() mutable { Keep(x.index_copy_(0, index, t)); };
                      }};
const Case sum{"sum", [] { return [a = One()] { Keep(at::sum(a)); }; }};
const Case matmul{"matmul/16", [] {
                    return [a = Ones({16, 16}), b = Ones({16, 16})] { Keep(at::matmul(a, b)); };
                  }};
const Case missing{"missing kernel", [] {
                     return
                         [a = One(), op = Find("bench::lonely", "").typed<void(const Tensor&)>()] {
                           try {
                             op.call(a);
                           } catch (const c10::Error& e) {
                             Keep(e);
                           }
                         };
                   }};

}  // namespace
}  // namespace bench
