#!/usr/bin/env python3
"""Makes the files of this folder: what the official libraries write, and what readers must refuse.

  record.py     with torch, numpy, safetensors and gguf, whichever of them are there

The tests read the files; nothing in the tree runs this.
"""
import collections
import io
import json
import os
import struct
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__)) + "/"


def put(name, data):
    with open(HERE + name, "wb") as f:
        f.write(data)


def rezip(source, change, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(HERE + source) as z, zipfile.ZipFile(out, "w", method) as o:
        for n in z.namelist():
            data = change(n, z.read(n))
            if data is not None:
                o.writestr(zipfile.ZipInfo(n), data, method)
    return out.getvalue()


def record_torch():
    import numpy as np
    import torch
    base = torch.arange(24.)
    everything = {
        "base": base, "view": base[4:20].view(4, 4).t(), "row": base[3],
        "expanded": torch.full((1,), 7.).expand(3, 4), "empty": torch.empty(0, 3),
        "bfloat16": torch.tensor([1., 2.5], dtype=torch.bfloat16),
        "float16": torch.tensor([1., 2.5], dtype=torch.float16),
        "float8_e4m3fn": torch.tensor([1., 2.]).to(torch.float8_e4m3fn),
        "uint16": torch.tensor([1, 65535], dtype=torch.uint16),
        "complex64": torch.tensor([1 + 2j]), "complex32": torch.tensor([1 + 2j], dtype=torch.complex32),
        "bool": torch.tensor([True, False]),
        "int64": torch.tensor(-7), "float64": torch.tensor(3.5, dtype=torch.float64),
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "nested": [1, 2.5, "text", None, True, (1, 2), {"a": torch.ones(1)}],
        "size": torch.Size([2, 3]), "dtype": torch.float32, "device": torch.device("cuda:1"),
        "big": 2**62, "bigger": 2**70, "negative": -5, "set": {1, 2}, "bytes": b"\x00\xff",
        "complex": 1 + 2j, "ordered": collections.OrderedDict(a=1)}
    torch.save(everything, HERE + "everything.pt")
    torch.save(everything, HERE + "everything_protocol5.pt", pickle_protocol=5)
    torch.save(everything, HERE + "everything_legacy.pt", _use_new_zipfile_serialization=False)
    torch.save({"n": np.float64(2.5), "i": np.int32(-3), "a": np.arange(6, dtype=">i2").reshape(2, 3),
                "f": np.asfortranarray(np.arange(6.).reshape(2, 3))}, HERE + "numpy.pt")
    torch.manual_seed(0)
    m = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    o = torch.optim.Adam(m.parameters())
    m(torch.ones(2, 2)).sum().backward()
    o.step()
    torch.save({"model": m.state_dict(), "optimizer": o.state_dict(), "epoch": 3}, HERE + "training.pt")
    torch.save(m, HERE + "refused_module.pt")

    class Evil:
        def __reduce__(self):
            return (os.system, ("touch /tmp/ran",))
    w = {"w": base}
    torch.save(w, HERE + "w.pt")
    torch.save({"w": base, "x": Evil()}, HERE + "refused_system.pt")
    torch.save({"s": torch.eye(2).to_sparse()}, HERE + "refused_sparse.pt")
    torch.save({"c": torch.tensor([1 + 2j]).conj()}, HERE + "refused_conjugate.pt")
    put("deflated.pt", rezip("w.pt", lambda n, b: b, zipfile.ZIP_DEFLATED))
    put("unaligned.pt", rezip("w.pt", lambda n, b: b))

    def only(end, change):
        return lambda n, b: change(b) if n.endswith(end) else b
    put("refused_short_storage.pt", rezip("w.pt", only("data/0", lambda b: b[:-4])))
    put("refused_no_storage.pt", rezip("w.pt", only("data/0", lambda b: None)))
    put("refused_big_endian.pt", rezip("w.pt", only("byteorder", lambda b: b"big")))
    put("refused_torchscript.pt", with_entry("w.pt", "w/constants.pkl"))
    put("refused_outside.pt", rezip("w.pt", only("data.pkl", lambda b: b.replace(b"K\x18\x85", b"K\x19\x85"))))
    put("refused_bomb.pt", rezip("w.pt", only("data/0", lambda b: bytes(4 << 20)), zipfile.ZIP_DEFLATED))
    data = open(HERE + "w.pt", "rb").read()
    put("refused_cut_short.pt", data[:-30])
    put("refused_prefix.pt", b"junkjunk" * 8 + data)
    put("refused_twice.pt", with_entry("w.pt", "w/data.pkl"))
    put("refused_encrypted.pt", flags(rezip("w.pt", lambda n, b: b), 1))
    put("refused_method.pt", rezip("w.pt", lambda n, b: b, zipfile.ZIP_BZIP2))
    legacy = io.BytesIO()
    torch.save(w, legacy, _use_new_zipfile_serialization=False)
    put("w_legacy.pt", legacy.getvalue())
    put("refused_legacy_cut_short.pt", legacy.getvalue()[:-5])

    def pickle(name, text):
        put(name, rezip("w.pt", only("data.pkl", lambda b: text)))
    pickle("refused_eval.pt", b"\x80\x02c__builtin__\neval\nX\x01\x00\x00\x001\x85R.")
    pickle("refused_empty_pickle.pt", b"")
    pickle("refused_empty_stack.pt", b"\x80\x02.")
    pickle("refused_text_end.pt", b"\x80\x02X\xff\xff\xff\x7fabc")
    pickle("refused_cycle.pt", b"\x80\x02]q\x00h\x00a.")
    laughs = b"".join(b"]q" + bytes([i]) + (b"(h" + bytes([i - 1]) + b"h" + bytes([i - 1]) + b"e"
                                            if i else b"K\x01a") + b"0" for i in range(40))
    pickle("refused_laughs.pt", b"\x80\x02" + laughs + b"h\x27.")
    big = b"]q\x00(" + b"K\x01" * 5000 + b"e0"
    pickle("refused_copies.pt", b"\x80\x02" + big + b"(" + b"ctorch\nSize\nh\x00\x85R0" * 3000 + b"t.")
    pickle("refused_text_opcode.pt", b"I1\n.")
    pickle("refused_protocol_1.pt", b"\x80\x01K\x01.")
    pickle("refused_extension.pt", b"\x80\x02\x82\x01.")
    pickle("refused_state_of_function.pt", b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n}b.")
    pickle("refused_marks.pt", b"\x80\x02(((((.")
    pickle("refused_list_as_key.pt", b"\x80\x02}]K\x01s.")
    pickle("refused_key_twice.pt", b"\x80\x02}(X\x01\x00\x00\x00aK\x01X\x01\x00\x00\x00aK\x02u.")
    pickle("refused_dimensions.pt", open_pickle("w.pt").replace(b"K\x18\x85", b"(" + b"K\x01" * 65 + b"t"))
    pickle("refused_deep.pt", b"\x80\x02" + b"]" * 5000 + b"a" * 4999 + b".")

    # Fifield's: two entries of the directory that share bytes of the file.
    z = bytearray(rezip("w.pt", lambda n, b: b))
    with zipfile.ZipFile(io.BytesIO(bytes(z))) as f:
        infos = f.infolist()
    overlap = io.BytesIO()
    with zipfile.ZipFile(overlap, "w") as o:
        inner = zipfile.ZipInfo("w/inner")
        o.writestr(inner, b"x" * 64)
        o.writestr(zipfile.ZipInfo("w/data.pkl"), b"\x80\x02N.")
    data = bytearray(overlap.getvalue())
    # The first entry grows over the second one's header and data.
    second = data.find(b"PK\x03\x04", 4)
    end = data.find(b"PK\x01\x02")
    size = end - (30 + len("w/inner"))
    body = bytes(data[30 + len("w/inner"):end])
    for at in (14, end + 16):  # crc and two sizes, in the entry's header and in the directory
        data[at:at + 12] = struct.pack("<III", zlib.crc32(body), size, size)
    assert second > 0 and infos
    put("refused_overlap.pt", bytes(data))


def open_pickle(name):
    with zipfile.ZipFile(HERE + name) as z:
        return z.read([n for n in z.namelist() if n.endswith("data.pkl")][0])


def with_entry(source, name):
    import warnings
    out = io.BytesIO()
    with zipfile.ZipFile(HERE + source) as z, zipfile.ZipFile(out, "w") as o, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in z.namelist():
            o.writestr(zipfile.ZipInfo(n), z.read(n))
        o.writestr(zipfile.ZipInfo(name), b"\x80\x02N.")
    return out.getvalue()


def flags(data, bits):
    """The flags of the first entry, in its header and in the directory."""
    data = bytearray(data)
    data[6] |= bits
    data[data.find(b"PK\x01\x02") + 8] |= bits
    return bytes(data)


def record_archives():
    """Archives that are damaged, made of w.pt: nothing but Python is needed."""
    stored = rezip("w.pt", lambda n, b: b)
    deflated = rezip("w.pt", lambda n, b: b, zipfile.ZIP_DEFLATED)
    storage = b"w/data/0"

    def places(data, name):
        """Where an entry's own header begins, and what the directory says of it."""
        first = data.find(name)
        return first - 30, data.find(name, data.find(b"PK\x01\x02")) - 46

    def with_sizes(data, name, size, raw):
        """size: as the archive has it; raw: unpacked. None: as it was."""
        data = bytearray(data)
        header, entry = places(data, name)
        for at in (header + 18, entry + 20):
            was = struct.unpack_from("<II", data, at)
            struct.pack_into("<II", data, at, was[0] if size is None else size, was[1] if raw is None else raw)
        return bytes(data)

    def with_end(offset, form, *numbers):
        data = bytearray(stored)
        struct.pack_into(form, data, data.rfind(b"PK\x05\x06") + offset, *numbers)
        return bytes(data)
    put("refused_zero_byte.pt", stored.replace(b"w/version", b"w/vers\0on"))
    put("refused_header.pt", stored.replace(b"w/version", b"w/Version", 1))
    put("refused_two_sizes.pt", with_sizes(stored, storage, None, 97))
    put("refused_growth.pt", with_sizes(deflated, storage, None, 0x7fffffff))
    put("refused_behind.pt", with_sizes(stored, storage, 1 << 30, 1 << 30))
    with zipfile.ZipFile(io.BytesIO(stored)) as z:
        name = z.namelist()[-1].encode()
    rest = len(stored) - stored.find(name) - len(name)
    put("refused_in_directory.pt", with_sizes(stored, name, rest, rest))
    end = stored.rfind(b"PK\x05\x06")
    put("refused_directory.pt", stored[:end] + b"junk" + stored[end:])
    put("refused_several.pt", with_end(4, "<H", 1))
    put("refused_many_entries.pt", with_end(8, "<HH", 0xfff0, 0xfff0))
    bad = bytearray(deflated)
    for at, field in zip(places(deflated, b"w/data.pkl"), (14, 16)):
        bad[at + field] ^= 1
    put("refused_checksum.pt", bytes(bad))
    put("refused_two_checkpoints.pt", with_entry("w.pt", "v/data.pkl"))
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w") as z:
        z.writestr(zipfile.ZipInfo("readme.txt"), b"no array")
    put("refused_other.npz", text.getvalue())


def record_pickles():
    """Pickles that PyTorch does not write for tensors; likewise."""
    w = open_pickle("w.pt")

    def pickle(name, text):
        put(name, rezip("w.pt", lambda n, b: text if n.endswith("data.pkl") else b))
    pickle("refused_quantized.pt", b"\x80\x02ctorch._utils\n_rebuild_qtensor\n.")
    pickle("refused_buffer.pt", b"\x80\x05\x97.")
    pickle("refused_instance.pt", b"\x80\x02(iposix\nsystem\n.")
    pickle("refused_object.pt", b"\x80\x02(N\x6f.")
    assert w.count(b"K\x01\x85") == 1
    pickle("refused_negative_stride.pt", w.replace(b"K\x01\x85", b"J\xff\xff\xff\xff\x85"))
    legacy = open(HERE + "w_legacy.pt", "rb").read()
    put("refused_legacy_version.pt", legacy.replace(b"M\xe9\x03", b"M\xea\x03", 1))
    put("refused_legacy_count.pt", legacy.replace(struct.pack("<q", 24) + bytes(4), struct.pack("<q", 23) + bytes(4)))


def record_numpy():
    import numpy as np
    arrays = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "f": np.asfortranarray(np.arange(6.).reshape(2, 3)),
              "s": np.array(5, dtype=np.int16), "e": np.empty((0, 2), np.uint8)}
    np.savez(HERE + "numpy.npz", **arrays)
    np.savez_compressed(HERE + "deflated.npz", **arrays)
    np.save(HERE + "big_endian.npy", np.arange(6, dtype=">f4").reshape(2, 3))
    np.save(HERE + "big_endian_complex.npy", np.array([1 + 2j, 3 - 4j], dtype=">c8"))
    np.save(HERE + "fortran.npy", np.asfortranarray(np.arange(6, dtype=np.int32).reshape(2, 3)))
    np.savez(HERE + "refused_object.npz", o=np.array([{}], dtype=object))
    np.save(HERE + "refused_structured.npy", np.zeros(2, dtype=[("x", "f4"), ("y", "f4")]))
    np.save(HERE + "refused_text.npy", np.array(["ab"]))
    good = open(HERE + "fortran.npy", "rb").read()
    put("refused_longer.npy", good + b"\0")
    put("refused_shorter.npy", good[:-1])
    put("refused_version.npy", good[:6] + b"\x04" + good[7:])
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }" + b" " * 11000 + b"\n"
    put("refused_long_header.npy", b"\x93NUMPY\x02\x00" + struct.pack("<I", len(header)) + header + bytes(4))
    try:
        import ml_dtypes
        np.save(HERE + "bfloat16.npy", np.array([1, 2.5], dtype=ml_dtypes.bfloat16))
    except ImportError:
        pass


