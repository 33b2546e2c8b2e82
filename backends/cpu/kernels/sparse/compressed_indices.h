// Indices of a compressed matrix as loops walk over them: where each row begins, and its columns;
// of CSC and BSC where each column begins, and its rows.
//
//   const CompressedIndices at(op, s.indices, s.plain_indices, rows, columns, "column");
//   at.ForEach(work, [&](int64_t first, int64_t last, const int64_t* columns) { … });
//
// They are tensors that anybody may have written to since the matrix was made: each is checked at
// each call before it is used, many at once, where they are read anyhow. int64 ones without gaps
// are not copied.
// Owns: what it was given, and copies.
// Threads: any, while nobody writes to the tensors.
// Errors: kIndexOutOfRange, naming the operator.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_COMPRESSED_INDICES_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_COMPRESSED_INDICES_H_

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "switchyard/core/parallel.h"
#include "switchyard/core/sparse.h"

namespace sy::cpu {

namespace internal {
void ForRows(const int64_t* begin, int64_t n, int64_t each, sy::internal::RangeFn f, void* context);
}
// f(first, last) for ranges of rows 0 … n - 1, to each thread about as much of what begin counts.
// begin: [n + 1], from 0 on, rising; each: operations that one of it costs.
template <class F>
void ForRows(const int64_t* begin, int64_t n, int64_t each, F&& f) {
  internal::ForRows(
      begin, n, each,
      [](void* c, int64_t first, int64_t last) {
        (*static_cast<std::remove_reference_t<F>*>(c))(first, last);
      },
      &f);
}

// Rows and columns of blocks, 1 of layouts without.
struct BlockSizes {
  int64_t rows = 1, columns = 1;
};
// Of a sparse tensor whose indices and values have the sizes that they had when it was made: else
// kInvalidArgument.
BlockSizes RequireHeldSizes(std::string_view op, const Tensor& t);

// Unless each of n numbers is 0 … limit - 1, kIndexOutOfRange: "column 7 is out of range …".
void RequireIndices(std::string_view op, const int64_t* p, int64_t n, int64_t limit,
                    std::string_view what);
// Whether each number is at least `by` above the one before; they were checked.
bool Rise(const int64_t* p, int64_t n, int64_t by);

class CompressedIndices {
 public:
  // compressed: [rows + 1]; plain: [nnz], within 0 … limit - 1, each `what`. int64 or int32.
  CompressedIndices(std::string_view op, const Tensor& compressed, const Tensor& plain,
                    int64_t limit, std::string_view what);
  // Of lists that are right.
  CompressedIndices(std::vector<int64_t> begin, std::vector<int64_t> plain);
  CompressedIndices(CompressedIndices&&) = default;

  int64_t size() const { return rows_; }
  int64_t nnz() const { return begin_[rows_]; }
  const int64_t* begin() const { return begin_; }
  // Those of rows first … last - 1, checked; in `room` if they must be copied. In the order in
  // which they are held; the same may stand several times.
  const int64_t* Plain(int64_t first, int64_t last, std::vector<int64_t>& room) const;
  // Whether they rise within each row; plain: all of them.
  bool RowsRise(const int64_t* plain) const;

  // f(first, last, those of rows first … last - 1) for all rows, a few at a time. each: as ForRows.
  template <class F>
  void ForEach(int64_t each, F&& f) const {
    ForRows(begin_, rows_, each, [&](int64_t first, int64_t last) {
      std::vector<int64_t> room;
      for (int64_t i = first, end = first; i < last; i = end) {
        ++end;
        while (end < last && begin_[end + 1] - begin_[i] <= kFew) ++end;
        f(i, end, Plain(i, end, room));
      }
    });
  }

 private:
  static constexpr int64_t kFew = 2048;  // stay in the first cache from their check on

  std::string_view op_, what_;
  int64_t rows_, limit_ = 0;
  Tensor begins_, plains_;
  std::vector<int64_t> own_begin_, own_plain_;
  const int64_t* begin_;
  const int64_t* plain_ = nullptr;   // or
  const int32_t* narrow_ = nullptr;  // in 32 bits
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_COMPRESSED_INDICES_H_
