#!/usr/bin/env python3
"""Records what PyTorch answers to calls that are made like recorded ones, of other kinds.

  switchyard ops --json | tools/conformance/record_kinds.py DATA OUT [--seed 0] [--count 10]
      [--op PATTERN]... [--only KEYS]      # needs torch

DATA is tests/conformance/data. Of every overload as read from stdin that a call is recorded of,
COUNT calls go to OUT, for `switchyard replay OUT`: a recorded call, chosen by chance, with other
dtypes, sizes (none, one, of no dimensions), strides, values and numbers. What a seed gives depends
on the overload and on what is recorded alone. `--only` is a file of keys (OVERLOAD SEED NUMBER, one
a line): only these calls are recorded. Each overload's calls are made in a process of their own,
so that what ends PyTorch ends no more than these.
"""

import argparse
import fnmatch
import json
import os
import pickle
import random
import signal
import sys

import torch
from record_numbers import DTYPES, NUMBERS, Blob, record, write
from record_overloads import FOLDERS, Recorded, copies, lying, overload

SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, float("inf"), float("-inf"), float("nan"), 1e-45, 1e-40,
           -1e-8, 6e-8, 1e-38, 3e38, 65504.0, 1e5, 1e-3, 88.0, -104.0]
SECONDS = 60  # for the calls of one overload
MOST = 20000  # elements of a tensor


def of_chance(v, dtype, rng):
    """As many values, in this dtype: integers among those that were there, which may be indices."""
    n = v.numel()
    if not dtype.is_floating_point and not dtype.is_complex:
        if dtype == torch.bool:
            flat = [rng.random() < 0.5 for _ in range(n)]
        elif v.is_floating_point() or v.is_complex():
            flat = [rng.randrange(-3, 8) % 2**7 if dtype == torch.uint8 else rng.randrange(-3, 8)
                    for _ in range(n)]
        else:
            return v.flatten()[torch.tensor([rng.randrange(n) for _ in range(n)],
                                            dtype=torch.int64)].reshape(v.shape).to(dtype)
        return torch.tensor(flat, dtype=dtype).reshape(v.shape)
    rare = rng.random() < 0.25

    def one():
        return rng.choice(SPECIAL) if rare and rng.random() < 0.5 else round(rng.gauss(0, 2), 3)

    if dtype.is_complex:
        flat = [complex(one(), one()) for _ in range(n)]
    else:
        flat = [one() for _ in range(n)]
    wide = torch.complex128 if dtype.is_complex else torch.float64
    return torch.tensor(flat, dtype=wide).reshape(v.shape).to(dtype)


def laid(v, rng):
    """The same values: dense, with dimensions in another order, with gaps or one for all."""
    kind = rng.random()
    if kind < 0.5 or not v.dim():
        return v.contiguous()
    order = list(range(v.dim()))
    rng.shuffle(order)
    strides, step = [0] * v.dim(), rng.choice([1, 1, 1, 2, 3])
    for d in order:
        strides[d] = step
        step *= max(v.shape[d], 1)
    if kind > 0.93:
        d = rng.randrange(v.dim())
        strides[d] = 0
        v = v.narrow(d, 0, min(1, v.shape[d])).expand(v.shape)
    return lying(v, strides)


def tensors(v):
    if isinstance(v, torch.Tensor):
        return [v]
    if isinstance(v, (list, tuple)):
        return [t for x in v for t in tensors(x)]
    return []


def changed(v, f):
    if isinstance(v, torch.Tensor):
        return f(v)
    return [changed(x, f) for x in v] if isinstance(v, (list, tuple)) else v


class Changes:
    """What is done to all tensors of one call."""

    def __init__(self, given, rng):
        self.rng, self.dtypes, self.sizes = rng, {}, {}
        every = sorted({str(t.dtype)[6:] for t in given})
        for name in every:
            if rng.random() < 0.5:
                self.dtypes[name] = rng.choice(DTYPES)
        sizes = sorted({s for t in given for s in t.shape})
        if sizes and rng.random() < 0.2:
            self.sizes[rng.choice(sizes)] = rng.choice([0, 0, 0, 1])
        self.one = rng.random() < 0.15  # change of a single tensor

    def __call__(self, t):
        rng = self.rng
        dtype = self.dtypes.get(str(t.dtype)[6:], t.dtype)
        if self.one and rng.random() < 0.3:
            dtype = rng.choice(DTYPES)
        shape = [self.sizes.get(s, s) for s in t.shape]
        if rng.random() < 0.03:
            shape = [] if rng.random() < 0.5 else [rng.choice([s, s, 0, 1]) for s in shape]
        n = 1
        for s in shape:
            n *= s
        flat = t.reshape(-1)
        if n and not flat.numel():
            flat = torch.ones(1, dtype=t.dtype)
        values = flat[:n].reshape(shape) if n <= flat.numel() else flat.new_ones(shape)
        return laid(of_chance(values, dtype, rng), rng)


