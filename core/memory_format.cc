#include "switchyard/core/memory_format.h"

#include <array>

namespace sy {
namespace {

constexpr std::array<std::string_view, 4> kFormats = {"contiguous_format", "preserve_format",
                                                      "channels_last", "channels_last_3d"};
constexpr std::array<std::string_view, 6> kLayouts = {"strided",    "sparse_coo", "sparse_csr",
                                                      "sparse_csc", "sparse_bsr", "sparse_bsc"};

template <class E, size_t N>
std::optional<E> Find(const std::array<std::string_view, N>& names, std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view Name(MemoryFormat f) { return kFormats[static_cast<size_t>(f)]; }
std::optional<MemoryFormat> FindMemoryFormat(std::string_view name) {
  return Find<MemoryFormat>(kFormats, name);
}
std::string_view Name(Layout l) { return kLayouts[static_cast<size_t>(l)]; }
std::optional<Layout> FindLayout(std::string_view name) { return Find<Layout>(kLayouts, name); }

}  // namespace sy