def record_zip64():
    """Sizes and places that zip64's fields hold, as where they pass 4 GB, though they are small."""
    header = b"{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }"
    npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.ljust(117) + b"\n" + struct.pack("<hh", 7, -8)
    data, directory, most = b"", b"", 0xffffffff
    for name in (b"a.npy", b"b.npy"):
        field = struct.pack("<HHQQ", 1, 16, len(npy), len(npy))
        at = len(data)
        data += struct.pack("<IHHHIIIIHH", 0x04034b50, 45, 0, 0, 33 << 16, zlib.crc32(npy), most, most,
                            len(name), len(field)) + name + field + npy
        field = struct.pack("<HHQQQ", 1, 24, len(npy), len(npy), at)
        directory += struct.pack("<IHHHHIIIIHHHHHII", 0x02014b50, 45, 45, 0, 0, 33 << 16, zlib.crc32(npy), most,
                                 most, len(name), len(field), 0, 0, 0, 0, most) + name + field
    end = len(data) + len(directory)
    large = struct.pack("<IQHHIIQQQQ", 0x06064b50, 44, 45, 45, 0, 0, 2, 2, len(directory), len(data))
    large += struct.pack("<IIQI", 0x07064b50, 0, end, 1)
    put("zip64.npz", data + directory + large + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 0xffff, 0xffff, most, most, 0))
    put("refused_two_ends.npz", data + directory + large + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 1, 1, most, most, 0))
    put("refused_entries.npz", data + directory + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 1, 1, len(directory),
                                                              len(data), 0))
    with zipfile.ZipFile(HERE + "zip64.npz") as z:
        assert z.testzip() is None and z.namelist() == ["a.npy", "b.npy"]