def number(v, a, rng):
    if str(a.type) in ("number", "Optional[number]", "Scalar") and rng.random() < 0.3:
        return rng.choice(NUMBERS)
    if str(a.type) == "bool" and rng.random() < 0.2:
        return not v
    if a.name == "dim" and isinstance(v, int) and rng.random() < 0.2:
        return rng.randrange(-3, 3)
    if isinstance(v, torch.dtype) and rng.random() < 0.3:
        return rng.choice(DTYPES)
    return v


def other_call(op, args, kwargs, rng):
    change = Changes(tensors(args) + tensors(list(kwargs.values())), rng)
    schema = {a.name: a for a in op._schema.arguments}
    made = [number(changed(v, change), a, rng) for v, a in zip(args, op._schema.arguments)]
    named = {}
    for k, v in kwargs.items():
        a = schema[k]
        if a.is_out and rng.random() < 0.7:
            named[k] = changed(v, lambda t: torch.empty(
                0, dtype=rng.choice([t.dtype, change.dtypes.get(str(t.dtype)[6:], t.dtype)])))
        else:
            named[k] = number(changed(v, change), a, rng)
    return made, named


def calls(name, op, recorded, seed, count, only):
    """(key, case, bytes of its tensors): what PyTorch answered."""
    known = list(recorded.calls(name))
    known = [c for c in known
             if all(t.numel() <= MOST for t in tensors(c[0]) + tensors(list(c[1].values())))]
    for i in range(count if known else 0):
        key = f"{name} {seed} {i}"
        if only is not None and key not in only:
            continue
        rng, blob = random.Random(key), Blob()
        args, kwargs = rng.choice(known)
        try:
            args, kwargs = other_call(op, copies(list(args)), copies(dict(kwargs)), rng)
            case = record(name, op, args, kwargs, blob)
        except (RuntimeError, OverflowError, TypeError, NotImplementedError) as e:
            print(f"{key}: {str(e)[:200]}", file=sys.stderr)
            continue
        if case is not None:
            yield key, case, bytes(blob.bytes)


def apart(make):
    """What `make` yields in a process of its own, up to what ends it."""
    there, here = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        with os.fdopen(here, "wb") as f:
            for one in make():
                pickle.dump(one, f)
                f.flush()
        os._exit(0)
    os.close(here)
    with os.fdopen(there, "rb") as f:
        while True:
            try:
                yield pickle.load(f)
            except (EOFError, pickle.UnpicklingError):
                break
    if os.waitpid(child, 0)[1]:
        print("a call ended the process", file=sys.stderr)


def moved(v, by):
    """A case whose tensors' bytes lie further on."""
    if isinstance(v, list):
        return [moved(x, by) for x in v]
    if isinstance(v, dict):
        if "t" in v:
            dtype, sizes, strides, at, size = v["t"]
            return {"t": [dtype, sizes, strides, at + by, size]}
        return {k: moved(x, by) for k, x in v.items()}
    return v


def main():
    p = argparse.ArgumentParser()
    p.add_argument("data")
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--count", type=int, default=10)
    p.add_argument("--op", action="append")
    p.add_argument("--only")
    a = p.parse_args()
    torch.set_num_threads(1)
    only = None
    if a.only:
        with open(a.only, encoding="utf-8") as f:
            only = set(f.read().splitlines())
    recorded = Recorded(a.data, FOLDERS + ["overloads"])
    lines, data, keys = [], bytearray(), []
    for o in sorted({o["schema"].split("(")[0] for o in json.load(sys.stdin)}):
        op = overload(o)
        wanted = not a.op or any(fnmatch.fnmatch(o, pattern) for pattern in a.op)
        seeds = sorted({int(k.split()[1]) for k in only if k.split()[0] == o}) if only else [a.seed]
        for seed in seeds if op is not None and wanted else []:
            count = 10**4 if only else a.count
            for key, case, raw in apart(
                    lambda o=o, op=op, s=seed, n=count: calls(o, op, recorded, s, n, only)):
                lines.append(json.dumps(moved(case, len(data))))
                keys.append(key)
                data += raw
    os.makedirs(a.out, exist_ok=True)
    write(a.out, lines, data)
    with open(f"{a.out}/keys.txt", "w", encoding="utf-8") as f:
        f.write("".join(k + "\n" for k in keys))
    print(f"{len(lines)} calls", file=sys.stderr)


if __name__ == "__main__":
    main()
