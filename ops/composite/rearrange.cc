// Copies in other shapes: turned, padded, dealt out, on diagonals.

#include <cstdlib>
#include <limits>

#include "ops/composite/checks.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

[[noreturn]] void FailRank(Call call, int64_t least, const Tensor& self) {
  Fail(ErrorCode::kInvalidArgument,
       {call.op(), "(): self must have at least ", least, " dimensions, got sizes ", self.sizes()});
}

// --- flips
Tensor Fliplr(Call call, const Tensor& self) {
  if (self.dim() < 2) FailRank(call, 2, self);
  return flip(self, {1});
}
Tensor Flipud(Call call, const Tensor& self) {
  if (self.dim() < 1) FailRank(call, 1, self);
  return flip(self, {0});
}
const Composite fliplr_body{"fliplr", Fliplr};
const Composite flipud_body{"flipud", Flipud};

Tensor Rot90(Call call, const Tensor& self, int64_t k, IntSpan dims) {
  if (dims.size() != 2)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): dims must be two, got ", dims});
  if (self.dim() < 2) FailRank(call, 2, self);
  const int64_t from = WrapDim(dims[0], self.dim()), to = WrapDim(dims[1], self.dim());
  if (from == to) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): dims must be two different dimensions, got ", dims});
  }
  switch ((k % 4 + 4) % 4) {
    case 1:
      return transpose_(flip(self, {to}), from, to);
    case 2:
      return flip(self, dims);
    case 3:
      return transpose_(flip(self, {from}), from, to);
    default:
      return clone(self, MemoryFormat::kContiguous);
  }
}
const Composite rot90_body{"rot90", Rot90};

// --- repeat
Tensor Tile(Call, const Tensor& self, IntSpan dims) {
  if (dims.size() >= self.sizes().size()) return repeat(self, dims);
  std::vector<int64_t> repeats(self.sizes().size() - dims.size(), 1);
  repeats.insert(repeats.end(), dims.begin(), dims.end());
  return repeat(self, repeats);
}
const Composite tile_body{"tile", Tile};

// The dimension to repeat in; without dim, of self as a vector.
std::pair<Tensor, int64_t> DimToRepeat(Call call, const Tensor& self, std::optional<int64_t> dim) {
  if (!dim) return {flatten(self), 0};
  return {self, WrapDimOf(call, *dim, self)};
}
Tensor RepeatInterleaveInt(Call call, const Tensor& self, int64_t repeats,
                           std::optional<int64_t> dim, std::optional<int64_t> output_size) {
  const auto [t, d] = DimToRepeat(call, self, dim);
  if (repeats < 0) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): repeats must not be negative, got ", repeats});
  }
  const int64_t total =
      CheckedProduct(call, "the repeated dimension", t.sizes()[static_cast<size_t>(d)], repeats);
  if (output_size && *output_size != total) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): output_size is ", *output_size, ", but repeats add up to ", total});
  }
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  sizes.insert(sizes.begin() + d + 1, repeats);
  const Tensor copies = clone(expand(unsqueeze(t, d + 1), sizes), MemoryFormat::kContiguous);
  return flatten(copies, d, d + 1);
}
Tensor RepeatInterleaveTensor(Call call, const Tensor& self, const Tensor& repeats,
                              std::optional<int64_t> dim, std::optional<int64_t> output_size) {
  const auto [t, d] = DimToRepeat(call, self, dim);
  const int64_t n = t.sizes()[static_cast<size_t>(d)];
  const bool one = repeats.numel() == 1 && repeats.dim() <= 1;
  if (!one && (repeats.dim() != 1 || repeats.numel() != n)) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): repeats must have 1 or ", n, " elements, the size of dimension ", d,
          "; got sizes ", repeats.sizes()});
  }
  const Tensor counts = one ? expand(reshape(repeats, {1}), {n}) : repeats;
  return index_select(t, d, repeat_interleave(counts, output_size));
}
const Composite repeat_interleave_int_body{"repeat_interleave.self_int", RepeatInterleaveInt};
const Composite repeat_interleave_tensor_body{"repeat_interleave.self_Tensor",
                                              RepeatInterleaveTensor};

