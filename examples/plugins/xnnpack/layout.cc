#include "layout.h"

#include <cstring>

namespace xnnpack {
namespace {

struct Dim {
  int64_t size, to, from;
};

// Dimensions of one element gone, those that lie one behind the other on both sides made one; the
// last one is where the destination's elements are next to each other.
std::vector<Dim> Coalesced(Span<const int64_t> sizes, Span<const int64_t> to,
                           Span<const int64_t> from) {
  std::vector<Dim> dims;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1) dims.push_back({sizes[d], to[d], from[d]});
  std::stable_sort(dims.begin(), dims.end(),
                   [](const Dim& a, const Dim& b) { return a.to > b.to; });
  std::vector<Dim> made;
  for (const Dim& d : dims) {
    if (!made.empty() && made.back().to == d.to * d.size && made.back().from == d.from * d.size) {
      made.back() = {made.back().size * d.size, d.to, d.from};
    } else {
      made.push_back(d);
    }
  }
  if (made.empty()) made.push_back({1, 1, 1});
  return made;
}

constexpr int64_t kTile = 16;  // 16 x 16 floats: 1 KiB on either side

// The plane of two dimensions, in tiles, so that both sides' lines of the cache are used whole.
template <class T>
void CopyPlane(T* to, const T* from, Dim outer, Dim inner) {
  if (inner.to == 1 && inner.from == 1) {
    for (int64_t i = 0; i < outer.size; ++i)
      std::memcpy(to + i * outer.to, from + i * outer.from,
                  static_cast<size_t>(inner.size) * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < outer.size; i += kTile)
    for (int64_t j = 0; j < inner.size; j += kTile)
      for (int64_t a = i; a < std::min(i + kTile, outer.size); ++a)
        for (int64_t b = j; b < std::min(j + kTile, inner.size); ++b)
          to[a * outer.to + b * inner.to] = from[a * outer.from + b * inner.from];
}

template <class T>
void CopyAs(Call call, const std::vector<Dim>& all, T* to, const T* from) {
  std::vector<Dim> dims = all;
  const Dim inner = dims.back();
  dims.pop_back();
  // Beside it the dimension where the source's elements are next to each other.
  Dim outer = {1, 0, 0};
  if (!dims.empty()) {
    const auto next = std::min_element(dims.begin(), dims.end(),
                                       [](const Dim& a, const Dim& b) { return a.from < b.from; });
    outer = *next;
    dims.erase(next);
  }
  int64_t planes = 1;
  for (const Dim& d : dims) planes *= d.size;
  auto copy = [&](int64_t begin, int64_t end) noexcept {
    for (int64_t plane = begin; plane < end; ++plane) {
      int64_t rest = plane, t = 0, f = 0;
      for (size_t d = dims.size(); d-- > 0;) {
        const int64_t at = rest % dims[d].size;
        rest /= dims[d].size;
        t += at * dims[d].to;
        f += at * dims[d].from;
      }
      CopyPlane(to + t, from + f, outer, inner);
    }
  };
  const int64_t each = outer.size * inner.size;
  if (planes > 1 && planes * each > 16384) {
    call.ParallelFor(planes, std::max<int64_t>(1, 16384 / each), copy);
  } else {
    copy(0, planes);
  }
}

struct Bytes16 {
  uint64_t half[2];
};

void RowMajor(const int64_t* sizes, int64_t rank, int64_t* strides) {
  int64_t n = 1;
  for (int64_t d = rank - 1; d >= 0; --d) {
    strides[d] = n;
    n *= sizes[d];
  }
}

}  // namespace

void CopyElements(Call call, Span<const int64_t> sizes, Strided to, Strided from, size_t bytes) {
  for (int64_t n : sizes)
    if (n == 0) return;
  const std::vector<Dim> dims = Coalesced(sizes, to.strides, from.strides);
  const auto as = [&](auto tag) {
    using T = decltype(tag);
    CopyAs<T>(call, dims, static_cast<T*>(to.data), static_cast<const T*>(from.data));
  };
  if (bytes == 1) return as(uint8_t{});
  if (bytes == 2) return as(uint16_t{});
  if (bytes == 4) return as(uint32_t{});
  if (bytes == 8) return as(uint64_t{});
  as(Bytes16{});
}

size_t BytesOf(DType dtype) {
  size_t bytes = 0;
  VisitAny(dtype, [&](auto tag) { bytes = sizeof(typename decltype(tag)::type); });
  return bytes;
}

bool IsDense(Tensor t) {
  if (t.is_contiguous()) return true;
  std::vector<std::pair<int64_t, int64_t>> dims;  // stride and size
  for (int64_t d = 0; d < t.dim(); ++d)
    if (t.size(d) != 1) dims.emplace_back(t.stride(d), t.size(d));
  std::sort(dims.begin(), dims.end());
  int64_t n = 1;
  for (const auto& [stride, size] : dims) {
    if (stride != n) return false;
    n *= size;
  }
  return true;
}

bool LieAlike(Tensor a, Tensor b) {
  if (a.dim() != b.dim()) return false;
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (a.size(d) != b.size(d) || (a.size(d) != 1 && a.stride(d) != b.stride(d))) return false;
  }
  return true;
}

Image::Image(Call call, Tensor t) : call_(call), tensor_(t) {
  const int64_t skip = t.dim() - 3;  // 0 for [c, h, w]
  if (skip != 0 && skip != 1) throw Declined("only images, of 3 or 4 dimensions");
  const auto size = [&](int64_t d) { return d + skip < 0 ? 1 : t.size(d + skip); };
  const auto stride = [&](int64_t d) { return d + skip < 0 ? 0 : t.stride(d + skip); };
  const int64_t order[] = {-1, 1, 2, 0};  // n, h, w, c of [n,] c, h, w
  for (int d = 0; d < 4; ++d) {
    sizes_[d] = size(order[d]);
    strides_[d] = stride(order[d]);
  }
  RowMajor(sizes_, 4, dense_);
  own_ = true;
  for (int d = 0; d < 4; ++d) own_ &= sizes_[d] == 1 || strides_[d] == dense_[d];
  data_ = own_ ? t.data() : Scratch<char>(call, numel() * static_cast<int64_t>(BytesOf(t.dtype())));
}

Image Image::Of(Call call, Tensor t) {
  Image image(call, t);
  if (!image.own_) {
    CopyElements(call, image.sizes_, {image.data_, image.dense_}, {t.data(), image.strides_},
                 BytesOf(t.dtype()));
  }
  return image;
}

Image Image::For(Call call, Tensor t) { return Image(call, t); }

void Image::Done() const {
  if (own_) return;
  CopyElements(call_, sizes_, {tensor_.data(), strides_}, {data_, dense_},
               BytesOf(tensor_.dtype()));
}

}  // namespace xnnpack
