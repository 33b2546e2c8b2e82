// As graphs that cuDNN knows as attention, and computes without scores in memory: products, the
// scale, the causal mask, and the parts of a softmax. Backward computes scores again, and weights
// by the logarithms of the sums.

#include "backends/cuda/kernels/nn/dnn_attention.h"

#include <initializer_list>
#include <limits>
#include <utility>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/dnn_graph.h"
#include "backends/cuda/engine/pointwise.h"
#include "switchyard/core/deterministic.h"

namespace sy::cuda {
namespace {

using Sizes = DnnGraph::Sizes;

// Pointers of the graphs: of both, and behind them those of each.
enum Number : int64_t {
  kQuery = 1,
  kKey,
  kValue,
  kOut,
  kSums,
  kScale,
  kOfForward,
  kGrad = kOfForward,
  kOfQuery,
  kOfKey,
  kOfValue,
  kRowSums,   // of grad * out
  kGathered,  // grad_query as it is added up
  kOne,
  kOfBackward,
};

// Sizes and strides as a tensor has them.
struct Geometry {
  explicit Geometry(const Tensor& t)
      : sizes(t.sizes().begin(), t.sizes().end()),
        strides(t.strides().begin(), t.strides().end()) {}
  // With its last two dimensions exchanged.
  Geometry Turned() const {
    Geometry g = *this;
    std::swap(g.sizes[2], g.sizes[3]);
    std::swap(g.strides[2], g.strides[3]);
    return g;
  }
  Sizes sizes, strides;
};

struct Problem {
  Problem(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& result,
          bool is_causal)
      : type(DnnTypeOf(query.dtype())),
        q(query),
        k(key),
        v(value),
        out(result),
        causal(is_causal) {}
  DnnKey Key(DnnKind kind, std::initializer_list<const Geometry*> more) const {
    DnnKey key = {kind, causal};
    const auto add = [&](const Geometry& g) {
      key.insert(key.end(), g.sizes.begin(), g.sizes.end());
      key.insert(key.end(), g.strides.begin(), g.strides.end());
    };
    for (const Geometry* g : {&q, &k, &v, &out}) add(*g);
    for (const Geometry* g : more) add(*g);
    return key;
  }

  cudnnDataType_t type;
  Geometry q, k, v, out;
  bool causal;
};

class Builder {
 public:
  // lowest: the pointer of what hidden scores become.
  Builder(DnnGraph& g, const Problem& p, int64_t lowest) : g_(g), p_(p), lowest_(lowest) {}

  void Forward() {
    const auto q = Given(kQuery, p_.q), k = Given(kKey, p_.k.Turned()), v = Given(kValue, p_.v),
               out = Given(kOut, p_.out), sums = Rows(kSums),
               scale = g_.Number(kScale, CUDNN_DATA_FLOAT, 4);
    auto x = Multiply(q, k, g_.Between(CUDNN_DATA_FLOAT, scores_));
    x = Apply(CUDNN_POINTWISE_MUL, x, scale, scores_);
    if (p_.causal) x = Causal(x);
    const auto most = Reduce(CUDNN_REDUCE_TENSOR_MAX, x);
    const auto powers =
        Apply(CUDNN_POINTWISE_EXP, Apply(CUDNN_POINTWISE_SUB, x, most, scores_), nullptr, scores_);
    const auto sum = Reduce(CUDNN_REDUCE_TENSOR_ADD, powers);
    const auto logarithm = Apply(CUDNN_POINTWISE_LOG, sum, nullptr, rows_);
    Into(sums, CUDNN_POINTWISE_ADD, logarithm, most);
    // Weights are of the dtype of what they multiply.
    const auto weights = g_.Between(p_.type, scores_);
    Into(weights, CUDNN_POINTWISE_DIV, powers, sum);
    Multiply(weights, v, out);
  }

  // in_order: grad_query is not added up by several at once.
  void Backward(const Geometry& grad, const Geometry& of_q, const Geometry& of_k,
                const Geometry& of_v, bool in_order) {
    const auto q = Given(kQuery, p_.q), turned_k = Given(kKey, p_.k.Turned()),
               turned_v = Given(kValue, p_.v.Turned()), out = Given(kOut, p_.out),
               g = Given(kGrad, grad), sums = Rows(kSums), row_sums = Rows(kRowSums),
               scale = g_.Number(kScale, CUDNN_DATA_FLOAT, 4),
               one = g_.Number(kOne, CUDNN_DATA_FLOAT, 4);
    const auto product = Apply(CUDNN_POINTWISE_MUL, g, out, p_.out.sizes);
    Into(row_sums, CUDNN_POINTWISE_MUL, Reduce(CUDNN_REDUCE_TENSOR_ADD, product), one);

    auto x = Multiply(q, turned_k, g_.Between(CUDNN_DATA_FLOAT, scores_));
    x = Apply(CUDNN_POINTWISE_MUL, x, scale, scores_);
    x = Apply(CUDNN_POINTWISE_SUB, x, sums, scores_);
    if (p_.causal) x = Causal(x);
    const auto weights = Apply(CUDNN_POINTWISE_EXP, x, nullptr, scores_);
    MultiplyHeads(Turned(weights), g, kOfValue, of_v);

    x = Multiply(g, turned_v, g_.Between(CUDNN_DATA_FLOAT, scores_));
    x = Apply(CUDNN_POINTWISE_SUB, x, row_sums, scores_);
    x = Apply(CUDNN_POINTWISE_MUL, x, weights, scores_);
    x = Apply(CUDNN_POINTWISE_MUL, x, scale, scores_);
    MultiplyHeads(Turned(x), q, kOfKey, of_k);

    const auto k = Reshape(turned_k, g_.Between(p_.type, p_.k.sizes, p_.k.strides));
    const auto to = Given(kOfQuery, of_q);
    if (in_order) {
      Multiply(x, k, to);
      return;
    }
    const int64_t h = p_.q.sizes[1], l = p_.q.sizes[2], e = p_.q.sizes[3];
    const auto gathered =
        g_.Tensor(kGathered, CUDNN_DATA_FLOAT, p_.q.sizes, {h * l * e, l * e, e, 1});
    Into(to, CUDNN_POINTWISE_IDENTITY, Multiply(x, k, gathered));
  }

