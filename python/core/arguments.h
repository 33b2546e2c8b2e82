// Arguments of Python as boxed values.
//
// Owns: a Scratch what values point to, for one call; the values borrow.
// Threads: with the GIL held.
// Errors: exceptions of Python, thrown as PythonError.
#ifndef PYTHON_CORE_ARGUMENTS_H_
#define PYTHON_CORE_ARGUMENTS_H_

#include <complex>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "python/core/python.h"

namespace sy::python {

inline constexpr int kRoom = 48;  // arguments of one call

// What values point to. Nothing is made before it is needed.
struct Scratch {
  int64_t ints[64];
  double doubles[32];
  bool bools[32];
  std::complex<double>* complex_numbers() {
    return reinterpret_cast<std::complex<double>*>(complex_storage);
  }
  alignas(std::complex<double>) char complex_storage[4 * sizeof(std::complex<double>)];
  int num_ints = 0, num_doubles = 0, num_bools = 0, num_complex = 0;

  // What few calls need.
  struct Rare {
    std::vector<std::unique_ptr<int64_t[]>> more_ints;
    std::vector<std::unique_ptr<double[]>> more_doubles;
    std::deque<std::vector<Tensor>> tensors;
    std::deque<std::vector<Scalar>> scalars;
    std::deque<Tensor> numbers;
    std::vector<Ref> objects;
  };
  Rare& rare() {
    if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
    return *rare_;
  }

  template <class T, int kN>
  T* Room(T (&in)[kN], int& used, std::vector<std::unique_ptr<T[]>> Rare::*more, Py_ssize_t n) {
    if (used + n <= kN) {
      used += static_cast<int>(n);
      return in + used - n;
    }
    return (rare().*more).emplace_back(std::make_unique<T[]>(static_cast<size_t>(n))).get();
  }
  int64_t* Ints(Py_ssize_t n) { return Room(ints, num_ints, &Rare::more_ints, n); }
  double* Doubles(Py_ssize_t n) { return Room(doubles, num_doubles, &Rare::more_doubles, n); }

 private:
  std::unique_ptr<Rare> rare_;
};

// What a call was given: values by position, then by name.
struct Given {
  Value* values;
  int positional = 0;
  int count = 0;
  PyObject* keywords = nullptr;  // a tuple of names, or null
};

bool TakeOther(PyObject* o, Value* v, Scratch& s);
// False: no operator takes such a thing.
inline bool Take(PyObject* o, Value* v, Scratch& s) {
  if (Py_TYPE(o) == tensor_type) [[likely]] {
    *v = Value(TensorOf(o));
    return true;
  }
  if (Py_TYPE(o) == &PyLong_Type) {
    int overflow = 0;
    const long long n = PyLong_AsLongLongAndOverflow(o, &overflow);  // NOLINT(google-runtime-int)
    if (overflow == 0) [[likely]] {
      *v = Value(int64_t{n});
      return true;
    }
  }
  return TakeOther(o, v, s);
}
// A TypeError. which: "argument 2".
[[noreturn]] void FailArgument(const std::string& op, const std::string& which, PyObject* o);

}  // namespace sy::python

#endif  // PYTHON_CORE_ARGUMENTS_H_
