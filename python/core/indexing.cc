// x[…] and x[…] = y: everything that PyTorch's indexing takes.
//
// Integers, slices, None and … make a view; tensors, lists and bools go to index and index_put_,
// of that view.

#include <algorithm>
#include <ranges>
#include <string>

#include "python/core/plan.h"
#include "python/core/python.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::python {
namespace {

// What subscripts come to.
struct Indexed {
  Tensor view;
  // For index() of the view; undefined ones are whole dimensions. A mask is one of them, whatever
  // number of dimensions it stands for.
  std::vector<Tensor> indices;

  void Put(int64_t dim, Tensor t) {
    if (static_cast<int64_t>(indices.size()) <= dim) indices.resize(static_cast<size_t>(dim) + 1);
    indices[static_cast<size_t>(dim)] = std::move(t);
  }
};

bool IsMask(const Tensor& t) { return t.dtype() == DType::kBool || t.dtype() == DType::kUInt8; }

// The subscript as a tensor, where it is one or becomes one; undefined: it is none.
Tensor AsTensor(PyObject* key) {
  if (IsTensor(key)) return TensorOf(key);
  if (PyLong_Check(key) || PySlice_Check(key) || key == Py_None || key == Py_Ellipsis) return {};
  const bool sequence = PyList_Check(key) || PyTuple_Check(key) || Py_TYPE(key) == &PyRange_Type;
  if (!sequence && PyObject_HasAttrString(key, "__array__") == 0) return {};
  if (sequence && PySequence_Size(key) == 0) return Tensor::Empty({0}, DType::kInt64);
  return MakeTensor(key, nullptr);
}

// The number of dimensions that a subscript stands for.
int64_t Takes(PyObject* key, const Tensor& t) {
  if (key == Py_None || key == Py_Ellipsis || PyBool_Check(key)) return 0;
  if (t.defined() && IsMask(t)) return t.dim();
  return 1;
}

// Whether a list stands for a tuple, as PyTorch reads it: a short one of more than numbers.
bool StandsForTuple(PyObject* key) {
  if (!PyList_Check(key) || PyList_Size(key) >= 32) return false;
  for (Py_ssize_t i = 0; i < PyList_Size(key); ++i) {
    PyObject* x = PyList_GetItem(key, i);
    if (IsTensor(x) || PyList_Check(x) || PyTuple_Check(x) || PySlice_Check(x) || x == Py_None ||
        x == Py_Ellipsis) {
      return true;
    }
  }
  return false;
}

// A mask stands for dimensions of its own sizes.
void RequireMaskFits(const Tensor& mask, const Tensor& t, int64_t dim) {
  for (int64_t i = 0; i < mask.dim(); ++i) {
    if (dim + i < t.dim() && mask.size(i) == t.size(dim + i)) continue;
    Throw(PyExc_IndexError, Join({"The shape of the mask ", mask.sizes(), " at index ", i,
                                  " does not match the shape of the indexed tensor ", t.sizes(),
                                  " at index ", dim + i}));
  }
}

void Subscribe(const Tensor& self, PyObject* given, Indexed& out) {
  const Ref list = StandsForTuple(given) ? Own(PySequence_Tuple(given)) : Ref();
  PyObject* key = list ? list.get() : given;
  const bool several = PyTuple_Check(key);
  const Py_ssize_t n = several ? PyTuple_Size(key) : 1;
  const auto at = [&](Py_ssize_t i) { return several ? PyTuple_GetItem(key, i) : key; };
  std::vector<Tensor> tensors(static_cast<size_t>(n));
  int64_t taken = 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    tensors[static_cast<size_t>(i)] = AsTensor(at(i));
    taken += Takes(at(i), tensors[static_cast<size_t>(i)]);
  }
  if (taken > self.dim()) {
    Throw(PyExc_IndexError,
          "too many indices for tensor of dimension " + std::to_string(self.dim()));
  }
  Tensor t = self;
  int64_t d = 0, in_masks = 0;  // in_masks: dimensions before d beyond the first one of a mask
  bool rest = false;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* k = at(i);
    const Tensor& index = tensors[static_cast<size_t>(i)];
    if (k == Py_Ellipsis) {
      if (!rest) d += self.dim() - taken;  // a second one stands for nothing
      rest = true;
    } else if (k == Py_None) {
      t = unsqueeze(t, d++);
    } else if (PyBool_Check(k) || (index.defined() && index.dim() == 0 && IsMask(index))) {
      t = unsqueeze(t, d);
      Tensor mask = Tensor::Empty({1}, DType::kBool);
      mask.at<bool>(0) = index.defined() ? item(index).To<bool>() : k == Py_True;
      out.Put(d++ - in_masks, std::move(mask));
    } else if (index.defined() && index.dim() == 0 && IsIntegral(index.dtype(), false)) {
      t = select(t, d, item(index).To<int64_t>());
    } else if (index.defined()) {
      if (!Contains(Mask(DType::kInt64, DType::kInt32, DType::kUInt8, DType::kBool),
                    index.dtype())) {
        Throw(PyExc_IndexError,
              "tensors used as indices must be long, int, byte or bool tensors, "
              "got " +
                  std::string(Name(index.dtype())));
      }
      if (IsMask(index)) RequireMaskFits(index, t, d);
      out.Put(d - in_masks, index);
      d += IsMask(index) ? index.dim() : 1;
      if (IsMask(index)) in_masks += index.dim() - 1;
    } else if (PySlice_Check(k)) {
      Py_ssize_t begin = 0, end = 0, step = 1;
      if (PySlice_Unpack(k, &begin, &end, &step) < 0) ThrowPython();
      if (step <= 0) Throw(PyExc_ValueError, "step must be greater than zero");
      PySlice_AdjustIndices(t.size(d), &begin, &end, step);
      if (begin != 0 || end != t.size(d) || step != 1) {
        t = slice(t, d, begin, std::max(begin, end), step);
      }
      ++d;
    } else if (PyIndex_Check(k) != 0) {
      const int64_t i_th = IntOf(k);
      if (t.dim() > d && (i_th >= t.size(d) || i_th < -t.size(d))) {
        Throw(PyExc_IndexError, "index " + std::to_string(i_th) +
                                    " is out of bounds for dimension " + std::to_string(d) +
                                    " with size " + std::to_string(t.size(d)));
      }
      t = select(t, d, i_th);
    } else {
      Throw(PyExc_IndexError,
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            "valid indices (got " +
                std::string(TextOf(Own(PyType_GetName(Py_TYPE(k))).get())) + ")");
    }
  }
  out.view = std::move(t);
}

