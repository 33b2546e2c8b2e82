"""Files: PyTorch's checkpoints both ways, safetensors, NumPy's archives, pickles of our own."""

import collections
import io
import os
import pickle
import pickletools
import signal
import zipfile

import pytest
import switchyard as torch
from switchyard import safetensors

numpy = pytest.importorskip("numpy")
RECORDED = os.environ["IO_TESTDATA"]  # what the official libraries wrote


def recorded(name):
    return os.path.join(RECORDED, name)


# --- What PyTorch wrote.

@pytest.mark.parametrize("name", ["everything.pt", "everything_protocol5.pt", "everything_legacy.pt"])
def test_all_that_pytorch_saves_is_read(name):
    all = torch.load(recorded(name))
    assert torch.equal(all["base"], torch.arange(24.))
    assert all["view"].stride() == (1, 4) and all["view"][1, 2] == 13
    all["base"][14] = -1
    assert all["view"][2, 2] == -1  # they share their storage
    assert all["expanded"].stride() == (0, 0) and all["empty"].shape == (0, 3)
    for name in ("bfloat16", "float16", "float8_e4m3fn", "uint16", "complex64", "complex32", "bool",
                 "int64", "float64"):
        assert repr(all[name].dtype) == "torch." + name
    assert isinstance(all["parameter"], torch.nn.Parameter) and all["parameter"].requires_grad
    assert type(all["ordered"]) is collections.OrderedDict and all["ordered"] == {"a": 1}
    assert type(all["size"]) is torch.Size and all["size"] == (2, 3)
    assert all["dtype"] is torch.float32 and all["device"] == torch.device("cuda:1")
    assert all["nested"][:6] == [1, 2.5, "text", None, True, (1, 2)]
    assert (all["big"], all["bigger"], all["negative"]) == (2**62, 2**70, -5)
    assert all["set"] == {1, 2} and all["bytes"] == b"\x00\xff" and all["complex"] == 1 + 2j


def test_a_training_of_pytorch_is_read():
    run = torch.load(recorded("training.pt"))
    assert run["epoch"] == 3 and type(run["model"]) is collections.OrderedDict
    assert run["model"]["0.weight"].shape == (3, 2)
    assert run["optimizer"]["state"][0]["exp_avg"].dtype is torch.float32
    assert run["optimizer"]["param_groups"][0]["betas"] == (0.9, 0.999)
    numbers = torch.load(recorded("numpy.pt"))
    assert numbers["n"] == 2.5 and numbers["a"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("name", sorted(n for n in os.listdir(RECORDED) if n.startswith("refused_")))
def test_what_is_no_data_is_refused(name):
    with pytest.raises((pickle.UnpicklingError, RuntimeError)):
        torch.load(recorded(name))


def test_places_of_a_checkpoints_tensors():
    path = recorded("w.pt")
    assert torch.load(path, map_location="meta")["w"].is_meta
    assert torch.load(path, map_location=torch.device("cpu"))["w"].is_cpu
    assert torch.load(path, map_location=lambda t, place: t + 1)["w"][0] == 1
    assert torch.load(path, map_location={"cpu": "meta"})["w"].is_meta
    assert torch.load(path, mmap=True)["w"].tolist() == list(range(24))
    with open(path, "rb") as file:
        assert torch.load(file)["w"].tolist() == list(range(24))
        with pytest.raises(ValueError, match="mmap"):
            file.seek(0)
            torch.load(file, mmap=True)
    with pytest.raises(RuntimeError):
        torch.load(path, map_location="nowhere")
    with pytest.raises(FileNotFoundError):
        torch.load(recorded("absent.pt"))


# --- What PyTorch reads.

class AsPyTorchReads(pickle.Unpickler):
    """What torch.load does, with NumPy's arrays for tensors: names it knows, storages beside."""

    DTYPES = {"FloatStorage": "f4", "DoubleStorage": "f8", "LongStorage": "i8", "HalfStorage": "f2",
              "BoolStorage": "?", "ComplexFloatStorage": "c8", "UntypedStorage": "u1"}

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path)
        self.folder = self.archive.namelist()[0].split("/")[0]
        super().__init__(io.BytesIO(self.archive.read(self.folder + "/data.pkl")))

    def find_class(self, module, name):
        if module == "torch._utils":
            return {"_rebuild_tensor_v2": self.tensor, "_rebuild_tensor_v3": self.tensor,
                    "_rebuild_parameter": lambda data, grad, hooks: ("parameter", data, grad)}[name]
        if module == "torch":
            return name if name not in ("Size", "device") else lambda *a: (name, *a)
        if module == "torch.storage":
            return name
        if module == "_codecs":
            return lambda text, encoding: text.encode(encoding)
        assert (module, name) in {("collections", "OrderedDict"), ("collections", "Counter"),
                                  ("builtins", "set"), ("builtins", "frozenset"),
                                  ("builtins", "complex"), ("builtins", "bytearray")}
        return super().find_class(module, name)

    def persistent_load(self, id):
        kind, of, key, place, numel = id
        assert kind == "storage" and place == "cpu"
        info = self.archive.getinfo(f"{self.folder}/data/{key}")
        array = numpy.frombuffer(self.archive.read(info), self.DTYPES[of])
        assert array.size == numel and info.compress_type == zipfile.ZIP_STORED
        return key, array

    @staticmethod
    def tensor(storage, offset, sizes, strides, requires_grad, hooks, dtype=None):
        assert hooks == {}
        key, array = storage
        view = numpy.lib.stride_tricks.as_strided(
            array[offset:], sizes, [s * array.itemsize for s in strides]) if array.size else array
        return key, view.tolist(), requires_grad, dtype


