"""save and load: objects with tensors, in files of our own.

A file is a pickle of protocol 5. It is read without executing what it says: only containers,
numbers, texts and this package's values are made of it.
"""

import io
import pickle

from switchyard import _core

_ZIP = b"PK\x03\x04"  # PyTorch's files


class _Reader(pickle._Unpickler):
    """Makes what save wrote, and refuses the rest. Of Python's own reader of pickles, since that in
    C would let a file set attributes of the classes and functions it may name."""

    dispatch = dict(pickle._Unpickler.dispatch)

    def load_build(self):
        raise pickle.UnpicklingError("load(): the file sets an object's attributes; "
                                     "weights_only=False would let it")

    dispatch[pickle.BUILD[0]] = load_build

    _PLAIN = {("collections", "OrderedDict"), ("builtins", "set"), ("builtins", "frozenset"),
              ("builtins", "complex"), ("builtins", "bytearray"), ("builtins", "slice"),
              ("builtins", "range")}

    def find_class(self, module, name):
        if (module, name) in self._PLAIN:
            return super().find_class(module, name)
        if module == "switchyard._tensor" and name == "_rebuild":
            return super().find_class(module, name)
        if module in ("switchyard", "switchyard._core"):
            found = getattr(_core, name, None)
            if name in ("Size", "device", "Tensor") or isinstance(
                    found, (_core.dtype, _core.layout, _core.memory_format)):
                return found
        if (module, name) == ("switchyard.nn", "Parameter"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(
            f"load(): the file asks for {module}.{name}; weights_only=False would run what it says")


def _opened(file, mode):
    if hasattr(file, "read") or hasattr(file, "write"):
        return file, False
    return open(file, mode), True


def save(obj, f, pickle_module=pickle, pickle_protocol=5, _use_new_zipfile_serialization=True):
    """Writes an object with tensors to a file, by its name or open for writing."""
    file, ours = _opened(f, "wb")
    try:
        pickle_module.dump(obj, file, protocol=max(pickle_protocol, 2))
    finally:
        if ours:
            file.close()


def load(f, map_location=None, pickle_module=pickle, *, weights_only=True, mmap=None):
    """Reads what save wrote. map_location: a device for its tensors, or a function or dict of them.

    weights_only=False runs what the file says: for files of your own alone.
    """
    file, ours = _opened(f, "rb")
    try:
        data = file.read()
    finally:
        if ours:
            file.close()
    if data.startswith(_ZIP):
        raise NotImplementedError("load(): the file is a checkpoint of PyTorch's, which this version "
                                  "does not read")
    stream = io.BytesIO(data)
    if weights_only:
        try:
            obj = _Reader(stream).load()
        except (pickle.UnpicklingError, MemoryError, RecursionError, _core.UnavailableError):
            raise
        except Exception as error:
            raise pickle.UnpicklingError(f"load(): no file that save wrote, or a torn one: {error!r}") \
                from error
    else:
        obj = pickle_module.load(stream)
    return obj if map_location is None else _moved(obj, map_location)


def _moved(obj, to):
    """The object with its tensors elsewhere."""
    if isinstance(obj, _core.Tensor):
        if callable(to):
            moved = to(obj, str(obj.device))
            return obj if moved is None else moved
        place = to.get(str(obj.device), obj.device) if isinstance(to, dict) else to
        moved = obj.detach().to(place)
        return moved.requires_grad_() if obj.requires_grad else moved
    if isinstance(obj, dict):
        return type(obj)((k, _moved(v, to)) for k, v in obj.items())
    if isinstance(obj, (list, tuple)) and type(obj) in (list, tuple):
        return type(obj)(_moved(v, to) for v in obj)
    return obj
