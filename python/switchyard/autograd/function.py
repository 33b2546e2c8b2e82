"""Functions with a derivative of their own."""

import functools

from switchyard import _core
from switchyard._core import Tensor
from switchyard._modes import no_grad


class _Context:
    """What forward leaves for backward."""

    def __init__(self):
        self._saved = self._non_differentiable = self._dirty = ()
        self._there = None  # once forward has ended: which of what was saved are tensors
        self._read = None  # backward's way to these
        self.needs_input_grad = ()
        self.materialize_grads = True

    def save_for_backward(self, *tensors):
        """Keeps tensors: inputs, results, or others."""
        for t in tensors:
            if t is not None and not isinstance(t, Tensor):
                raise TypeError("save_for_backward(): expected tensors and None, got "
                                f"{type(t).__name__}; keep others as attributes of ctx")
        self._saved = tensors

    @property
    def saved_tensors(self):
        """What save_for_backward kept, as it was then."""
        if self._there is None:
            return self._saved
        if self._read is None:
            raise RuntimeError("saved_tensors are there while backward runs")
        kept = iter(self._read())
        return tuple(next(kept) if there else None for there in self._there)

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


class _Called:
    """A call of forward: its context, and its results as they are to be given back."""

    __slots__ = ("ctx", "single", "results", "like", "written")

    def __init__(self, ctx, out):
        self.ctx, self.single = ctx, isinstance(out, Tensor)
        self.results = (out,) if self.single else tuple(out)
        # Of each result: what it is like, and None of those that are no tensors.
        self.like = [(tuple(r.shape), r.dtype, r.device) if isinstance(r, Tensor) else None
                     for r in self.results]
        self.written = {}

    def arrived(self, grads):
        """Gradients of all results, as backward gets them."""
        given = iter(grads)
        for like in self.like:
            g = None if like is None else next(given)
            if g is None and like is not None and self.ctx.materialize_grads:
                size, dtype, device = like
                g = _core.call("zeros", size, dtype=dtype, device=device)
            yield g


class Function:
    """A function with a derivative of its own: forward(ctx, *args), backward(ctx, *grads)."""

    @classmethod
    def apply(cls, *args):
        """Calls forward, unrecorded; the results have backward as their history."""
        at = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        is_tensor = [isinstance(a, Tensor) for a in args]
        called = None

        def forward(tensors):
            nonlocal called
            ctx = _Context()
            filled = list(args)
            for i, t in zip(at, tensors):
                filled[i] = t
            ctx.needs_input_grad = tuple(
                tensor and a.requires_grad for tensor, a in zip(is_tensor, filled))
            if cls.setup_context is Function.setup_context:
                out = cls.forward(ctx, *filled)
            else:
                out = cls.forward(*filled)
                cls.setup_context(ctx, tuple(filled), out)
            called = _Called(ctx, out)
            made = tuple(r for r in called.results if isinstance(r, Tensor))
            written = tuple(k for k, r in enumerate(made) if _is_any(r, ctx._dirty))
            if not all(_is_any(t, made) for t in ctx._dirty):
                raise RuntimeError(f"function {cls.__name__} marked a tensor as dirty that it does "
                                   "not return; an input that is written is a result")
            called.written = {k: args[i] for k in written
                              for i, t in zip(at, tensors) if t is made[k]}
            none = tuple(k for k, r in enumerate(made) if _is_any(r, ctx._non_differentiable))
            saved = tuple(s for s in ctx._saved if s is not None)
            ctx._there = tuple(s is not None for s in ctx._saved)
            ctx._saved = ctx._non_differentiable = ctx._dirty = ()
            return called, made, saved, none, written

        def backward(called, grads, read):
            ctx = called.ctx
            ctx._read = read
            try:
                found = cls.backward(ctx, *called.arrived(grads))
            finally:
                ctx._read = None
            found = (found,) if isinstance(found, Tensor) or found is None else tuple(found)
            if len(found) < len(is_tensor) or any(g is not None for g in found[len(is_tensor):]):
                raise RuntimeError(f"function {cls.__name__} returned an incorrect number of "
                                   f"gradients (expected {len(is_tensor)}, got {len(found)})")
            for i, g in enumerate(found[:len(is_tensor)]):
                if g is not None and not is_tensor[i]:
                    raise RuntimeError(
                        f"function {cls.__name__} returned a gradient different than None at "
                        f"position {i + 1}, but the corresponding forward input was not a Tensor")
            return tuple(found[i] for i in at)

        out = _core._apply_function(cls.__name__, forward, backward, [args[i] for i in at])
        written = called.written
        tensors = iter([written[k] if k in written and r._is_same(written[k]) else r
                        for k, r in enumerate(out)])
        results = [made if like is None else next(tensors)
                   for like, made in zip(called.like, called.results)]
        called.results = called.written = None
        return results[0] if called.single else tuple(results)

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