def st(name, header, data=b"", length=None):
    """A file of safetensors with that header."""
    h = header if isinstance(header, bytes) else json.dumps(header).encode()
    h += b" " * (-len(h) % 8)
    put(name, struct.pack("<Q", len(h) if length is None else length) + h + data)


def f(a, b, s=(1,), d="F32"):
    """A tensor's entry in such a header."""
    return {"dtype": d, "shape": list(s), "data_offsets": [a, b]}


def record_headers():
    """Headers of safetensors that no writer makes: nothing but Python is needed."""
    st("refused_first.safetensors", {"a": f(4, 8)}, bytes(8))
    st("refused_half_byte.safetensors", {"a": f(0, 1, [1], "F4")}, bytes(1))
    st("refused_no_object.safetensors", b"{} []")
    st("refused_offsets.safetensors", {"a": f(4, 0)}, bytes(4))


def record_safetensors():
    import numpy as np
    import safetensors
    from safetensors import TensorSpec, serialize
    keep = []

    def spec(dtype, shape, data):
        a = np.frombuffer(data, dtype=np.uint8).copy()
        keep.append(a)
        return TensorSpec(dtype=dtype, shape=shape, data_ptr=a.ctypes.data, data_len=len(data))
    tensors = {}
    sizes = {"bool": 1, "uint8": 1, "int8": 1, "float8_e5m2": 1, "float8_e4m3fn": 1, "int16": 2,
             "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "uint32": 4, "float32": 4,
             "float64": 8, "int64": 8, "uint64": 8, "complex64": 8}
    for i, (dtype, n) in enumerate(sizes.items()):
        for k in "ba":
            tensors[k + "_" + dtype] = spec(dtype, [2], bytes([i % 2]) * 2 * n)
    tensors["\"\\\n\x01\x7f/\u00e9\u2028"] = spec("uint8", [], b"\x07")
    tensors["empty"] = spec("float32", [0, 3], b"")
    put("official.safetensors", bytes(serialize(tensors, {"format": "pt"})))
    put("official_bare.safetensors", bytes(serialize({}, None)))

    st("refused_overlap.safetensors", {"a": f(0, 4), "b": f(2, 6)}, bytes(6))
    st("refused_hole.safetensors", {"a": f(0, 4), "b": f(8, 12)}, bytes(12))
    st("refused_tail.safetensors", {"a": f(0, 4)}, bytes(12))
    st("refused_length.safetensors", b"{}", length=1 << 40)
    st("refused_length_behind.safetensors", b"{}", length=4096)
    one = b'"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'
    st("refused_twice.safetensors", b"{" + one + b"," + one.replace(b"0,4", b"4,8") + b"}", bytes(8))
    st("refused_product.safetensors", {"a": f(0, 0, [2**32, 2**32, 2**32])})
    st("refused_negative.safetensors", {"a": f(0, 4, [-1])}, bytes(4))
    st("refused_float.safetensors", {"a": f(0, 4.0)}, bytes(4))
    st("refused_deep.safetensors", b"{" + b'"a":{' * 1000)
    st("refused_short.safetensors", {"a": f(0, 8)}, bytes(4))
    st("refused_utf8.safetensors", one.join([b"{", b"}"]).replace(b"a", b"\xff", 1), bytes(4))
    st("refused_key.safetensors", {"a": dict(f(0, 4), more=1)}, bytes(4))
    st("refused_missing.safetensors", {"a": {"dtype": "F32", "shape": [1]}}, bytes(4))
    st("refused_dtype.safetensors", {"a": f(0, 4, [1], "F33")}, bytes(4))
    st("refused_metadata.safetensors", {"__metadata__": {"a": 1}})
    st("refused_dimensions.safetensors", {"a": f(0, 4, [1] * 65)}, bytes(4))
    put("refused_empty.safetensors", b"")
    st("f4.safetensors", {"a": f(0, 4, [8], "F4"), "b": f(4, 8)}, bytes(8))
    st("unaligned.safetensors", {"a": f(0, 1, [1], "U8"), "b": f(1, 5)}, b"\x01\x00\x00\x80\x3f")
    print("safetensors", safetensors.__version__)


