// What a call costs: by each path, of an empty kernel and of small real ones.

#include <algorithm>

#include "bench/case.h"
#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"
#include "switchyard/ops.h"

namespace bench {
namespace {

using sy::Tensor;

// An operator without a shape function, whose key comes from both tensors, and whose kernel does
// nothing.
const sy::Operator nop_op{"bench::nop(Tensor a, Tensor b) -> ()"};
void Nop(sy::Call, const Tensor&, const Tensor&) {}
const sy::Kernel nop_kernel{"bench::nop", "cpu", sy::kAnyDType, Nop};
constinit sy::Handle<void(const Tensor&, const Tensor&)> nop{"bench::nop"};

Tensor Ones(std::initializer_list<int64_t> sizes) {
  Tensor t = sy::empty(sizes);
  std::fill_n(static_cast<float*>(t.data()), t.numel(), 1.f);
  return t;
}
Tensor One() { return Ones({1}); }
sy::Device Meta() { return sy::ParseDevice("meta"); }

const Case typed{"typed", [] { return [a = One(), b = One()] { nop(a, b); }; }};
const Case boxed{"boxed", [] {
                   return [a = One(), b = One(), &op = nop.entry()] {
                     const sy::Value args[] = {a, b};
                     sy::CallBoxed(op, args, {});
                   };
                 }};
const Case by_string{"by_string",
                     [] { return [a = One(), b = One()] { Keep(sy::call("bench::nop", a, b)); }; }};
const Case empty{"empty", [] { return [] { Keep(sy::empty({1})); }; }};
const Case add{"add", [] { return [a = One(), b = One()] { Keep(sy::add(a, b)); }; }};
const Case add_in_place{"add_", [] { return [a = One(), b = One()] { Keep(sy::add_(a, b)); }; }};
const Case add_out{
    "add.out", [] { return [c = One(), a = One(), b = One()] { Keep(sy::add_out(c, a, b)); }; }};
const Case add_8{"add/8", [] { return [a = Ones({8}), b = Ones({8})] { Keep(sy::add(a, b)); }; }};
const Case add_8_in_place{"add_/8",
                          [] { return [a = Ones({8}), b = Ones({8})] { Keep(sy::add_(a, b)); }; }};
const Case add_8_out{
    "add.out/8",
    [] { return [c = Ones({8}), a = Ones({8}), b = Ones({8})] { Keep(sy::add_out(c, a, b)); }; }};
const Case add_number{"add number", [] { return [a = One()] { Keep(sy::add(a, 1)); }; }};
const Case mul_number{"mul number", [] { return [a = Ones({8})] { Keep(sy::mul(a, 2)); }; }};
const Case sub_number{"sub number", [] { return [a = Ones({8})] { Keep(sy::sub(a, 1.5)); }; }};
const Case gt_number{"gt number", [] { return [a = Ones({8})] { Keep(sy::gt(a, 0)); }; }};
const Case mul_bool{"mul by bool", [] {
                      return [a = Ones({8}), b = sy::gt(Ones({8}), 0)] { Keep(sy::mul(a, b)); };
                    }};
const Case where{"where", [] {
                   return [a = Ones({8}), b = sy::gt(Ones({8}), 0)] { Keep(sy::where(b, a, a)); };
                 }};
const Case neg{"neg", [] { return [a = Ones({8})] { Keep(sy::neg(a)); }; }};
const Case add_by_string{"add by string",
                         [] { return [a = One(), b = One()] { Keep(sy::call("add", a, b)); }; }};
// What the search for an overload does beyond types: a keyword, a full name, a number that is a
// tensor or a list, integers in a row.
const Case add_by_keyword{
    "add by string, keyword",
    [] { return [a = One(), b = One()] { Keep(sy::call("add", a, b, sy::kw("alpha", 2))); }; }};
const Case add_by_full_name{"add by full name", [] {
                              return [a = One(), b = One()] { Keep(sy::call("add.Tensor", a, b)); };
                            }};
const Case add_scalar_by_string{"add.Scalar by string",
                                [] { return [a = One()] { Keep(sy::call("add.Scalar", a, 2)); }; }};
const Case sum_by_string{"sum by string, dim",
                         [] { return [a = One()] { Keep(sy::call("sum", a, 0)); }; }};
const Case zeros_by_string{"zeros by string, sizes",
                           [] { return [] { Keep(sy::call("zeros", 2, 3)); }; }};
const Case add_meta{"add on meta", [] {
                      return [a = sy::empty({1}, std::nullopt, std::nullopt, Meta()),
                              b = sy::empty({1}, std::nullopt, std::nullopt, Meta())] {
                        Keep(sy::add(a, b));
                      };
                    }};
const Case view{"view", [] { return [a = Ones({4, 6})] { Keep(sy::view(a, {24})); }; }};
const Case transpose{"transpose", [] {
                       return [a = Ones({4, 6})] { Keep(sy::transpose(a, 0, 1)); };
                     }};
const Case select{"select", [] { return [a = Ones({4, 6})] { Keep(sy::select(a, 0, 1)); }; }};
const Case index_copy{"index_copy_", [] {
                        return [x = Ones({5, 3}), index = sy::tensor({0, 4, 2}), t = Ones({3, 3})] {
                          Keep(sy::index_copy_(x, 0, index, t));
                        };
                      }};
const Case sum{"sum", [] { return [a = One()] { Keep(sy::sum(a)); }; }};
const Case matmul{"matmul/16", [] {
                    return [a = Ones({16, 16}), b = Ones({16, 16})] { Keep(sy::matmul(a, b)); };
                  }};

// A known operator on a dtype that no kernel takes: resolved, explained, thrown and caught.
const sy::Operator lonely_op{"bench::lonely(Tensor a) -> ()"};
void Lonely(sy::Call, const Tensor&) {}
const sy::Kernel lonely_kernel{"bench::lonely", "cpu", sy::Bit(sy::DType::kBool), Lonely};
constinit sy::Handle<void(const Tensor&)> lonely{"bench::lonely"};
const Case missing{"missing kernel", [] {
                     return [a = One()] {
                       try {
                         lonely(a);
                       } catch (const sy::Error& e) {
                         Keep(e);
                       }
                     };
                   }};

}  // namespace
}  // namespace bench
