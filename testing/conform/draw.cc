#include "testing/conform/draw.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/format/format.h"

namespace sy::conform {
namespace {

bool Says(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool IsPosition(const Argument& a) { return Says(a.name, "index") || Says(a.name, "indices"); }
bool IsMask(const Argument& a) { return a.name == "mask" || a.name == "condition"; }
bool IsDim(const Argument& a) {
  return a.name == "dim" || a.name == "dims" || a.name == "axis" || Says(a.name, "_dim") ||
         a.name == "dim0" || a.name == "dim1";
}
bool IsOfImages(const Argument& a) {
  return a.name == "stride" || a.name == "dilation" || a.name == "kernel_size" ||
         Says(a.name, "padding");
}
bool IsScale(const Argument& a) { return Says(a.name, "scale"); }
bool IsOut(const Argument& a) { return a.kwarg_only && a.type.alias.write; }

// Whether each position may be named once only: what is written twice is the kernel's choice.
bool WritesOnce(const OperatorEntry& op) {
  const std::string& name = op.schema().name;
  if (Says(name, "add") || Says(name, "reduce")) return false;
  return Says(name, "copy") || Says(name, "scatter") || Says(name, "put") || Says(name, "fill");
}

// Where the result of two huge tensors might be larger by far, they are not.
Extents Within(const OperatorEntry& op, Extents extents) {
  const std::vector<Argument>& all = op.schema().arguments;
  const auto tensors = std::ranges::count_if(
      all, [](const Argument& a) { return a.type.kind == TypeKind::kTensor && !a.kwarg_only; });
  const bool list =
      std::ranges::any_of(all, [](const Argument& a) { return a.type.is_tensor_list(); });
  const bool bounded = op.Has(OperatorTag::kPointwise) || (tensors == 1 && !list);
  return extents == Extents::kHuge && !bounded ? Extents::kEdge : extents;
}

class Drawing {
 public:
  Drawing(const OperatorEntry& op, const DrawOptions& options, Random& random)
      : op_(op),
        o_(options),
        random_(random),
        plan_(PlanSizes(options.family, Within(op, options.extents), random)) {
    for (const Argument& a : op.schema().arguments) of_images_ |= IsOfImages(a);
  }

  DrawnCall Run() {
    DrawnCall call;
    call.op = &op_;
    const std::vector<Argument>& arguments = op_.schema().arguments;
    for (size_t i = 0; i < arguments.size(); ++i) call.arguments.push_back(Of(arguments[i], i));
    call.complete = complete_;
    return call;
  }

 private:
  DrawnArgument Of(const Argument& a, size_t position) {
    const Value given = op_.defaults()[position];
    if (IsOut(a)) return given;
    if (a.type.optional && random_.OneIn(3)) return Value();
    if (a.type.is_tensor_list()) return List(a, position);
    if (a.type.is_tensor()) return TensorOf(a, position);
    if (a.has_default && random_.OneIn(5)) return given;
    if (a.type.list) return ListOf(a, given);
    switch (a.type.kind) {
      case TypeKind::kInt:
      case TypeKind::kSymInt:
        return Value(Integer(a));
      case TypeKind::kFloat:
        return Value(Float(a));
      case TypeKind::kBool:
        return a.name == "transposed"   ? Value(plan_.transposed)
               : a.name == "pin_memory" ? given
                                        : Value(random_.OneIn(2));
      case TypeKind::kScalar:
        return Value(Number());
      case TypeKind::kScalarType:
        return Value(
            random_.Pick({o_.dtype, o_.dtype, DType::kFloat32, DType::kFloat64, DType::kInt64}));
      case TypeKind::kString:
        return Text(a, given);
      default:
        complete_ &= a.has_default || a.type.optional;
        return given;
    }
  }

  // --- Tensors

  DrawnTensor Plain(const Sizes& sizes) {
    DrawnTensor t;
    t.sizes = sizes;
    t.dtype = o_.dtype;
    t.elements = o_.elements;
    t.seed = random_.Bits();
    return t;
  }
  DrawnArgument TensorOf(const Argument& a, size_t argument) {
    const bool first = tensors_ == 0;
    DrawnTensor t = Plain(plan_.SizesOf(tensors_++));
    t.below = std::max<int64_t>(plan_.below, 1);
    t.along = std::min(plan_.dim, std::max<int64_t>(std::ssize(t.sizes) - 1, 0));
    const bool position = IsPosition(a);
    if (position) {
      t.dtype = DType::kInt64;
      t.elements = WritesOnce(op_) ? Elements::kDistinct : Elements::kPositions;
    } else if (IsMask(a)) {
      t.dtype = DType::kBool;
      t.elements = Elements::kTruth;
    } else if (!first && o_.mixed && !special() && random_.OneIn(6)) {
      t.dtype = random_.Pick({DType::kFloat32, DType::kFloat64, DType::kInt64, DType::kBool});
    }
    if (argument < o_.dtypes.size()) t.dtype = o_.dtypes[argument];
    if (o_.scales && IsScale(a) && !special()) t.elements = Elements::kPositive;
    if (t.elements == Elements::kWide && !first) t.elements = Elements::kTruth;
    // A filter's NaN and infinities beyond an image's edge: 0 times those, or nothing, as a kernel
    // pads with zeros or leaves out.
    if (special() && of_images_ && !first) t.elements = Elements::kSmall;
    DrawLayout(t, !a.type.alias.write, random_);
    if (!first && !position && op_.Has(OperatorTag::kPointwise) && o_.host_numbers && !IsMask(a) &&
        random_.OneIn(2)) {
      t.sizes.clear();
      t.strides.clear();
      t.offset = 0;
      t.on_host = true;
    }
    return t;
  }
  // Two to four, which differ in the plan's dimension by turns.
  DrawnArgument List(const Argument& a, size_t argument) {
    std::vector<DrawnTensor> list;
    const bool differ = random_.OneIn(2);
    for (int64_t n = random_.Between(2, 4); n > 0; --n) {
      Sizes sizes = plan_.SizesOf(tensors_);
      if (differ && !sizes.empty() && !a.type.element_optional)
        sizes[std::min(static_cast<size_t>(plan_.dim), sizes.size() - 1)] =
            random_.Between(o_.extents == Extents::kOrdinary ? 1 : 0, 4);
      list.push_back(Plain(sizes));
      if (argument < o_.dtypes.size()) list.back().dtype = o_.dtypes[argument];
      DrawLayout(list.back(), !a.type.alias.write, random_);
    }
    ++tensors_;
    return list;
  }

  // --- Numbers

  int64_t Rank() const { return std::ssize(plan_.tensors[0]); }
  int64_t Dim() {
    const int64_t rank = std::max<int64_t>(Rank(), 1);
    const int64_t dim = random_.OneIn(4) ? random_.Between(0, rank - 1) : plan_.dim;
    return random_.OneIn(2) ? dim : dim - rank;
  }
  int64_t Integer(const Argument& a) {
    if (IsDim(a)) return Dim();
    if (a.name == "groups" || a.name == "num_groups") return plan_.groups;
    if (IsOfImages(a)) return random_.Between(Says(a.name, "padding") ? 0 : 1, 3);
    return random_.Between(-2, 3);
  }
  double Float(const Argument& a) {
    if (a.name == "eps") return random_.Pick({1e-5, 0.25, 1.0});
    if (o_.scales && IsScale(a)) return random_.Pick({0.25, 0.5, 0.75, 1.0, 2.0});
    if (special() && random_.OneIn(4)) return Special();
    return random_.Pick({0.0, 0.25, 0.5, 1.0, 2.0, -1.5, 3.0});
  }
  bool special() const { return o_.elements == Elements::kSpecial; }
  double Special() {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    return random_.Pick({kInf, -kInf, std::numeric_limits<double>::quiet_NaN(), 1000.0});
  }
  Scalar Number() {
    // Past what 32- and 64-bit floats count, and 32-bit ones reach.
    if (o_.elements == Elements::kWide && random_.OneIn(2)) {
      if (o_.dtype == DType::kInt64) return Scalar((int64_t{1} << 53) + 1);
      if (o_.dtype == DType::kFloat64) return Scalar(1e200);
    }
    const bool integral = !IsFloating(o_.dtype) && !IsComplex(o_.dtype);
    if (integral && !random_.OneIn(6)) return Scalar(random_.Between(-3, 4));
    if (special() && random_.OneIn(3)) return Scalar(Special());
    if (random_.OneIn(4)) return Scalar(random_.Between(-3, 4));
    return Scalar(random_.Pick({0.0, 0.5, 2.0, -1.5, 3.25, -0.25}));
  }

  DrawnArgument Text(const Argument& a, const Value& given) {
    if (a.name == "rounding_mode") return std::string(random_.Pick({"trunc", "floor"}));
    if (a.name == "approximate") return std::string(random_.Pick({"none", "tanh"}));
    if (a.name == "reduce")
      return std::string(random_.Pick({"sum", "prod", "mean", "amax", "amin"}));
    if (a.name == "side") return std::string(random_.Pick({"left", "right"}));
    complete_ &= a.has_default || a.type.optional;
    return given;
  }

  // --- Lists

  // Some of the first tensor's, in any order, counted from either end; none of them now and then.
  std::vector<int64_t> Dims() {
    std::vector<int64_t> all(static_cast<size_t>(Rank()));
    std::iota(all.begin(), all.end(), 0);
    for (size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1],
                all[static_cast<size_t>(random_.Between(0, static_cast<int64_t>(i) - 1))]);
    all.resize(static_cast<size_t>(
        random_.Between(random_.OneIn(4) ? 0 : std::min<int64_t>(1, Rank()), Rank())));
    for (int64_t& d : all) d -= random_.OneIn(2) ? Rank() : 0;
    dims_ = all.size();
    return all;
  }
  std::vector<int64_t> Integers(const Argument& a) {
    if (IsDim(a)) return Dims();
    if (a.name == "normalized_shape") return plan_.trailing;
    size_t length =
        static_cast<size_t>(a.type.list_size > 0 ? a.type.list_size : random_.Between(1, 4));
    int64_t least = -2, most = 3;
    if (IsOfImages(a)) {
      if (a.type.list_size == 0 || plan_.spatial > 0)
        length = static_cast<size_t>(std::max<int64_t>(plan_.spatial, 1));
      least = Says(a.name, "padding") ? 0 : 1;
      most = Says(a.name, "output_padding") ? 1 : least + 2;
      if (Says(a.name, "output_padding") && !plan_.transposed) most = 0;
    } else if (a.name == "pad") {
      length = 2 * static_cast<size_t>(random_.Between(0, Rank()));
      least = -1;
    } else if (a.name == "shifts") {
      length = dims_ = random_.OneIn(3) ? 1 : static_cast<size_t>(Rank());
    } else if (Says(a.name, "size") || a.name == "repeats") {
      least = Says(a.name, "output_size") ? 1 : 0;
      if (a.name == "repeats") length = static_cast<size_t>(Rank() + random_.Between(0, 1));
    }
    std::vector<int64_t> list(length);
    for (int64_t& n : list) n = random_.Between(least, most);
    return list;
  }
  DrawnArgument ListOf(const Argument& a, const Value& given) {
    switch (a.type.kind) {
      case TypeKind::kInt:
      case TypeKind::kSymInt:
        return Integers(a);
      case TypeKind::kFloat: {
        std::vector<double> list(static_cast<size_t>(random_.Between(1, 4)));
        for (double& x : list) x = Float(a);
        return list;
      }
      case TypeKind::kScalar: {
        std::vector<Scalar> list;
        for (int64_t n = random_.Between(1, 4); n > 0; --n) list.push_back(Number());
        return list;
      }
      case TypeKind::kBool: {
        Bools list;
        list.size = static_cast<size_t>(a.type.list_size > 0 ? std::min(a.type.list_size, 4) : 3);
        for (size_t i = 0; i < list.size; ++i) list.of[i] = random_.OneIn(2);
        return list;
      }
      default:
        complete_ &= a.has_default || a.type.optional;
        return given;
    }
  }

  const OperatorEntry& op_;
  const DrawOptions& o_;
  Random& random_;
  const SizePlan plan_;
  size_t tensors_ = 0, dims_ = 0;
  bool complete_ = true, of_images_ = false;
};

std::string Text(const DrawnTensor& t) {
  std::string text = fmt::format("{}{}", t.dtype, IntSpan(t.sizes));
  std::vector<int64_t> dense(t.sizes.size());
  int64_t n = 1;
  for (size_t i = dense.size(); i-- > 0;) {
    dense[i] = n;
    n *= std::max<int64_t>(t.sizes[i], 1);
  }
  if (dense != t.strides) text += fmt::format(" of strides {}", IntSpan(t.strides));
  if (t.offset != 0) text += fmt::format(" from element {} on", t.offset);
  return t.on_host ? text + " of the host" : text;
}

struct ArgumentText {
  std::string operator()(const Value& v) const { return v.str(); }
  std::string operator()(const std::string& s) const { return "'" + s + "'"; }
  std::string operator()(const std::vector<int64_t>& l) const { return Value(l).str(); }
  std::string operator()(const std::vector<double>& l) const {
    return Value(std::span<const double>(l)).str();
  }
  std::string operator()(const std::vector<Scalar>& l) const {
    return Value(std::span<const Scalar>(l)).str();
  }
  std::string operator()(const Bools& b) const {
    return Value(std::span<const bool>(b.of, b.size)).str();
  }
  std::string operator()(const DrawnTensor& t) const { return Text(t); }
  std::string operator()(const std::vector<DrawnTensor>& l) const {
    std::string all;
    for (const DrawnTensor& t : l) all += (all.empty() ? "" : ", ") + Text(t);
    return "[" + all + "]";
  }
};

}  // namespace

void DrawLayout(DrawnTensor& t, bool expand, Random& random) {
  const size_t rank = t.sizes.size();
  std::vector<size_t> order(rank);  // the last of it lies closest
  std::iota(order.begin(), order.end(), size_t{0});
  if (random.OneIn(3) && rank > 1)
    std::swap(order[static_cast<size_t>(random.Between(0, static_cast<int64_t>(rank) - 2))],
              order[rank - 1]);
  int64_t step = random.OneIn(5) ? 2 : 1;
  t.strides.assign(rank, 0);
  for (size_t i = rank; i-- > 0;) {
    t.strides[order[i]] = step;
    step *= std::max<int64_t>(t.sizes[order[i]], 1);
    step += random.OneIn(8) ? 1 : 0;
  }
  if (expand && rank > 0 && random.OneIn(6))
    t.strides[static_cast<size_t>(random.Between(0, static_cast<int64_t>(rank) - 1))] = 0;
  t.offset = random.OneIn(5) ? random.Between(1, 3) : 0;
}

bool IsOfScales(const Argument& a) { return IsScale(a) || Says(a.name, "bias"); }

DrawnCall Draw(const OperatorEntry& op, const DrawOptions& options, Random& random) {
  return Drawing(op, options, random).Run();
}

std::string DrawnCall::str() const {
  std::string all;
  const std::vector<Argument>& named = op->schema().arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) all += ", ";
    if (!named[i].type.is_tensor()) all += named[i].name + "=";
    all += std::visit(ArgumentText(), arguments[i]);
  }
  return fmt::format("{}({})", op->name(), all);
}

}  // namespace sy::conform