def g(name, infos, size, keys=b"", count=0):
    """A GGUF file of these tensors and keys."""
    text = b"GGUF" + struct.pack("<IQQ", 3, len(infos), count) + keys
    for n, dims, kind, offset in infos:
        text += struct.pack("<Q", len(n)) + n + struct.pack("<I", len(dims))
        text += b"".join(struct.pack("<Q", d) for d in dims) + struct.pack("<IQ", kind, offset)
    put(name, text + bytes(-len(text) % 32) + bytes(size))


def record_keys():
    """GGUF files that no writer makes: nothing but Python is needed."""
    key = struct.pack("<Q", 1) + b"k"
    g("refused_nested.gguf", [], 0, key + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 1000, 1)
    g("refused_list.gguf", [], 0, key + struct.pack("<IIQ", 9, 0, 1 << 40), 1)
    g("refused_text.gguf", [], 0, key + struct.pack("<IQ", 8, 1 << 40), 1)
    g("refused_value.gguf", [], 0, key + struct.pack("<IQ", 77, 0), 1)
    g("refused_rank.gguf", [(b"a", [1] * 65, 0, 0)], 64)
    g("refused_size.gguf", [(b"a", [1 << 63], 0, 0)], 64)
    g("refused_behind.gguf", [(b"a", [64], 0, 0)], 64)


