"""Times torch.distributed's gloo: a rank of `switchyard launch`, printing bench/collective's lines."""

import time

import torch
import torch.distributed as dist

torch.set_num_threads(1)
dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()


def row(name, size, f):
    warm, rounds = (1, 7) if size > 1 << 20 else (20, 60)
    for _ in range(warm):
        f()
    times = []
    for _ in range(rounds):
        dist.barrier()
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    if RANK == 0:
        median = sorted(times)[len(times) // 2] * 1e6
        print(f"torch {SIZE} {name} {size} 0 {median:.3f} 0", flush=True)


row("barrier", 0, dist.barrier)
for size in (4, 64 << 10, 64 << 20):
    n = size // 4
    x, y = torch.ones(n), torch.empty(n)
    row("all_reduce", size, lambda: dist.all_reduce(x))
    if n < SIZE:
        continue
    part = torch.empty(n // SIZE)
    row("reduce_scatter", size, lambda: dist.reduce_scatter_tensor(part, x))
    row("all_gather", size, lambda: dist.all_gather_into_tensor(y, part))
    row("all_to_all", size, lambda: dist.all_to_all_single(y, x))
    row("broadcast", size, lambda: dist.broadcast(x, 0))
dist.destroy_process_group()
