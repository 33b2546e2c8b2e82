"""Gradients as functions: grad, backward, and functions with a derivative of their own."""

from switchyard import _core, _tensor
from switchyard._core import Tensor
from switchyard._modes import enable_grad, inference_mode, no_grad, set_grad_enabled  # noqa: F401
from switchyard._tensor import Node  # noqa: F401


def _list(x):
    return (x,) if isinstance(x, Tensor) else tuple(x)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the derivatives of tensors to the leaves that they were computed from."""
    grads = None if grad_tensors is None else _list(grad_tensors)
    _tensor.run_backward(_list(tensors), grads, retain_graph, create_graph, inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False,
         allow_unused=None, is_grads_batched=False, materialize_grads=False):
    """The derivatives of outputs by inputs, a tuple; leaves gather nothing."""
    if is_grads_batched:
        raise NotImplementedError("grad(): is_grads_batched")
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
    found = _core._grad(_list(outputs), inputs, given, retain_graph, create_graph, allow_unused)
    if materialize_grads:
        found = tuple(_core.call("zeros_like", i) if g is None else g
                      for i, g in zip(inputs, found))
    return found


class _Context:
    """What forward leaves for backward."""

    def __init__(self):
        self._saved = self._versions = ()
        self._non_differentiable = self._dirty = ()
        self.needs_input_grad = ()
        self.materialize_grads = True

    def save_for_backward(self, *tensors):
        """Keeps tensors: inputs, results, or others."""
        self._saved = tensors

    @property
    def saved_tensors(self):
        """What save_for_backward kept, as it was then."""
        for t, version in zip(self._saved, self._versions):
            if isinstance(t, Tensor) and t._version != version:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an "
                    f"inplace operation: {t.dtype}{list(t.shape)} is at version {t._version}; "
                    f"expected version {version}")
        return self._saved

    def mark_non_differentiable(self, *results):
        """Results that require no gradient."""
        self._non_differentiable = results

    def mark_dirty(self, *tensors):
        """Inputs that forward has written, and returns."""
        self._dirty = tensors

    def set_materialize_grads(self, value):
        """Whether absent gradients come as zeros; else as None."""
        self.materialize_grads = value


def _is_any(t, of):
    return any(t is o for o in of)


class Function:
    """A function with a derivative of its own: forward(ctx, *args), backward(ctx, *grads)."""

    @classmethod
    def apply(cls, *args):
        """Calls forward, unrecorded; the results have backward as their history."""
        ctx = _Context()
        at = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.needs_input_grad = tuple(
            isinstance(a, Tensor) and a.requires_grad for a in args)
        shape = {}

        def forward(tensors):
            filled = list(args)
            for i, t in zip(at, tensors):
                filled[i] = t
            if cls.setup_context is Function.setup_context:
                out = cls.forward(ctx, *filled)
            else:
                out = cls.forward(*filled)
                cls.setup_context(ctx, tuple(filled), out)
            results = (out,) if isinstance(out, Tensor) else tuple(out)
            shape["single"] = isinstance(out, Tensor)
            shape["others"] = results
            # Of each result: what it is like, and None of those that are no tensors.
            shape["like"] = [(tuple(r.shape), r.dtype, r.device) if isinstance(r, Tensor) else None
                             for r in results]
            made = tuple(r for r in results if isinstance(r, Tensor))
            written = tuple(k for k, r in enumerate(made) if _is_any(r, ctx._dirty))
            if not all(_is_any(t, made) for t in ctx._dirty):
                raise RuntimeError(f"function {cls.__name__} marked a tensor as dirty that it does "
                                   "not return; an input that is written is a result")
            shape["written"] = {k: args[i] for k in written
                                for i, t in zip(at, tensors) if t is made[k]}
            none = tuple(k for k, r in enumerate(made) if _is_any(r, ctx._non_differentiable))
            # A result that is kept would keep its own history, and so itself.
            shape["saved"] = [j for j, s in enumerate(ctx._saved) if _is_any(s, made)]
            ctx._saved = tuple(s.detach() if _is_any(s, made) else s for s in ctx._saved)
            ctx._versions = [s._version if isinstance(s, Tensor) else 0 for s in ctx._saved]
            ctx._non_differentiable = ctx._dirty = ()
            kept = tuple(ctx._saved[j] for j in shape["saved"])
            return made, kept, none, written, bool(ctx._saved)

        def backward(grads, results):
            given = iter(grads)
            grads = []
            for like in shape["like"]:
                g = None if like is None else next(given)
                if g is None and like is not None and ctx.materialize_grads:
                    size, dtype, device = like
                    g = _core.call("zeros", size, dtype=dtype, device=device)
                grads.append(g)
            # Results come with their history, where that is to be recorded again.
            kept = list(ctx._saved)
            for j, r in zip(shape["saved"], results):
                kept[j] = r
            without, ctx._saved = ctx._saved, tuple(kept)
            try:
                found = cls.backward(ctx, *grads)
            finally:
                ctx._saved = without
            found = (found,) if isinstance(found, Tensor) or found is None else tuple(found)
            if len(found) < len(args) or any(g is not None for g in found[len(args):]):
                raise RuntimeError(f"function {cls.__name__} returned an incorrect number of "
                                   f"gradients (expected {len(args)}, got {len(found)})")
            for i, g in enumerate(found[:len(args)]):
                if g is not None and not isinstance(args[i], Tensor):
                    raise RuntimeError(
                        f"function {cls.__name__} returned a gradient different than None at "
                        f"position {i + 1}, but the corresponding forward input was not a Tensor")
            return tuple(found[i] for i in at)

        out = _core._apply_function(cls.__name__, forward, backward, [args[i] for i in at])
        if shape["written"]:  # through views once more
            ctx._versions = [s._version if isinstance(s, Tensor) else 0 for s in ctx._saved]
        arguments = shape["written"]
        tensors = iter([arguments[k] if k in arguments and r._is_same(arguments[k]) else r
                        for k, r in enumerate(out)])
        results = [made if like is None else next(tensors)
                   for like, made in zip(shape["like"], shape["others"])]
        shape.pop("others")
        shape.pop("written")
        return results[0] if shape["single"] else tuple(results)

    @staticmethod
    def forward(ctx, *args):
        """The function itself."""
        raise NotImplementedError("forward")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Keeps what backward needs, where forward has no ctx."""

    @staticmethod
    def backward(ctx, *grads):
        """The gradients of the arguments, None of those that have none."""
        raise NotImplementedError("backward")


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
