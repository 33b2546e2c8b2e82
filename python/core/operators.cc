// What Python's operators are for tensors: a + b, 2 ** a, a < b, a += b, -a, bool(a).

#include <array>
#include <bit>

#include "python/core/plan.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::python {
namespace {

// Found at its first use.
template <size_t kN>
struct Name {
  consteval Name(const char (&s)[kN]) { std::copy_n(s, kN, text); }  // NOLINT
  char text[kN];
};
template <Name kName>
Operation& Op() {
  static Operation& op = *FindOperation(kName.text);
  return op;
}

// The other side of an operator as operators take it: tensors and numbers as they are, arrays as
// tensors. Null: this is none of a tensor's business.
Ref Operand(PyObject* o) {
  if (IsTensor(o) || IsNumber(o)) return Ref::Of(o);
  if (o == Py_None || PyList_Check(o) || PyTuple_Check(o) || PyUnicode_Check(o) ||
      PyDict_Check(o) || PyObject_HasAttrString(o, "__array__") == 0) {
    return {};
  }
  const Ref number = Own(PyObject_GetAttrString(o, "ndim"));
  if (IntOf(number.get()) == 0) return Own(PyObject_CallMethod(o, "item", nullptr));
  return Ref(Wrap(MakeTensor(o, nullptr)));
}

PyObject* Call2(Operation& op, PyObject* a, PyObject* b) {
  PyObject* args[] = {a, b};
  return CallOperation(op, nullptr, args, 2, nullptr);
}

// Operators' own functions, of a tensor and either kind of other side.
constexpr auto kAdd = [](const Tensor& a, const auto& b) { return add(a, b); };
constexpr auto kSub = [](const Tensor& a, const auto& b) { return sub(a, b); };
constexpr auto kMul = [](const Tensor& a, const auto& b) { return mul(a, b); };
constexpr auto kDiv = [](const Tensor& a, const auto& b) { return div(a, b); };
constexpr auto kEq = [](const Tensor& a, const auto& b) { return eq(a, b); };
constexpr auto kNe = [](const Tensor& a, const auto& b) { return ne(a, b); };
constexpr auto kLt = [](const Tensor& a, const auto& b) { return lt(a, b); };
constexpr auto kLe = [](const Tensor& a, const auto& b) { return le(a, b); };
constexpr auto kGt = [](const Tensor& a, const auto& b) { return gt(a, b); };
constexpr auto kGe = [](const Tensor& a, const auto& b) { return ge(a, b); };

// A number as a tensor of x's dtype, which costs half of what an operator's own conversion of it
// does; the last numbers of programs stay, since they bring them again.
struct Number {
  uint64_t bits = 0;
  bool is_floating = false;
  Tensor tensor;  // undefined while a call has it
};
Number& NumberAt(uint64_t bits) {
  constexpr int kShift = 60;  // 16 of them
  static auto* all = new std::array<Number, size_t{1} << (64 - kShift)>;
  return (*all)[bits * 0x9e3779b97f4a7c15u >> kShift];  // Fibonacci hashing
}
Tensor NumberAs(DType d, const Scalar& n) {
  Tensor t = Tensor::Empty({}, d);
  VisitDType<Bit(DType::kFloat32) | Bit(DType::kFloat64) | Bit(DType::kInt64)>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    t.at<T>() = n.To<T>();
  });
  return t;
}

// The operator of x and a number: x's dtype is the result's, or what it is computed in.
template <auto kFunction>
Tensor WithNumber(const Tensor& x, const Scalar& n) {
  const DType d = x.dtype();
  const bool takes_it =
      d == DType::kFloat32 || d == DType::kFloat64 || (d == DType::kInt64 && !n.is_floating());
  if (!takes_it || x.key() != MakeKey(kHostRow, d)) return kFunction(x, n);
  const uint64_t bits = n.is_floating() ? std::bit_cast<uint64_t>(n.To<double>())
                                        : static_cast<uint64_t>(n.To<int64_t>());
  Number& kept = NumberAt(bits);
  Tensor number = std::move(kept.tensor);
  if (!number.defined() || kept.bits != bits || kept.is_floating != n.is_floating() ||
      number.dtype() != d) {
    number = NumberAs(d, n);
  }
  Tensor result = kFunction(x, number);
  // Only where nobody else has it, or a view of it, and could write it.
  if (number.use_count() == 1 && number.impl()->storage->refs.count() == 1)
    kept = {bits, n.is_floating(), std::move(number)};
  return result;
}

