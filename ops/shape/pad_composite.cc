// Borders around a tensor: it is copied into the middle, then each dimension's border is filled.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

enum class Mode : uint8_t { kConstant, kReflect, kReplicate, kCircular };

// One dimension: what is cut off, and the widths of the border.
struct Border {
  int64_t dim, cut_left, left, right, size;  // size: of self's part that is left
};

std::vector<Border> BordersOf(Call call, const Tensor& self, IntSpan pad) {
  const auto rank = static_cast<size_t>(self.dim());
  if (pad.size() % 2 != 0 || pad.size() > 2 * rank) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"pad must have two widths for each dimension at most, got ", pad, " for sizes ",
          self.sizes()});
  }
  std::vector<Border> borders;
  for (size_t i = 0; i < pad.size(); i += 2) {
    const size_t d = rank - 1 - i / 2;
    const int64_t n = self.sizes()[d], left = pad[i], right = pad[i + 1];
    int64_t size = 0;
    if (__builtin_add_overflow(n, std::max<int64_t>(left, 0), &size) ||
        __builtin_add_overflow(size, std::max<int64_t>(right, 0), &size)) {
      Fail(ErrorCode::kInvalidArgument, call.op(), {"pad ", pad, " is too wide"});
    }
    const int64_t cut_left = -std::clamp<int64_t>(left, -n - 1, 0),
                  cut_right = -std::clamp<int64_t>(right, -n - 1, 0);
    if (cut_left > n || cut_right > n - cut_left) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"pad ", pad, " leaves less than nothing of ", "dimension ", d, " of size ", n});
    }
    borders.push_back({static_cast<int64_t>(d), cut_left, std::max<int64_t>(left, 0),
                       std::max<int64_t>(right, 0), n - cut_left - cut_right});
  }
  return borders;
}
Tensor Part(const Tensor& self, const std::vector<Border>& borders) {
  Tensor part = self;
  for (const Border& b : borders) part = narrow(part, b.dim, b.cut_left, b.size);
  return part;
}
// The result, with self's part in the middle and borders unwritten.
Tensor Framed(const Tensor& self, const std::vector<Border>& borders, MemoryFormat format) {
  const Tensor part = Part(self, borders);
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  for (const Border& b : borders) sizes[static_cast<size_t>(b.dim)] = b.left + b.size + b.right;
  // Of self, which may stand for one in each example (vmap).
  Tensor out = new_empty(self, sizes);
  if (format != MemoryFormat::kContiguous)
    out = empty_like(out, std::nullopt, std::nullopt, std::nullopt, std::nullopt, format);
  Tensor middle = out;
  for (const Border& b : borders) middle = narrow(middle, b.dim, b.left, b.size);
  copy_(middle, part);
  return out;
}

Tensor ConstantPad(Call call, const Tensor& self, IntSpan pad, const Scalar& value) {
  const std::vector<Border> borders = BordersOf(call, self, pad);
  bool grows = false;
  for (const Border& b : borders) grows |= b.left > 0 || b.right > 0;
  if (!grows) return clone(Part(self, borders));
  const Tensor out = Framed(self, borders, self.suggest_memory_format());
  // The border of each dimension within what the ones before have left.
  Tensor rest = out;
  for (size_t i = borders.size(); i-- > 0;) {
    const Border& b = borders[i];
    fill_(narrow(rest, b.dim, 0, b.left), value);
    fill_(narrow(rest, b.dim, b.left + b.size, b.right), value);
    rest = narrow(rest, b.dim, b.left, b.size);
  }
  return out;
}
const Composite constant_pad_nd_body{"constant_pad_nd", ConstantPad};

