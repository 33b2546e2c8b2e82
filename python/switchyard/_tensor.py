"""Methods of tensors that are written in Python; the rest are C++'s and the registry's."""

from switchyard import _core, _functions, _qscheme
from switchyard._core import Tensor


def run_backward(tensors, gradients, retain_graph, create_graph, inputs):
    """What Tensor.backward and autograd.backward do."""
    if retain_graph is None:
        retain_graph = create_graph
    if inputs is not None and not isinstance(inputs, Tensor) and len(inputs) == 0:
        raise RuntimeError("backward(): inputs are none; leave them out for all leaves")
    _core._backward(tensors, gradients, retain_graph, create_graph, inputs)


def _backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the derivatives of this tensor to the leaves that it was computed from."""
    run_backward(self, gradient, retain_graph, create_graph, inputs)


class RemovableHandle:
    """What registering a hook gives."""

    __slots__ = ("_remove",)

    def __init__(self, remove):
        self._remove = remove

    def remove(self):
        """Ends the calls of the hook."""
        self._remove()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._remove()


def _hook(self, hook):
    """hook sees the whole gradient in each backward, and may return another in its place."""
    return RemovableHandle(self._register_hook(hook))


def _post_hook(self, hook):
    """hook is called with a leaf after its gradient was added to."""
    return RemovableHandle(self._register_post_hook(hook))


class Node:
    """What made a tensor, as `grad_fn` shows it."""

    __slots__ = ("_name", "_tensor")

    def __init__(self, name, tensor):
        self._name, self._tensor = name, tensor

    def name(self):
        """As PyTorch names it: "MulBackward0"."""
        return self._name

    def __repr__(self):
        return f"<{self._name} object at {id(self._tensor):#x}>"

    def __eq__(self, other):
        return isinstance(other, Node) and self._tensor._is_same(other._tensor)

    def __hash__(self):
        return hash(self._name)


def _grad_fn(self):
    """The operator that made it, where that was recorded; of leaves None."""
    return None if self.is_leaf else Node(self._grad_fn_name, self)


def _numpy(self, *, force=False):
    """An array in the same memory. force: a copy where that cannot be."""
    import numpy
    t = self
    if force:
        t = t.detach().cpu().resolve_conj().resolve_neg()
    elif t.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. "
                           "Use tensor.detach().numpy() instead.")
    elif not t.is_cpu:
        raise TypeError(f"can't convert {t.device} device type tensor to numpy. Use Tensor.cpu() "
                        "to copy the tensor to host memory first.")
    try:
        return numpy.asarray(memoryview(t))
    except BufferError as error:
        raise TypeError(f"no array of a {t.dtype} tensor: {error}") from None


def _array(self, dtype=None, copy=None):
    import numpy
    array = self.numpy()
    if dtype is not None and array.dtype != dtype:
        return array.astype(dtype)
    return numpy.array(array) if copy else array


def _array_wrap(self, array, context=None, return_scalar=False):
    """What NumPy's functions of tensors give: tensors."""
    import numpy
    return _functions.from_numpy(numpy.asarray(array))


def _to_sparse_coo(self):
    """The elements that are not 0, as a sparse tensor of positions and values."""
    return self.to_sparse()


def _cpu(self, memory_format=None):
    """Itself, or a copy on the host."""
    return self.to("cpu") if memory_format is None else self.to("cpu", memory_format=memory_format)


def _cuda(self, device=None, non_blocking=False):
    """Itself, or a copy on a GPU."""
    if device is None:
        device = "cuda"
    elif isinstance(device, int):
        device = _core.device("cuda", device)
    return self.to(device, non_blocking=non_blocking)


_TYPES = {"float32": "FloatTensor", "float64": "DoubleTensor", "float16": "HalfTensor",
          "bfloat16": "BFloat16Tensor", "int64": "LongTensor", "int32": "IntTensor",
          "int16": "ShortTensor", "int8": "CharTensor", "uint8": "ByteTensor",
          "bool": "BoolTensor", "complex32": "ComplexHalfTensor",
          "complex64": "ComplexFloatTensor", "complex128": "ComplexDoubleTensor",
          "uint16": "UInt16Tensor", "uint32": "UInt32Tensor", "uint64": "UInt64Tensor",
          "float8_e4m3fn": "Float8_e4m3fnTensor", "float8_e5m2": "Float8_e5m2Tensor"}


def _type(self, dtype=None, non_blocking=False):
    """The name of its type, or itself as another dtype."""
    if dtype is None:
        name = repr(self.dtype).removeprefix("torch.")
        place = "" if self.is_cpu else self.device.type + "."
        return f"torch.{place}{_TYPES.get(name, name)}"
    if isinstance(dtype, str):
        for name, text in _TYPES.items():
            if dtype == "torch." + text:
                dtype = getattr(_core, name)
                break
        else:
            raise ValueError(f"invalid type: {dtype!r}")
    return self.to(dtype, non_blocking)


def _new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    """A tensor of data, with this one's dtype and device unless others are given."""
    return _functions.tensor(data, dtype=dtype or self.dtype, device=device or self.device,
                             requires_grad=requires_grad)


