#include "testing/conform/made.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "switchyard/dispatcher/call.h"

namespace sy::conform {
namespace {

int64_t Extent(const DrawnTensor& t) {
  int64_t last = t.offset;
  for (size_t i = 0; i < t.sizes.size(); ++i) {
    if (t.sizes[i] == 0) return t.offset + 1;
    last += (t.sizes[i] - 1) * t.strides[i];
  }
  return last + 1;
}

// Calls f(number of the element, where it lies) in row-major order.
template <class F>
void ForEachElement(const DrawnTensor& t, F f) {
  int64_t n = 1;
  for (const int64_t size : t.sizes) n = n == 0 ? 0 : n * size;
  std::vector<int64_t> at(t.sizes.size());
  int64_t offset = t.offset;
  for (int64_t i = 0; i < n; ++i) {
    f(i, offset);
    for (size_t d = at.size(); d-- > 0;) {
      offset += t.strides[d];
      if (++at[d] < t.sizes[d]) break;
      offset -= t.strides[d] * t.sizes[d];
      at[d] = 0;
    }
  }
}

double Special(Random& random) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return random.Pick(
      {std::numeric_limits<double>::quiet_NaN(), kInf, -kInf, -0.0, 1000.0, -1000.0});
}

class Numbers {
 public:
  explicit Numbers(const DrawnTensor& t) : t_(t), random_(t.seed) {
    first_ = random_.Between(0, t.below - 1);
    for (size_t d = t.sizes.size(); static_cast<int64_t>(d) > t.along + 1;) inner_ *= t.sizes[--d];
  }
  double Floating() {
    switch (t_.elements) {
      case Elements::kPositive:
        return 0.25 * static_cast<double>(random_.Between(1, 16));
      case Elements::kUnit:
        return 0.125 * static_cast<double>(random_.Between(0, 7));
      case Elements::kSpecial:
        if (random_.OneIn(4)) return Special(random_);
        break;
      case Elements::kWide:  // 1e200: past 32-bit floats, and sums of some of it are none of 64
        return t_.dtype == DType::kFloat64 ? 1e200 * static_cast<double>(random_.Between(1, 4))
                                           : Quarter();
      case Elements::kTruth:
        return static_cast<double>(random_.Between(0, 1));
      default:
        break;
    }
    return Quarter();
  }
  int64_t Integral(int64_t i) {
    switch (t_.elements) {
      case Elements::kPositive:
        return random_.Between(1, 5);
      case Elements::kPositions:
        return random_.Between(0, t_.below - 1);
      case Elements::kDistinct:
        return (first_ + i / inner_) % t_.below;
      case Elements::kUnit:
      case Elements::kTruth:
        return random_.Between(0, 1);
      case Elements::kWide:
        if (t_.dtype == DType::kInt64) return (int64_t{1} << 53) + random_.Between(0, 9);
        if (t_.dtype == DType::kInt32) return (int64_t{1} << 24) + random_.Between(0, 9);
        break;
      default:
        break;
    }
    return t_.dtype == DType::kBool ? random_.Between(0, 1) : random_.Between(-5, 5);
  }

 private:
  double Quarter() { return 0.25 * static_cast<double>(random_.Between(-16, 16)); }
  const DrawnTensor& t_;
  Random random_;
  int64_t first_ = 0, inner_ = 1;
};

// All of the memory, on the host.
Tensor Memory(const DrawnTensor& t) {
  const int64_t extent = Extent(t);
  Numbers numbers(t);
  Tensor wide;
  if (IsComplex(t.dtype)) {
    wide = Tensor::Empty({extent}, DType::kComplex128);
    auto* to = static_cast<double*>(wide.data());
    std::fill_n(to, 2 * extent, std::numeric_limits<double>::quiet_NaN());
    ForEachElement(t, [&](int64_t, int64_t at) {
      to[2 * at] = numbers.Floating();
      to[2 * at + 1] = numbers.Floating();
    });
  } else if (IsFloating(t.dtype)) {
    wide = Tensor::Empty({extent}, DType::kFloat64);
    std::fill_n(wide.data<double>(), extent, std::numeric_limits<double>::quiet_NaN());
    ForEachElement(t, [&](int64_t, int64_t at) { wide.data<double>()[at] = numbers.Floating(); });
  } else {
    wide = Tensor::Empty({extent}, DType::kInt64);
    std::fill_n(wide.data<int64_t>(), extent, 77);
    ForEachElement(t,
                   [&](int64_t i, int64_t at) { wide.data<int64_t>()[at] = numbers.Integral(i); });
  }
  if (wide.dtype() == t.dtype) return wide;
  const Tensor memory = Tensor::Empty({extent}, t.dtype);
  call("copy_", memory, wide);
  return memory;
}

}  // namespace

