"""Functions that are no operators, and those whose arguments Python says in more ways."""

from switchyard import _core
from switchyard._core import Size, Tensor


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor of nested sequences, numbers or an array, whose elements are copied."""
    t = _core._tensor(data, dtype)
    if device is None:
        device = _core.get_default_device()
        if device.type != "cpu" and not isinstance(data, Tensor):
            t = t.to(device)
    else:
        t = t.to(device)
    if pin_memory:
        t = t.pin_memory()
    return t.requires_grad_() if requires_grad else t


def as_tensor(data, dtype=None, device=None):
    """The data itself where it is a tensor, or an array whose memory can be shared."""
    if isinstance(data, Tensor):
        t = data
    elif hasattr(data, "__array__") or isinstance(data, (bytearray, memoryview)):
        t = _core._from_buffer(data, False)
    else:
        return tensor(data, dtype=dtype, device=device)
    if dtype is None and device is None:
        return t
    return t.to(device=device, dtype=dtype)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    """A tensor of obj, which shares its memory where it can, or must: copy=False."""
    if isinstance(obj, Tensor):
        t = obj
    elif hasattr(obj, "__dlpack__") and not hasattr(obj, "__array__"):
        t = from_dlpack(obj)
    elif hasattr(obj, "__array__"):
        t = _core._from_buffer(obj, copy is False)
    elif _has_buffer(obj):  # bytes, whatever it holds
        dtype = _core.get_default_dtype() if dtype is None else dtype
        t = frombuffer(obj, dtype=dtype)
        if copy is False and memoryview(obj).readonly:
            raise ValueError("asarray(): a read-only buffer cannot be shared")
    elif copy is False:
        raise ValueError("asarray(): nested sequences cannot be shared")
    else:
        return tensor(obj, dtype=dtype, device=device, requires_grad=requires_grad)
    if dtype is not None or device is not None:
        made = t.to(device=device, dtype=dtype)
        if copy is False and not made._is_same(t):
            raise ValueError("asarray(): another dtype or device cannot be shared")
        t = made.clone() if copy and made._is_same(t) else made
    elif copy:
        t = t.clone()
    if requires_grad:
        t = t.detach().requires_grad_()
    return t


def _has_buffer(obj):
    try:
        memoryview(obj)
    except (TypeError, BufferError, ValueError):
        return False
    return True


def from_numpy(ndarray):
    """A tensor that shares the array's memory; a copy of what is read-only or lies backwards."""
    if not hasattr(ndarray, "__array_interface__"):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    return _core._from_buffer(ndarray, False)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A tensor of a buffer's bytes, which it shares. count: elements, -1 all; offset: in bytes."""
    view = memoryview(buffer).cast("B")
    size = dtype.itemsize
    if view.nbytes == 0:
        raise ValueError("frombuffer(): the buffer is empty")
    if not 0 <= offset < view.nbytes:
        raise ValueError(f"frombuffer(): offset must be 0 to {view.nbytes - 1}, got {offset}")
    if count < 0:
        if (view.nbytes - offset) % size:
            raise ValueError(f"frombuffer(): {view.nbytes - offset} bytes are no whole number of "
                             f"elements of {size} bytes")
        count = (view.nbytes - offset) // size
    if count == 0 or offset + count * size > view.nbytes:
        raise ValueError(f"frombuffer(): {count} elements from byte {offset} on do not lie in a "
                         f"buffer of {view.nbytes} bytes")
    t = _core._from_buffer(view[offset:offset + count * size], False).view(dtype)
    return t.requires_grad_() if requires_grad else t


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor of another library's, or of a DLPack capsule, in the same memory."""
    if not hasattr(ext_tensor, "__dlpack__"):
        return _core._from_dlpack(ext_tensor)
    options = {}
    if device is not None:
        options["dl_device"] = (1, 0) if str(device) == "cpu" else (2, _core.device(device).index or 0)
    if copy is not None:
        options["copy"] = copy
    try:
        capsule = ext_tensor.__dlpack__(max_version=(1, 0), **options)
    except TypeError:  # of before DLPack 1
        capsule = ext_tensor.__dlpack__()
        t = _core._from_dlpack(capsule)
        t = t.clone() if copy else t
        return t if device is None else t.to(device)
    return _core._from_dlpack(capsule)


def is_tensor(obj):
    """Whether obj is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj):
    """False: storages are no objects here."""
    return False


def numel(input):
    """The number of elements."""
    return input.numel()


def typename(obj):
    """The type's name, with its module."""
    kind = obj if isinstance(obj, type) else type(obj)
    return f"{kind.__module__}.{kind.__qualname__}"


