#!/bin/sh
# Runs a suite of benchmarks, beside PyTorch where TORCH_DIR names it (tools/peer_torch.sh):
#
#   tools/bench.sh --suite dispatch [--json FILE] [--repetitions N] [--filter REGEX]
#
# Ours and the peer's two modes take turns; the table gives medians. Suites: dispatch, growth,
# encoder (examples/transformer), ops (operators on large tensors, by dtype, layout, size and
# threads), gradients (steps of training, their memory, what recording an operator costs; one
# thread), files (of 91 MB, beside the Python of PEER_PYTHON: safetensors, torch, numpy), collective
# (2 and 4 ranks, beside Open MPI, Gloo and, where TORCH_PYTHON names a python with torch,
# torch.distributed), python (calls from Python, beside NumPy's and PyTorch's), plugins (what a
# plugin's kernel and device cost over the tree's; no peer), cuda (on an NVIDIA GPU; status 3 where
# there is none), start, size, instructions.
set -eu
cd "$(dirname "$0")/.."
exec python3 bench/compare.py "$@"