MadeCall::MadeCall(const DrawnCall& call, const Session* there, Lay lay)
    : there_(there), lay_(lay) {
  try {
    for (const DrawnArgument& a : call.arguments) values_.push_back(Make(a));
  } catch (const Error& e) {
    Fail(e.code(), {"making ", call.str(), ": ", e.reason()});
  }
}

Tensor MadeCall::MakeTensor(const DrawnTensor& t) {
  Tensor memory = Memory(t);
  if (lay_ == Lay::kDense) {
    const Tensor dense = Tensor::Empty(t.sizes, t.dtype);
    call("copy_", dense, memory.AsStrided(t.sizes, t.strides, t.offset));
    memory = dense;
  }
  if (there_ != nullptr && !t.on_host) memory = there_->There(memory);
  (t.on_host ? host_numbers_ : tensors_).push_back(memory);
  memory_.push_back(memory);
  all_.push_back(lay_ == Lay::kDense ? memory : memory.AsStrided(t.sizes, t.strides, t.offset));
  return all_.back();
}

Value MadeCall::Make(const DrawnArgument& argument) {
  struct Visitor {
    MadeCall& m;
    Value operator()(const Value& v) const { return v; }
    Value operator()(const std::string& s) const { return Value(m.texts_.emplace_back(s)); }
    Value operator()(const std::vector<int64_t>& l) const { return Value(m.ints_.emplace_back(l)); }
    Value operator()(const std::vector<double>& l) const {
      return Value(std::span<const double>(m.doubles_.emplace_back(l)));
    }
    Value operator()(const std::vector<Scalar>& l) const {
      return Value(std::span<const Scalar>(m.scalars_.emplace_back(l)));
    }
    Value operator()(const Bools& b) const {
      return Value(std::span<const bool>(m.bools_.emplace_back(b).of, b.size));
    }
    Value operator()(const DrawnTensor& t) const {
      return Value(m.tensors_.emplace_back(m.MakeTensor(t)));
    }
    Value operator()(const std::vector<DrawnTensor>& l) const {
      std::vector<Tensor>& list = m.lists_.emplace_back();
      for (const DrawnTensor& t : l) list.push_back(m.MakeTensor(t));
      return Value(list);
    }
  };
  return std::visit(Visitor{*this}, argument);
}

void MadeCall::AddOuts(const std::vector<Tensor>& like, uint64_t seed) {
  Random random(seed);
  for (const Tensor& model : like) {
    DrawnTensor t;
    t.sizes.assign(model.sizes().begin(), model.sizes().end());
    t.dtype = model.dtype();
    t.seed = random.Bits();
    DrawLayout(t, /*expand=*/false, random);
    values_.push_back(Value(tensors_.emplace_back(MakeTensor(t))));
  }
}

void MadeCall::End() {
  for (const Tensor& t : host_numbers_) std::memset(t.data(), 1, t.nbytes());
  for (std::vector<int64_t>& l : ints_) std::fill(l.begin(), l.end(), 1'000'000);
  for (std::vector<double>& l : doubles_) std::fill(l.begin(), l.end(), 1e6);
  for (std::vector<Scalar>& l : scalars_) std::fill(l.begin(), l.end(), Scalar(1e6));
  for (Bools& b : bools_) std::for_each(b.of, b.of + 4, [](bool& x) { x = !x; });
  for (std::string& s : texts_) std::fill(s.begin(), s.end(), '?');
  values_.clear();
  lists_.clear();
  tensors_.clear();
  all_.clear();
  memory_.clear();
}

}  // namespace sy::conform