def load_installed_plugins(group="switchyard.plugins"):
    """Loads the plugins that installed packages name: entry points that give a path, or a function
    of one."""
    from importlib import metadata
    loaded = []
    for point in metadata.entry_points(group=group):
        path = point.load()
        loaded.append(_core.load_plugin(path() if callable(path) else path))
    return loaded


def compile(model=None, **options):
    """The function itself: every call is dispatched as it comes."""
    return (lambda f: f) if model is None else model


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None,
                     sci_mode=None):
    """How tensors are printed: digits, elements before summarising, edges, columns, exponents."""
    if profile is not None:
        _core._set_printoptions(profile)
    given = (precision, threshold, edgeitems, linewidth)
    now = _core._get_printoptions()
    _core._set_printoptions((*(n if g is None else g for g, n in zip(given, now)), sci_mode))


def set_default_tensor_type(t):
    """Not here: set_default_dtype and set_default_device."""
    raise NotImplementedError("use set_default_dtype and set_default_device")


class finfo:
    """Facts of a floating dtype: bits, eps, max, min, smallest_normal, resolution."""

    def __init__(self, type=None):
        dtype = _core.get_default_dtype() if type is None else type
        if dtype.is_complex:
            dtype = dtype.to_real()
        if not dtype.is_floating_point:
            raise TypeError(f"torch.finfo() requires a floating point input type, got {dtype}")
        self.dtype = repr(dtype).removeprefix("torch.")
        (self.bits, self.eps, self.max, self.min, self.smallest_normal, self.smallest_subnormal,
         self.resolution) = _core._finfo(dtype)
        self.tiny = self.smallest_normal

    def __repr__(self):
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        facts = ", ".join(f"{n}={getattr(self, n):.6g}" for n in names)
        return f"finfo({facts}, dtype={self.dtype})"

    def __eq__(self, other):
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype)


class iinfo:
    """Facts of an integer dtype: bits, min, max."""

    def __init__(self, type):
        if type.is_floating_point or type.is_complex or type is getattr(_core, "bool"):
            raise TypeError("torch.iinfo() requires an integer input type. "
                            f"Use torch.finfo to handle '{type}'")
        self.dtype = repr(type).removeprefix("torch.")
        self.bits, self.min, self.max = _core._iinfo(type)

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"

    def __eq__(self, other):
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype)


def broadcast_shapes(*shapes):
    """The sizes that tensors of these sizes broadcast to."""
    return _core.call("broadcast_tensors", [
        _core.call("empty", tuple(s) if not isinstance(s, int) else (s,), device="meta")
        for s in shapes])[0].shape if shapes else Size()


def meshgrid(*tensors, indexing=None):
    """Coordinates of the points of a grid, a tensor for each dimension."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    return _core.call("meshgrid", list(tensors), indexing=indexing or "ij")


def split(tensor, split_size_or_sections, dim=0):
    """Views of a tensor's parts: of a size, or of sizes one by one."""
    return tensor.split(split_size_or_sections, dim)


def tensordot(a, b, dims=2, out=None):
    """The sum of products over the last dims of a and the first of b, or over two lists of them."""
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if dims < 0 or dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims >= 0 and at most the tensors' ranks, got {dims}")
        of_a, of_b = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        of_a, of_b = ([d] if isinstance(d, int) else list(d) for d in dims)
    keywords = {} if out is None else {"out": out}
    return _core.call("tensordot", a, b, of_a, of_b, **keywords)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The norm of a tensor's elements: of vectors along one dimension, or of all."""
    keywords = {k: v for k, v in (("dtype", dtype), ("out", out)) if v is not None}
    if p == "nuc":
        if dim is None:
            dim = (-2, -1)
        return _core.call("linalg_matrix_norm", input, "nuc", dim, keepdim, **keywords)
    if p == "fro" or p is None:
        p = 2.0
    if dim is not None and isinstance(dim, int):
        dim = (dim,)
    return _core.call("linalg_vector_norm", input, p, dim, keepdim, **keywords)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """Elements, each once; with where each is, and how often."""
    if dim is None:
        found = _core.call("_unique2", input, sorted, return_inverse, return_counts)
    else:
        found = _core.call("unique_dim", input, dim, sorted, return_inverse, return_counts)
    wanted = [found[0]]
    if return_inverse:
        wanted.append(found[1])
    if return_counts:
        wanted.append(found[2])
    return wanted[0] if len(wanted) == 1 else tuple(wanted)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """Runs of equal elements, each run once; with where each element is, and how long they are."""
    found = _core.call("unique_consecutive", input, return_inverse, return_counts, dim)
    wanted = [found[0]]
    if return_inverse:
        wanted.append(found[1])
    if return_counts:
        wanted.append(found[2])
    return wanted[0] if len(wanted) == 1 else tuple(wanted)


