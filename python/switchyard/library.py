"""Operators, kernels and gradients of a program's own, written in Python.

    @library.custom_op("my::scale", mutates_args=())
    def scale(x: Tensor, by: float = 2.0) -> Tensor:
        return x * by

    @scale.register_fake
    def _(x, by=2.0):
        return torch.empty_like(x)

    scale.register_autograd(lambda ctx, g: (g * ctx.by, None),
                            setup_context=lambda ctx, inputs, output: setattr(ctx, "by", inputs[1]))

They are called, explained and profiled as others: torch.ops.my.scale(x), from C++ too.
"""

from switchyard import _core
from switchyard._core import Tensor

_DEVICES = {"cpu": "cpu", "cuda": "cuda", "meta": "meta", "CPU": "cpu", "CUDA": "cuda",
            "Meta": "meta", "CompositeExplicitAutograd": None, "CompositeImplicitAutograd": None,
            "default": None}


def _device(key):
    return _DEVICES.get(key, key)


def _name(qualname):
    if not isinstance(qualname, str):
        qualname = qualname._name
    return qualname.removesuffix(".default")


def define(qualname, schema):
    """define("my::op", "(Tensor x) -> Tensor"): an operator without kernels."""
    return _core._define(_name(qualname) + schema)


def impl(qualname, types, func=None, *, lib=None):
    """A kernel of an operator, for devices ("cpu", ("cpu", "cuda")) or for all ("default")."""
    if func is None:
        return lambda f: impl(qualname, types, f, lib=lib)
    for kind in (types,) if isinstance(types, str) or types is None else types:
        kernel = _core._impl(_name(qualname), _device(kind), func)
        if lib is not None:
            lib._kernels.append(kernel)
    return func


register_kernel = impl


def register_fake(qualname, func=None, *, lib=None):
    """What the operator's results look like, for tensors without elements: the meta device."""
    if func is None:
        return lambda f: register_fake(qualname, f, lib=lib)
    return impl(qualname, "meta", func, lib=lib)


class _Context:
    """What setup_context keeps for backward."""

    needs_input_grad = ()

    def __init__(self):
        self.saved_tensors = ()

    def save_for_backward(self, *tensors):
        """Keeps tensors."""
        self.saved_tensors = tensors


def register_autograd(qualname, backward, *, setup_context=None, lib=None):
    """backward(ctx, *grads) gives a gradient or None for each input.

    setup_context(ctx, inputs, output) is called just before it, with what the call had.
    """
    def formula(grads, inputs, outputs):
        ctx = _Context()
        ctx.needs_input_grad = tuple(
            isinstance(x, Tensor) and (x.is_floating_point() or x.is_complex()) for x in inputs)
        if setup_context is not None:
            setup_context(ctx, inputs, outputs[0] if len(outputs) == 1 else outputs)
        return backward(ctx, *grads)
    _core._gradient(_name(qualname), formula)


class Library:
    """Registrations of one namespace; they last until _destroy()."""

    def __init__(self, ns, kind="DEF", dispatch_key=""):
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._kernels = []

    def define(self, schema, alias_analysis="", *, tags=()):
        """define("op(Tensor x) -> Tensor")"""
        return _core._define(f"{self.ns}::{schema}").split("::")[1]

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False):
        """A kernel of an operator of this namespace, or of aten's."""
        name = op_name if isinstance(op_name, str) else _name(op_name)
        if "::" not in name and self.ns != "aten":
            name = f"{self.ns}::{name}"
        impl(name.removeprefix("aten::"), dispatch_key or self.dispatch_key or "default", fn,
             lib=self)

    def _destroy(self):
        for kernel in self._kernels:
            _core._remove_kernel(kernel)
        self._kernels.clear()


_TYPES = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str",
          complex: "Scalar", _core.dtype: "ScalarType", _core.device: "Device"}


def _type(annotation, name):
    import types
    import typing
    if annotation in _TYPES:
        return _TYPES[annotation]
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType) and type(None) in args and len(args) == 2:
        return _type(next(a for a in args if a is not type(None)), name) + "?"
    if origin in (list, tuple) or getattr(origin, "__name__", "") == "Sequence":
        return _type(args[0], name) + "[]"
    raise ValueError(f"no schema type for {name}: {annotation!r}")


def infer_schema(func, *, mutates_args=(), op_name=None):
    """The schema that a function's annotations say."""
    import inspect
    import typing
    hints, parts, starred = typing.get_type_hints(func), [], False
    for name, p in inspect.signature(func).parameters.items():
        if name not in hints:
            raise ValueError(f"infer_schema(func): parameter {name} must have a type annotation")
        text = _type(hints[name], name)
        if mutates_args == "unknown" or name in mutates_args:
            text = text.replace("Tensor", f"Tensor(a{len(parts)}!)", 1)
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        default = "" if p.default is p.empty else f"={_default(p.default)}"
        parts.append(f"{text} {name}{default}")
    returned = hints.get("return")
    if returned is None or returned is type(None):
        returns = "()"
    elif typing.get_origin(returned) is tuple:
        returns = "(" + ", ".join(_type(a, "return") for a in typing.get_args(returned)) + ")"
    else:
        returns = _type(returned, "return")
    return f"{op_name or ''}({', '.join(parts)}) -> {returns}"


def _default(value):
    return f'"{value}"' if isinstance(value, str) else repr(value)


class CustomOpDef:
    """What custom_op makes of a function: the operator, which is called as the function was."""

    def __init__(self, name, func, schema, devices):
        self._name, self._func = name, func
        _core._define(name + schema)
        impl(name, devices, func)
        self._call = _core.function(name)
        self.__doc__, self.__name__ = func.__doc__, func.__name__

    def __call__(self, *args, **keywords):
        return self._call(*args, **keywords)

    def register_kernel(self, device_types, func=None):
        """A kernel for these devices."""
        return impl(self._name, device_types, func)

    def register_fake(self, func):
        """What results look like, without elements."""
        return register_fake(self._name, func)

    def register_autograd(self, backward, *, setup_context=None):
        """Its gradient."""
        register_autograd(self._name, backward, setup_context=setup_context)


def custom_op(name, fn=None, *, mutates_args, device_types=None, schema=None):
    """An operator of a function's annotations: @custom_op("my::op", mutates_args=())."""
    def make(func):
        text = schema or infer_schema(func, mutates_args=mutates_args)
        return CustomOpDef(name, func, text, device_types or "default")
    return make if fn is None else make(fn)
