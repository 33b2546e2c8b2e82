#include "switchyard/transforms/func.h"

#include <algorithm>
#include <memory>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/forward.h"
#include "switchyard/transforms/vmap.h"

namespace sy::func {
namespace {

using autograd::FreshInput;
using autograd::LeadsFurther;
using autograd::OuterMode;
using autograd::OuterRecords;
using autograd::WithoutHistory;
using internal::Argnums;

bool IsDifferentiable(const Tensor& t) {
  return t.defined() && (IsFloating(t.dtype()) || IsComplex(t.dtype()));
}

// Recording, in a function that is differentiated. What is outside keeps the caller's mode.
class Recording {
 public:
  Recording() : was_on_(is_grad_enabled()), mode_(OuterRecords(), OuterMode::kProgram) {}
  // Whether the caller records.
  bool was_on() const { return was_on_; }

 private:
  bool was_on_;
  OuterMode mode_;
  EnableGrad on_;
};

// A call of f whose arguments are inputs of their own.
struct Recorded {
  std::vector<Tensor> inputs;   // differentiated ones
  std::vector<size_t> at;       // their positions
  std::vector<Tensor> results;  // with their history
  bool further = false;  // whether that leads to more than the inputs, and the caller records

  // What the caller sees of a tensor.
  Tensor Shown(const Tensor& t) const {
    return further && t.defined() && LeadsFurther({&t, 1}, inputs) ? t : WithoutHistory(t);
  }
  std::vector<Tensor> Shown() const {
    std::vector<Tensor> all;
    all.reserve(results.size());
    for (const Tensor& t : results) all.push_back(Shown(t));
    return all;
  }
};

Recorded Record(const TensorFunction& f, TensorList x, std::vector<size_t> at,
                bool caller_records) {
  Recorded r;
  std::vector<Tensor> args(x.begin(), x.end());
  for (const size_t i : at) {
    args[i] = FreshInput(caller_records ? args[i] : WithoutHistory(args[i]));
    r.inputs.push_back(args[i]);
  }
  r.at = std::move(at);
  r.results = f(args);
  r.further = caller_records && LeadsFurther(r.results, r.inputs);
  return r;
}

// Positions, in order. Errors: kInvalidArgument for arguments that cannot be differentiated.
std::vector<size_t> Positions(std::string_view what, const Argnums& argnums, TensorList x) {
  std::vector<size_t> at;
  at.reserve(argnums.size());
  const auto n = static_cast<int64_t>(x.size());
  for (const int64_t a : argnums) {
    if (a < -n || a >= n) {
      Fail(ErrorCode::kInvalidArgument,
           {what, "(): there is no argument ", a, ", the function was called with ", n});
    }
    const auto i = static_cast<size_t>(a < 0 ? a + n : a);
    if (!IsDifferentiable(x[i])) {
      Fail(ErrorCode::kInvalidArgument, {what, "(): argument ", int64_t(i),
                                         " must be floating or complex, got ", Describe(x[i])});
    }
    if (std::find(at.begin(), at.end(), i) != at.end()) {
      Fail(ErrorCode::kInvalidArgument, {what, "(): argument ", int64_t(i), " is named twice"});
    }
    at.push_back(i);
  }
  return at;
}

bool AnyNeedsGrad(TensorList t) {
  return std::any_of(t.begin(), t.end(), [](const Tensor& x) { return requires_grad(x); });
}

// The gradients of outputs that have a history; zeros where there is none.
std::vector<Tensor> Gradients(TensorList outputs, TensorList inputs, TensorList cotangents,
                              bool create) {
  std::vector<Tensor> of, with;
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (!requires_grad(outputs[k]) || (!cotangents.empty() && !cotangents[k].defined())) continue;
    of.push_back(outputs[k]);
    if (!cotangents.empty()) with.push_back(cotangents[k]);
  }
  std::vector<Tensor> all(inputs.size());
  if (!of.empty()) {
    all = sy::grad(of, inputs, with,
                   {.retain_graph = true, .create_graph = create, .allow_unused = true});
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].defined()) all[i] = zeros_like(WithoutHistory(inputs[i]));
  }
  return all;
}

// Errors: kInvalidArgument where they are not as many, or of other sizes.
void RequireLike(std::string_view what, std::string_view which, TensorList given,
                 TensorList expected) {
  if (given.size() != expected.size()) {
    Fail(ErrorCode::kInvalidArgument, {what, "(): expected ", int64_t(expected.size()), " ", which,
                                       "s, got ", int64_t(given.size())});
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i].defined() || SameSizes(given[i].sizes(), expected[i].sizes())) continue;
    Fail(ErrorCode::kInvalidArgument,
         {what, "(): ", which, " ", int64_t(i), " is ", Describe(given[i]),
          ", expected the sizes of ", Describe(expected[i])});
  }
}

std::vector<size_t> Differentiable(TensorList x) {
  std::vector<size_t> at;
  for (size_t i = 0; i < x.size(); ++i) {
    if (IsDifferentiable(x[i])) at.push_back(i);
  }
  return at;
}

