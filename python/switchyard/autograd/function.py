"""Functions with a derivative of their own."""

import functools

from switchyard import _core
from switchyard._core import Tensor
from switchyard._modes import no_grad


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
            shape["written"] = {k: args[i] for k in written
                                for i, t in zip(at, tensors) if t is made[k]}
            none = tuple(k for k, r in enumerate(made) if _is_any(r, ctx._non_differentiable))
            # A result that is kept would keep its own history, and so itself.
            shape["saved"] = [j for j, s in enumerate(ctx._saved) if _is_any(s, made)]
            ctx._saved = tuple(s.detach() if _is_any(s, made) else s for s in ctx._saved)
            ctx._versions = [s._version if isinstance(s, Tensor) else 0 for s in ctx._saved]
            ctx._non_differentiable = ctx._dirty = ()
            return made, tuple(ctx._saved[j] for j in shape["saved"]), none, written

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
        tensors = iter([shape["written"].get(k, r) for k, r in enumerate(out)])
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


class _Once(Function):
    """What passes its input on, and refuses to be differentiated."""

    @staticmethod
    def forward(ctx, x):
        return x.detach()

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("trying to differentiate twice a function that was marked with "
                           "@once_differentiable")


def once_differentiable(backward):
    """Of a Function's backward: runs unrecorded; derivatives of what it gives are an error."""
    @functools.wraps(backward)
    def once(ctx, *grads):
        with no_grad():
            found = backward(ctx, *grads)
        if not _core.is_grad_enabled() or not any(
                isinstance(g, Tensor) and g.requires_grad for g in grads):
            return found
        several = isinstance(found, tuple)
        refusing = [_Once.apply(g.detach().requires_grad_()) if isinstance(g, Tensor) else g
                    for g in (found if several else (found,))]
        return tuple(refusing) if several else refusing[0]
    return once
