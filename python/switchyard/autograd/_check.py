"""Derivatives compared with differences."""

from switchyard import _core
from switchyard._core import Tensor
from switchyard._modes import enable_grad, no_grad
from switchyard.autograd import _list, grad


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True):
    """Compares func's derivatives with differences; inputs are float64 that require gradients."""
    from itertools import product
    inputs = _list(inputs)
    outputs = _list(func(*inputs))
    wanted = [x for x in inputs if isinstance(x, Tensor) and x.requires_grad]

    def derivatives(output, k):
        direction = _core.call("zeros", (output.numel(),), dtype=output.dtype, device=output.device)
        direction[k] = 1
        return grad(output, wanted, direction.reshape(output.shape), retain_graph=True,
                    allow_unused=True)
    # All of them before an input is changed, which backward may need as it was.
    analytic = [[derivatives(o, k) for k in range(o.numel())] if o.requires_grad else []
                for o in outputs]

    def moved(x, at, by):
        with no_grad():
            before = x[at].item()
            x[at] = before + by
            results = [o.reshape(-1).tolist() for o in _list(func(*inputs))]
            x[at] = before
        return results
    for number, x in enumerate(wanted):
        for at in product(*map(range, x.shape)):
            above, below = moved(x, at, eps), moved(x, at, -eps)
            for which, rows in enumerate(analytic):
                for k, row in enumerate(rows):
                    numeric = (above[which][k] - below[which][k]) / (2 * eps)
                    exact = 0.0 if row[number] is None else row[number][at].item()
                    if abs(numeric - exact) > atol + rtol * abs(numeric):
                        if raise_exception:
                            raise RuntimeError(f"Jacobian mismatch for output {which}: numerical "
                                               f"{numeric}, analytical {exact}")
                        return False
    return True


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3,
                  raise_exception=True):
    """Compares derivatives of func's derivatives with differences of these; grad_outputs: what the
    first ones are multiplied with, else random numbers."""
    inputs = _list(inputs)
    if grad_outputs is None:
        outputs = [y for y in _list(func(*inputs)) if y.requires_grad]
        grad_outputs = [_core.call("randn_like", y.detach()).requires_grad_() for y in outputs]
    grad_outputs = _list(grad_outputs)

    def first(*tensors):
        x, directions = tensors[:len(inputs)], tensors[len(inputs):]
        wanted = [t for t in x if isinstance(t, Tensor) and t.requires_grad]
        with enable_grad():
            outputs = [y for y in _list(func(*x)) if y.requires_grad]
            found = grad(outputs, wanted, directions, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)
    return gradcheck(first, (*inputs, *grad_outputs), eps=eps, atol=atol, rtol=rtol,
                     raise_exception=raise_exception)
