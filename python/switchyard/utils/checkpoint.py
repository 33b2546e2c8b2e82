"""Memory for time: what a function keeps for backward is computed again there."""

import contextlib
from weakref import ref

from switchyard import _core
from switchyard._core import Tensor
from switchyard._modes import enable_grad
from switchyard.autograd.graph import saved_tensors_hooks

_early_stop = True


class CheckpointError(RuntimeError):
    """A function did not do the same when it was run again."""


class _Enough(Exception):
    """All that was kept is there again."""


def noop_context_fn():
    """The contexts of checkpoint's context_fn, unless others are given."""
    return contextlib.nullcontext(), contextlib.nullcontext()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Whether calls of checkpoint inside run their function again only as far as needed."""
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


class _Numbers:
    """Where the default generators of the host and of some tensors' devices are."""

    def __init__(self, places):
        self._states = {place: _core._get_rng_state(place) for place in places}

    @classmethod
    def near(cls, values):
        """Those that a function of these values may draw from."""
        places = {"cpu": None}
        for x in values:
            if isinstance(x, Tensor) and x.device.type not in ("cpu", "meta"):
                places[str(x.device)] = None
        return cls(places)

    @contextlib.contextmanager
    def again(self):
        """Draws the same inside, and goes on as before afterwards."""
        now = _Numbers(self._states)
        self._set()
        try:
            yield
        finally:
            now._set()

    def _set(self):
        for place, state in self._states.items():
            _core._set_rng_state(state, place)


def _like(t):
    return tuple(t.shape), t.dtype, t.device


class _Kept:
    """Stands for a tensor that was kept, as long as that may be wanted."""

    __slots__ = ("number", "like", "tensor", "__weakref__")

    def __init__(self, number, like):
        self.number, self.like, self.tensor = number, like, None


class _Frame:
    """One call of a function, and what it has kept."""

    def __init__(self, run, context, early_stop, compare):
        self.run, self.context, self.early_stop, self.compare = run, context, early_stop, compare
        self.kept = []  # weak references

    def pack(self, tensor):
        """While the function runs first."""
        kept = _Kept(len(self.kept), _like(tensor))
        self.kept.append(ref(kept))
        return kept

    def unpack(self, kept):
        """In backward: the function has run again since, or does so now."""
        if kept.tensor is None:
            self.compute()
        return kept.tensor

    def compute(self):
        """Runs the function again, and keeps what it kept."""
        wanted = [k() for k in self.kept]
        end = max(k.number for k in wanted if k is not None) + 1
        count = 0

        def pack(tensor):
            nonlocal count
            if count == len(wanted):
                raise CheckpointError(f"checkpoint: the function kept {count} tensors for backward, "
                                      "and more when it was run again")
            kept, count = wanted[count], count + 1
            if kept is None:
                return tensor
            if self.compare and _like(tensor) != kept.like:
                raise CheckpointError(
                    f"checkpoint: tensor {kept.number} that the function kept for backward was "
                    f"{kept.like}, and when it was run again {_like(tensor)}")
            kept.tensor = tensor
            if self.early_stop and count == end:
                raise _Enough
            return kept.tensor
        try:
            with enable_grad(), saved_tensors_hooks(pack, lambda tensor: tensor), self.context:
                self.run()
        except _Enough:
            return
        if count != len(wanted):
            raise CheckpointError(f"checkpoint: the function kept {len(wanted)} tensors for "
                                  f"backward, and {count} when it was run again")


def checkpoint(function, *args, use_reentrant=None, context_fn=noop_context_fn,
               determinism_check="default", debug=False, early_stop=True, preserve_rng_state=True,
               **kwargs):
    """What function(*args, **kwargs) gives; what it keeps for backward is dropped, and computed
    again when backward wants it.

    use_reentrant: taken, and the same either way. context_fn: gives two contexts, for the first run
    and for later ones. determinism_check: "none" does not compare sizes, dtypes and devices of what
    is kept. preserve_rng_state: later runs draw the same random numbers."""
    if determinism_check not in ("default", "none"):
        raise ValueError("checkpoint(): determinism_check must be 'default' or 'none', got "
                         f"{determinism_check!r}")
    first, later = context_fn()
    if not _core.is_grad_enabled():
        with first:
            return function(*args, **kwargs)
    numbers = _Numbers.near((*args, *kwargs.values())) if preserve_rng_state else None

    def run():
        with numbers.again() if numbers is not None else contextlib.nullcontext():
            function(*args, **kwargs)
    frame = _Frame(run, later, early_stop and _early_stop, determinism_check == "default")
    with saved_tensors_hooks(frame.pack, frame.unpack), first:
        return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Functions one after the other, in segments of them; all but the last are checkpointed."""
    functions = list(functions)
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError(f"checkpoint_sequential(): unknown keywords {sorted(kwargs)}")
    if not 1 <= segments <= len(functions):
        raise ValueError(f"checkpoint_sequential(): segments must be 1 to {len(functions)}, got "
                         f"{segments}")

    def chain(begin, end):
        def run(x):
            for f in functions[begin:end]:
                x = f(x)
            return x
        return run
    size = len(functions) // segments
    begin = 0
    for _ in range(segments - 1):
        input = checkpoint(chain(begin, begin + size), input, use_reentrant=use_reentrant,
                           preserve_rng_state=preserve)
        begin += size
    return chain(begin, len(functions))(input)
