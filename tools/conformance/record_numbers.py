#!/usr/bin/env python3
"""Records what PyTorch answers to calls with numbers that fit the dtype and numbers that do not.

  tools/conformance/record_numbers.py OUT [COUNT]      # needs torch; reads `switchyard ops --json` from stdin

Of every operator that takes a number (a Scalar), as read from stdin, calls with tensors of every
dtype and with numbers at and beyond the limits of each; COUNT of them (7,000), the same ones each
time, go to OUT as reference cases for `switchyard replay OUT`.
"""

import gzip
import itertools
import json
import random
import sys

import torch

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
          torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
          torch.complex128]
NUMBERS = [True, 0, 1, 2, -1, -3, 127, 128, -128, -129, 255, 256, 300, -300, 32767, 32768, -32769,
           65504, 65535, 2**31 - 1, 2**31, -2**31 - 1, 2**40, 2**63 - 1, -2**63,
           0.5, 1.5, -2.5, 255.5, 300.5, -129.5, 65520.0, 1e5, 3e9, 1e19, -1e19, 3.4e38, 3.5e38,
           1e39, -1e39, 1e300, float("inf"), float("-inf"), float("nan"), 1 + 0j, 1 + 2j,
           1e39 + 0j, 1e39j, 300 + 0j]


class Blob:
    def __init__(self):
        self.bytes = bytearray()

    def tensor(self, t):
        c = t.detach().clone(memory_format=torch.contiguous_format)  # numpy locks what it is shown
        raw = c.view(torch.uint8) if c.dim() else c.reshape(1).view(torch.uint8)
        data = raw.numpy().tobytes()
        at = len(self.bytes)
        self.bytes += data
        return {"t": [str(t.dtype)[6:], list(t.shape), list(t.stride()), at, len(data)]}

    def value(self, v):
        if isinstance(v, torch.Tensor):
            return self.tensor(v)
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        if isinstance(v, complex):
            return {"c": [self.value(v.real), self.value(v.imag)]}
        if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))):
            return {"f": "nan" if v != v else "inf" if v > 0 else "-inf"}
        if isinstance(v, torch.dtype):
            return {"dtype": str(v)[6:]}
        if isinstance(v, (torch.memory_format, torch.layout)):
            return {type(v).__name__: str(v)[6:]}
        if isinstance(v, torch.device):
            return {"device": str(v)}
        return v


def numbers(dtype, shape):
    """Small ones, so that results stay in range where the number is the question."""
    n = 1
    for s in shape:
        n *= s
    values = [(3 * i) % 7 + 1 for i in range(n)]
    t = torch.tensor(values, dtype=torch.float64).reshape(shape)
    return (t.to(torch.int64) % 2 == 0) if dtype == torch.bool else t.to(dtype)


def shape_of(op, name):
    base = op.split(".")[0].rstrip("_")
    if base in ("addmm", "addmv", "addr", "addbmm", "baddbmm"):
        return {"batch1": [2, 2, 2], "batch2": [2, 2, 2], "vec": [2], "vec1": [2], "vec2": [2],
                "self": [2, 2, 2] if base == "baddbmm" else [2] if base == "addmv" else [2, 2],
                }.get(name, [2, 2])
    if base in ("searchsorted", "bucketize"):
        return [4]
    if name == "target":
        return [2]
    return [2, 3]


def argument(op, a, dtype, rng):
    """A value for an argument that is no number; None: this operator is left out."""
    kind, name = str(a.type), a.name
    base = op.split(".")[0].rstrip("_")
    if kind == "Tensor":
        if name in ("mask", "condition"):
            return torch.tensor([[True, False, True], [False, True, False]])
        if name == "index":
            wide = base in ("scatter",)
            return torch.tensor([[0, 1, 0]]) if wide else torch.tensor([0, 1])
        if name == "target":
            return torch.tensor([0, 1])
        if name in ("start", "end") and base != "lerp":
            return torch.tensor(2).to(dtype)
        if name == "sorted_sequence" or name == "boundaries":
            return numbers(dtype, [4]).to(torch.float64).sort()[0].to(dtype)
        return numbers(dtype, shape_of(op, name))
    if name == "dtype":
        return dtype if "Optional" not in kind or rng.random() < 0.8 else None
    if kind == "int":
        return {"steps": 3, "dim": 0, "bins": 3}.get(name, 1)
    if kind == "List[int]":
        return {"size": [2], "pad": [1, 1], "dim": [0]}.get(name, [0])
    if kind == "str":
        return {"reduce": rng.choice(["add", "multiply"]), "rounding_mode": "trunc"}.get(name)
    if kind == "bool":
        return False
    if kind == "float":
        return 2.0
    if kind == "Optional[str]" and name == "rounding_mode":
        return rng.choice(["trunc", "floor"])
    return None