def test_what_is_saved_is_what_pytorch_reads(tmp_path):
    base = torch.arange(6.).reshape(2, 3)
    shared = [1, base]
    model = {"base": base, "column": base[:, 1], "again": shared, "shared": shared, 5: "number",
             "leaf": torch.ones(1, requires_grad=True), "p": torch.nn.Parameter(torch.zeros(1)),
             "f8": torch.ones(2).to(torch.float8_e5m2), "bool": torch.tensor([True]),
             "ordered": collections.OrderedDict(z=1, a=2), "count": collections.Counter("aab"),
             "size": torch.Size([2]), "dtype": torch.bfloat16, "device": torch.device("cuda:1"),
             "numbers": (None, True, -1, 300, 1 << 40, -(1 << 70), 1 << 63, 0.25, 1 - 2j),
             "texts": ["é", b"\0\x80\xff", bytearray(b"x"), ""], "sets": ({1}, frozenset({2}), set())}
    torch.save(model, tmp_path / "model.pt")
    read = AsPyTorchReads(tmp_path / "model.pt").load()
    assert list(read) == list(model)
    assert read["base"][1] == [[0, 1, 2], [3, 4, 5]] and read["column"][1] == [1, 4]
    assert read["base"][0] == read["column"][0]  # one storage
    assert read["again"] is read["shared"] and read["again"][1] is read["base"]
    assert read["leaf"][2] is True and read["base"][2] is False
    assert read["p"] == ("parameter", (read["p"][1][0], [0.0], False, None), True)
    assert read["f8"][3] == "float8_e5m2" and read["bool"][1] == [True]
    assert type(read["ordered"]) is collections.OrderedDict and list(read["ordered"]) == ["z", "a"]
    assert type(read["count"]) is collections.Counter and read["count"] == {"a": 2, "b": 1}
    assert read["size"] == ("Size", (2,)) and read["device"] == ("device", "cuda:1")
    assert read["dtype"] == "bfloat16"
    for name in (5, "numbers", "texts", "sets"):
        assert read[name] == model[name]
    assert [type(x) for x in read["texts"]] == [str, bytes, bytearray, str]
    back = torch.load(tmp_path / "model.pt")
    assert list(back) == list(model) and back["numbers"] == model["numbers"]
    assert back["again"] is back["shared"] and back["again"][1] is back["base"]
    assert back["column"].stride() == (3,) and back["leaf"].requires_grad
    assert type(back["p"]) is torch.nn.Parameter and back["f8"].dtype is torch.float8_e5m2
    assert back["count"] == model["count"] and back["device"] == model["device"]
    assert [type(x) for x in back["sets"]] == [set, frozenset, set]


# Files hold elements: the integers of quantised tensors would be read back as if they were numbers.
@pytest.mark.parametrize("t", [
    torch.quantize_per_tensor(torch.ones(3), 0.5, 1, torch.qint8),
    torch.quantize_per_channel(torch.ones(2, 3), torch.ones(2), torch.zeros(2, dtype=torch.int64), 0,
                               torch.quint8),
    torch.eye(3).to_sparse(), torch.eye(3).to_sparse_csr()])
def test_tensors_that_are_no_elements_are_not_written(tmp_path, t):
    said = "integers that stand for numbers|is not strided"
    for name in ("a.pt", "a.safetensors", "a.npz", "a.npy"):
        with pytest.raises(RuntimeError, match=said):
            torch.save_tensors({"t": t}, tmp_path / name)
    for obj in (t, [t], {"x": (torch.ones(1), t)}):
        with pytest.raises(RuntimeError, match=said):
            torch.save(obj, tmp_path / "a.pt")
        with pytest.raises(RuntimeError, match=said):
            torch.save(obj, io.BytesIO())
    assert os.listdir(tmp_path) == []


