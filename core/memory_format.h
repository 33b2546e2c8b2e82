// How dimensions are laid out in memory, and whether tensors are dense at all. Names are PyTorch's;
// Find… gives nothing for a name that there is not.
//
//   x.is_contiguous(MemoryFormat::kChannelsLast);
//   Name(MemoryFormat::kPreserve) == "preserve_format";
//
// Strides of a dense tensor of sizes [2, 3, 4, 5]: [60, 20, 5, 1] as kContiguous, [60, 1, 15, 3] as
// kChannelsLast.
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_MEMORY_FORMAT_H_
#define SWITCHYARD_CORE_MEMORY_FORMAT_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

enum class MemoryFormat : uint8_t {
  kContiguous,      // the last dimension is innermost
  kPreserve,        // as the input
  kChannelsLast,    // 4-d [n, c, h, w] with c innermost
  kChannelsLast3d,  // 5-d [n, c, d, h, w] with c innermost
};
SY_API std::string_view Name(MemoryFormat f);  // "contiguous_format"
SY_API std::optional<MemoryFormat> FindMemoryFormat(std::string_view name);

// Sparse ones are in core/sparse.h.
enum class Layout : uint8_t {
  kStrided,
  kSparse,     // COO: positions and values
  kSparseCsr,  // compressed rows, and columns
  kSparseCsc,
  kSparseBsr,  // the same of blocks
  kSparseBsc,
};
SY_API std::string_view Name(Layout l);  // "strided", "sparse_coo", "sparse_csr"
SY_API std::optional<Layout> FindLayout(std::string_view name);

}  // namespace sy

#endif  // SWITCHYARD_CORE_MEMORY_FORMAT_H_
