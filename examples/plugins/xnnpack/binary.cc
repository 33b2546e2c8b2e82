// Element by element, of two inputs that broadcast. The output's dimensions are taken in the order
// in which they lie in memory; XNNPACK broadcasts inputs that lie in the same order. Numbers are
// tensors of the host without dimensions.

#include "finite.h"
#include "kernels.h"
#include "layout.h"

namespace xnnpack {
namespace {

// An input: its sizes in the output's order, 1 where it is broadcast, and how much memory that is.
struct Operand {
  const float* data = nullptr;
  float number = 0;  // what data points to for numbers of the host
  size_t sizes[XNN_MAX_TENSOR_DIMS];
  int64_t numel = 1;
};

struct Operands {
  size_t rank;
  Operand a, b;
};

// order: the output's dimensions, that of the longest stride first.
void Take(Operand& o, Tensor t, Tensor out, const std::vector<int64_t>& order) {
  if (t.dim() == 0) {
    o.number = Load<float>(t, 0);
    o.data = &o.number;
  } else {
    if (t.dtype() != kFloat32) throw Declined("only float32");
    o.data = t.data<float>();
  }
  const int64_t missing = out.dim() - t.dim();
  for (size_t k = order.size(); k-- > 0;) {
    const int64_t d = order[k] - missing;
    const bool broadcast = d < 0 || t.size(d) == 1 || t.stride(d) == 0;
    o.sizes[k] = broadcast ? 1 : static_cast<size_t>(t.size(d));
    if (broadcast) continue;
    if (t.stride(d) != o.numel) throw Declined("only memory without gaps, in the output's order");
    o.numel *= t.size(d);
  }
}

void Prepare(Operands& made, Tensor out, Tensor a, Tensor b) {
  if (out.dtype() != kFloat32) throw Declined("only float32");
  if (!IsDense(out)) throw Declined("only outputs without gaps");
  std::vector<int64_t> order;
  for (int64_t d = 0; d < out.dim(); ++d)
    if (out.size(d) != 1) order.push_back(d);
  if (order.size() > XNN_MAX_TENSOR_DIMS) throw Declined("XNNPACK broadcasts 6 dimensions at most");
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t x, int64_t y) { return out.stride(x) > out.stride(y); });
  made.rank = order.size();
  Take(made.a, a, out, order);
  Take(made.b, b, out, order);
  // XNNPACK's output is as large as its inputs.
  for (size_t k = 0; k < order.size(); ++k) {
    if (made.a.sizes[k] == 1 && made.b.sizes[k] == 1)
      throw Declined("both inputs are broadcast along a dimension");
  }
}

// create(xnn_operator_t*), setup as XNNPACK has it.
template <class Create, class Setup>
void Compute(Call call, Tensor out, const Operands& in, Create create, Setup setup) {
  Operator op;
  Created(create(op.out()));
  op.Run(Pool(call, out.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return setup(o, in.rank, in.a.sizes, in.rank, in.b.sizes, in.a.data, in.b.data,
                 out.data<float>(), pool);
  });
}

constexpr auto Unbounded(auto create) {
  return [create](xnn_operator_t* op) { return create(-kInfinity, kInfinity, 0, op); };
}

// b times a number, which XNNPACK's sums have no place for.
void Scale(Call call, Operand& b, float by) {
  if (b.data == &b.number) {
    b.number *= by;
    return;
  }
  float* scaled = Scratch<float>(call, b.numel);
  const size_t n[] = {static_cast<size_t>(b.numel)}, one[] = {1};
  Operator op;
  Created(xnn_create_multiply_nd_f32(-kInfinity, kInfinity, 0, op.out()));
  op.Run(Pool(call, b.numel), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_multiply_nd_f32(o, 1, n, 1, one, b.data, &by, scaled, pool);
  });
  b.data = scaled;
}

template <auto kCreate, auto kSetup>
void Sum(Call call, Tensor out, Tensor a, Tensor b, Scalar alpha) {
  if (out.numel() == 0) return;
  Operands in;
  Prepare(in, out, a, b);
  const auto by = alpha.To<float>();
  RequireFinite(&by, 1);
  RequireFinite(in.a.data, in.a.numel);
  RequireFinite(in.b.data, in.b.numel);
  if (by != 1) Scale(call, in.b, by);
  Compute(call, out, in, Unbounded(kCreate), kSetup);
}

void Multiply(Call call, Tensor out, Tensor a, Tensor b) {
  if (out.numel() == 0) return;
  Operands in;
  Prepare(in, out, a, b);
  RequireFinite(in.a.data, in.a.numel);
  RequireFinite(in.b.data, in.b.numel);
  Compute(call, out, in, Unbounded(xnn_create_multiply_nd_f32), xnn_setup_multiply_nd_f32);
}

void Divide(Call call, Tensor out, Tensor a, Tensor b) {
  if (out.numel() == 0) return;
  Operands in;
  Prepare(in, out, a, b);
  RequireFinite(in.a.data, in.a.numel);
  RequireFinite(in.b.data, in.b.numel);
  if (std::find(in.b.data, in.b.data + in.b.numel, 0.0f) != in.b.data + in.b.numel)
    throw Declined("XNNPACK gives no NaN, and a divisor is 0");
  Compute(call, out, in, Unbounded(xnn_create_divide_nd_f32), xnn_setup_divide_nd_f32);
}

template <auto kCreate, auto kSetup>
void Extreme(Call call, Tensor out, Tensor a, Tensor b) {
  if (out.numel() == 0) return;
  Operands in;
  Prepare(in, out, a, b);
  RequireNoNan(in.a.data, in.a.numel);
  RequireNoNan(in.b.data, in.b.numel);
  Compute(
      call, out, in, [](auto* op) { return kCreate(0, op); }, kSetup);
}

}  // namespace

void AddBinary(KernelList& all) {
  Add<Sum<xnn_create_add_nd_f32, xnn_setup_add_nd_f32>>(all, "add.Tensor");
  Add<Sum<xnn_create_subtract_nd_f32, xnn_setup_subtract_nd_f32>>(all, "sub.Tensor");
  Add<Multiply>(all, "mul.Tensor");
  Add<Divide>(all, "div.Tensor");
  Add<Extreme<xnn_create_maximum_nd_f32, xnn_setup_maximum_nd_f32>>(all, "maximum");
  Add<Extreme<xnn_create_minimum_nd_f32, xnn_setup_minimum_nd_f32>>(all, "minimum");
}

}  // namespace xnnpack
