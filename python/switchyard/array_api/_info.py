"""What the namespace can do."""

import switchyard as torch
from switchyard.array_api import _dtypes


class _Info:
    """What __array_namespace_info__() gives."""

    __module__ = "switchyard.array_api"

    def capabilities(self):
        """What may depend on data: both are there."""
        return {"boolean indexing": True, "data-dependent shapes": True}

    def default_device(self):
        """Where arrays are made."""
        return torch.get_default_device()

    def default_dtypes(self, *, device=None):
        """Of what arrays are where nothing says it."""
        real = torch.get_default_dtype()
        return {"real floating": real,
                "complex floating": torch.promote_types(real, torch.complex64),
                "integral": torch.int64, "indexing": torch.int64}

    def dtypes(self, *, device=None, kind=None):
        """Names and dtypes, all or of a kind."""
        return {repr(d).removeprefix("torch."): d for d in _dtypes.ALL
                if kind is None or _dtypes.isdtype(d, kind)}

    def devices(self):
        """The host, and accelerators that are there."""
        found = [torch.device("cpu")]
        if torch.accelerator.is_available():
            kind = torch.accelerator.current_accelerator().type
            found += [torch.device(kind, i) for i in range(torch.accelerator.device_count())]
        return found


def __array_namespace_info__():
    """What the namespace can do: its devices, dtypes and defaults."""
    return _Info()
