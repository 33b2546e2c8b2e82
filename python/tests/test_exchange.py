"""Arrays, buffers, DLPack, pickles, files, copies."""

import copy
import ctypes
import gc
import io
import pickle
import weakref

import pytest
import switchyard as torch

numpy = pytest.importorskip("numpy")


def test_numpy_shares_memory_both_ways():
    array = numpy.ones((2, 3))
    t = torch.from_numpy(array)
    array[1, 1] = 23
    assert t[1, 1].item() == 23 and t.dtype is torch.float64
    t[0, 0] = 5
    assert array[0, 0] == 5 and t.data_ptr() == array.ctypes.data
    back = t.T.numpy()
    assert back.shape == (3, 2) and back.ctypes.data == t.data_ptr() and back[1, 1] == 23
    del t
    assert back[1, 1] == 23


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16",
                                   "uint32", "uint64", "float16", "float32", "float64", "complex64",
                                   "complex128"])
def test_numpy_dtypes(dtype):
    array = numpy.array([[0, 1], [1, 0]], dtype=dtype)
    t = torch.from_numpy(array)
    assert repr(t.dtype) == "torch." + dtype and t.tolist() == array.tolist()
    assert t.numpy().dtype == array.dtype and (torch.tensor(array).numpy() == array).all()
    assert numpy.from_dlpack(t).tolist() == array.tolist() if dtype != "bool" else True


def test_arrays_that_no_tensor_can_share_are_copied():
    for array in (numpy.arange(4)[::-1], numpy.frombuffer(b"\x01\x02", numpy.uint8)):
        t = torch.from_numpy(array)
        assert t.tolist() == array.tolist()
        t[0] = 9
        assert array[0] != 9
    for wrong in (numpy.array(["text"]), numpy.array([1], ">i4"), numpy.array([object()])):
        with pytest.raises((TypeError, ValueError, BufferError)):
            torch.from_numpy(wrong)
    with pytest.raises(TypeError):
        torch.from_numpy([1])


def test_strided_and_empty_arrays():
    array = numpy.arange(12).reshape(3, 4)
    assert torch.from_numpy(array[:, ::2]).stride() == (4, 2)
    assert torch.from_numpy(array.T).tolist() == array.T.tolist()
    assert torch.from_numpy(numpy.zeros((0, 3))).shape == (0, 3)
    assert torch.from_numpy(numpy.array(3.0)).item() == 3
    assert torch.zeros(0, 3).numpy().shape == (0, 3) and torch.tensor(1).numpy().shape == ()


def test_buffers():
    t = torch.arange(6, dtype=torch.int16).reshape(2, 3)
    view = memoryview(t)
    assert view.shape == (2, 3) and view.format == "h" and view.tolist() == t.tolist()
    assert bytes(t) == t.numpy().tobytes()
    with pytest.raises(BufferError):
        memoryview(torch.ones(1, dtype=torch.bfloat16))
    with pytest.raises(BufferError):
        memoryview(torch.ones(1, requires_grad=True))
    data = bytearray(b"\1\0\2\0\3\0")
    u = torch.frombuffer(data, dtype=torch.int16, offset=2)
    data[2] = 7
    assert u.tolist() == [7, 3]
    for wrong in ({"offset": 9}, {"count": 9}, {"offset": 1}):
        with pytest.raises(ValueError):
            torch.frombuffer(data, dtype=torch.int16, **wrong)


def test_dlpack_both_ways():
    t = torch.arange(6.).reshape(2, 3)
    array = numpy.from_dlpack(t)
    assert array.ctypes.data == t.data_ptr()
    u = torch.from_dlpack(t.T)
    assert u.data_ptr() == t.data_ptr() and u.stride() == (1, 3)
    assert torch.from_dlpack(array.copy()).tolist() == t.tolist()
    assert t.__dlpack_device__() == (1, 0)
    for version, name in ((None, b"dltensor"), ((1, 0), b"dltensor_versioned")):
        capsule = t.__dlpack__(max_version=version)
        assert f'"{name.decode()}"' in repr(capsule)
        assert torch.from_dlpack(capsule).tolist() == t.tolist()
        with pytest.raises(ValueError):
            torch.from_dlpack(capsule)  # it is taken once
    with pytest.raises(BufferError):
        torch.ones(1, requires_grad=True).__dlpack__()
    assert torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(t)).tolist() == t.tolist()


def test_dlpack_of_what_numpy_may_not_write():
    array = numpy.arange(3.)
    array.flags.writeable = False
    with pytest.raises(BufferError):
        array.__dlpack__()  # before version 1 nothing says that it may not be written
    if tuple(map(int, numpy.__version__.split(".")[:2])) < (2, 1):  # which know no version 1
        with pytest.raises(BufferError):
            torch.from_dlpack(array)
        return
    t = torch.from_dlpack(array)
    assert t.data_ptr() == array.ctypes.data and t.tolist() == [0, 1, 2]
    assert torch.from_dlpack(array, copy=True).data_ptr() != array.ctypes.data


def test_dlpack_of_another_device():
    t = torch.arange(3.)
    assert torch.from_dlpack(t.__dlpack__(dl_device=(1, 0))).data_ptr() == t.data_ptr()
    assert torch.from_dlpack(t.__dlpack__(copy=True, dl_device=(1, 0))).data_ptr() != t.data_ptr()
    for wrong in ({"dl_device": (2, 0)}, {"dl_device": (2, 0), "copy": False}):
        with pytest.raises(BufferError):
            t.__dlpack__(**wrong)
    with pytest.raises(ValueError):
        t.__dlpack__(dl_device=(1,))
    with pytest.raises(torch.Error):
        torch.ones(2, device="meta").__dlpack__()


