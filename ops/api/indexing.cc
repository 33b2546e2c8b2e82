#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// How many dimensions of the tensor a subscript stands for; the dots for none by themselves.
int64_t DimensionsOf(const Subscript& s) {
  switch (s.kind()) {
    case Subscript::kNew:
    case Subscript::kRest:
      return 0;
    case Subscript::kTensor:
      return Contains(Mask(DType::kBool, DType::kUInt8), s.tensor().dtype()) ? s.tensor().dim() : 1;
    default:
      return 1;
  }
}

// How many the dots stand for. Errors: kInvalidArgument.
int64_t DimensionsOfDots(const Tensor& x, std::span<const Subscript> all) {
  int64_t named = 0, dots = 0;
  for (const Subscript& s : all) {
    named += DimensionsOf(s);
    dots += s.kind() == Subscript::kRest ? 1 : 0;
  }
  if (named > x.dim() || dots > 1) {
    Fail(ErrorCode::kInvalidArgument,
         {"subscripts: expected at most ", x.dim(), " for sizes ", x.sizes(),
          " and kDots once, got ", named, " and kDots ", dots, " times"});
  }
  return x.dim() - named;
}

// A mask without dimensions, as positions in a new one.
Tensor Positions(const Tensor& mask) { return squeeze(nonzero(reshape(mask, {1})), 1); }

}  // namespace

Elements::Elements(const Tensor& self, std::span<const Subscript> subscripts) : view_(self) {
  const int64_t rest = DimensionsOfDots(self, subscripts);
  int64_t at = 0;     // the dimension of view_ that comes next
  int64_t named = 0;  // dimensions of view_ that indices_ stands for
  for (const Subscript& s : subscripts) {
    switch (s.kind()) {
      case Subscript::kPosition:
        view_ = select(view_, at, s.position());
        break;
      case Subscript::kRange:
        view_ = slice(view_, at++, s.range().start, s.range().end, s.range().step);
        break;
      case Subscript::kWhole:
        ++at;
        break;
      case Subscript::kNew:
        view_ = unsqueeze(view_, at++);
        break;
      case Subscript::kRest:
        at += rest;
        break;
      case Subscript::kTensor: {
        const bool alone = DimensionsOf(s) == 0;
        if (alone) view_ = unsqueeze(view_, at);
        indices_.resize(indices_.size() + static_cast<size_t>(at - named));
        indices_.push_back(alone ? Positions(s.tensor()) : s.tensor());
        at += alone ? 1 : DimensionsOf(s);
        named = at;
        break;
      }
    }
  }
}

Elements::operator Tensor() const { return indices_.empty() ? view_ : index(view_, indices_); }

const Elements& Elements::operator=(const Tensor& values) const {
  if (indices_.empty()) {
    copy_(view_, values);
  } else {
    index_put_(view_, indices_, values);
  }
  return *this;
}

const Elements& Elements::operator=(const Scalar& value) const {
  if (indices_.empty()) {
    fill_(view_, value);
    return *this;
  }
  const Tensor number = tensor(TensorLiteral(value), {.dtype = view_.dtype(), .device = kCpu});
  return *this = to(number, Options{.device = view_.device()});
}

}  // namespace sy
