// Shuffles of channels and pixels. Splitting a dimension always leaves a view, so that one copy
// does.

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/shape/checks_composite.h"
#include "switchyard/core/checked.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// As self, which may stand for one in each example (vmap), with other sizes.
Tensor NewOf(const Tensor& self, IntSpan sizes) {
  const Tensor out = new_empty(self, sizes);
  const MemoryFormat format =
      self.dim() == 4 ? self.suggest_memory_format() : MemoryFormat::kContiguous;
  return format == MemoryFormat::kContiguous
             ? out
             : empty_like(out, std::nullopt, std::nullopt, std::nullopt, std::nullopt, format);
}
void RequireFactor(Call call, std::string_view name, int64_t factor, int64_t divides,
                   const Tensor& self) {
  if (self.dim() < 3) FailRank(call, 3, self);
  if (factor < 1)
    Fail(ErrorCode::kInvalidArgument, call.op(), {name, " must be at least 1, got ", factor});
  if (divides % factor != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {name, " ", factor, " does not divide self's sizes ", self.sizes()});
  }
}
// The square of a factor is a number, too.
int64_t Squared(Call call, std::string_view name, int64_t factor, const Tensor& self) {
  RequireFactor(call, name, factor, 0, self);
  if (factor > std::numeric_limits<int32_t>::max())
    Fail(ErrorCode::kInvalidArgument, call.op(), {name, " is too large: ", factor});
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
  const Tensor out = NewOf(self, sizes);
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
  const Tensor out = NewOf(self, sizes);
  copy_(PixelsOfChannels(out, r), PixelsOfSpace(self, r));
  return out;
}
Tensor ChannelShuffle(Call call, const Tensor& self, int64_t groups) {
  if (self.dim() < 3) FailRank(call, 3, self);
  RequireFactor(call, "groups", groups, self.sizes()[1], self);
  const int64_t each = self.sizes()[1] / groups;
  const Tensor out = NewOf(self, self.sizes());
  copy_(unflatten(out, 1, {each, groups}), transpose(unflatten(self, 1, {groups, each}), 1, 2));
  return out;
}
const Composite pixel_shuffle_body{"pixel_shuffle", PixelShuffle};
const Composite pixel_unshuffle_body{"pixel_unshuffle", PixelUnshuffle};
const Composite channel_shuffle_body{"channel_shuffle", ChannelShuffle};
const Composite native_channel_shuffle_body{"native_channel_shuffle", ChannelShuffle};

}  // namespace
}  // namespace sy
