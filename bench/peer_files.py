"""The rows of bench/files.cc by Python's libraries, as far as this Python has them.

    python bench/peer_files.py FOLDER

Prints {"row": nanoseconds, …}, the least of 15 runs, of the files that bench/files made.
"""

import json
import os
import sys
import time

folder = sys.argv[1]
rows = {}
WRITES = 5


def row(name, f, runs=15):
    f()
    times = []
    for _ in range(runs):
        if runs == WRITES:
            os.sync()  # as bench/files.cc does
        start = time.perf_counter_ns()
        f()
        times.append(time.perf_counter_ns() - start)
    rows[name] = min(times)


def safetensors_rows():
    import safetensors.torch as st
    import torch
    torch.set_num_threads(1)
    path = folder + "/w.safetensors"
    row("load safetensors", lambda: st.load_file(path))

    def summed():
        for t in st.load_file(path).values():
            t.sum()
    row("load safetensors, sum", summed)

    def header():
        with st.safe_open(folder + "/many.safetensors", "pt") as f:
            return f.keys()
    row("header of 100,000 tensors", header, 3)
    tensors = {k: v.clone() for k, v in st.load_file(path).items()}
    row("save safetensors", lambda: st.save_file(tensors, folder + "/peer.safetensors"), WRITES)


def torch_rows():
    import torch
    torch.set_num_threads(1)
    path = folder + "/w.pt"
    row("load pt", lambda: torch.load(path, weights_only=True, mmap=True))
    tensors = torch.load(path, weights_only=True)
    row("save pt", lambda: torch.save(tensors, folder + "/peer.pt"), WRITES)


def numpy_rows():
    import numpy as np
    row("load npy", lambda: np.load(folder + "/w.npy", mmap_mode="r"))
    row("load npy, copy", lambda: np.load(folder + "/w.npy"))

    def npz(name):
        with np.load(folder + name) as z:
            return {k: z[k] for k in z.files}
    row("load npz", lambda: npz("/w.npz"))
    row("load npz, deflated", lambda: npz("/w_deflated.npz"), 2)
    arrays = npz("/w.npz")
    row("save npz", lambda: np.savez(folder + "/peer.npz", **arrays), WRITES)
    one = np.load(folder + "/w.npy")
    row("save npy", lambda: np.save(folder + "/peer.npy", one), WRITES)


for measure in (safetensors_rows, torch_rows, numpy_rows):
    try:
        measure()
    except ImportError as e:
        print(f"{measure.__name__}: {e}", file=sys.stderr)
print(json.dumps(rows))
