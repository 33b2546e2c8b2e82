"""What becomes of tensors that calls keep for backward."""

from _thread import _local

from switchyard import _core
from switchyard._modes import _wraps
from switchyard._tensor import Node  # noqa: F401

_state = _local()


class saved_tensors_hooks:
    """Inside `with`, what a call keeps for backward is what pack_hook gives for it; backward gets
    what unpack_hook makes of that. Of hooks that nest the innermost are asked."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        refused = getattr(_state, "refused", None)
        if refused is not None:
            raise RuntimeError(refused)
        _core._push_saved_tensor_hooks(self.pack_hook, self.unpack_hook)
        _state.active = getattr(_state, "active", 0) + 1

    def __exit__(self, *error):
        _core._pop_saved_tensor_hooks()
        _state.active -= 1


class save_on_cpu(saved_tensors_hooks):
    """Inside `with`, what calls keep for backward lies on the host until backward wants it."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack(tensor):
            if not pin_memory or tensor.device.type == "cpu":
                return tensor.device, tensor.to("cpu", copy=True)
            kept = _core.call("empty", tuple(tensor.shape), dtype=tensor.dtype, pin_memory=True)
            return tensor.device, kept.copy_(tensor)

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)
        super().__init__(pack, unpack)


class disable_saved_tensors_hooks:
    """Inside `with`, saved_tensors_hooks raises a RuntimeError of this text."""

    def __init__(self, error_message):
        self._text = error_message

    def __enter__(self):
        if getattr(_state, "active", 0):
            raise RuntimeError(self._text)
        self._before = getattr(_state, "refused", None)
        _state.refused = self._text

    def __exit__(self, *error):
        _state.refused = self._before

    def __call__(self, f):
        return _wraps(lambda: disable_saved_tensors_hooks(self._text), f)