void RequireFillable(Call call, Mode mode, const Border& b) {
  const int64_t most = mode == Mode::kReflect ? b.size - 1 : b.size;
  const int64_t widest = std::max(b.left, b.right);
  if (mode == Mode::kReplicate ? b.size > 0 || widest == 0 : widest <= most) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"a border of ", widest, " is too wide for dimension ", b.dim, " of size ", b.size});
}
// Both borders of one dimension, from what lies between them.
void FillBorder(const Tensor& out, const Border& b, Mode mode) {
  const int64_t end = b.left + b.size;
  for (const bool left : {true, false}) {
    const int64_t width = left ? b.left : b.right;
    if (width == 0) continue;
    const Tensor border = narrow(out, b.dim, left ? 0 : end, width);
    switch (mode) {
      case Mode::kReplicate:
        copy_(border, narrow(out, b.dim, left ? b.left : end - 1, 1));
        break;
      case Mode::kCircular:
        copy_(border, narrow(out, b.dim, left ? end - width : b.left, width));
        break;
      default:
        copy_(border,
              flip(narrow(out, b.dim, left ? b.left + 1 : end - 1 - width, width), {b.dim}));
    }
  }
}

Tensor Pad(Call call, const Tensor& self, IntSpan pad, std::string_view mode_name,
           std::optional<double> value) {
  constexpr std::string_view kNames[] = {"constant", "reflect", "replicate", "circular"};
  size_t m = 0;
  while (m < 4 && kNames[m] != mode_name) ++m;
  if (m == 4) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"mode must be \"constant\", \"reflect\", \"replicate\" or \"circular\", "
          "got \"",
          mode_name, "\""});
  }
  const Mode mode = static_cast<Mode>(m);
  if (mode == Mode::kConstant) return constant_pad_nd(self, pad, value.value_or(0.0));
  if (value.value_or(0.0) != 0.0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"mode \"", mode_name, "\" takes no value, got ", *value});
  }
  const auto dims = static_cast<int64_t>(pad.size() / 2);
  if (dims < 1 || dims > 3 || (self.dim() != dims + 1 && self.dim() != dims + 2)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"mode \"", mode_name,
          "\" pads 1, 2 or 3 dimensions of a tensor of one or two more, got pad ", pad,
          " for sizes ", self.sizes()});
  }
  // Mirrors and outermost elements are those of all of self: what is cut off goes afterwards.
  std::vector<int64_t> added(pad.begin(), pad.end()), cut(pad.begin(), pad.end());
  const bool cuts = mode != Mode::kCircular && *std::min_element(pad.begin(), pad.end()) < 0;
  if (cuts) {
    for (int64_t& width : added) width = std::max<int64_t>(width, 0);
    for (int64_t& width : cut) width = std::min<int64_t>(width, 0);
  }
  const std::vector<Border> borders = BordersOf(call, self, added);
  for (const Border& b : borders) RequireFillable(call, mode, b);
  const Tensor out =
      Framed(self, borders,
             mode == Mode::kCircular ? MemoryFormat::kContiguous : self.suggest_memory_format());
  // The last dimension's border within the others' first, then wider and wider.
  for (size_t i = 0; i < borders.size(); ++i) {
    Tensor part = out;
    for (size_t k = i + 1; k < borders.size(); ++k)
      part = narrow(part, borders[k].dim, borders[k].left, borders[k].size);
    FillBorder(part, borders[i], mode);
  }
  return cuts ? constant_pad_nd(out, cut) : out;
}
const Composite pad_body{"pad", Pad};

Tensor PadCircular(Call call, const Tensor& self, IntSpan pad) {
  return Pad(call, self, pad, "circular", std::nullopt);
}
const Composite pad_circular_body{"_pad_circular", PadCircular};

Tensor PadEnum(Call call, const Tensor& self, IntSpan pad, int64_t mode,
               std::optional<double> value) {
  constexpr std::string_view kNames[] = {"reflect", "replicate", "circular", "constant"};
  if (mode < 0 || mode > 3)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"mode must be 0 to 3, got ", mode});
  return Pad(call, self, pad, kNames[mode], value);
}
const Composite pad_enum_body{"_pad_enum", PadEnum};

}  // namespace
}  // namespace sy