 private:
  using D = DnnGraph::Descriptor;

  D Given(Number number, const Geometry& g) {
    return g_.Tensor(number, p_.type, g.sizes, g.strides);
  }
  D Rows(Number number) {
    return g_.Tensor(number, CUDNN_DATA_FLOAT, rows_, {rows_[1] * rows_[2], rows_[2], 1, 1});
  }
  D Reshape(D x, D to) {
    const D op = g_.Make(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
    g_.Set(op, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x);
    g_.Set(op, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, to);
    g_.AddOperation(op);
    return to;
  }
  // Scores with rows for keys, of the dtype of what they multiply.
  D Turned(D x) {
    const int64_t b = scores_[0], h = scores_[1], l = scores_[2], s = scores_[3];
    return Reshape(x, g_.Between(p_.type, {b, h, s, l}, {h * l * s, l * s, 1, s}));
  }
  // For each head of a, added up over those that share one of `to`.
  void MultiplyHeads(D a, D b, Number number, const Geometry& to) {
    const D result = Given(number, to);
    Sizes all = to.sizes;
    all[1] = scores_[1];
    if (all == to.sizes) {
      Multiply(a, b, result);
    } else {
      Reduce(CUDNN_REDUCE_TENSOR_ADD, Multiply(a, b, g_.Between(p_.type, all)), result);
    }
  }

  D Multiply(D a, D b, D to) {
    const D how = g_.Make(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    g_.Set(how, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
    g_.Finalize(how);
    const D op = g_.Make(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
    g_.Set(op, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
    g_.Set(op, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
    g_.Set(op, CUDNN_ATTR_OPERATION_MATMUL_CDESC, to);
    g_.Set(op, CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
    g_.AddOperation(op);
    return to;
  }
  // to: null for a number of each row.
  D Reduce(cudnnReduceTensorOp_t which, D x, D to = nullptr) {
    const D how = g_.Make(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    g_.Set(how, CUDNN_ATTR_REDUCTION_OPERATOR, which);
    g_.Set(how, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_DATA_FLOAT);
    g_.Finalize(how);
    if (to == nullptr) to = g_.Between(CUDNN_DATA_FLOAT, rows_);
    const D op = g_.Make(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
    g_.Set(op, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
    g_.Set(op, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, to);
    g_.Set(op, CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
    g_.AddOperation(op);
    return to;
  }
  // b, t: null where the mode takes none.
  void Into(D to, cudnnPointwiseMode_t mode, D x, D b = nullptr, D t = nullptr,
            cudnnDataType_t in = CUDNN_DATA_FLOAT, int64_t axis = -1) {
    const D how = g_.Make(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    g_.Set(how, CUDNN_ATTR_POINTWISE_MODE, mode);
    g_.Set(how, CUDNN_ATTR_POINTWISE_MATH_PREC, in);
    if (axis >= 0) g_.Set(how, CUDNN_ATTR_POINTWISE_AXIS, axis);
    g_.Finalize(how);
    const D op = g_.Make(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    g_.Set(op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
    g_.Set(op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    if (b != nullptr) g_.Set(op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
    if (t != nullptr) g_.Set(op, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, t);
    g_.Set(op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, to);
    g_.AddOperation(op);
  }
  D Apply(cudnnPointwiseMode_t mode, D x, D b, const Sizes& sizes) {
    const D to = g_.Between(CUDNN_DATA_FLOAT, sizes);
    Into(to, mode, x, b);
    return to;
  }
  // Scores of keys behind a query's own position become the lowest number.
  D Causal(D x) {
    const auto index = [&](int64_t axis) {
      const D to = g_.Between(CUDNN_DATA_INT32, scores_);
      Into(to, CUDNN_POINTWISE_GEN_INDEX, x, nullptr, nullptr, CUDNN_DATA_INT32, axis);
      return to;
    };
    const D row = index(2), column = index(3), seen = g_.Between(CUDNN_DATA_BOOLEAN, scores_);
    Into(seen, CUDNN_POINTWISE_CMP_GE, row, column, nullptr, CUDNN_DATA_BOOLEAN);
    const D to = g_.Between(CUDNN_DATA_FLOAT, scores_);
    Into(to, CUDNN_POINTWISE_BINARY_SELECT, x, g_.Number(lowest_, CUDNN_DATA_FLOAT, 4), seen);
    return to;
  }

  DnnGraph& g_;
  const Problem& p_;
  const int64_t lowest_;
  const Sizes scores_ = {p_.q.sizes[0], p_.q.sizes[1], p_.q.sizes[2], p_.k.sizes[2]},
              rows_ = {p_.q.sizes[0], p_.q.sizes[1], p_.q.sizes[2], 1};
};

// Rows of whole 16 bytes, one after another in memory.
bool HasRows(const Tensor& t) {
  for (size_t d = 0; d < 3; ++d) {
    if (t.strides()[d] <= 0 || t.strides()[d] % 8 != 0) return false;
  }
  return t.strides()[3] == 1 && t.sizes()[3] % 8 == 0 && t.sizes()[3] <= 128;
}

bool Serves(Call call, const Tensor& query) {
  constexpr DTypeMask kServed = kHalfTypes;
  constexpr int kFirst = 8;  // compute capability that attention is there for
  return FindDnn() != nullptr && Contains(kServed, query.dtype()) &&
         StreamOf(call.key).state().properties().major >= kFirst;
}

alignas(16) constexpr float kLowest = std::numeric_limits<float>::lowest();

}  // namespace

bool DnnAttention(Call call, const Tensor& out, const Tensor& sums, const Tensor& query,
                  const Tensor& key, const Tensor& value, bool causal, double scale) {
  if (!Serves(call, query)) return false;
  for (const Tensor* t : {&query, &key, &value, &out}) {
    if (!HasRows(*t)) return false;
  }
  const Problem p(query, key, value, out, causal);
  const Tensor packed = Tensor::Empty(sums.sizes(), DType::kFloat32, sums.device());
  alignas(16) const float factor = static_cast<float>(scale);
  const auto build = [&](DnnGraph& g) { Builder(g, p, kOfForward).Forward(); };
  const void* const data[] = {query.data(),  key.data(), value.data(), out.data(),
                              packed.data(), &factor,    &kLowest};
  if (!RunDnn(call.op(), StreamOf(call.key), p.Key(kDnnAttention, {}), p.type, build,
              {data, causal ? size_t{kOfForward} : size_t{kOfForward - 1}}))
    return false;
  CopyElements(call, sums, packed);
  return true;
}

bool DnnAttentionBackward(Call call, const AttentionGradients& to, const Tensor& grad_out,
                          const Tensor& query, const Tensor& key, const Tensor& value,
                          const Tensor& out, const Tensor& sums, bool causal, double scale) {
  if (!Serves(call, query)) return false;
  for (const Tensor* t : {&query, &key, &value, &out, &to.query, &to.key, &to.value}) {
    if (!HasRows(*t)) return false;
  }
  // 9.10.0 and 9.10.1 are known to be wrong; until 9.15 keys behind the last whole 128 are.
  const size_t version = FindDnn()->GetVersion();
  const int64_t l = query.sizes()[2], s = key.sizes()[2];
  if (version == 91000 || version == 91001 || (version <= 91500 && s % 128 != 0) ||
      (l == 1 && s == 1))
    return false;
  const bool in_order = are_deterministic_algorithms_enabled();
  const Problem p(query, key, value, out, causal);
  const Tensor grad = HasRows(grad_out) ? grad_out : Dense(call, grad_out, grad_out.dtype()),
               packed = Dense(call, sums, DType::kFloat32);
  const auto floats = [&](IntSpan sizes) {
    return Tensor::Empty(sizes, DType::kFloat32, query.device());
  };
  const Tensor row_sums = floats(sums.sizes()),
               gathered = in_order ? Tensor() : floats(query.sizes());
  if (!in_order && version < 90600) FillElements(call, gathered, Scalar(0));
  alignas(16) const float factor = static_cast<float>(scale);
  alignas(16) static constexpr float kOnes = 1;
  const Geometry g(grad), of_q(to.query), of_k(to.key), of_v(to.value);
  const auto build = [&](DnnGraph& graph) {
    Builder(graph, p, kOfBackward).Backward(g, of_q, of_k, of_v, in_order);
  };
  const void* const data[] = {
      query.data(),  key.data(),      value.data(),    out.data(),
      packed.data(), &factor,         grad.data(),     to.query.data(),
      to.key.data(), to.value.data(), row_sums.data(), in_order ? nullptr : gathered.data(),
      &kOnes,        &kLowest};
  return RunDnn(call.op(), StreamOf(call.key),
                p.Key(kDnnAttentionBackward, {&g, &of_q, &of_k, &of_v}), p.type, build,
                {data, causal ? size_t{kOfBackward} : size_t{kOfBackward - 1}});
}

}  // namespace sy::cuda