def test_dlpack_says_what_is_a_copy():
    def flags(**options):
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        capsule = torch.ones(2).__dlpack__(max_version=(1, 1), **options)
        at = get(capsule, b"dltensor_versioned")
        assert ctypes.c_uint32.from_address(at).value == 1  # the major version
        return ctypes.c_uint64.from_address(at + 24).value
    assert flags() == 0 and flags(copy=False) == 0 and flags(copy=True) == 2


@pytest.mark.parametrize("name", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16",
                                  "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_pytorch_by_dlpack_both_ways(name):
    other = pytest.importorskip("torch", reason="needs PyTorch, which is no part of this project")
    t = torch.arange(6).reshape(2, 3).to(getattr(torch, name))
    theirs = other.from_dlpack(t.T)
    assert repr(theirs.dtype) == repr(t.dtype) and theirs.data_ptr() == t.data_ptr()
    assert theirs.stride() == (1, 3) and theirs.tolist() == t.T.tolist()
    back = torch.from_dlpack(theirs)
    assert back.dtype is t.dtype and back.data_ptr() == t.data_ptr() and back.stride() == (1, 3)
    for version in (None, (1, 0)):
        assert torch.from_dlpack(theirs.__dlpack__(max_version=version)).tolist() == t.T.tolist()
        assert other.from_dlpack(t.__dlpack__(max_version=version)).tolist() == t.tolist()
    theirs.zero_()
    assert not t.any()


def test_pytorch_keeps_what_it_was_lent():
    other = pytest.importorskip("torch", reason="needs PyTorch, which is no part of this project")
    theirs = other.from_dlpack(torch.ones(1000))
    ours = torch.from_dlpack(other.ones(1000))
    gc.collect()
    assert theirs.sum() == 1000 and ours.sum() == 1000
    assert (ours + torch.from_dlpack(theirs)).sum() == 2000


def test_memory_lives_as_long_as_somebody_has_it():
    class Owner(bytearray):
        pass
    owner = Owner(b"\1\2\3\4")
    seen = weakref.ref(owner)
    t = torch.frombuffer(owner, dtype=torch.uint8)[1:]
    del owner
    gc.collect()
    assert t.tolist() == [2, 3, 4]
    del t
    gc.collect()
    assert seen() is None
    capsule = torch.ones(3).__dlpack__()
    del capsule
    address = torch.ones(5).numpy().ctypes
    gc.collect()
    assert ctypes.c_float.from_address(address.data).value == 1


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickles(protocol):
    objects = {"x": torch.arange(6).reshape(2, 3).T, "empty": torch.zeros(0, 2), "zero": torch.tensor(1.5),
               "half": torch.ones(2, dtype=torch.bfloat16), "conj": torch.tensor([1 + 2j]).conj(),
               "leaf": torch.ones(2, requires_grad=True), "bool": torch.tensor([True])}
    back = pickle.loads(pickle.dumps(objects, protocol))
    for name, t in objects.items():
        u = back[name]
        assert u.tolist() == t.tolist() and u.dtype is t.dtype and u.shape == t.shape
        assert u.requires_grad == t.requires_grad
    words = (torch.float32, torch.bool, torch.strided, torch.channels_last, torch.device("cuda:1"),
             torch.Size([2, 3]))
    again = pickle.loads(pickle.dumps(words, protocol))
    assert again == words and again[0] is torch.float32 and type(again[5]) is torch.Size


def test_pickles_with_buffers_out_of_band_copy_nothing():
    t = torch.arange(1000)
    buffers = []
    data = pickle.dumps(t, 5, buffer_callback=buffers.append)
    assert len(data) < 500 and len(buffers) == 1
    u = pickle.loads(data, buffers=buffers)
    assert u.data_ptr() == t.data_ptr()


def test_copies():
    t = torch.ones(2, requires_grad=True)
    t.grad = torch.zeros(2)
    deep = copy.deepcopy({"a": t, "b": t})
    assert deep["a"] is deep["b"] and deep["a"].requires_grad and deep["a"].grad.tolist() == [0, 0]
    assert deep["a"].data_ptr() != t.data_ptr() and copy.copy(t).data_ptr() == t.data_ptr()
    with pytest.raises(RuntimeError):
        copy.deepcopy(t * 2)


def test_load_runs_nothing(tmp_path):
    class Evil:
        def __reduce__(self):
            return open, (str(tmp_path / "written"), "w")
    torch.save(Evil(), tmp_path / "evil")
    with pytest.raises(pickle.UnpicklingError):
        torch.load(tmp_path / "evil")
    assert not (tmp_path / "written").exists()
    for rest in (b"", b"\x80", bytes(range(256)), b"\x80\x05}(", pickle.dumps(torch.ones(9))[:-20]):
        with pytest.raises(pickle.UnpicklingError):
            torch.load(io.BytesIO(rest))
    with pytest.raises(pickle.UnpicklingError):
        torch.load(io.BytesIO(b"PK\x03\x04"))
    # An attribute of a class that a file may name: GLOBAL, (None, {"numel": 1}), BUILD.
    attack = b"cswitchyard\nTensor\n(N}X\x05\x00\x00\x00numelK\x01stb."
    with pytest.raises(pickle.UnpicklingError):
        torch.load(io.BytesIO(attack))
    assert torch.ones(2).numel() == 2


def test_subclasses():
    class Mine(torch.Tensor):
        pass
    m = Mine([1., 2.])
    m.note = "kept"
    assert type(m) is Mine and type(m + 1) is torch.Tensor and m.sum().item() == 3
    assert weakref.ref(m)() is m and m.add_(1) is m
    p = torch.nn.Parameter(torch.zeros(2))
    assert p.requires_grad and repr(p).startswith("Parameter containing:\ntensor(")
    (p.sum() * 2).backward()
    assert p.grad.tolist() == [2, 2]