def record_gguf():
    import gguf
    import numpy as np
    w = gguf.GGUFWriter(HERE + "model.gguf", "toy")
    w.add_uint32("toy.block_count", 2)
    w.add_float32("toy.epsilon", 0.5)
    w.add_bool("toy.tied", True)
    w.add_array("tokenizer.ggml.tokens", ["<s>", "a", "b"])
    w.add_array("toy.sizes", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    w.add_tensor("f32", np.arange(6, dtype=np.float32).reshape(2, 3))
    w.add_tensor("f16", np.array([1, 2.5], dtype=np.float16))
    w.add_tensor("i8", np.array([[-1], [2]], dtype=np.int8))
    w.add_tensor("q8", gguf.quants.quantize(np.ones((2, 32), np.float32), gguf.GGMLQuantizationType.Q8_0),
                 raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    data = open(HERE + "model.gguf", "rb").read()
    put("refused_cut_short.gguf", data[:-100])
    put("refused_in_header.gguf", data[:100])
    put("refused_version.gguf", data[:4] + struct.pack("<I", 9) + data[8:])
    put("refused_big_endian.gguf", data[:4] + struct.pack(">I", 3) + data[8:])
    put("refused_count.gguf", data[:8] + struct.pack("<Q", 1 << 60) + data[16:])

    g("refused_overlap.gguf", [(b"a", [16], 0, 0), (b"b", [16], 0, 32)], 128)
    g("refused_twice.gguf", [(b"a", [8], 0, 0), (b"a", [8], 0, 32)], 64)
    g("refused_offset.gguf", [(b"a", [8], 0, 4)], 64)
    g("refused_type.gguf", [(b"a", [8], 99, 0)], 64)
    g("refused_product.gguf", [(b"a", [2**40, 2**40], 0, 0)], 64)
    g("refused_block.gguf", [(b"a", [31], 8, 0)], 64)
    key = struct.pack("<Q", 17) + b"general.alignment" + struct.pack("<II", 4, 24)
    g("refused_alignment.gguf", [(b"a", [8], 0, 0)], 64, key, 1)
    g("refused_key_twice.gguf", [], 0, (struct.pack("<Q", 1) + b"k" + struct.pack("<IB", 0, 1)) * 2, 2)


for record in (record_torch, record_archives, record_pickles, record_numpy, record_zip64, record_headers,
               record_safetensors, record_keys, record_gguf):
    try:
        record()
    except ImportError as e:
        print(record.__name__, "left out:", e)