def _where(self, condition, other):
    """This tensor's elements where the condition holds, else other's."""
    return _core.call("where", condition, self, other)


def _polygamma(self, n):
    """The n-th derivative of digamma, of each element."""
    return _core.call("polygamma", n, self)


def _split(self, split_size, dim=0):
    """Views of its parts: of a size, or of sizes one by one."""
    if isinstance(split_size, Tensor):
        split_size = split_size.tolist()
    if isinstance(split_size, int):
        return _core.call("split", self, split_size, dim)
    return _core.call("split_with_sizes", self, split_size, dim)


def _apply(self, f):
    """f of each element, in place."""
    flat = [f(x) for x in self.reshape(-1).tolist()]
    return self.copy_(_functions.tensor(flat, dtype=self.dtype).reshape(self.shape))


def _map(self, tensor, f):
    """f of each element and the other tensor's, in place."""
    pairs = zip(self.reshape(-1).tolist(), tensor.expand_as(self).reshape(-1).tolist())
    flat = [f(x, y) for x, y in pairs]
    return self.copy_(_functions.tensor(flat, dtype=self.dtype).reshape(self.shape))


def _complex(self):
    return complex(self.item())


def _reversed(self):
    return self.flip(0) if self.dim() else self


def _dir(self):
    return sorted(set(object.__dir__(self)))


# --- Pickling and copies.

def _rebuild(cls, data, dtype, sizes, requires_grad, device, state):
    if data is None:
        t = _core.call("empty", sizes, dtype=dtype)
    else:
        t = _core._from_buffer(data, False).view(dtype).reshape(sizes)
    if device != "cpu":
        t = t.to(device)
    if requires_grad:
        t.requires_grad_()
    if cls is not None:
        t = cls._rebuilt(t) if hasattr(cls, "_rebuilt") else Tensor.__new__(cls, t)
    if state:
        t.__dict__.update(state)
    return t


def _reduce(self, protocol):
    if self.requires_grad and not self.is_leaf:
        raise RuntimeError("only leaf tensors can be pickled or copied deeply: use tensor.detach()")
    t = self.detach().cpu().resolve_conj().resolve_neg().contiguous()
    data = None
    if t.numel():
        data = memoryview(t.reshape(-1).view(_core.uint8))
        if protocol >= 5:
            from pickle import PickleBuffer
            data = PickleBuffer(data)
        else:
            data = bytearray(data)
    cls = None if type(self) is Tensor else type(self)
    return _rebuild, (cls, data, self.dtype, tuple(self.shape), self.requires_grad,
                      str(self.device), getattr(self, "__dict__", None))


def _deepcopy(self, memo):
    if id(self) in memo:
        return memo[id(self)]
    if self.requires_grad and not self.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the "
                           "deepcopy protocol at the moment.")
    t = self.detach().clone()
    if type(self) is not Tensor:
        cls = type(self)
        t = cls._rebuilt(t) if hasattr(cls, "_rebuilt") else Tensor.__new__(cls, t)
    if self.requires_grad:
        t.requires_grad_()
    if self.grad is not None:
        t.grad = self.grad.clone()
    if getattr(self, "__dict__", None):
        import copy
        t.__dict__.update(copy.deepcopy(self.__dict__, memo))
    memo[id(self)] = t
    return t


def _copy(self):
    return self.detach().requires_grad_(self.requires_grad)


# --- What the array API asks of arrays beside PyTorch's methods.

def _namespace(self, /, *, api_version=None):
    """The functions of the array API standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12"):
        raise ValueError(f"api_version: there is 2023.12, got {api_version!r}")
    from switchyard import array_api
    return array_api


def _to_device(self, device, /, *, stream=None):
    """The tensor on a device: itself where it is there."""
    if stream is not None:
        raise TypeError("to_device(): streams are the runtime's own")
    return self.to(device)


def _html(self):
    from switchyard import _explain
    return _explain.tensor_html(self)


for _name, _f in {
        "register_hook": _hook, "register_post_accumulate_grad_hook": _post_hook,
        "backward": _backward, "numpy": _numpy, "__array__": _array,
        "__array_wrap__": _array_wrap, "to_sparse_coo": _to_sparse_coo, "cpu": _cpu, "cuda": _cuda,
        "type": _type, "new_tensor": _new_tensor, "where": _where,
        "polygamma": _polygamma, "split": _split,
        "apply_": _apply, "map_": _map, "__complex__": _complex, "__reversed__": _reversed,
        "__array_namespace__": _namespace, "to_device": _to_device,
        "__reduce_ex__": _reduce, "__deepcopy__": _deepcopy, "__copy__": _copy,
        "_repr_html_": _html, "qscheme": _qscheme.of_tensor, "unique": _functions.unique, "norm": _functions.norm,
        "unique_consecutive": _functions.unique_consecutive, "stft": _functions.stft, "nonzero": _functions.nonzero,
        "__dir__": _dir}.items():
    setattr(Tensor, _name, _f)
Tensor.grad_fn = property(_grad_fn)
Tensor.__array_priority__ = 1000  # arrays leave operators with tensors to us
Tensor.__module__ = "switchyard"
del _name, _f
