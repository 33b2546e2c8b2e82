// to_dense of compressed tensors: zeros, and what rows hold put in its place. Positions that are
// held several times, which add up, are left to operators.
#include <cstring>

#include "backends/cpu/kernels/sparse/compressed_indices.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/layout_kernel.h"

namespace sy::cpu {
namespace {

// Where what is held goes, in bytes: rows that are compressed, or columns, lie `outer` apart; what
// stands at position p of one lies p * inner behind its start, and is `lines` runs of `run` bytes,
// one `down` behind the other.
struct Places {
  bool by_rows;
  int64_t outer, inner, lines, run, down;
};

// A matrix, of whose bytes there are `size`. Item: what a run is made of.
template <class Item>
void Put(const CompressedIndices& at, const int64_t* plain, const Places& p, const char* from,
         char* to, int64_t size) {
  const int64_t* begin = at.begin();
  const bool one = p.lines == 1 && p.run == sizeof(Item);
  // Rows are zeroed when they are filled, columns lie among one another.
  if (!p.by_rows) std::memset(to, 0, static_cast<size_t>(size));
  const int64_t each = size / (at.nnz() + at.size()) / 8 + 1;
  ForRows(begin, at.size(), each, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      char* const start = to + i * p.outer;
      if (p.by_rows) std::memset(start, 0, static_cast<size_t>(p.outer));
      for (int64_t j = begin[i]; j < begin[i + 1]; ++j) {
        char* const here = start + plain[j] * p.inner;
        const char* const held = from + j * p.lines * p.run;
        if (one) {
          std::memcpy(here, held, sizeof(Item));
          continue;
        }
        for (int64_t l = 0; l < p.lines; ++l)
          CopyRow(here + l * p.down, held + l * p.run, p.run, false);
      }
    }
  });
}

Tensor ToDense(Call call, const Tensor& self, Optional<DType> dtype, Optional<bool>) {
  if (dtype && *dtype != self.dtype()) return Tensor();
  const SparseState& s = *FindSparse(self);
  const BlockSizes blocks = RequireHeldSizes(call.op(), self);
  const auto batch = static_cast<size_t>(s.indices.dim() - 1);
  const IntSpan sizes = self.sizes();
  const Tensor out = Tensor::Empty(sizes, self.dtype());
  if (out.numel() == 0) return out;
  const bool by_rows = HasCompressedRows(s.layout);
  const int64_t rows = sizes[batch] / blocks.rows, columns = sizes[batch + 1] / blocks.columns;
  const auto item = static_cast<int64_t>(self.itemsize()) * NumElements(sizes.subspan(batch + 2));
  const int64_t line = sizes[batch + 1] * item, run = blocks.columns * item,
                strip = blocks.rows * line, size = sizes[batch] * line;
  const Places places{by_rows, by_rows ? strip : run, by_rows ? run : strip, blocks.rows, run,
                      line};
  const Tensor values = Contiguous(s.values), compressed = Contiguous(s.indices),
               plain = Contiguous(s.plain_indices);
  const int64_t n = (by_rows ? rows : columns) + 1, nnz = s.nnz();
  for (int64_t b = 0; b < NumElements(sizes.first(batch)); ++b) {
    const CompressedIndices at(call.op(),
                               compressed.AsStrided({n}, {1}, compressed.storage_offset() + b * n),
                               plain.AsStrided({nnz}, {1}, plain.storage_offset() + b * nnz),
                               by_rows ? columns : rows, by_rows ? "column" : "row");
    std::vector<int64_t> room;
    const int64_t* positions = at.Plain(0, at.size(), room);
    if (!at.RowsRise(positions)) return Tensor();
    const char* from =
        static_cast<const char*>(values.data()) + b * nnz * blocks.rows * blocks.columns * item;
    char* to = static_cast<char*>(out.data()) + b * size;
    VisitItem(self.itemsize(),
              [&](auto of) { Put<decltype(of)>(at, positions, places, from, to, size); });
  }
  return out;
}

const LayoutKernel kernel{"to_dense", kCompressed, ToDense, "cpu"};

}  // namespace
}  // namespace sy::cpu
