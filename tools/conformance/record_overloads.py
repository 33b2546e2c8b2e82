#!/usr/bin/env python3
"""Records cases of the overloads that no other folder of reference cases calls.

  switchyard ops --json | tools/conformance/record_overloads.py DATA     # needs torch

DATA is tests/conformance/data: what its other folders hold is read, DATA/overloads is written. The
arguments of an overload are those of calls that are recorded of its nearest relative: the operator
whose out= or in-place variant it is, the one that takes a tensor where it takes a number, the one
whose second name it is. Where there is no relative they stand in `overload_samples.py` and
`samples_nn.py`, `samples_lists.py`. What cannot be recorded is told, with the reason, and belongs
into tests/conformance/unrecorded.txt.
"""

import gzip
import json
import os
import sys

import samples_lists
import samples_nn
import torch
from overload_samples import CRASHES, RELATIVES, SAMPLES
from record_numbers import Blob, record, write

SAMPLES.update(samples_nn.SAMPLES)
SAMPLES.update(samples_lists.SAMPLES)

MOST = 4  # cases of one overload
FOLDERS = ["opinfo", "edge", "leaves", "names"]


class Recorded:
    """The calls that other folders hold, by overload, decoded when asked for."""

    def __init__(self, data, folders=FOLDERS):
        self.lines, self.names = {}, set()
        for folder in folders:
            for n in range(2):
                path = f"{data}/{folder}/cases-{n}.jsonl.gz"
                if not os.path.exists(path):
                    continue
                blob = gzip.open(f"{data}/{folder}/blob-{n}.bin.gz").read()
                for line in gzip.open(path, "rt"):
                    case = json.loads(line)
                    if "schema" in case:
                        self.lines.setdefault(case["op"][6:], []).append((case, blob))
        for line in gzip.open(f"{data}/edge/random-0.jsonl.gz", "rt"):
            self.names |= {call["op"].removeprefix("aten::") for call in json.loads(line)["calls"]}
        self.names |= set(self.lines)

    def calls(self, name):
        """(positional arguments, keywords): of different dtypes first."""
        lines, seen = self.lines.get(name, []), set()
        lines = sorted(lines, key=lambda x: dtypes(x[0]) in seen or seen.add(dtypes(x[0])) or False)
        for case, blob in lines:
            yield ([decode(a, blob) for a in case["args"]],
                   {k: decode(v, blob) for k, v in case.get("kwargs", {}).items()})


def dtypes(case):
    return str([a["t"][0] if isinstance(a, dict) and "t" in a else None for a in case["args"]])


