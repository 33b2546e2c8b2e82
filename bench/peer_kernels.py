"""Benchmarks of groups of kernels, beside PyTorch's in the Python that runs this.

    PEER/bin/python bench/peer_kernels.py bazel-bin/backends/cpu/kernels/sparse/sparse_benchmark \
      [--filter REGEX] [--rounds 3]

The program's name says which group it is: sparse, quantized, linalg, resample, foreach. Ours and
PyTorch's run in turns, a process and a loop each round; printed are the least of many short runs of
each, microseconds, and PyTorch's over ours. Rows that PyTorch has not are ours alone.
"""

import argparse
import json
import os
import re
import subprocess
import time

import torch

RUNS = 15  # of each row in a round


def sparse():
    rows, block = 1000, 20
    torch.manual_seed(1)

    def held(n):
        return (torch.rand(n, n) < 0.1).float()

    def elements():
        return torch.randn(rows, rows) * held(rows)
    blocks = held(rows // block).repeat_interleave(block, 0).repeat_interleave(block, 1)
    coo = elements().to_sparse()
    csr, other = coo.to_sparse_csr(), elements().to_sparse_csr()
    bsr = (torch.randn(rows, rows) * blocks).to_sparse_bsr((block, block))
    dense = torch.randn(rows, 64)
    return {
        "CooTimesStrided": lambda: coo @ dense, "CsrTimesStrided": lambda: csr @ dense,
        "BsrTimesStrided": lambda: bsr @ dense, "CsrTimesVector": lambda: csr @ dense[:, 0],
        "CsrTimesCsr": lambda: csr @ other, "CsrPlusCsr": lambda: csr + other,
        "CooTimesNumber": lambda: coo * 2, "CooSumOfRows": lambda: torch.sparse.sum(coo, 1),
        "CooToStrided": lambda: coo.to_dense(), "CsrToStrided": lambda: csr.to_dense()}


def quantized():
    torch.manual_seed(1)
    q8 = torch.quint8
    x, bias = torch.randn(128, 1024), torch.randn(1024)
    q = torch.quantize_per_tensor(x, 0.05, 128, q8)
    w = torch.quantize_per_tensor(torch.randn(1024, 1024), 0.05, 0, torch.qint8)
    ops = torch.ops.quantized
    packed = ops.linear_prepack(w, bias)
    image = torch.quantize_per_tensor(torch.randn(1, 32, 56, 56), 0.05, 128, q8)
    kernel = torch.quantize_per_tensor(torch.randn(32, 32, 3, 3), 0.05, 0, torch.qint8)
    conv = ops.conv2d_prepack(kernel, None, [1, 1], [1, 1], [1, 1], 1)
    return {
        "Quantize": lambda: torch.quantize_per_tensor(x, 0.05, 128, q8),
        "Dequantize": lambda: q.dequantize(),
        "FakeQuantize": lambda: torch.fake_quantize_per_tensor_affine(x, 0.05, 0, -128, 127),
        "Linear": lambda: ops.linear(q, packed, 0.5, 128),
        "LinearDynamic": lambda: ops.linear_dynamic(x, packed),
        "Add": lambda: ops.add(q, q, 0.1, 128),
        "Convolution": lambda: ops.conv2d(image, conv, 0.5, 128)}


def linalg(batch, n):
    a, b = torch.randn(batch, n, n), torch.randn(batch, n, n)
    positive = a @ a.mT / n + torch.eye(n)
    of = torch.linalg
    return {
        "Cholesky": lambda: of.cholesky(positive), "Lu": lambda: of.lu_factor(a),
        "Solve": lambda: of.solve(a, b),
        "SolveTriangular": lambda: of.solve_triangular(positive, b, upper=True),
        "Inv": lambda: of.inv(a), "Det": lambda: of.det(a), "Qr": lambda: of.qr(a),
        "Eigh": lambda: of.eigh(positive), "Eig": lambda: of.eig(a), "Svd": lambda: of.svd(a),
        "Svdvals": lambda: of.svdvals(a)}


def resample(rows, to):
    planes = torch.randint(256, (1, 3, rows, rows), dtype=torch.uint8)
    found = {}
    for suffix, x in (("", planes),
                      ("SideBySide", planes.contiguous(memory_format=torch.channels_last))):
        for name, mode in (("Bilinear", "bilinear"), ("Bicubic", "bicubic")):
            for area in (False, True):
                found[name + "Antialiased" * area + suffix] = (
                    lambda x=x, mode=mode, area=area: torch.nn.functional.interpolate(
                        x, (to, to), mode=mode, align_corners=False, antialias=area))
    return found


def foreach():
    def tensors():
        return [torch.ones(1000) for _ in range(100)]
    a, b, c, d = tensors(), tensors(), tensors(), tensors()
    steps = [torch.ones(()) for _ in a]
    more = dict(amsgrad=False, maximize=False)
    return {
        "BM_AddInPlace": lambda: torch._foreach_add_(a, b, alpha=1),
        "BM_AddInPlaceByCalls": lambda: [x.add_(y) for x, y in zip(a, b)],
        "BM_Add": lambda: torch._foreach_add(a, b, alpha=1),
        "BM_AddByCalls": lambda: [x + y for x, y in zip(a, b)],
        "BM_MulNumberInPlace": lambda: torch._foreach_mul_(a, 1.0),
        "BM_MulNumberInPlaceByCalls": lambda: [x.mul_(1.0) for x in a],
        "BM_LerpInPlace": lambda: torch._foreach_lerp_(a, b, 0.1),
        "BM_LerpInPlaceByCalls": lambda: [x.lerp_(y, 0.1) for x, y in zip(a, b)],
        "BM_AddcdivInPlace": lambda: torch._foreach_addcdiv_(a, b, c, 1e-3),
        "BM_AddcdivInPlaceByCalls": lambda: [x.addcdiv_(y, z, value=1e-3)
                                             for x, y, z in zip(a, b, c)],
        "BM_Sqrt": lambda: torch._foreach_sqrt(b),
        "BM_FusedSgd": lambda: torch._fused_sgd_(
            a, b, c, weight_decay=0.1, momentum=0.9, lr=1e-6, dampening=0.0, nesterov=False,
            maximize=False, is_first_step=False),
        "BM_FusedAdam": lambda: torch._fused_adam_(
            a, b, c, d, [], steps, lr=1e-6, beta1=0.9, beta2=0.99, weight_decay=0.1, eps=1e-8,
            **more)}


def ours(program, pattern):
    command = [program, "--benchmark_format=json", "--benchmark_min_time=0.005",
               f"--benchmark_repetitions={RUNS}"]
    if pattern:
        command.append("--benchmark_filter=" + pattern)
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    scale = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
    least = {}
    for b in json.loads(text)["benchmarks"]:
        if b["run_type"] != "iteration":
            continue
        name, us = b["run_name"].removesuffix("/real_time"), b["real_time"] * scale[b["time_unit"]]
        least[name] = min(us, least.get(name, us))
    return least


def measured(f):
    """Microseconds of a call: the least mean of runs of 5 ms."""
    f()
    start = time.perf_counter()
    f()
    once = max(time.perf_counter() - start, 1e-7)
    n = max(1, int(0.005 / once))
    least = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        for _ in range(n):
            f()
        least = min(least, (time.perf_counter() - start) / n)
    return least * 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--filter", default="")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    group = globals()[os.path.basename(options.program).split("_")[0]]
    made, least = {}, {}
    for _ in range(options.rounds):
        for name, us in ours(options.program, options.filter).items():
            row, *numbers = name.split("/")
            threads, *sizes = map(int, numbers or [1])
            if tuple(sizes) not in made:
                made[tuple(sizes)] = group(*sizes)
            peer = made[tuple(sizes)].get(row)
            torch.set_num_threads(threads)
            with torch.no_grad():
                its = measured(peer) if peer else float("inf")
            before = least.get(name, (float("inf"), float("inf")))
            least[name] = (min(us, before[0]), min(its, before[1]))
    print("| row | ours, us | PyTorch, us | ratio |\n|---|---:|---:|---:|")
    for name, (us, its) in least.items():
        peer = "" if its == float("inf") else f"{its:.1f}"
        ratio = "" if its == float("inf") else f"{its / us:.2f}"
        print(f"| {re.sub('^BM_', '', name)} | {us:.1f} | {peer} | {ratio} |")


if __name__ == "__main__":
    main()