// A TypedCall (plan.h). Where other threads need not run meanwhile, a result is made without
// boxing, in half the time.
template <auto kFunction>
bool Typed(PyObject* a, PyObject* b, PyObject** result) {
  const Tensor& x = TensorOf(a);
  if (IsLong(x)) return false;
  if (Py_TYPE(b) == tensor_type) {
    if (IsLong(TensorOf(b))) return false;
    *result = Guard([&] { return Wrap(kFunction(x, TensorOf(b))); });
    return true;
  }
  if (PyFloat_CheckExact(b)) {
    *result = Guard([&] { return Wrap(WithNumber<kFunction>(x, Scalar(PyFloat_AsDouble(b)))); });
    return true;
  }
  if (!PyLong_CheckExact(b)) return false;
  int overflow = 0;
  const int64_t n = PyLong_AsLongLongAndOverflow(b, &overflow);
  if (overflow != 0) return false;
  *result = Guard([&] { return Wrap(WithNumber<kFunction>(x, Scalar(n))); });
  return true;
}

// Gradients and devices aside, a call of the operator's own for whichever side has the tensor.
enum class Reflected : uint8_t { kSame, kSwapped };
template <Name kName, auto kFunction = nullptr, Reflected kHow = Reflected::kSame>
PyObject* Binary(PyObject* a, PyObject* b) {
  if (Py_TYPE(a) == tensor_type) [[likely]] {
    if constexpr (!std::is_null_pointer_v<decltype(kFunction)>) {
      PyObject* result = nullptr;
      if (Typed<kFunction>(a, b, &result)) [[likely]]
        return result;
    }
    if (Py_TYPE(b) == tensor_type || PyFloat_CheckExact(b) || PyLong_CheckExact(b)) {
      return Call2(Op<kName>(), a, b);
    }
  }
  return Guard([&]() -> PyObject* {
    const Ref x = Operand(a), y = Operand(b);
    if (!x || !y) Py_RETURN_NOTIMPLEMENTED;
    if (kHow == Reflected::kSwapped && !IsTensor(x.get())) {
      return Call2(Op<kName>(), y.get(), x.get());
    }
    return Call2(Op<kName>(), x.get(), y.get());
  });
}

PyObject* Subtract(PyObject* a, PyObject* b) {
  if (Py_TYPE(a) != tensor_type && IsNumber(a)) return Call2(Op<"rsub">(), b, a);
  return Binary<"sub", kSub>(a, b);
}

PyObject* Divide(PyObject* a, PyObject* b) {
  if (Py_TYPE(a) == tensor_type || !IsNumber(a)) return Binary<"div", kDiv>(a, b);
  const Ref inverse(CallOperation(Op<"reciprocal">(), b, nullptr, 0, nullptr));
  return inverse ? Call2(Op<"mul">(), inverse.get(), a) : nullptr;
}

PyObject* MatMul(PyObject* a, PyObject* b) {
  if (IsNumber(a) || IsNumber(b)) Py_RETURN_NOTIMPLEMENTED;
  return Binary<"matmul">(a, b);
}

PyObject* Power(PyObject* a, PyObject* b, PyObject*) { return Binary<"pow">(a, b); }

template <Name kName>
PyObject* InPlace(PyObject* a, PyObject* b) {
  if (IsTensor(b) || IsNumber(b)) return CallOperation(Op<kName>(), a, &b, 1, nullptr);
  return Guard([&]() -> PyObject* {
    const Ref y = Operand(b);
    if (!y) Py_RETURN_NOTIMPLEMENTED;
    PyObject* other = y.get();
    return CallOperation(Op<kName>(), a, &other, 1, nullptr);
  });
}
PyObject* InPlacePower(PyObject* a, PyObject* b, PyObject*) { return InPlace<"pow_">(a, b); }

template <Name kName>
PyObject* Unary(PyObject* a) {
  return CallOperation(Op<kName>(), a, nullptr, 0, nullptr);
}

PyObject* Compare(PyObject* a, PyObject* b, int op) {
  switch (op) {
    case Py_LT:
      return Binary<"lt", kLt>(a, b);
    case Py_LE:
      return Binary<"le", kLe>(a, b);
    case Py_EQ:
      return Binary<"eq", kEq>(a, b);
    case Py_NE:
      return Binary<"ne", kNe>(a, b);
    case Py_GT:
      return Binary<"gt", kGt>(a, b);
    default:
      return Binary<"ge", kGe>(a, b);
  }
}

// As Python numbers.
Scalar Only(PyObject* o) {
  const WithoutGil away(!TensorOf(o).is_host());
  return item(TensorOf(o));
}