// --- shuffles. Splitting a dimension always leaves a view, so that one copy does.
MemoryFormat FormatOf(const Tensor& self) {
  return self.dim() == 4 ? self.suggest_memory_format() : MemoryFormat::kContiguous;
}
void RequireFactor(Call call, std::string_view name, int64_t factor, int64_t divides,
                   const Tensor& self) {
  if (self.dim() < 3) FailRank(call, 3, self);
  if (factor < 1)
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): ", name, " must be at least 1, got ", factor});
  if (divides % factor != 0) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): ", name, " ", factor, " does not divide self's sizes ", self.sizes()});
  }
}
// The square of a factor is a number, too.
int64_t Squared(Call call, std::string_view name, int64_t factor, const Tensor& self) {
  RequireFactor(call, name, factor, 0, self);
  if (factor > std::numeric_limits<int32_t>::max())
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): ", name, " is too large: ", factor});
  return factor * factor;
}
// t: [..., C r r, H, W], as [..., C, H, r, W, r].
Tensor PixelsOfChannels(const Tensor& t, int64_t r) {
  const Tensor split = unflatten(t, -3, {t.size(-3) / (r * r), r, r});  // C, r, r, H, W
  return movedim(split, {-4, -3}, {-3, -1});
}
// t: [..., C, H r, W r], as [..., C, H, r, W, r].
Tensor PixelsOfSpace(const Tensor& t, int64_t r) {
  return unflatten(unflatten(t, -1, {t.size(-1) / r, r}), -3, {t.size(-2) / r, r});
}
Tensor PixelShuffle(Call call, const Tensor& self, int64_t r) {
  const int64_t square = Squared(call, "upscale_factor", r, self);
  RequireFactor(call, "upscale_factor squared", square, self.size(-3), self);
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  int64_t* last = sizes.data() + sizes.size() - 3;
  last[0] /= square;
  last[1] = CheckedProduct(call, "the height", last[1], r);
  last[2] = CheckedProduct(call, "the width", last[2], r);
  const Tensor out =
      empty(sizes, self.dtype(), std::nullopt, self.device(), std::nullopt, FormatOf(self));
  copy_(PixelsOfSpace(out, r), PixelsOfChannels(self, r));
  return out;
}
Tensor PixelUnshuffle(Call call, const Tensor& self, int64_t r) {
  const int64_t square = Squared(call, "downscale_factor", r, self);
  RequireFactor(call, "downscale_factor", r, self.size(-2), self);
  RequireFactor(call, "downscale_factor", r, self.size(-1), self);
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  int64_t* last = sizes.data() + sizes.size() - 3;
  last[0] = CheckedProduct(call, "the number of channels", last[0], square);
  last[1] /= r;
  last[2] /= r;
  const Tensor out =
      empty(sizes, self.dtype(), std::nullopt, self.device(), std::nullopt, FormatOf(self));
  copy_(PixelsOfChannels(out, r), PixelsOfSpace(self, r));
  return out;
}
Tensor ChannelShuffle(Call call, const Tensor& self, int64_t groups) {
  if (self.dim() < 3) FailRank(call, 3, self);
  RequireFactor(call, "groups", groups, self.sizes()[1], self);
  const int64_t each = self.sizes()[1] / groups;
  const Tensor out =
      empty(self.sizes(), self.dtype(), std::nullopt, self.device(), std::nullopt, FormatOf(self));
  copy_(unflatten(out, 1, {each, groups}), transpose(unflatten(self, 1, {groups, each}), 1, 2));
  return out;
}
const Composite pixel_shuffle_body{"pixel_shuffle", PixelShuffle};
const Composite pixel_unshuffle_body{"pixel_unshuffle", PixelUnshuffle};
const Composite channel_shuffle_body{"channel_shuffle", ChannelShuffle};

// --- diagonals
Tensor DiagEmbed(Call call, const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t rank = self.dim() + 1;
  const auto wrap = [&](int64_t d) {
    if (self.dim() == 0 || d < -rank || d >= rank) {
      Fail(ErrorCode::kOutOfRange, {call.op(), "(): dim ", d, " is out of range for sizes ",
                                    self.sizes(), " and one dimension more"});
    }
    return d < 0 ? d + rank : d;
  };
  const int64_t first = wrap(dim1), second = wrap(dim2);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (first == second) {
    Fail(ErrorCode::kInvalidArgument, {call.op(),
                                       "(): dim1 and dim2 must be different dimensions, "
                                       "got ",
                                       dim1, " and ", dim2});
  }
  int64_t side = 0;
  if (offset < -kMost || __builtin_add_overflow(self.size(-1), std::abs(offset), &side)) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): offset ", offset, " is too large for sizes ", self.sizes()});
  }
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
  sizes.insert(sizes.begin() + std::min(first, second), side);
  sizes.insert(sizes.begin() + std::max(first, second), side);
  const Tensor out = new_zeros(self, sizes);
  copy_(diagonal(out, offset, first, second), self);
  return out;
}
Tensor Diag(Call call, const Tensor& self, int64_t offset) {
  if (self.dim() != 1 && self.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): self must be 1-d or 2-d, got sizes ", self.sizes()});
  }
  return self.dim() == 1 ? diag_embed(self, offset) : diagonal_copy(self, offset);
}
Tensor Diagflat(Call, const Tensor& self, int64_t offset) {
  return diag_embed(ravel(self), offset);
}
const Composite diag_body{"diag", Diag};
const Composite diagflat_body{"diagflat", Diagflat};
const Composite diag_embed_body{"diag_embed", DiagEmbed};

Tensor Trace(Call call, const Tensor& self) {
  if (self.dim() != 2)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must be 2-d, got ", self.sizes()});
  return sum(diagonal(self));
}
const Composite trace_body{"trace", Trace};

// Each dimension of self beside that of other.
Tensor Kron(Call call, const Tensor& self, const Tensor& other) {
  const int64_t rank = std::max(self.dim(), other.dim());
  std::vector<int64_t> a, b, sizes;
  for (int64_t i = 0; i < rank; ++i) {
    const auto size = [&](const Tensor& t) {
      const int64_t d = i - (rank - t.dim());
      return d < 0 ? 1 : t.sizes()[static_cast<size_t>(d)];
    };
    a.insert(a.end(), {size(self), 1});
    b.insert(b.end(), {1, size(other)});
    sizes.push_back(CheckedProduct(call, "a size of the result", size(self), size(other)));
  }
  return reshape(mul(reshape(self, a), reshape(other, b)), sizes);
}
const Composite kron_body{"kron", Kron};

}  // namespace
}  // namespace sy