std::vector<Tensor> Pull(const Recorded& r, size_t arguments, TensorList cotangents) {
  RequireLike("vjp", "cotangent", cotangents, r.results);
  const bool create = is_grad_enabled() && (r.further || AnyNeedsGrad(cotangents));
  const std::vector<Tensor> grads = Gradients(r.results, r.inputs, cotangents, create);
  std::vector<Tensor> all(arguments);
  for (size_t i = 0; i < grads.size(); ++i) {
    const bool keep = create && LeadsFurther({&grads[i], 1}, r.inputs);
    all[r.at[i]] = keep ? grads[i] : WithoutHistory(grads[i]);
  }
  return all;
}

// A call of f, and the gradients of it for cotangents that are inputs too: linear in them.
struct Twice {
  Recorded r;
  std::vector<Tensor> cotangents, grads;
  std::vector<size_t> of;  // the results that have cotangents
  bool further = false;
};

std::shared_ptr<Twice> RecordTwice(const TensorFunction& f, TensorList x) {
  const Recording on;
  auto t = std::make_shared<Twice>();
  t->r = Record(f, x, Differentiable(x), on.was_on());
  std::vector<Tensor> results;
  for (size_t k = 0; k < t->r.results.size(); ++k) {
    const Tensor& y = t->r.results[k];
    if (!requires_grad(y)) continue;
    t->of.push_back(k);
    t->cotangents.push_back(FreshInput(zeros_like(WithoutHistory(y))));
    results.push_back(y);
  }
  if (results.empty()) return t;
  t->grads =
      sy::grad(results, t->r.inputs, t->cotangents, {.create_graph = true, .allow_unused = true});
  std::vector<Tensor> ours = t->r.inputs;
  ours.insert(ours.end(), t->cotangents.begin(), t->cotangents.end());
  t->further = on.was_on() && LeadsFurther(t->grads, ours);
  return t;
}

std::vector<Tensor> Push(const Twice& t, size_t arguments, TensorList tangents) {
  if (tangents.size() != arguments) {
    Fail(ErrorCode::kInvalidArgument,
         {"jvp(): expected ", int64_t(arguments), " tangents, got ", int64_t(tangents.size())});
  }
  std::vector<Tensor> directions;
  directions.reserve(t.r.at.size());
  for (const size_t i : t.r.at) directions.push_back(tangents[i]);
  RequireLike("jvp", "tangent", directions, t.r.inputs);
  const bool create = is_grad_enabled() && (t.further || AnyNeedsGrad(directions));
  std::vector<Tensor> ours = t.r.inputs;
  ours.insert(ours.end(), t.cotangents.begin(), t.cotangents.end());
  std::vector<Tensor> pushed(t.cotangents.size());
  if (!t.cotangents.empty()) pushed = Gradients(t.grads, t.cotangents, directions, create);
  std::vector<Tensor> all;
  all.reserve(t.r.results.size());
  for (const Tensor& y : t.r.results) all.push_back(zeros_like(WithoutHistory(y)));
  for (size_t k = 0; k < pushed.size(); ++k) {
    const bool keep = create && LeadsFurther({&pushed[k], 1}, ours);
    all[t.of[k]] = keep ? pushed[k] : WithoutHistory(pushed[k]);
  }
  return all;
}

// The unit vectors of a tensor's elements: [numel, sizes].
Tensor Basis(const Tensor& like) {
  std::vector<int64_t> sizes = {like.numel()};
  sizes.insert(sizes.end(), like.sizes().begin(), like.sizes().end());
  return reshape(eye(like.numel(), {.dtype = like.dtype(), .device = like.device()}), sizes);
}

std::vector<int64_t> Joined(IntSpan a, IntSpan b) {
  std::vector<int64_t> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

}  // namespace

std::vector<Tensor> internal::RunGrad(const TensorFunction& f, TensorList x,
                                      const Argnums& argnums) {
  const Recording on;
  const Recorded r = Record(f, x, Positions("grad", argnums, x), on.was_on());
  if (r.results.empty()) {
    Fail(ErrorCode::kInvalidArgument, {"grad(): the function gave nothing"});
  }
  const Tensor& loss = r.results[0];
  if (!IsDifferentiable(loss) || loss.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument,
         {"grad(): expected the function to give a floating or complex tensor of no dimensions, "
          "got ",
          loss.defined() ? Describe(loss) : "an undefined one"});
  }
  const bool create = on.was_on() && LeadsFurther({&loss, 1}, r.inputs);
  std::vector<Tensor> all = Gradients({&loss, 1}, r.inputs, {}, create);
  for (Tensor& g : all) {
    if (!create || !LeadsFurther({&g, 1}, r.inputs)) g = WithoutHistory(g);
  }
  for (Tensor& t : r.Shown()) all.push_back(std::move(t));
  return all;
}

