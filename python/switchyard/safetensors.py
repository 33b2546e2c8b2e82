"""Files of named tensors in the safetensors format, by the official package's names.

    from switchyard.safetensors import load_file, safe_open, save_file
    save_file({"w": w}, "model.safetensors", metadata={"format": "pt"})
    with safe_open("model.safetensors", "pt") as f:
        rows = f.get_slice("w")[100:200]

Files are read in place: tensors of load_file and safe_open are the file's own pages, which must keep
its length meanwhile. What is written are the official writer's bytes. safe_open and load_file read
.npz, PyTorch's checkpoints and GGUF too, whose bytes say what they are.
"""

import os

from switchyard import _core, _files


def load_file(filename, device="cpu"):
    """A dict of the file's tensors."""
    file = _opened(filename, device)
    return {name: file.get(name) for name in file.keys()}


def save_file(tensors, filename, metadata=None):
    """Writes a dict of tensors. metadata: a dict of texts."""
    _files.save_tensors(tensors, filename, metadata, "safetensors")


def load(data):
    """A dict of the tensors in the bytes of a file."""
    with _files.path_of(data) as path:
        return {name: t.clone() for name, t in load_file(path).items()}


def save(tensors, metadata=None):
    """The bytes that save_file would write."""
    return _files.written(lambda path: save_file(tensors, path, metadata))


def _opened(filename, device):
    with open(filename, "rb"):  # who has no such file is told so as by open
        pass
    return _core.TensorFile(os.fspath(filename), _core.device(device))


class safe_open:
    """The file's tensors one by one: of a large file, what is asked for."""

    def __init__(self, filename, framework="pt", device="cpu"):
        if framework not in ("pt", "torch", "pytorch", "switchyard"):
            raise ValueError(f"framework: tensors are this package's, got {framework!r}")
        self._file = _opened(filename, device)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file = None

    def _open(self):
        if self._file is None:
            raise ValueError("the file was closed")
        return self._file

    def keys(self):
        """The names of its tensors."""
        return self._open().keys()

    offset_keys = keys

    def metadata(self):
        """The texts beside them."""
        return self._open().metadata()

    def get_tensor(self, name):
        """The tensor of that name."""
        return self._open().get(name)

    def get_slice(self, name):
        """A tensor of which only what is asked for is read: get_slice(name)[2:4, 0]."""
        return _Slice(self._open(), name)


class _Slice:
    def __init__(self, file, name):
        self._file, self._name = file, name
        self._dtype, self._sizes = file.info(name)[:2]

    def get_shape(self):
        """Its sizes, as a list."""
        return list(self._sizes)

    def get_dtype(self):
        """The format's word for its dtype: "F32"."""
        return self._file.info(self._name)[2]

    def __getitem__(self, key):
        keys = key if isinstance(key, tuple) else (key,)
        first = keys[0] if keys else Ellipsis
        if not self._sizes or isinstance(first, bool) or not isinstance(first, (int, slice)) or (
                isinstance(first, slice) and first.step not in (None, 1)):
            return self._file.get(self._name)[key]
        size = self._sizes[0]
        if isinstance(first, slice):
            begin, end, _ = first.indices(size)
            rows = self._file.slice(self._name, 0, begin, max(begin, end))
            return rows[(slice(None), *keys[1:])]
        at = first + size if first < 0 else first
        if not 0 <= at < size:
            raise IndexError(f"index {first} is out of bounds for dimension 0 with size {size}")
        return self._file.slice(self._name, 0, at, at + 1)[(0, *keys[1:])]