int Bool(PyObject* o) {
  return GuardInt([&] {
    const int64_t n = TensorOf(o).numel();
    if (n != 1) {
      Throw(PyExc_RuntimeError, n == 0 ? "Boolean value of Tensor with no values is ambiguous"
                                       : "Boolean value of Tensor with more than one value is "
                                         "ambiguous");
    }
    return static_cast<int>(Only(o).To<bool>());
  });
}

// PyNumber_Long, …, of the only element.
template <PyObject* (*kConvert)(PyObject*)>
PyObject* Converted(PyObject* o) {
  return Guard([&] {
    if (TensorOf(o).numel() != 1) {
      Throw(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
    }
    const Ref number = Own(WrapNumber(Only(o)));
    return Checked(kConvert(number.get()));
  });
}

PyObject* Index(PyObject* o) {
  return Guard([&]() -> PyObject* {
    const Tensor& t = TensorOf(o);
    if (!IsIntegral(t.dtype(), true) || t.numel() != 1) {
      Throw(PyExc_TypeError,
            "only integer tensors of a single element can be converted to an index");
    }
    return Converted<PyNumber_Index>(o);
  });
}

template <class F>
PyType_Slot Slot(int id, F* f) {
  return {id, reinterpret_cast<void*>(f)};
}

}  // namespace

// What the operators of a + b and its like are as functions and methods: torch.add(a, b), a.add(b).
void InitOperators() {
  constexpr std::pair<std::string_view, TypedCall> kTyped[] = {
      {"add", Typed<kAdd>}, {"sub", Typed<kSub>}, {"mul", Typed<kMul>}, {"div", Typed<kDiv>},
      {"eq", Typed<kEq>},   {"ne", Typed<kNe>},   {"lt", Typed<kLt>},   {"le", Typed<kLe>},
      {"gt", Typed<kGt>},   {"ge", Typed<kGe>}};
  for (const auto& [name, typed] : kTyped) FindOperation(name)->typed = typed;
}

const std::vector<PyType_Slot>& OperatorSlots() {
  static const std::vector<PyType_Slot> slots = {
      Slot(Py_nb_add, Binary<"add", kAdd, Reflected::kSwapped>),
      Slot(Py_nb_subtract, Subtract),
      Slot(Py_nb_multiply, Binary<"mul", kMul, Reflected::kSwapped>),
      Slot(Py_nb_true_divide, Divide),
      Slot(Py_nb_floor_divide, Binary<"floor_divide">),
      Slot(Py_nb_remainder, Binary<"remainder">),
      Slot(Py_nb_power, Power),
      Slot(Py_nb_matrix_multiply, MatMul),
      Slot(Py_nb_and, Binary<"bitwise_and", nullptr, Reflected::kSwapped>),
      Slot(Py_nb_or, Binary<"bitwise_or", nullptr, Reflected::kSwapped>),
      Slot(Py_nb_xor, Binary<"bitwise_xor", nullptr, Reflected::kSwapped>),
      Slot(Py_nb_lshift, Binary<"bitwise_left_shift">),
      Slot(Py_nb_rshift, Binary<"bitwise_right_shift">),
      Slot(Py_nb_inplace_add, InPlace<"add_">),
      Slot(Py_nb_inplace_subtract, InPlace<"sub_">),
      Slot(Py_nb_inplace_multiply, InPlace<"mul_">),
      Slot(Py_nb_inplace_true_divide, InPlace<"div_">),
      Slot(Py_nb_inplace_floor_divide, InPlace<"floor_divide_">),
      Slot(Py_nb_inplace_remainder, InPlace<"remainder_">),
      Slot(Py_nb_inplace_power, InPlacePower),
      Slot(Py_nb_inplace_and, InPlace<"bitwise_and_">),
      Slot(Py_nb_inplace_or, InPlace<"bitwise_or_">),
      Slot(Py_nb_inplace_xor, InPlace<"bitwise_xor_">),
      Slot(Py_nb_inplace_lshift, InPlace<"bitwise_left_shift_">),
      Slot(Py_nb_inplace_rshift, InPlace<"bitwise_right_shift_">),
      Slot(Py_nb_negative, Unary<"neg">),
      Slot(Py_nb_positive, Unary<"positive">),
      Slot(Py_nb_absolute, Unary<"abs">),
      Slot(Py_nb_invert, Unary<"bitwise_not">),
      Slot(Py_nb_bool, Bool),
      Slot(Py_nb_int, Converted<PyNumber_Long>),
      Slot(Py_nb_float, Converted<PyNumber_Float>),
      Slot(Py_nb_index, Index),
      Slot(Py_tp_richcompare, Compare),
  };
  return slots;
}

}  // namespace sy::python
