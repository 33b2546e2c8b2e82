// Subscripts, as Python writes them, and what else tensors' members do by operators.
//
//   x[0][1] = 561;                     x(1, 1) = 17;
//   x(Slice{1, 3}, 0);                 x(kDots, kNewAxis, -1);
//   x(kAll, mask);                     x(index) = 5;    x(index) += y;
//   for (const Tensor& row : x) …      x.item<double>();   x.to("cuda:0");
//
// Subscripts are positions, Slices, kAll, kNewAxis, kDots and tensors (positions, or masks, which
// stand for as many dimensions as they have). Without tensors they name a view; with one, an
// Elements. Assigning to either writes x; a variable of type Tensor that is assigned to names
// another tensor. Dimensions without a subscript are taken whole. Negative positions count from the
// end; slices are cut to the size, as Python cuts them, with steps above 0. ATen's twin is
// at::indexing, whose "..." and None are kDots and kNewAxis here. Included by switchyard/ops.h.
//
// Python and here:
//
//   x[0]                 x[0]
//   x[1:3, 0]            x(Slice{1, 3}, 0)
//   x[:, ::2]            x(kAll, Slice{.step = 2})
//   x[..., None]         x(kDots, kNewAxis)
//   x[-1]                x[-1]
//   x[mask] = 0          x(mask) = 0
//   x[:, index] += y     x(kAll, index) += y
//   x[0, 1].item()       x(0, 1).item<float>()
// Owns: views and Elements share x's storage and keep it.
// Threads: as the operators (select, slice, unsqueeze, index, index_put_, copy_, fill_).
// Errors: kOutOfRange for positions; kInvalidArgument for more subscripts than dimensions; else as
// the operators'.
#ifndef SWITCHYARD_OPS_API_INDEXING_H_
#define SWITCHYARD_OPS_API_INDEXING_H_

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy {

// start:end:step of Python. Ends may be negative, or left out: Slice{} is all, Slice{1} all but the
// first, Slice{{}, -1} all but the last, Slice{0, 10, 2} each second one. step: above 0.
struct Slice {
  std::optional<int64_t> start = {}, end = {};
  int64_t step = 1;
};
inline constexpr struct AllSubscript {
} kAll;  // the whole of a dimension, ":"
inline constexpr struct NewAxisSubscript {
} kNewAxis;  // a new dimension of size 1, "None"
inline constexpr struct DotsSubscript {
} kDots;  // all dimensions that other subscripts leave, "..."; once

class Elements;

// One subscript. Of kinds that are known at run time alone there may be a vector of them: x(all).
// It holds a tensor by reference count, anything else by value.
class Subscript {
 public:
  // Of a number, a Slice, kAll, kNewAxis, kDots, a tensor: in this order.
  enum Kind : uint8_t { kPosition, kRange, kWhole, kNew, kRest, kTensor };

  template <std::integral T>
  requires(!std::same_as<T, bool>) Subscript(T i)
      : kind_(kPosition), position_(static_cast<int64_t>(i)) {}
  // Each converts by itself: x(0, kAll, mask).
  Subscript(const Slice& s) : kind_(kRange), range_(s) {}
  Subscript(AllSubscript) : kind_(kWhole) {}
  Subscript(NewAxisSubscript) : kind_(kNew) {}
  Subscript(DotsSubscript) : kind_(kRest) {}
  Subscript(const Tensor& t) : kind_(kTensor), tensor_(t) {}  // NOLINT
  // The tensor that the elements are.
  Subscript(const Elements& e);

  Kind kind() const { return kind_; }
  // Each of its kind; of another the default.
  int64_t position() const { return position_; }
  const Slice& range() const { return range_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  Kind kind_;
  int64_t position_ = 0;
  Slice range_;
  Tensor tensor_;
};

// The elements of a tensor that subscripts name. Read, it is a tensor: a copy where one of the
// subscripts is a tensor, else a view. Written, it writes that tensor: number or tensor, as
// index_put_ takes it. A number becomes one of the tensor's dtype.
//   x(sy::gt(x, 0)) = 0;                  // where the mask holds
//   x(rows, cols) += 1;                   // at (rows[i], cols[i]), which broadcast
//   sy::Tensor y = x(kAll, rows);         // a copy; x[0] would be a view
// Owns: the tensor and the subscripts.
class Elements {
 public:
  // Views are made now; elements are read when it becomes a tensor, and written when it is assigned
  // to.
  SY_API Elements(const Tensor& self, std::span<const Subscript> subscripts);
  Elements(const Elements&) = default;

  // A copy by index, or the view.
  SY_API operator Tensor() const;
  // values broadcast to the elements' sizes; where an element is named twice, one value stays. A
  // number is converted to the tensor's dtype: kInvalidArgument where it does not fit.
  SY_API const Elements& operator=(const Tensor& values) const;
  SY_API const Elements& operator=(const Scalar& value) const;
  const Elements& operator=(const Elements& values) const { return *this = Tensor(values); }

// Read, computed and written. Where an element is named twice, one of the results stays: use
// index_add_ or index_put_ with accumulate for sums. Views are written in place.
#define SY_COMPOUND(op)                               \
  template <class V>                                  \
  const Elements& operator op(const V& value) const { \
    return Write(Tensor(*this) op value);             \
  }
  SY_COMPOUND(+=)
  SY_COMPOUND(-=)
  SY_COMPOUND(*=)
  SY_COMPOUND(/=)
  SY_COMPOUND(%=)
  SY_COMPOUND(&=)
  SY_COMPOUND(|=)
  SY_COMPOUND(^=)
  SY_COMPOUND(<<=)
  SY_COMPOUND(>>=)
#undef SY_COMPOUND

  // The only element that is named, as Tensor::item gives it.
  template <class T = Scalar>
  T item() const {
    return Tensor(*this).template item<T>();
  }

 private:
  // Of what was computed in place of what was read: a view has it already.
  const Elements& Write(const Tensor& computed) const {
    return indices_.empty() ? *this : *this = computed;
  }

  Tensor view_;                  // by all subscripts but the tensors
  std::vector<Tensor> indices_;  // for index() of view_; empty without tensors
};

inline Subscript::Subscript(const Elements& e) : kind_(kTensor), tensor_(e) {}

// --- What Tensor's members call.

// x[i]: what lies behind position i of the first dimension, a view without it.
template <std::integral I>
requires(!std::same_as<I, bool>) Tensor At(const Tensor& x, I i) {
  return select(x, 0, static_cast<int64_t>(i));
}
// Subscripts that cannot be tensors, so that the result is one already.
template <class T>
inline constexpr bool kIsView =
    std::integral<T> || std::same_as<T, Slice> || std::same_as<T, AllSubscript> ||
    std::same_as<T, NewAxisSubscript> || std::same_as<T, DotsSubscript>;
// x(…): a Tensor where all subscripts are such, else Elements.
template <std::convertible_to<Subscript>... I>
auto At(const Tensor& x, const I&... i) {
  const Subscript all[] = {i...};
  const Elements elements(x, all);
  if constexpr ((true && ... && kIsView<I>)) {
    return Tensor(elements);
  } else {
    return elements;
  }
}
// Of kinds known at run time: always Elements.
inline Elements At(const Tensor& x, const std::vector<Subscript>& all) { return {x, all}; }

// x[0] = 5 fills the view with a number; x[0] = y copies a tensor, broadcast, into it.
template <std::convertible_to<Scalar> V>
void AssignTo(const Tensor& place, const V& value) {
  fill_(place, Scalar(value));
}
template <std::convertible_to<Tensor> V>
void AssignTo(const Tensor& place, const V& values) {
  copy_(place, values);
}

// As T: integers are checked for range; fractions are cut off as CheckedTo does. Errors:
// kInvalidArgument where x has not one element, or T cannot hold it.
inline Scalar ItemOf(const Tensor& x, Scalar*) { return item(x); }
template <class T>
T ItemOf(const Tensor& x, T*) {
  if constexpr (std::integral<T> && !ElementType<T>) {  // of two types of one size, one is an
    using Signed = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;  // element's
    using Unsigned = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    return static_cast<T>(
        item(x).template CheckedTo<std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>>());
  } else {
    return item(x).template CheckedTo<T>();
  }
}

// x itself where nothing changes, unless copy; non_blocking: may return before a copy between
// devices is done.
inline Tensor ToOf(const Tensor& x, DType dtype, bool non_blocking = false, bool copy = false) {
  return to(x, dtype, non_blocking, copy);
}
inline Tensor ToOf(const Tensor& x, Device device, bool non_blocking = false, bool copy = false) {
  return to(x, Options{.device = device}, non_blocking, copy);
}
inline Tensor ToOf(const Tensor& x, Device device, DType dtype, bool non_blocking = false,
                   bool copy = false) {
  return to(x, device, dtype, non_blocking, copy);
}
inline Tensor ToOf(const Tensor& x, const Options& options, bool non_blocking = false,
                   bool copy = false) {
  return to(x, options, non_blocking, copy);
}
inline Tensor ToOf(const Tensor& x, const Tensor& other, bool non_blocking = false,
                   bool copy = false) {
  return to(x, other, non_blocking, copy);
}

// --- Rows: for (const Tensor& row : x).

// Each row is a view, x[0], x[1], …; a first size of 0 has none.
class RowIterator {
 public:
  // An input iterator: each step makes a view.
  using value_type = Tensor;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  RowIterator() = default;
  RowIterator(const Tensor& x, int64_t row) : x_(x), row_(row) {}
  Tensor operator*() const { return select(x_, 0, row_); }
  RowIterator& operator++() {
    ++row_;
    return *this;
  }
  RowIterator operator++(int) { return {x_, row_++}; }
  friend bool operator==(const RowIterator& a, const RowIterator& b) { return a.row_ == b.row_; }

 private:
  Tensor x_;
  int64_t row_ = 0;
};
// Errors: kOutOfRange for a 0-d tensor, which has no rows.
inline RowIterator begin(const Tensor& x) { return {x, 0}; }
inline RowIterator end(const Tensor& x) { return {x, x.size(0)}; }

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_INDEXING_H_
