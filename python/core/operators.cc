// What Python's operators are for tensors: a + b, 2 ** a, a < b, a += b, -a, bool(a).

#include "python/core/python.h"
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

// Gradients and devices aside, a call of the operator's own for whichever side has the tensor.
enum class Reflected : uint8_t { kSame, kSwapped };
template <Name kName, Reflected kHow = Reflected::kSame>
PyObject* Binary(PyObject* a, PyObject* b) {
  if (Py_TYPE(a) == tensor_type &&
      (Py_TYPE(b) == tensor_type || PyFloat_CheckExact(b) || PyLong_CheckExact(b))) [[likely]] {
    return Call2(Op<kName>(), a, b);
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
  return IsNumber(a) ? Call2(Op<"rsub">(), b, a) : Binary<"sub">(a, b);
}

PyObject* Divide(PyObject* a, PyObject* b) {
  if (!IsNumber(a)) return Binary<"div">(a, b);
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
      return Binary<"lt">(a, b);
    case Py_LE:
      return Binary<"le">(a, b);
    case Py_EQ:
      return Binary<"eq">(a, b);
    case Py_NE:
      return Binary<"ne">(a, b);
    case Py_GT:
      return Binary<"gt">(a, b);
    default:
      return Binary<"ge">(a, b);
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

const std::vector<PyType_Slot>& OperatorSlots() {
  static const std::vector<PyType_Slot> slots = {
      Slot(Py_nb_add, Binary<"add", Reflected::kSwapped>),
      Slot(Py_nb_subtract, Subtract),
      Slot(Py_nb_multiply, Binary<"mul", Reflected::kSwapped>),
      Slot(Py_nb_true_divide, Divide),
      Slot(Py_nb_floor_divide, Binary<"floor_divide">),
      Slot(Py_nb_remainder, Binary<"remainder">),
      Slot(Py_nb_power, Power),
      Slot(Py_nb_matrix_multiply, MatMul),
      Slot(Py_nb_and, Binary<"bitwise_and", Reflected::kSwapped>),
      Slot(Py_nb_or, Binary<"bitwise_or", Reflected::kSwapped>),
      Slot(Py_nb_xor, Binary<"bitwise_xor", Reflected::kSwapped>),
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