def is_number(a):
    return str(a.type) in ("number", "Optional[number]", "Scalar")


def overloads(schemas):
    for schema in schemas:
        name = schema.split("(")[0]
        base, _, overload = name.partition(".")
        packet = getattr(torch.ops.aten, base, None)
        op = getattr(packet, overload or "default", None) if packet else None
        if op is not None and any(is_number(a) for a in op._schema.arguments):
            yield name, op


# Random, of another kind, or (arange) of as many elements as the number says.
SKIPPED = ("normal", "rrelu", "segment_reduce", "gradient", "_unsafe_masked_index", "float_power",
           "linalg_matrix_norm", "linalg_norm", "linalg_cond", "arange")


def questions(name, op):
    """(dtype, position of the number that is asked about, number), of one operator."""
    if name.startswith(SKIPPED):
        return
    asked = [i for i, a in enumerate(op._schema.arguments) if is_number(a)]
    yield from itertools.product(DTYPES, asked, NUMBERS)


def call(name, op, dtype, asked, number, rng):
    """(arguments, keywords), or None. The other numbers are what they are by default, or 1."""
    args, kwargs = [], {}
    for i, a in enumerate(op._schema.arguments):
        if i == asked:
            v = number
        elif is_number(a):
            v = a.default_value if a.has_default_value() else 1
        elif a.is_out:
            v = torch.empty(0, dtype=rng.choice([dtype, torch.float32]))
        else:
            v = argument(name, a, dtype, rng)
            if v is None and a.has_default_value():
                v = a.default_value
            if v is None and not str(a.type).startswith("Optional"):
                return None
        if not a.kwarg_only:
            args.append(v)
        elif v is not None:
            kwargs[a.name] = v
    return args, kwargs


def record(name, op, args, kwargs, blob):
    start = len(blob.bytes)
    case = {"op": "aten::" + name, "args": [blob.value(a) for a in args],
            "kwargs": {k: blob.value(v) for k, v in kwargs.items()}}
    torch.manual_seed(0)
    try:
        out = op(*args, **kwargs)
    except (RuntimeError, IndexError, TypeError, ValueError) as e:
        if "Could not run" in str(e):
            del blob.bytes[start:]
            return None
        case["error"] = str(e).split("\n")[0]
        case["error_type"] = type(e).__name__
        return case
    outs = out if isinstance(out, (tuple, list)) else (out,)
    case["out"] = [blob.value(o) for o in outs]
    mutated = {}
    for i, a in enumerate(op._schema.arguments):
        if a.alias_info is not None and a.alias_info.is_write:
            mutated[str(i)] = blob.value(args[i] if i < len(args) else kwargs[a.name])
    if mutated:
        case["mutated"] = mutated
    case["schema"] = str(op._schema)
    return case


def write(folder, lines, data):
    """What `switchyard replay` reads: cases as text, and the bytes of their tensors."""
    with gzip.GzipFile(f"{folder}/cases-0.jsonl.gz", "wb", mtime=0) as f:
        f.write("".join(line + "\n" for line in lines).encode())
    with gzip.GzipFile(f"{folder}/blob-0.bin.gz", "wb", mtime=0) as f:
        f.write(bytes(data))


def main():
    torch.set_num_threads(1)
    folder, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7000
    schemas = [o["schema"] for o in json.load(sys.stdin)]
    every = [(name, op, q) for name, op in overloads(sorted(schemas)) for q in questions(name, op)]
    rng, blob, lines, names = random.Random(0), Blob(), [], set()
    rng.shuffle(every)
    for name, op, question in every:
        made = call(name, op, *question, rng)
        case = record(name, op, *made, blob) if made else None
        if case is not None:
            lines.append(json.dumps(case))
            names.add(name)
        if len(lines) == count:
            break
    print(f"{len(lines)} calls of {len(names)} overloads", file=sys.stderr)
    write(folder, lines, blob.bytes)


if __name__ == "__main__":
    main()