# Of torch/_weights_only_unpickler.py.
OPCODES = set("""APPEND APPENDS BINFLOAT BINGET BININT BININT1 BININT2 BINPERSID BINPUT BINUNICODE BUILD
EMPTY_DICT EMPTY_LIST EMPTY_SET EMPTY_TUPLE GLOBAL LONG1 LONG_BINGET LONG_BINPUT MARK NEWFALSE NEWOBJ
NEWTRUE NONE PROTO REDUCE SETITEM SETITEMS SHORT_BINSTRING STOP TUPLE TUPLE1 TUPLE2 TUPLE3""".split())


def test_pytorch_needs_no_more_than_weights_only(tmp_path):
    shared = ["text", torch.ones(1)]
    torch.save({"numbers": [1, 300, -1, 1 << 40, 1 << 80, -(1 << 1000), 0.5, 1j, None, True],
                "shared": [shared] * 3, "bytes": b"\xff", "tuples": [(), (1,), (1, 2, 3, 4)],
                "empty": [[], {}, set()]}, tmp_path / "a.pt")
    with zipfile.ZipFile(tmp_path / "a.pt") as archive:
        used = {op.name for op, _, _ in pickletools.genops(archive.read("archive/data.pkl"))}
    assert used <= OPCODES
    assert torch.load(tmp_path / "a.pt")["numbers"][4:6] == [1 << 80, -(1 << 1000)]


@pytest.mark.parametrize("t", [torch.zeros(0, 3), torch.tensor(3.5), torch.arange(6).reshape(2, 3).T,
                               torch.ones(1).expand(4, 4), torch.tensor([1 + 2j]).conj(),
                               torch.arange(10)[3::2], torch.ones(2, 3, 4, 5).to(
                                   memory_format=torch.channels_last)])
def test_tensors_of_any_form_come_back(tmp_path, t):
    torch.save([t, t], tmp_path / "t.pt")
    first, second = torch.load(tmp_path / "t.pt")
    assert first is second and torch.equal(first, t) and first.dtype is t.dtype


def test_streams(tmp_path):
    stream = io.BytesIO()
    torch.save({"a": torch.ones(2)}, stream)
    stream.seek(0)
    assert torch.load(stream)["a"].tolist() == [1, 1]
    with open(tmp_path / "file", "wb") as file:
        file.write(stream.getvalue())
    assert zipfile.is_zipfile(tmp_path / "file") and torch.load(tmp_path / "file")["a"][0] == 1


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "w.pt"
    torch.save(torch.ones(1), path)
    with pytest.raises(RuntimeError):
        torch.save({"a": torch.ones(1), "b": torch.ones(1, device="meta")}, path)
    assert torch.load(path)[0] == 1 and os.listdir(tmp_path) == ["w.pt"]
    with pytest.raises((RuntimeError, OSError)):
        torch.save(torch.ones(1), tmp_path / "no" / "folder")


def test_a_signal_ends_the_writing(tmp_path):
    class Interrupted(Exception):
        pass

    def handler(*_):
        raise Interrupted
    large = torch.zeros(128 << 20, dtype=torch.uint8)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        with pytest.raises(Interrupted):
            signal.setitimer(signal.ITIMER_REAL, 0.005)
            torch.save(large, tmp_path / "large.pt")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert os.listdir(tmp_path) == []


# --- What is no data.

class Point:
    def __init__(self, x):
        self.x = x


def test_objects_of_classes_are_pickles_of_our_own(tmp_path):
    loop = [torch.ones(1)]
    loop.append(loop)
    for thing in (Point(torch.ones(2)), loop, {"s": slice(1, 2)}):
        torch.save(thing, tmp_path / "own")
        assert not zipfile.is_zipfile(tmp_path / "own")
        back = torch.load(tmp_path / "own", weights_only=False)
        assert type(back) is type(thing)
    torch.save(Point(1), tmp_path / "own")
    with pytest.raises(pickle.UnpicklingError, match="Point"):
        torch.load(tmp_path / "own")
    torch.save({"a": torch.ones(2)}, tmp_path / "own", _use_new_zipfile_serialization=False)
    assert torch.load(tmp_path / "own", map_location="meta")["a"].is_meta


# --- Files of named tensors.

