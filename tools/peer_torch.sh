#!/bin/sh
# peer_torch.sh FOLDER: makes a Python environment with PyTorch in FOLDER, outside the tree, for
# comparisons. Prints the settings that tools/bench.sh takes.
set -eu
[ $# -eq 1 ] || { echo "usage: tools/peer_torch.sh FOLDER" >&2; exit 2; }
[ -x "$1/bin/python" ] || python3 -m venv "$1"
"$1/bin/pip" install --quiet --no-deps torch==2.11.0 numpy typing_extensions filelock sympy mpmath \
  jinja2 networkx fsspec setuptools nvidia-cufile nvidia-cusparselt-cu13 nvidia-nvshmem-cu13
torch=$(find "$1" -type d -path '*site-packages/torch' | head -n 1)
cufile=$(dirname "$(find "$1" -name libcufile.so.0 | head -n 1)")
nvshmem=$(dirname "$(find "$1" -name libnvshmem_host.so.3 | head -n 1)")
echo "export TORCH_DIR=$torch LD_LIBRARY_PATH=$cufile:$nvshmem"
