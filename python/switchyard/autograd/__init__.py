"""Gradients as functions: grad, backward, and functions with a derivative of their own."""

from switchyard import _core, _tensor
from switchyard._core import Tensor
from switchyard._modes import enable_grad, inference_mode, no_grad, set_grad_enabled  # noqa: F401
from switchyard._tensor import Node  # noqa: F401
from switchyard.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly  # noqa: F401
from switchyard.autograd.function import Function  # noqa: F401

_core._follow_views()


def __getattr__(name):
    if name in ("gradcheck", "gradgradcheck"):
        from switchyard.autograd import _check
        found = getattr(_check, name)
    elif name in ("forward_ad", "functional", "graph"):
        found = __import__("switchyard.autograd." + name, fromlist=[name])
    else:
        raise AttributeError(f"module 'switchyard.autograd' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), "forward_ad", "functional", "gradcheck", "gradgradcheck", "graph"})


def _list(x):
    return (x,) if isinstance(x, Tensor) else tuple(x)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the derivatives of tensors to the leaves that they were computed from."""
    grads = None if grad_tensors is None else _list(grad_tensors)
    _tensor.run_backward(_list(tensors), grads, retain_graph, create_graph, inputs)


def _batched_grad(outputs, inputs, given, retain_graph, create_graph, allow_unused):
    """One backward for a batch of gradients, which is dimension 0 of each of them."""
    if given is None:
        raise ValueError("grad(): is_grads_batched needs grad_outputs")
    at = [k for k, g in enumerate(given) if g is not None]
    none = []

    def one(tensors):
        grads = list(given)
        for k, g in zip(at, tensors):
            grads[k] = g
        found = _core._grad(outputs, inputs, grads, retain_graph, create_graph, allow_unused)
        none[:] = [g is None for g in found]
        kept = tuple(g for g in found if g is not None)
        return kept, (0,) * len(kept)
    found = iter(_core._vmap(one, [given[k] for k in at], (0,) * len(at), None, "error"))
    return tuple(None if absent else next(found) for absent in none)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False,
         allow_unused=None, is_grads_batched=False, materialize_grads=False):
    """The derivatives of outputs by inputs, a tuple; leaves gather nothing.

    is_grads_batched: grad_outputs have a batch as dimension 0, and so have the results."""
    if retain_graph is None:
        retain_graph = create_graph
    if materialize_grads and allow_unused is False:
        raise ValueError("grad(): materialize_grads makes zeros of what is unused, and allow_unused "
                         "is False")
    if allow_unused is None:
        allow_unused = materialize_grads
    inputs = _list(inputs)
    if not inputs:
        raise ValueError("grad(): inputs are none")
    given = None if grad_outputs is None else _list(grad_outputs)
    outputs = _list(outputs)
    if is_grads_batched:
        found = _batched_grad(outputs, inputs, given, retain_graph, create_graph, allow_unused)
    else:
        found = _core._grad(outputs, inputs, given, retain_graph, create_graph, allow_unused)
    if materialize_grads:
        found = tuple(_core.call("zeros_like", i) if g is None else g
                      for i, g in zip(inputs, found))
    return found
