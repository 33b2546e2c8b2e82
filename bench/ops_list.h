// What the suite "ops" calls: operators on large tensors, in terms of names that our C++ API and
// the peer's share, so that one list is compiled against both. Included once by each program, after
// its prelude, in which unqualified names find the API and which defines
//
//   Tensor Numbers(Kind kind, int64_t rows, int64_t columns);  // int64: 1 … 100, else 0.5 … 2.5
//   Tensor Positions(int64_t rows, int64_t columns, int64_t end);  // int64, 0 … end - 1
//   Tensor Permutation(int64_t n);
//   Tensor Std(const Tensor& t, int64_t dim);
//   void Prepare();  // before the rows of a thread
//
// and in-place functions where the API has only methods.
//
// Matrices are of `size` elements, rows : columns = 5 : 8. Layouts: contiguous; transposed, where
// every operand is a transposed matrix; broadcast, where the second operand is one row.
#ifndef SWITCHYARD_BENCH_OPS_LIST_H_
#define SWITCHYARD_BENCH_OPS_LIST_H_

namespace bench {

struct Inputs {
  Tensor a, b, c;        // [rows, columns]; b: [1, columns] where broadcast
  Tensor mask;           // bool, like a
  Tensor rows, columns;  // positions along dimension 0, 1: as many as there are, none twice
  Tensor along;          // [rows, columns] positions along dimension 1
  Tensor target;         // like a, written
  Tensor half;           // like a, of bfloat16
};

enum Layouts : unsigned { kPlain = 1, kTransposed = 2, kBroadcast = 4 };
constexpr unsigned kOne = kPlain | kTransposed, kTwo = kOne | kBroadcast;
constexpr unsigned kF = 1u << kFloat, kFH = kF | 1u << kHalf16, kFI = kF | 1u << kInt;
constexpr unsigned kFIH = kFI | kFH, kB = 1u << kBit, kAll = kFIH | kB;

struct Op {
  const char* name;
  unsigned dtypes;  // bits of Kind
  unsigned layouts;
  double streams;  // arrays of a's size that are read or written; 0: not bound by memory
  void (*run)(Inputs& x);
  int64_t largest = 10000000;  // elements
};

const Op kOps[] = {
    // --- Pointwise
    {"clone", kAll, kPlain, 2, [](Inputs& x) { Keep(clone(x.a)); }},
    {"abs", kFIH, kOne, 2, [](Inputs& x) { Keep(abs(x.a)); }},
    {"neg", kFIH, kOne, 2, [](Inputs& x) { Keep(neg(x.a)); }},
    {"exp", kFH, kOne, 2, [](Inputs& x) { Keep(exp(x.a)); }},
    {"log", kFH, kOne, 2, [](Inputs& x) { Keep(log(x.a)); }},
    {"sqrt", kFH, kOne, 2, [](Inputs& x) { Keep(sqrt(x.a)); }},
    {"rsqrt", kF, kPlain, 2, [](Inputs& x) { Keep(rsqrt(x.a)); }},
    {"sin", kFH, kPlain, 2, [](Inputs& x) { Keep(sin(x.a)); }},
    {"tanh", kFH, kPlain, 2, [](Inputs& x) { Keep(tanh(x.a)); }},
    {"erf", kF, kPlain, 2, [](Inputs& x) { Keep(erf(x.a)); }},
    {"sigmoid", kFH, kPlain, 2, [](Inputs& x) { Keep(sigmoid(x.a)); }},
    {"relu", kFIH, kOne, 2, [](Inputs& x) { Keep(relu(x.a)); }},
    {"gelu", kFH, kPlain, 2, [](Inputs& x) { Keep(gelu(x.a)); }},
    {"silu", kFH, kPlain, 2, [](Inputs& x) { Keep(silu(x.a)); }},
    {"floor", kFH, kPlain, 2, [](Inputs& x) { Keep(floor(x.a)); }},
    {"reciprocal", kF, kPlain, 2, [](Inputs& x) { Keep(reciprocal(x.a)); }},
    {"isnan", kFH, kPlain, 1.25, [](Inputs& x) { Keep(isnan(x.a)); }},
    {"logical_not", kB, kOne, 2, [](Inputs& x) { Keep(logical_not(x.a)); }},
    {"bitwise_and", kB | 1u << kInt, kTwo, 3, [](Inputs& x) { Keep(bitwise_and(x.a, x.b)); }},
    {"clamp", kFIH, kPlain, 2, [](Inputs& x) { Keep(clamp(x.a, 20, 70)); }},
    {"add", kAll, kTwo, 3, [](Inputs& x) { Keep(add(x.a, x.b)); }},
    {"add number", kFIH, kPlain, 2, [](Inputs& x) { Keep(add(x.a, 3)); }},
    {"sub", kFIH, kTwo, 3, [](Inputs& x) { Keep(sub(x.a, x.b)); }},
    {"mul", kFIH, kTwo, 3, [](Inputs& x) { Keep(mul(x.a, x.b)); }},
    {"div", kFI, kTwo, 3, [](Inputs& x) { Keep(div(x.a, x.b)); }},
    {"maximum", kFIH, kTwo, 3, [](Inputs& x) { Keep(maximum(x.a, x.b)); }},
    {"pow number", kF, kPlain, 2, [](Inputs& x) { Keep(pow(x.a, 2)); }},
    {"atan2", kF, kPlain, 3, [](Inputs& x) { Keep(atan2(x.a, x.b)); }},
    {"eq", kAll, kTwo, 2.25, [](Inputs& x) { Keep(eq(x.a, x.b)); }},
    {"lt", kFIH, kTwo, 2.25, [](Inputs& x) { Keep(lt(x.a, x.b)); }},
    {"where", kFIH, kOne, 3.25, [](Inputs& x) { Keep(where(x.mask, x.a, x.b)); }},
    {"lerp", kF, kPlain, 3, [](Inputs& x) { Keep(lerp(x.a, x.b, 0.3)); }},
    {"addcmul", kF, kPlain, 4, [](Inputs& x) { Keep(addcmul(x.a, x.b, x.c)); }},
    {"masked_fill", kFI, kOne, 2.25, [](Inputs& x) { Keep(masked_fill(x.a, x.mask, 3)); }},
    {"add_", kFIH, kTwo, 3, [](Inputs& x) { Keep(add_(x.target, x.b)); }},
    {"copy_", kAll, kOne, 2, [](Inputs& x) { Keep(copy_(x.target, x.b)); }},
    {"copy_ from bfloat16", kF, kPlain, 1.5, [](Inputs& x) { Keep(copy_(x.target, x.half)); }},
    {"fill_", kAll, kPlain, 1, [](Inputs& x) { Keep(fill_(x.target, 1)); }},
    // --- Reductions
    {"sum", kFIH, kOne, 1, [](Inputs& x) { Keep(sum(x.a)); }},
    {"sum dim 0", kFIH, kOne, 1, [](Inputs& x) { Keep(sum(x.a, {0})); }},
    {"sum dim 1", kFIH, kOne, 1, [](Inputs& x) { Keep(sum(x.a, {1})); }},
    {"mean dim 1", kFH, kPlain, 1, [](Inputs& x) { Keep(mean(x.a, {1})); }},
    {"max", kFIH, kPlain, 1, [](Inputs& x) { Keep(max(x.a)); }},
    {"amax dim 0", kFIH, kPlain, 1, [](Inputs& x) { Keep(amax(x.a, {0})); }},
    {"amax dim 1", kFIH, kPlain, 1, [](Inputs& x) { Keep(amax(x.a, {1})); }},
    {"argmax dim 1", kFI, kPlain, 1, [](Inputs& x) { Keep(argmax(x.a, 1)); }},
    {"std dim 1", kF, kPlain, 1, [](Inputs& x) { Keep(Std(x.a, 1)); }},
    {"std dim 0", kF, kPlain, 1, [](Inputs& x) { Keep(Std(x.a, 0)); }},
    {"norm", kF, kPlain, 1, [](Inputs& x) { Keep(norm(x.a)); }},
    {"any", kB, kPlain, 0, [](Inputs& x) { Keep(any(x.a)); }},
    {"count_nonzero", kFI | kB, kPlain, 1, [](Inputs& x) { Keep(count_nonzero(x.a)); }},
    {"logsumexp dim 1", kF, kPlain, 1, [](Inputs& x) { Keep(logsumexp(x.a, {1})); }},
    // --- Indices
    {"index_select dim 0", kFI, kPlain, 2, [](Inputs& x) { Keep(index_select(x.a, 0, x.rows)); }},
    {"index_select dim 1", kFI, kPlain, 2,
     [](Inputs& x) { Keep(index_select(x.a, 1, x.columns)); }},
    {"index_copy_ dim 0", kFI, kPlain, 2,
     [](Inputs& x) { Keep(index_copy_(x.target, 0, x.rows, x.b)); }},
    {"index_copy_ dim 1", kFI, kPlain, 2,
     [](Inputs& x) { Keep(index_copy_(x.target, 1, x.columns, x.b)); }},
    {"gather dim 1", kFI, kPlain, 0, [](Inputs& x) { Keep(gather(x.a, 1, x.along)); }},
    {"scatter_ dim 1", kFI, kPlain, 0,
     [](Inputs& x) { Keep(scatter_(x.target, 1, x.along, x.b)); }},
    {"index_add_ dim 0", kFI, kPlain, 0,
     [](Inputs& x) { Keep(index_add_(x.target, 0, x.rows, x.b)); }},
    {"index_fill_ dim 1", kF, kPlain, 0,
     [](Inputs& x) { Keep(index_fill_(x.target, 1, x.columns, 3)); }},
    {"take", kF, kPlain, 0, [](Inputs& x) { Keep(take(x.a, x.along)); }},
    {"masked_select", kFI, kPlain, 0, [](Inputs& x) { Keep(masked_select(x.a, x.mask)); }},
    {"nonzero", kB, kPlain, 0, [](Inputs& x) { Keep(nonzero(x.a)); }},
    // --- Scans and sorting
    {"cumsum dim 0", kFI, kPlain, 2, [](Inputs& x) { Keep(cumsum(x.a, 0)); }},
    {"cumsum dim 1", kFI, kPlain, 2, [](Inputs& x) { Keep(cumsum(x.a, 1)); }},
    {"sort dim 1", kFI, kPlain, 0, [](Inputs& x) { Keep(sort(x.a, 1)); }, 100000},
    {"topk 10 of dim 1", kFI, kPlain, 0, [](Inputs& x) { Keep(topk(x.a, 10, 1)); }},
    // --- Shapes
    {"flip dim 1", kFI, kPlain, 2, [](Inputs& x) { Keep(flip(x.a, {1})); }},
    {"roll dim 1", kFI, kPlain, 2, [](Inputs& x) { Keep(roll(x.a, {7}, {1})); }},
    {"repeat", kFI, kPlain, 3, [](Inputs& x) { Keep(repeat(x.a, {1, 2})); }},
    {"tril", kF, kPlain, 2, [](Inputs& x) { Keep(tril(x.a)); }},
    {"transposing copy", kAll, kPlain, 2,
     [](Inputs& x) { Keep(contiguous(transpose(x.a, 0, 1))); }},
    {"cat dim 0", kFI, kOne, 4, [](Inputs& x) { Keep(cat({x.a, x.b}, 0)); }},
    {"cat dim 1", kFI, kOne, 4, [](Inputs& x) { Keep(cat({x.a, x.b}, 1)); }},
    {"stack", kFI, kPlain, 4, [](Inputs& x) { Keep(stack({x.a, x.b})); }},
    // --- Random streams
    {"normal_", kF, kPlain, 0, [](Inputs& x) { Keep(normal_(x.target)); }},
    {"uniform_", kF, kPlain, 0, [](Inputs& x) { Keep(uniform_(x.target)); }},
    {"bernoulli_", kF, kPlain, 0, [](Inputs& x) { Keep(bernoulli_(x.target)); }},
};

}  // namespace bench

#endif  // SWITCHYARD_BENCH_OPS_LIST_H_