def decode(v, blob):
    if isinstance(v, list):
        return [decode(x, blob) for x in v]
    if not isinstance(v, dict):
        return v
    if "t" in v:
        dtype, sizes, strides, at, size = v["t"]
        flat = torch.frombuffer(bytearray(blob[at:at + size] or b"\0" * 16),
                                dtype=getattr(torch, dtype))
        return lying(flat[:size // flat.itemsize].reshape(sizes), strides)
    if "c" in v:
        return complex(*(decode(x, blob) for x in v["c"]))
    kind, text = next(iter(v.items()))
    if kind == "f":
        return float(text)
    if kind == "device":
        return torch.device(text)
    return getattr(torch, {"strided": "strided"}.get(text, text))


def lying(values, strides):
    """The values in memory with these strides and zeros in the gaps."""
    sizes = list(values.shape)
    extent = 1 + sum((s - 1) * st for s, st in zip(sizes, strides)) if values.numel() else 0
    memory = torch.zeros(extent, dtype=values.dtype)
    repeated = [d for d, (s, st) in enumerate(zip(sizes, strides)) if st == 0 and s > 1]
    once = values
    for d in repeated:
        once = once.narrow(d, 0, 1)
    if values.numel():
        memory.as_strided(list(once.shape), strides).copy_(once)
    return memory.as_strided(sizes, strides)


def overload(name):
    base, _, ov = name.partition(".")
    return getattr(getattr(torch.ops.aten, base, None), ov or "default", None)


def inputs(op):
    return [a for a in op._schema.arguments if not a.is_out]


def plain(a):
    return str(a.type).removeprefix("Optional[").removesuffix("]")


def like(a, b, same_name):
    """Whether an argument for `b` can be made of one for `a`."""
    numbers = {"number", "Tensor"}
    named = a.name == b.name or not same_name
    return named and (plain(a) == plain(b) or {plain(a), plain(b)} == numbers)


def relatives(name, op, names):
    """Recorded overloads with the same inputs, a tensor where the other has a number at most."""
    base = name.split(".")[0].removesuffix("_")
    found = []
    for other in names:
        family = other.split(".")[0]
        twin = family in RELATIVES.get(base, [])
        if other == name or not (twin or family in (base, base + "_")):
            continue
        candidate = overload(other)
        if candidate is None:
            continue
        mine, theirs = inputs(op), inputs(candidate)
        if len(mine) == len(theirs) and all(like(a, b, not twin) for a, b in zip(theirs, mine)):
            changes = sum(plain(a) != plain(b) for a, b in zip(theirs, mine))
            writes = any(a.alias_info is not None and a.alias_info.is_write for a in theirs)
            found.append((changes, writes, other))
    return [other for _, _, other in sorted(found)]


def number_for(t):
    return 2 if not isinstance(t, torch.Tensor) or not t.is_floating_point() else 1.5


def fitted(op, candidate, args, kwargs):
    """The relative's arguments in the places of this overload's."""
    given = {a.name: v for a, v in zip(candidate._schema.arguments, args)}
    given.update(kwargs)
    given = {mine.name: given[theirs.name] for mine, theirs in zip(inputs(op), inputs(candidate))
             if theirs.name in given}
    positional, keywords = [], {}
    for a in op._schema.arguments:
        if a.is_out:
            continue
        v = given.get(a.name, a.default_value if a.has_default_value() else None)
        if plain(a) == "number" and isinstance(v, torch.Tensor):
            v = number_for(v)
        if plain(a) == "Tensor" and isinstance(v, (int, float)):
            v = torch.tensor(v)
        if a.kwarg_only:
            keywords[a.name] = v
        else:
            positional.append(v)
    return positional, keywords


def with_outs(op, args, kwargs):
    """Empty tensors of the results' dtypes as out=; None where no functional overload tells them."""
    outs = [a for a in op._schema.arguments if a.is_out]
    if all(o.name in kwargs for o in outs):
        return args, kwargs
    base = op._schema.name
    for other in getattr(torch.ops.aten, base.split("::")[1]).overloads():
        candidate = getattr(getattr(torch.ops.aten, base.split("::")[1]), other)
        if any(a.is_out for a in candidate._schema.arguments):
            continue
        if [a.name for a in inputs(candidate)] != [a.name for a in inputs(op)] and not set(
                a.name for a in inputs(op)) <= set(a.name for a in candidate._schema.arguments):
            continue
        try:
            torch.manual_seed(0)
            results = candidate(*copies(args), **copies(kwargs))
        except (RuntimeError, TypeError, IndexError, ValueError):
            continue
        results = of_outs(op, results)
        if len(outs) == 1 and str(outs[0].type) == "List[Tensor]":
            if not all(isinstance(r, torch.Tensor) for r in results):
                continue
            return args, {**kwargs, outs[0].name: [torch.empty(0, dtype=r.dtype) for r in results]}
        results = results if isinstance(results, (tuple, list)) else [results]
        if len(results) == len(outs) and all(isinstance(r, torch.Tensor) for r in results):
            made = {a.name: torch.empty(0, dtype=r.dtype) for a, r in zip(outs, results)}
            return args, {**kwargs, **made}
    return None


def of_outs(op, results):
    """Without the results that `op` writes into its positional arguments."""
    outs = sum(a.is_out for a in op._schema.arguments)
    written = sum(a.alias_info is not None and a.alias_info.is_write for a in inputs(op))
    if not written or len(results) != outs + written:
        return results
    return results[0] if outs == 1 else results[:outs]


def copies(v):
    if isinstance(v, torch.Tensor):
        return v.clone() if v.is_contiguous() else lying(v, v.stride())
    if isinstance(v, list):
        return [copies(x) for x in v]
    if isinstance(v, dict):
        return {k: copies(x) for k, x in v.items()}
    return v


def calls_of(name, op, recorded, names):
    if name in SAMPLES:
        for args, kwargs in SAMPLES[name]():
            yield list(args), dict(kwargs)
        return
    for other in relatives(name, op, names):
        source = SAMPLES[other]() if other in SAMPLES else recorded.calls(other)
        for args, kwargs in source:
            yield fitted(op, overload(other), list(args), dict(kwargs))


def cases_of(name, op, recorded, names, blob):
    lines, why = [], "no relative is recorded"
    if op is None:
        return lines, "PyTorch has no such overload"
    if name in CRASHES:
        return lines, "PyTorch ends the process"
    for args, kwargs in calls_of(name, op, recorded, names):
        made = with_outs(op, args, kwargs)
        if made is None:
            why = "its results' dtypes are not known"
            continue
        start = len(blob.bytes)
        case = record(name, op, copies(made[0]), copies(made[1]), blob)
        if case is None or "error" in case:
            why = case["error"] if case else "PyTorch has no kernel"
            del blob.bytes[start:]
            continue
        lines.append(case)
        if len(lines) == MOST:
            break
    return lines, why


def main():
    torch.set_num_threads(1)
    data = sys.argv[1]
    recorded, blob, lines, unrecorded = Recorded(data), Blob(), [], {}
    schemas = [o["schema"].split("(")[0] for o in json.load(sys.stdin)]
    names = sorted(recorded.names | set(SAMPLES))
    for name in sorted(schemas):
        if name in recorded.names:
            continue
        made, why = cases_of(name, overload(name), recorded, names, blob)
        lines += made
        if not made:
            unrecorded[name] = why
    for name, why in unrecorded.items():
        print(f"{name}: {why}", file=sys.stderr)
    print(f"{len(lines)} calls, {len(unrecorded)} overloads without", file=sys.stderr)
    folder = f"{data}/overloads"
    os.makedirs(folder, exist_ok=True)
    write(folder, [json.dumps(line) for line in lines], blob.bytes)
    with open(f"{folder}/summary.json", "w", encoding="utf-8") as f:
        summary = {"torch": torch.__version__, "cases": len(lines), "errors": 0,
                   "overloads": len({line["op"] for line in lines})}
        f.write("{\n" + ",\n".join(f'"{k}": {json.dumps(v)}' for k, v in summary.items()) + "\n}\n")


if __name__ == "__main__":
    main()