def nonzero(input, *, out=None, as_tuple=False):
    """Coordinates of the elements that are not 0: a row for each, or a tensor for each dimension."""
    if as_tuple:
        return _core.call("nonzero_numpy", input)
    return _core.call("nonzero", input) if out is None else _core.call("nonzero", input, out=out)


def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True,
         pad_mode="reflect", normalized=False, onesided=None, return_complex=None,
         align_to_window=None):
    """The Fourier transforms of a signal's overlapping pieces."""
    return _core.call("stft", input, n_fft, hop_length, win_length, window, center, pad_mode,
                      normalized, onesided, return_complex, align_to_window)


def unravel_index(indices, shape):
    """Coordinates of positions in a tensor of these sizes, a tensor for each dimension."""
    if not isinstance(indices, Tensor):
        raise TypeError(f"expected a tensor of indices (got {type(indices).__name__})")
    if indices.is_floating_point() or indices.is_complex() or indices.dtype is getattr(_core, "bool"):
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(size < 0 for size in shape):
        raise ValueError(f"'shape' cannot have negative values, but got {shape}")
    out, rest = [], indices.to(_core.int64)
    for size in reversed(shape):
        out.append(rest % size)
        rest = rest // size
    return tuple(reversed(out))


def einsum(*args, path=None):
    """Sums of products by Einstein's convention: an equation and tensors, or tensors each with its
    subscripts as numbers, and last, where they are given, those of the result."""
    if args and not isinstance(args[0], str):
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

        def text(subscripts):
            for n in subscripts:
                if n is not ... and not 0 <= n < len(letters):
                    raise ValueError(f"einsum(): subscripts must be 0 to {len(letters) - 1} or an "
                                     f"Ellipsis, got {n}")
            return "".join("..." if n is ... else letters[n] for n in subscripts)

        equation = ",".join(text(s) for s in args[1::2])
        if len(args) % 2:
            equation += "->" + text(args[-1])
        args = (equation, list(args[:len(args) - len(args) % 2:2]))
    elif len(args) > 1 and isinstance(args[1], Tensor):
        args = (args[0], list(args[1:]))
    return _core.call("einsum", *args) if path is None else _core.call("einsum", *args, path=path)


def block_diag(*tensors):
    """A matrix of these along its diagonal, and 0 elsewhere; of none [1, 0], as in PyTorch."""
    if not tensors:
        return _core.call("empty", (1, 0))
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    return _core.call("block_diag", list(tensors))


_WAYS = {"use_mm_for_euclid_dist_if_necessary": None, "use_mm_for_euclid_dist": 1,
         "donot_use_mm_for_euclid_dist": 2}


def cdist(x1, x2, p=2.0, compute_mode=None):
    """Distances of each row of x1 to each of x2. compute_mode: whether Euclidean ones are made of
    products; without it where there are many."""
    if isinstance(compute_mode, str):
        if compute_mode not in _WAYS:
            raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
        compute_mode = _WAYS[compute_mode]
    return _core.call("cdist", x1, x2, p, compute_mode)


def _of_parts(name, parts):
    """A sparse tensor of parts that may be sequences."""
    def function(*args, **options):
        # Of one argument alone: sizes.
        if len(args) + sum(part in options for part in parts) >= len(parts):
            def given(part, data):
                if isinstance(data, Tensor):
                    return data
                return tensor(data, dtype=options.get("dtype") if part == "values" else None)
            args = tuple(given(part, data) for part, data in zip(parts, args)) + args[len(parts):]
            options.update((part, given(part, options[part])) for part in parts if part in options)
        return _core.call(name, *args, **options)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"A sparse tensor of its {', '.join(parts)}, tensors or sequences, and size."
    return function


sparse_coo_tensor = _of_parts("sparse_coo_tensor", ("indices", "values"))
sparse_csr_tensor = _of_parts("sparse_csr_tensor", ("crow_indices", "col_indices", "values"))
sparse_bsr_tensor = _of_parts("sparse_bsr_tensor", ("crow_indices", "col_indices", "values"))
sparse_csc_tensor = _of_parts("sparse_csc_tensor", ("ccol_indices", "row_indices", "values"))
sparse_bsc_tensor = _of_parts("sparse_bsc_tensor", ("ccol_indices", "row_indices", "values"))
