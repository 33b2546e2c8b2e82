"""Modes of this thread: whether operators are recorded for gradients."""

from _thread import _local

from switchyard import _core

_state = _local()


def _wraps(mode, f):
    """f, in a mode of its own at each call."""
    import functools
    import inspect

    if inspect.isgeneratorfunction(f):
        # The mode is on while the generator runs, and not while its user does.
        @functools.wraps(f)
        def generator(*args, **keywords):
            iterator = f(*args, **keywords)
            sent, send = None, iterator.send
            while True:
                try:
                    with mode():
                        value = send(sent)
                except StopIteration as end:
                    return end.value
                try:
                    sent, send = (yield value), iterator.send
                except GeneratorExit:
                    iterator.close()
                    raise
                except BaseException as error:
                    sent, send = error, iterator.throw
        return generator

    @functools.wraps(f)
    def function(*args, **keywords):
        with mode():
            return f(*args, **keywords)
    return function


class _Mode:
    """Recording, on or off, inside `with`, or inside a function that it decorates."""

    _on = False

    def __new__(cls, f=None):
        self = object.__new__(cls)
        self._before = []
        return self if f is None else self(f)

    def __enter__(self):
        self._before.append(_core._set_grad_enabled(self._on))
        return self

    def __exit__(self, *error):
        _core._set_grad_enabled(self._before.pop())

    def __call__(self, f):
        return _wraps(type(self), f)


class no_grad(_Mode):
    """Nothing is recorded inside."""


class enable_grad(_Mode):
    """Operators are recorded inside, also inside no_grad."""

    _on = True


class set_grad_enabled(_Mode):
    """Recording as `mode` says: from here on, or inside `with`."""

    def __new__(cls, mode):
        self = object.__new__(cls)
        self._on = bool(mode)
        self._before = [_core._set_grad_enabled(self._on)]
        self._entered = False
        return self

    def __enter__(self):
        if self._entered:
            self._before.append(_core._set_grad_enabled(self._on))
        self._entered = True
        return self

    def __exit__(self, *error):
        _core._set_grad_enabled(self._before.pop())

    def __call__(self, f):
        _core._set_grad_enabled(self._before.pop())
        on = self._on
        return _wraps(lambda: set_grad_enabled(on), f)


class inference_mode(_Mode):
    """Nothing is recorded inside; tensors made in it are like others."""

    def __new__(cls, mode=True):
        self = object.__new__(cls)
        self._before = []
        self._mode = mode
        return self(mode) if callable(mode) else self

    def __enter__(self):
        inferring = getattr(_state, "inferring", False)
        on = self._mode is not False
        self._before.append((inferring, _core._set_grad_enabled(not on)))
        _state.inferring = on
        return self

    def __exit__(self, *error):
        _state.inferring, before = self._before.pop()
        _core._set_grad_enabled(before)


def is_inference_mode_enabled():
    """Whether this thread is inside inference_mode."""
    return getattr(_state, "inferring", False)
