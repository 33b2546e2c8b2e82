"""save and load: objects with tensors, in PyTorch's files.

What is data is written as torch.save writes it and reads what torch.save has written, in C++
(io/checkpoint.h). The rest, objects of programs' classes, goes into a pickle of our own. Neither is
executed when it is read: only containers, numbers, texts and this package's values are made of it.
"""

import contextlib
import io
import os
import pickle
import tempfile

from switchyard import _core

_LEGACY = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."  # with which PyTorch's files before 1.6 begin


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


def is_stream(f):
    """Whether it is a file that is open, and no name of one."""
    return hasattr(f, "read") or hasattr(f, "write")


@contextlib.contextmanager
def path_of(data):
    """A name, for a while, of bytes as a file of this process's alone."""
    descriptor = os.memfd_create("switchyard")
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(data)
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)


def written(write):
    """The bytes that write(path) writes; None where it returns False."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        if write(path) is False:
            return None
        with open(path, "rb") as file:
            return file.read()


def save(obj, f, pickle_module=pickle, pickle_protocol=5, _use_new_zipfile_serialization=True):
    """Writes an object with tensors to a file, by its name or open for writing: as torch.save does
    where all of it is data, into a pickle of our own where it has objects of other classes.

    _use_new_zipfile_serialization=False: into the pickle, whatever it has.
    """
    if _use_new_zipfile_serialization and pickle_module is pickle:
        if not is_stream(f):
            if _core._write_checkpoint(os.fspath(f), obj):
                return
        elif (data := written(lambda path: _core._write_checkpoint(path, obj))) is not None:
            f.write(data)
            return
    data = pickle_module.dumps(obj, protocol=max(pickle_protocol, 2))  # or nothing is written
    with contextlib.nullcontext(f) if is_stream(f) else open(f, "wb") as file:
        file.write(data)


def save_tensors(tensors, path, metadata=None, format=None):
    """Writes a dict of tensors as the name's ending says: .safetensors, .npz, .npy (of one tensor),
    .pt; or as format does: "safetensors", "npz", "npy", "checkpoint". load reads them all.

    metadata: a dict of texts, for which safetensors alone has a place.
    """
    _core._write_tensors(os.fspath(path), dict(tensors), format, metadata)


def load(f, map_location=None, pickle_module=pickle, *, weights_only=True, mmap=None):
    """Reads what save or torch.save wrote, by its name or open for reading; of files of named
    tensors (safetensors, .npz, GGUF) a dict, of .npy the tensor.

    map_location: a device for its tensors, or a function or dict of them; without it they are on
    the host. mmap: tensors are the file's own pages, which must keep its length meanwhile.
    weights_only=False lets a pickle of ours run what it says: for files of your own alone. PyTorch's
    are data, whatever it says.
    """
    if is_stream(f):
        data = f.read()
        if not _is_pickle(data):
            if mmap:
                raise ValueError("load(): mmap is for files that have a name")
            with path_of(data) as path:
                return _read(path, map_location, False)
    else:
        path = os.fspath(f)
        with open(path, "rb") as file:
            if not _is_pickle(file.read(len(_LEGACY))):
                return _read(path, map_location, bool(mmap))
            file.seek(0)
            data = file.read()
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


def _is_pickle(start):
    """Whether these bytes begin a pickle of ours; of the rest, C++ finds out what it is."""
    return start[:1] == b"\x80" and not start.startswith(_LEGACY)


def _read(path, map_location, mapped):
    moved = callable(map_location) or isinstance(map_location, dict)
    place = None if moved or map_location is None else _core.device(map_location)
    try:
        obj = _core._read_file(path, place, mapped)
    except _core.InvalidArgumentError as error:
        raise pickle.UnpicklingError(f"load(): {error}") from None
    return _moved(obj, map_location) if moved else obj


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