Vjp vjp(const TensorFunction& f, TensorList primals) {
  const Recording on;
  auto r = std::make_shared<Recorded>(Record(f, primals, Differentiable(primals), on.was_on()));
  return {r->Shown(), Transformed<std::vector<Tensor>>(
                          [r, n = primals.size()](TensorList v) { return Pull(*r, n, v); })};
}

Linearized linearize(const TensorFunction& f, TensorList primals) {
  auto t = RecordTwice(f, primals);
  return {t->r.Shown(), Transformed<std::vector<Tensor>>(
                            [t, n = primals.size()](TensorList v) { return Push(*t, n, v); })};
}

Jvp jvp(const TensorFunction& f, TensorList primals, TensorList tangents) {
  if (tangents.size() != primals.size()) {
    Fail(ErrorCode::kInvalidArgument, {"jvp(): expected ", int64_t(primals.size()),
                                       " tangents, got ", int64_t(tangents.size())});
  }
  std::vector<Tensor> x(primals.begin(), primals.end()), along(tangents.size());
  for (const size_t i : Differentiable(primals)) along[i] = tangents[i];
  RequireLike("jvp", "tangent", along, primals);
  const Recording on;
  const DualLevel level;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!along[i].defined()) continue;
    x[i] =
        make_dual(x[i], along[i].dtype() == x[i].dtype() ? along[i] : to(along[i], x[i].dtype()));
  }
  Jvp all;
  for (const Tensor& y : f(x)) {
    DualTensor d = unpack_dual(y);
    if (!d.tangent.defined()) {
      d.tangent = d.primal.defined() ? zeros_like(WithoutHistory(d.primal)) : Tensor();
    }
    all.outputs.push_back(std::move(d.primal));
    all.tangents.push_back(std::move(d.tangent));
  }
  return all;
}

std::vector<Tensor> internal::RunJacrev(const TensorFunction& f, TensorList x,
                                        const Argnums& argnums, std::optional<int64_t> chunk_size) {
  const std::vector<size_t> at = Positions("jacrev", argnums, x);
  const Vjp v = vjp(f, x);
  std::vector<Tensor> all;
  for (size_t k = 0; k < v.outputs.size(); ++k) {
    const Tensor& y = v.outputs[k];
    if (!IsDifferentiable(y)) {
      Fail(ErrorCode::kInvalidArgument,
           {"jacrev(): result ", int64_t(k), " must be floating or complex, got ", Describe(y)});
    }
    const TensorFunction row = [&](TensorList unit) {
      std::vector<Tensor> cotangents(v.outputs.size());
      cotangents[k] = unit[0];
      const std::vector<Tensor> grads = v.pull(cotangents);
      std::vector<Tensor> wanted;
      wanted.reserve(at.size());
      for (const size_t i : at) wanted.push_back(grads[i]);
      return wanted;
    };
    const Tensor basis = Basis(y);
    const std::vector<Tensor> rows =
        RunVmap(row, {&basis, 1}, {0}, {0}, {.chunk_size = chunk_size});
    for (size_t i = 0; i < at.size(); ++i) {
      all.push_back(reshape(rows[i], Joined(y.sizes(), x[at[i]].sizes())));
    }
  }
  return all;
}

std::vector<Tensor> internal::RunJacfwd(const TensorFunction& f, TensorList x,
                                        const Argnums& argnums, std::optional<int64_t> chunk_size) {
  const std::vector<size_t> at = Positions("jacfwd", argnums, x);
  const Linearized l = linearize(f, x);
  std::vector<std::vector<Tensor>> columns;  // by argument, of each result
  for (const size_t i : at) {
    const TensorFunction column = [&](TensorList unit) {
      std::vector<Tensor> tangents(x.size());
      tangents[i] = unit[0];
      return l.push(tangents);
    };
    const Tensor basis = Basis(x[i]);
    columns.push_back(RunVmap(column, {&basis, 1}, {0}, {-1}, {.chunk_size = chunk_size}));
  }
  std::vector<Tensor> all;
  for (size_t k = 0; k < l.outputs.size(); ++k) {
    for (size_t i = 0; i < at.size(); ++i) {
      all.push_back(reshape(columns[i][k], Joined(l.outputs[k].sizes(), x[at[i]].sizes())));
    }
  }
  return all;
}

Substituted::Substituted(std::span<Tensor* const> parameters, TensorList values)
    : parameters_(parameters.begin(), parameters.end()), own_(values.begin(), values.end()) {
  if (parameters.size() != values.size()) {
    Fail(ErrorCode::kInvalidArgument, {"functional_call(): there are ", int64_t(parameters.size()),
                                       " parameters, and ", int64_t(values.size()), " values"});
  }
  for (size_t i = 0; i < own_.size(); ++i) parameters_[i]->swap(own_[i]);
}
Substituted::~Substituted() {
  for (size_t i = 0; i < own_.size(); ++i) parameters_[i]->swap(own_[i]);
}

}  // namespace sy::func