// As in PyTorch an IndexError, and not the operator's.
void RequireIndicesBroadcast(const Indexed& x) {
  std::vector<int64_t> common;
  std::string shapes;
  bool fit = true;
  for (const Tensor& t : x.indices) {
    if (!t.defined()) continue;
    if (IsMask(t)) return;  // its places are not known yet
    const IntSpan sizes = t.sizes();
    shapes += (shapes.empty() ? "[" : ", [");
    for (size_t d = 0; d < sizes.size(); ++d) {
      shapes += (d == 0 ? "" : ", ") + std::to_string(sizes[d]);
    }
    shapes += "]";
    if (common.size() < sizes.size())
      common.insert(common.begin(), sizes.size() - common.size(), 1);
    for (size_t d = 0; d < sizes.size(); ++d) {
      int64_t& c = common[common.size() - sizes.size() + d];
      if (c == 1) c = sizes[d];
      fit = fit && (sizes[d] == c || sizes[d] == 1);
    }
  }
  if (fit) return;
  Throw(PyExc_IndexError,
        "shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes);
}

// Lists of indices are on the tensor's device.
void Move(Indexed& x) {
  for (Tensor& t : x.indices) {
    if (t.defined() && t.is_host() && !x.view.is_host()) t = t.to(x.view.device());
  }
}

PyObject* Select0(const Tensor& t, PyObject* key) {
  const int64_t i = PyLong_AsLongLong(key);
  if (i == -1 && PyErr_Occurred() != nullptr) ThrowPython();
  const int64_t size = t.sizes()[0];
  if (i >= size || i < -size) {
    Throw(PyExc_IndexError, "index " + std::to_string(i) +
                                " is out of bounds for dimension 0 with "
                                "size " +
                                std::to_string(size));
  }
  return Wrap(select(t, 0, i));
}

}  // namespace

PyObject* GetItem(PyObject* self, PyObject* key) {
  return Guard([&]() -> PyObject* {
    const Tensor& t = TensorOf(self);
    if (PyLong_CheckExact(key)) {
      if (t.dim() == 0) {
        Throw(PyExc_IndexError,
              "invalid index of a 0-dim tensor. Use `tensor.item()` to convert it "
              "to a number");
      }
      return Select0(t, key);
    }
    Indexed x;
    Subscribe(t, key, x);
    if (x.indices.empty()) return Wrap(x.view.is_same(t) ? alias(t) : x.view);
    RequireIndicesBroadcast(x);
    Move(x);
    Tensor result;
    {
      const WithoutGil away(IsLong(t));
      result = index(x.view, x.indices);
    }
    return Wrap(std::move(result));
  });
}

int SetItem(PyObject* self, PyObject* key, PyObject* value) {
  return GuardInt([&] {
    if (value == nullptr) Throw(PyExc_TypeError, "Tensor does not support deleting items");
    const Tensor& t = TensorOf(self);
    if (key == Py_False) return 0;
    if (key == Py_True) key = Py_None;  // a view, and not a mask of one element
    Indexed x;
    Subscribe(t, key, x);
    RequireIndicesBroadcast(x);
    Move(x);
    Tensor from;
    if (IsTensor(value)) {
      from = TensorOf(value);
    } else if (x.indices.empty() && IsNumber(value)) {
      fill_(x.view, NumberOf(value));
      return 0;
    } else if (IsNumber(value)) {
      from = full({}, NumberOf(value), {.dtype = t.dtype(), .device = t.device()});
    } else {
      from = MakeTensor(value, nullptr);
    }
    const bool made = !IsTensor(value);
    const WithoutGil away(IsLong(t));
    if (from.row() != t.row() && (made || from.dim() == 0)) from = from.to(t.device());
    // Leading dimensions of one element may be more than the place has.
    while (from.dim() > (x.indices.empty() ? x.view.dim() : 0) && from.size(0) == 1) {
      from = squeeze(from, 0);
    }
    if (x.indices.empty()) {
      // What is repeated is read again after it was written: x[:] = x[0].
      const bool repeated = !std::ranges::equal(from.sizes(), x.view.sizes());
      copy_(x.view, repeated && from.shares_storage_with(x.view) ? clone(from) : from);
    } else {
      index_put_(x.view, x.indices, from.dtype() == t.dtype() ? from : from.to(t.dtype()));
    }
    return 0;
  });
}

}  // namespace sy::python
