// What operators on batches of matrices share: checks of arguments, layouts of outputs, and what is
// said of matrices that have no factors.
//
//   RequireSquare(r.op(), a, "A");
//   OutputByColumns(r, BatchOf(a), a.size(-2), a.size(-1), a.dtype());
//
// [.., m, n] is a batch of matrices, each of m rows and n columns. Checks take the operator's name
// for their messages, so that shape functions, bodies and kernels can ask alike.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for arguments, kInvalidValue for matrices without factors.
// Source: checks and layouts are ATen's (native/LinearAlgebraUtils.h).
#ifndef SWITCHYARD_OPS_LINALG_MATRICES_H_
#define SWITCHYARD_OPS_LINALG_MATRICES_H_

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "switchyard/ops/shape_functions.h"

namespace sy {

// What LAPACK computes in.
inline constexpr DTypeMask kMatrixTypes = kComplexTypes | Mask(DType::kFloat32, DType::kFloat64);

// a: [batch.., m, n]
inline IntSpan BatchOf(const TensorBase& a) { return a.sizes().first(a.sizes().size() - 2); }

// At least 2 dimensions, and of kMatrixTypes.
SY_API void RequireMatrices(std::string_view op, const TensorBase& a, std::string_view name);
// Also: m = n.
SY_API void RequireSquare(std::string_view op, const TensorBase& a, std::string_view name);
// t is of the device's and dtype's matrices a; it has one dimension less: [batch.., k].
SY_API void RequireVectorsOf(std::string_view op, const TensorBase& a, const TensorBase& t,
                             std::string_view name_a, std::string_view name_t, DType dtype);
// a: [.., n, n]; b: [.., n, k] (left: a x = b) or [.., k, n] (x a = b), of one dtype.
SY_API void RequireEquation(std::string_view op, const TensorBase& a, const TensorBase& b,
                            std::string_view name_a, std::string_view name_b, bool left);
// The sizes that both batches expand to.
SY_API std::vector<int64_t> CommonBatch(std::string_view op, const TensorBase& a,
                                        const TensorBase& b);

// Which of from's matrices is the i-th of those that its batch expands to.
SY_API std::vector<int64_t> ExpandedMatrices(const TensorBase& from, IntSpan batch);

// [batch.., rows, columns], each matrix by columns, as LAPACK has them.
SY_API OutputSpec& OutputByColumns(ShapeContext& r, IntSpan batch, int64_t rows, int64_t columns,
                                   DType d);
// [batch.., own..], row-major.
SY_API OutputSpec& OutputPerMatrix(ShapeContext& r, IntSpan batch,
                                   std::initializer_list<int64_t> own, DType d);

// What a number other than 0 in `info` says of a matrix: the first diagonal element that is 0, or
// the order of the first leading minor that is not positive.
enum class Defect { kSingular, kNotPositiveDefinite };
// info: an int32 for each matrix; waits for it. On devices without data nothing is known.
SY_API void RequireNoDefect(std::string_view op, std::string_view name, Defect defect,
                            const Tensor& info);
// Rows that are exchanged: each of `pivots`, on the host, is 1 to `rows`. Errors: kInvalidValue.
SY_API void RequirePivots(std::string_view op, std::string_view name, std::span<const int> pivots,
                          int64_t rows);

}  // namespace sy

#endif  // SWITCHYARD_OPS_LINALG_MATRICES_H_
