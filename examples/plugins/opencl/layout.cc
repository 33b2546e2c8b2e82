#include "layout.h"

#include <algorithm>

namespace opencl {
namespace {

// %ARRAYS and %NAME are filled in.
constexpr const char* kText = R"cl(
typedef struct {
  ulong rank;
  ulong sizes[12];
  ulong strides[%ARRAYS][12];
} %NAME;
typedef struct { ulong of[%ARRAYS]; } %NAMEOffsets;
// Where each array has the i-th element, in row-major order.
static %NAMEOffsets OVERLOAD offsets(const %NAME* l, ulong i) {
  %NAMEOffsets at;
  for (int k = 0; k < %ARRAYS; ++k) at.of[k] = 0;
  for (ulong d = l->rank; d-- > 0;) {
    const ulong c = i % l->sizes[d];
    i /= l->sizes[d];
    for (int k = 0; k < %ARRAYS; ++k) at.of[k] += c * l->strides[k][d];
  }
  return at;
}
)cl";
static_assert(Layout::kMaxRank == 12);

void ReplaceAll(std::string& text, const std::string& what, const std::string& with) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
    text.replace(at, what.size(), with);
}

}  // namespace

Layout::Layout(const Dims& sizes, std::vector<Dims> strides)
    : sizes_(sizes), strides_(std::move(strides)) {
  for (int64_t size : sizes_) numel_ *= size;
  DropOnes();
  SortByStride();
  Merge();
  if (sizes_.size() > kMaxRank) throw sy::abi::Declined();
}

void Layout::DropOnes() {
  size_t kept = 0;
  for (size_t d = 0; d < sizes_.size(); ++d) {
    if (sizes_[d] == 1) continue;
    for (Dims& s : strides_) s[kept] = s[d];
    sizes_[kept++] = sizes_[d];
  }
  sizes_.resize(kept);
  for (Dims& s : strides_) s.resize(kept);
}

// The first array's largest stride outermost: arrays that are transposed alike become dense.
void Layout::SortByStride() {
  std::vector<size_t> order(sizes_.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = d;
  const Dims& first = strides_[0];
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return first[a] > first[b]; });
  const auto reorder = [&](Dims& dims) {
    const Dims before = dims;
    for (size_t d = 0; d < order.size(); ++d) dims[d] = before[order[d]];
  };
  for (Dims& s : strides_) reorder(s);
  reorder(sizes_);
}

void Layout::Merge() {
  size_t last = 0;
  for (size_t d = 1; d < sizes_.size(); ++d) {
    const bool one = std::all_of(strides_.begin(), strides_.end(),
                                 [&](const Dims& s) { return s[last] == s[d] * sizes_[d]; });
    if (!one) ++last;
    sizes_[last] = one ? sizes_[last] * sizes_[d] : sizes_[d];
    for (Dims& s : strides_) s[last] = s[d];
  }
  if (sizes_.empty()) return;
  sizes_.resize(last + 1);
  for (Dims& s : strides_) s.resize(last + 1);
}

bool Layout::IsDense() const {
  if (sizes_.empty()) return true;
  return sizes_.size() == 1 &&
         std::all_of(strides_.begin(), strides_.end(), [](const Dims& s) { return s[0] == 1; });
}

std::vector<int64_t> Layout::Packed() const {
  std::vector<int64_t> words(1 + kMaxRank * (1 + strides_.size()));
  words[0] = static_cast<int64_t>(sizes_.size());
  std::copy(sizes_.begin(), sizes_.end(), words.begin() + 1);
  for (size_t k = 0; k < strides_.size(); ++k)
    std::copy(strides_[k].begin(), strides_[k].end(), words.begin() + 1 + kMaxRank * (1 + k));
  return words;
}

std::string Layout::Declaration(size_t arrays, const std::string& name) {
  std::string text = kText;
  ReplaceAll(text, "%ARRAYS", std::to_string(arrays));
  ReplaceAll(text, "%NAME", name);
  return text;
}

}  // namespace opencl
