"""Switchyard: tensors, and every operator that is registered, by PyTorch's names.

    import switchyard as torch
    x = torch.zeros(5, 3)
    x.index_copy_(0, torch.tensor([0, 4]), torch.ones(2, 3))

Operators are made from the runtime's registry when they are first asked for, those of plugins and
of other libraries in the process too: ``torch.add``, ``Tensor.add``, ``torch.ops.my.op``. What is
here beside them is what PyTorch has in Python.
"""

from math import e, inf, nan, pi  # noqa: F401

from switchyard import _core
from switchyard._core import (  # noqa: F401
    Error, Generator, InvalidArgumentError, NoKernelError, NoOverloadError, NotFoundError,
    OutOfMemoryError, OutOfRangeError, Size, Tensor, TensorFile, UnavailableError, __version__,
    are_deterministic_algorithms_enabled, default_generator, device, dtype,
    get_default_device, get_default_dtype, get_float32_matmul_precision, get_num_threads,
    get_rng_state, initial_seed, is_grad_enabled, layout, list_plugins, loaded_plugins,
    load_plugin, manual_seed, memory_format, promote_types, seed, set_default_device,
    set_default_dtype, set_float32_matmul_precision, set_flush_denormal, set_num_threads,
    set_rng_state, unload_plugin, use_deterministic_algorithms)
from switchyard._core import (  # noqa: F401
    bfloat16, channels_last, channels_last_3d, complex32, complex64, complex128,
    contiguous_format, float8_e4m3fn, float8_e5m2, float16, float32, float64, int8, int16, int32,
    int64, preserve_format, sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr, strided,
    uint8, uint16, uint32, uint64)
from switchyard import _docs, _tensor  # noqa: F401
from switchyard._modes import (  # noqa: F401
    enable_grad, inference_mode, is_inference_mode_enabled, no_grad, set_grad_enabled)
from switchyard._functions import (  # noqa: F401
    as_tensor, asarray, block_diag, broadcast_shapes, cdist, compile, einsum, finfo, from_dlpack,
    from_numpy, frombuffer, iinfo, is_storage, is_tensor, load_installed_plugins, meshgrid, nonzero, norm, numel,
    set_default_tensor_type, set_printoptions, sparse_bsc_tensor, sparse_bsr_tensor,
    sparse_coo_tensor, sparse_csc_tensor, sparse_csr_tensor, split, stft, tensor, tensordot, typename, unique,
    unique_consecutive, unravel_index)
from switchyard._qscheme import MEMBERS as _schemes, qscheme

# --- Names that other files of the package make, when they are first asked for.

_MODULES = frozenset({
    "accelerator", "array_api", "autograd", "cuda", "fft", "func", "library", "linalg", "nn",
    "ops", "profiler", "random", "safetensors", "signal", "sparse", "special", "testing", "types",
    "utils"})
_LAZY = {"save": "_files", "load": "_files", "save_tensors": "_files", "explain": "_explain",
         "vmap": "func"}


def __getattr__(name):
    if name in _MODULES:
        __import__("switchyard." + name)
        return globals()[name]
    if name in _LAZY:
        module = __import__("switchyard." + _LAZY[name], fromlist=[name])
        found = getattr(module, name)
    else:
        found = None if name.startswith("__") else _docs.function(name)
        if found is None:
            raise AttributeError(f"module 'switchyard' has no attribute {name!r}")
    globals()[name] = found
    return found


_docs.has_operators(__name__)


def __dir__():
    operators = [n for n in _core.operator_names() if ":" not in n]
    return sorted({*globals(), *operators, *_MODULES, *_LAZY})


# --- Names of dtypes and tensors that would hide Python's in what stands above.

_names = {
    "newaxis": None,
    "half": float16, "float": float32, "double": float64,
    "short": int16, "int": int32, "long": int64,
    "cfloat": complex64, "cdouble": complex128, "chalf": complex32,
    "bool": getattr(_core, "bool"),
    # Quantised tensors have their integers' dtypes.
    "quint8": uint8, "qint8": int8, "qint32": int32,
    **_schemes,
}
globals().update(_names)
del _names
