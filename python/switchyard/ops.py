"""Operators by namespace: ops.aten.add, ops.aten.add.Tensor, ops.my.op."""

from switchyard import _core


class _Packet:
    """All overloads of a name; one of them by its own name."""

    def __init__(self, name):
        self._name = name
        self._function = _core.function(name)
        self.__doc__ = self._function.__doc__

    def __call__(self, *args, **keywords):
        return self._function(*args, **keywords)

    def __getattr__(self, overload):
        full = self._name if overload == "default" else f"{self._name}.{overload}"
        schemas = _core.schemas(self._name)
        if overload.startswith("__") or not any(s.startswith(full + "(") for s in schemas):
            raise AttributeError(f"{self._name!r} has no overload {overload!r}")

        def call(*args, **keywords):
            return _core.call(full, *args, **keywords)
        call.__name__ = call.__qualname__ = full
        setattr(self, overload, call)
        return call

    def overloads(self):
        """The names of the overloads."""
        heads = [s.split("(")[0].removeprefix(self._name) for s in _core.schemas(self._name)]
        return [h.removeprefix(".") or "default" for h in heads]

    def __repr__(self):
        return f"<operator {self._name}>"


class _Namespace:
    """Operators of one namespace; aten's are those without one."""

    def __init__(self, name):
        self._prefix = "" if name == "aten" else name + "::"

    def __getattr__(self, name):
        if name.startswith("__") or _core.function(self._prefix + name) is None:
            raise AttributeError(f"no operator named '{self._prefix}{name}'")
        packet = _Packet(self._prefix + name)
        setattr(self, name, packet)
        return packet

    def __dir__(self):
        names = _core.operator_names()
        if not self._prefix:
            return [n for n in names if ":" not in n]
        return [n.removeprefix(self._prefix) for n in names if n.startswith(self._prefix)]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    space = globals()[name] = _Namespace(name)
    return space