def test_safetensors(tmp_path):
    official = recorded("official.safetensors")
    with safetensors.safe_open(official, "pt") as f:
        names, metadata = f.keys(), f.metadata()
    tensors = safetensors.load_file(official)
    assert metadata == {"format": "pt"} and set(names) == set(tensors)
    safetensors.save_file(tensors, tmp_path / "s", metadata)
    with open(official, "rb") as a, open(tmp_path / "s", "rb") as b:
        assert a.read() == b.read()
    data = safetensors.save(tensors, metadata)
    assert len(data) == os.path.getsize(official)
    assert all(torch.equal(t.view(torch.uint8) if t.dim() else t, tensors[name].view(torch.uint8)
                           if t.dim() else tensors[name])
               for name, t in safetensors.load(data).items() if t.numel())
    assert set(torch.load(official)) == set(tensors)


def test_slices_of_a_file(tmp_path):
    x = torch.arange(24).reshape(4, 3, 2)
    torch.save_tensors({"x": x, "n": torch.tensor(7)}, tmp_path / "x.safetensors")
    with safetensors.safe_open(tmp_path / "x.safetensors", framework="pt") as f:
        part = f.get_slice("x")
        assert part.get_shape() == [4, 3, 2] and part.get_dtype() == "I64"
        for key in (slice(1, 3), slice(None), slice(-2, None), slice(3, 1), 2, -1, (1, 2), ...,
                    (slice(0, 2), 1), (slice(None, None, 2), 0), (..., 1), (slice(2), slice(1), 0)):
            assert torch.equal(part[key], x[key]), key
        for wrong in (4, -5):
            with pytest.raises(IndexError):
                part[wrong]
        assert f.get_slice("n")[...].item() == 7 and f.get_tensor("n").item() == 7
        with pytest.raises(KeyError):
            f.get_tensor("absent")
    with pytest.raises(ValueError):
        f.keys()
    with pytest.raises(ValueError):
        safetensors.safe_open(tmp_path / "x.safetensors", "tf")
    with pytest.raises(FileNotFoundError):
        safetensors.load_file(tmp_path / "absent")


def test_arrays_of_numpy(tmp_path):
    numpy.savez(tmp_path / "a.npz", a=numpy.arange(3), b=numpy.ones((2, 2), "f4"))
    numpy.save(tmp_path / "a.npy", numpy.arange(6).reshape(2, 3))
    read = torch.load(tmp_path / "a.npz")
    assert read["a"].tolist() == [0, 1, 2] and read["b"].dtype is torch.float32
    assert torch.load(tmp_path / "a.npy").tolist() == [[0, 1, 2], [3, 4, 5]]
    torch.save_tensors(read, tmp_path / "b.npz")
    torch.save_tensors({"": read["b"]}, tmp_path / "b.npy")
    with numpy.load(tmp_path / "b.npz") as back:
        assert back["a"].tolist() == [0, 1, 2] and back["b"].dtype == numpy.float32
    assert numpy.load(tmp_path / "b.npy").tolist() == [[1, 1], [1, 1]]


def test_files_of_tensors_refuse(tmp_path):
    for tensors, error in (({"a": 1}, TypeError), ({1: torch.ones(1)}, TypeError), ([1], TypeError),
                           ({"a": torch.ones(1, dtype=torch.complex128)}, RuntimeError)):
        with pytest.raises(error):
            torch.save_tensors(tensors, tmp_path / "x.safetensors")
    with pytest.raises(RuntimeError):
        torch.save_tensors({"a": torch.ones(1)}, tmp_path / "x.unknown")
    with pytest.raises(ValueError):
        torch.save_tensors({"a": torch.ones(1)}, tmp_path / "x", format="tar")
    with pytest.raises(RuntimeError):
        torch.save_tensors({"a": torch.ones(1)}, tmp_path / "x.npz", metadata={"a": "b"})
    assert os.listdir(tmp_path) == []


def test_a_file_says_what_it_holds():
    f = torch.TensorFile(recorded("model.gguf"))
    assert f.format == "gguf" and "f32" in f.keys()
    dtype, sizes, word, size = f.info("f32")
    assert dtype is torch.float32 and sizes == (2, 3) and word == "F32" and size == 24
    assert f.info("q8")[0] is None and f.get("f32").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert f.slice("f32", 0, 1, 2).tolist() == [[3, 4, 5]]
    assert f.metadata()["general.architecture"] == "toy"


def test_who_has_no_such_file_is_told_so_as_by_open(tmp_path):
    for path in (tmp_path / "absent", recorded("model.gguf") + "/absent", ""):
        with pytest.raises(OSError) as expected:
            open(path, "rb")
        for read in (torch.TensorFile, torch.load):
            with pytest.raises(OSError) as got:
                read(str(path))
            assert got.type is expected.type and str(got.value) == str(expected.value)
    assert expected.type is FileNotFoundError
