#!/bin/sh
# gpu_bundle.sh FOLDER: what to take to a machine with an NVIDIA GPU and nothing to build with: the
# command, the tests of the cuda backend in one program, the benchmarks, with PyTorch's where
# TORCH_DIR names it, and the libraries that they need besides the C++ library. docs/cuda.md says
# how to run them there.
set -eu
[ $# -eq 1 ] || { sed -n 2p "$0" >&2; exit 2; }
mkdir -p "$1/lib" "$1/peer_torch"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
set -- //tools:switchyard //backends/cuda:gpu_tests //backends/cuda:launch_benchmark //bench:cuda
[ -z "${TORCH_DIR:-}" ] || set -- "$@" //bench/peer_torch:cuda
${BAZEL:-bazel} build "$@"
for target in "$@"; do
  path=$(echo "$target" | sed 's|^//||; s|:|/|')
  case $target in //bench/*) to=$folder/peer_torch ;; *) to=$folder ;; esac
  install -s -m 755 "bazel-bin/$path" "$to/"
done
# The host's part of some calls opens these.
for library in libdnnl.so.3 libdnnl.so.2 libopenblas.so.0 libsleef.so.3 libgomp.so.1; do
  found=$(ldconfig -p | sed -n "s|.*$library .*=> ||p" | head -n 1)
  [ -z "$found" ] || cp -L "$found" "$folder/lib/"
done
# All that these and the programs link, but for what is on every machine.
ldd "$folder/switchyard" "$folder/gpu_tests" "$folder/cuda" "$folder"/lib/* |
  sed -n 's|.*=> \(/[^ ]*\) .*|\1|p' | sort -u |
  grep -Ev '/(libc|libm|libmvec|libdl|librt|libpthread|libgcc_s|libstdc[+][+])[.]so' |
  xargs -I {} cp -L {} "$folder/lib/"
du -sh "$folder"
